"""Suppressions say why, name real rules, and still silence something; a baseline holds only what is still there."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.artifact import Bundle
from evidence_lint.model.example import BASE_FINDING, Expected, base_sections, research_example
from evidence_lint.model.location import Location
from evidence_lint.model.suppression import AfterRun, BaselineEntry
from evidence_lint.model.verdict import Edit, Fix, Problem, Severity
from evidence_lint.rule import rule

_BULLET = "- **Three copies are required**: The guide requires three copies of every record. [1]"


def _marked(mark: str, bullet: str = _BULLET) -> dict[int, str]:
    return {4: f"<!-- evidence-lint: ignore{mark} -->\n{bullet}"}


@rule(
    "META101",
    "suppression-unused",
    severity=Severity.WARNING,
    fixable=True,
    passes=[
        research_example("It silences a problem", sections=_marked("[CONF103] labels follow with the next edition")),
        research_example(
            "In a fence it is an example",
            sections={5: f"### Copies\n\nAs here: [1]\n\n```\n{_marked('[CONF103] x')[4]}\n```"},
        ),
    ],
    fails=[
        research_example(
            "The problem is gone",
            Expected(
                "this suppression of CONF103 silences nothing",
                at="<!-- evidence-lint: ignore[CONF103] labels follow -->",
            ),
            sections=_marked("[CONF103] labels follow", base_sections()[4]),
        ),
    ],
)
def suppression_unused(bundle: Bundle, after: AfterRun) -> Iterator[Problem]:
    """Every suppression still silences a problem.

    Why: a suppression that outlives its problem waits to hide the next one.

    Fix: take it out.
    """
    for use in after.suppressions:
        mark = use.mark
        if mark.reason and use.unused:
            whole = not use.used and not use.refused and mark.kind == "inline" and mark.location.span is not None
            fix = None
            if whole and mark.location.span is not None:
                span = mark.location.span
                fix = Fix("take the comment out", (Edit(mark.location.artifact, span.start, span.end, ""),))
            yield Problem(
                f"this suppression of {', '.join(use.unused)} silences nothing",
                mark.location,
                help="Take it out.",
                fix=fix,
            )


@rule(
    "META102",
    "suppression-unknown",
    passes=[research_example("A rule that exists", sections=_marked("[CONF103] labels follow"))],
    fails=[
        research_example(
            "A rule that does not exist",
            Expected(
                "'CONF999' names no rule, so this suppression silences nothing",
                at="<!-- evidence-lint: ignore[CONF999] labels follow -->",
            ),
            sections=_marked("[CONF999] labels follow", base_sections()[4]),
        ),
        research_example(
            "No rule at all",
            Expected("this suppression names no rule", at="<!-- evidence-lint: ignore everything here -->"),
            sections=_marked(" everything here", base_sections()[4]),
        ),
    ],
)
def suppression_unknown(bundle: Bundle, after: AfterRun) -> Iterator[Problem]:
    """A suppression names rules that exist and that may be suppressed.

    Why: a misspelt code silences nothing while its author believes that the matter is settled; a blanket one would hide
    what nobody has seen yet.

    Fix: name the rule by its code or name, as the verdict prints it.
    """
    for use in after.suppressions:
        for selector in use.unknown:
            yield Problem(
                f"{selector!r} names no rule, so this suppression silences nothing",
                use.mark.location,
                help="Name the rule as its verdict prints it; `evidence-lint rules` lists them.",
            )
        for selector in use.refused:
            yield Problem(
                f"the policy does not let a report suppress {selector}",
                use.mark.location,
                help="Mend the problem, or have the policy list the rule under `suppressible`.",
            )
        if not use.mark.selectors:
            yield Problem(
                "this suppression names no rule",
                use.mark.location,
                help="Write ignore[CODE] and a reason; there is no suppression of everything.",
            )


@rule(
    "META103",
    "suppression-without-reason",
    passes=[research_example("It says why", sections=_marked("[CONF103] labels follow with the next edition"))],
    fails=[
        research_example(
            "No reason, so nothing is silenced",
            Expected(
                "this suppression gives no reason, so it silences nothing", at="<!-- evidence-lint: ignore[CONF103] -->"
            ),
            sections=_marked("[CONF103]"),
        ),
        research_example(
            "Nor in a record",
            Expected("this suppression gives no reason, …", pointer="/findings/0/evidence_lint", artifact="findings"),
            findings=[{**BASE_FINDING, "evidence_lint": {"ignore": ["WEB104"]}}],
        ),
    ],
)
def suppression_without_reason(bundle: Bundle, after: AfterRun) -> Iterator[Problem]:
    """A suppression says why.

    Why: a reader of the report must be able to judge whether the exception is a good one.

    Fix: write the reason behind the rule: ``ignore[CODE] reason``.
    """
    for use in after.suppressions:
        if not use.mark.reason:
            yield Problem(
                "this suppression gives no reason, so it silences nothing",
                use.mark.location,
                help="Write the reason behind the rule.",
            )


@rule(
    "META104",
    "baseline-stale",
    severity=Severity.WARNING,
    passes=[research_example("No baseline")],
    fails=[
        research_example(
            "A failure that was mended",
            Expected("baseline.json still lists CONF103 (this finding states no confidence), which is gone"),
            baseline=[BaselineEntry("0" * 32, "CONF103", "report.md", "this finding states no confidence")],
        ),
    ],
)
def baseline_stale(bundle: Bundle, after: AfterRun) -> Iterator[Problem]:
    """A baseline lists only failures that are still there.

    Why: an entry that nothing matches any more would silence the same failure if it came back.

    Fix: write the baseline again (``evidence-lint baseline write``).
    """
    for entry in after.stale:
        yield Problem(
            f"{after.baseline} still lists {entry.rule} ({entry.message}), which is gone",
            Location(bundle.main),
            help="Write the baseline again: evidence-lint baseline write.",
        )
