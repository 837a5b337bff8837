"""A page a rule, made from its definition with its examples, and an index by family."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from itertools import groupby

from evidence_lint.engine.catalogue import load_catalogue
from evidence_lint.model.example import Example, base_files
from evidence_lint.rule import Rule
from pages.text import code, paragraphs, prose, sentence, table, word

_OURS = ("evidence_lint_rules", "evidence_lint_plugins")
_FAMILIES = {
    "BUD": "Budgets and execution integrity",
    "CIT": "Citations and the source index",
    "CITE": "Citation payloads and ledgers",
    "CODE": "Code and commits",
    "CONF": "Confidence labels",
    "EVID": "Evidence in general",
    "IN": "Files and records can be read",
    "LIVE": "Pages as they are now",
    "LOOP": "Packets of an autonomous loop",
    "META": "Suppressions, baseline, policy and gate",
    "OUT": "The report's form and its own figures",
    "SUP": "Support of the claim",
    "TEST": "Host test receipts",
    "WEB": "Saved web evidence",
    "WF": "Workflow results and their bounds",
}
_CONTEXT = 2


def built_in() -> Sequence[Rule]:
    """The rules that come with evidence-lint, whatever else is installed here."""
    return [rule for rule in load_catalogue().rules if rule.module.startswith(_OURS)]


def _families() -> Iterator[tuple[str, str, list[Rule]]]:
    for family, members in groupby(built_in(), key=lambda rule: rule.family):
        yield family, _FAMILIES.get(family, family), list(members)


def navigation() -> list[dict[str, list[dict[str, str]]]]:
    """The families with their rules."""
    return [
        {f"{family} · {title}": [{f"{rule.code} {rule.name}": f"rules/{rule.code}.md"} for rule in rules]}
        for family, title, rules in _families()
    ]


def pages() -> Iterator[tuple[str, str]]:
    """The index and every rule's page."""
    yield "rules/index.md", _index()
    for rule in built_in():
        yield f"rules/{rule.code}.md", _page(rule)


def _index() -> str:
    rules = built_in()
    parts = [
        "# Rules",
        f"{len(rules)} rules come with evidence-lint. Each page is made from the rule's own definition, and the "
        "examples "
        "on it are run as tests. An *error* fails a run, a *warning* does under `--fail-on warning`, an *info* never "
        "does; [configuration](../reference/configuration.md#severity) changes severities. `evidence-lint "
        "explain CODE` "
        "prints the same at a terminal.",
        "Examples are shown as differences from a small clean bundle: `-` lines stand in the clean one, `+` lines in "
        "the example. `@COMMIT@` and `@TREE@` stand for the object ids of the example's own repository.",
    ]
    for family, title, members in _families():
        rows = [
            (f"[{rule.code}]({rule.code}.md)", word(rule.name), rule.severity.value, prose(rule.summary))
            for rule in members
        ]
        parts += [
            f"## {family} · {title} {{ #{family.lower()} }}",
            table(("code", "name", "severity", "demands"), rows),
        ]
    return "\n\n".join(parts) + "\n"


def _page(rule: Rule) -> str:
    facts = [
        f"**{rule.severity.value}**",
        f"family [{rule.family}](index.md#{rule.family.lower()})",
        "`--fix` can mend it" if rule.fixable else "no automatic fix",
    ]
    parts = [f"# {rule.code} {rule.name}", paragraphs(rule.summary), " · ".join(facts)]
    parts += ["## Why", paragraphs(sentence(rule.why)), "## How to mend it", paragraphs(sentence(rule.fix))]
    for example in rule.examples.passes:
        parts += [f"## Passes: {prose(example.title)}", *_changes(example)]
    for example in rule.examples.fails:
        parts += [f"## Fails: {prose(example.title)}", *_changes(example), *_problems(example)]
    return "\n\n".join(parts) + "\n"


def _changes(example: Example) -> Iterator[str]:
    base = base_files(example)
    changed = False
    for name in sorted({*example.files, *base}):
        before, after = base.get(name), example.files.get(name)
        if before == after:
            continue
        changed = True
        if after is None:
            yield f"{word(name)} is absent."
            continue
        lines = list(difflib.unified_diff((before or "").splitlines(), after.splitlines(), n=_CONTEXT, lineterm=""))[2:]
        text = "\n".join("…" if line.startswith("@@") else line for line in lines)
        yield f"{word(name)}{'' if before is not None else ' is added'}:"
        yield code(text.removeprefix("…\n"), "diff")
    if example.repository:
        changed = changed or example.repository != base_repository(example)
        yield "The checkout holds " + ", ".join(word(path) for path in sorted(example.repository)) + "."
    if example.pages is not None:
        changed = True
        yield "This run captures " + (", ".join(word(url) for url in example.pages) or "nothing that answers") + "."
    if example.policy is not None:
        changed = True
        yield "The policy in force is not the default one; see the rule's source for it."
    if not changed:
        yield "The clean bundle as it is."


def base_repository(example: Example) -> object:
    """The repository of the clean bundle that an example starts from."""
    from evidence_lint.model.example import BASE_CODE, BASE_CODE_PATH  # noqa: PLC0415

    return {BASE_CODE_PATH: BASE_CODE} if example.repository is not None else None


def _problems(example: Example) -> Iterator[str]:
    rows: list[str] = []
    for problem in example.problems:
        if problem.pointer is not None:
            place = f"at {word(problem.pointer)}" if problem.pointer else "at the whole file"
        else:
            place = f"at {word(problem.at.splitlines()[0])}" if problem.at else "at its place"
        severity = f" ({problem.severity.value})" if problem.severity is not None else ""
        rows.append(f"- {word(problem.artifact)}, {place}{severity}: {prose(' '.join(problem.message.split()))}")
    yield "What is reported:"
    yield "\n".join(rows)
