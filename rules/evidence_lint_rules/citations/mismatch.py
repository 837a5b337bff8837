"""What an entry of the index shows is what its record holds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_lint.errors import Unavailable
from evidence_lint.model.example import (
    BASE_CODE,
    BASE_CODE_ENTRY,
    BASE_CODE_PATH,
    BASE_CODE_RECORD,
    BASE_ENTRY,
    BASE_URL,
    COMMIT,
    Expected,
    research_example,
)
from evidence_lint.model.location import Location
from evidence_lint.model.policy import Policy
from evidence_lint.model.report import REPORT
from evidence_lint.model.verdict import Excerpted, Problem, Related
from evidence_lint.rule import rule
from evidence_lint.witness.authority import classify
from evidence_lint.witness.captures import Live
from evidence_lint.witness.index import EntryTarget, WebIdentity
from evidence_lint_rules.citations._comparison import (
    Mismatch,
    code_mismatches,
    commit_mismatches,
    link_mismatches,
    receipt_mismatches,
)
from evidence_lint_rules.citations._naming import place, shortened

_FROM_REGISTRY = re.compile(r"\bbasis:\s*registry\b", re.IGNORECASE)
_COMMIT_RECORD = {"id": "commit-1", "kind": "commit", "commit": COMMIT, "subject": "feat: keep three copies"}
_TWO_LINES = {**BASE_CODE_RECORD, "line": 4, "excerpt": "\n".join(BASE_CODE.splitlines()[3:])}


@rule(
    "CIT108",
    "source-mismatch",
    passes=[
        research_example("A page with its derived tier"),
        research_example("An older form shows less", sections={8: BASE_ENTRY.partition(" — government")[0]}),
        research_example(
            "A link whose text is its own URL, cut and without scheme",
            sections={8: BASE_ENTRY.replace(BASE_URL, f"[www.example.gov/guides/…]({BASE_URL})")},
        ),
        research_example("A code line", kind="codebase"),
        research_example(
            "A wrapped entry with more about the code behind its excerpt",
            kind="codebase",
            sections={8: BASE_CODE_ENTRY.replace(" — commit:", " — snapshot: commit\n  — commit:")},
        ),
        research_example(
            "Other spellings of path, excerpt and commit; the first line of two",
            kind="codebase",
            code=[
                BASE_CODE_RECORD,
                {**_TWO_LINES, "id": "code-2"},
                {**BASE_CODE_RECORD, "id": "code-3", "commit": "working-tree-unpinned"},
                {**BASE_CODE_RECORD, "id": "code-4", "commit": "HEAD"},
            ],
            sections={
                8: f"[1] code evidence `code-1` — ./store//copies.py:1 — `COPIES  =  3` — commit: `{COMMIT}`\n"
                f"[2] code evidence `code-2` — {BASE_CODE_PATH}:4-5 — def missing(present): — commit: {COMMIT}\n"
                f"[3] code evidence `code-3` — {BASE_CODE_PATH}:1 — COPIES = 3 — commit: working-tree-unpinned\n"
                f"[4] code evidence `code-4` — {BASE_CODE_PATH}:1 — COPIES … — commit: working-tree-unpinned"
            },
        ),
    ],
    fails=[
        research_example(
            "A tier that is not derived",
            Expected("the entry shows tier T1, and T4 is derived: www.example.org is in no authority list…", at="1"),
            results=[{"query": "q", "title": "Backup guide", "url": "https://www.example.org/guides/backups"}],
            sections={8: BASE_ENTRY.replace("example.gov", "example.org")},
        ),
        research_example(
            "Path, line, excerpt and commit of another place",
            Expected(
                "the entry shows the path store/tapes.py, and its record holds store/copies.py", at="store/tapes.py"
            ),
            Expected("the entry shows the line 2, and its record holds 1", at="2"),
            Expected("the entry shows the excerpt COPIES = 4, and its record holds COPIES = 3", at="COPIES = 4"),
            Expected("the entry shows the commit 0123456789ab, and its record holds @COMMIT@", at="0123456789ab"),
            kind="codebase",
            sections={8: "[1] code evidence `code-1` — store/tapes.py:2 — COPIES = 4 — commit: 0123456789ab"},
        ),
        research_example(
            "A link that shows another URL",
            Expected(
                f"the entry shows the URL https://evil.example.com/, and the link leads to {BASE_URL}", at=BASE_URL
            ),
            sections={8: BASE_ENTRY.replace(BASE_URL, f"[https://evil.example.com/]({BASE_URL})")},
        ),
        research_example(
            "Lines that the excerpt does not hold",
            Expected("the entry shows the excerpt COPIES = 3 COPIES = 9, and its record holds COPIES = 3"),
            kind="codebase",
            sections={8: BASE_CODE_ENTRY.replace(" — commit:", "\nCOPIES = 9 — commit:")},
        ),
        research_example(
            "Praise behind the excerpt",
            Expected("the entry shows the excerpt COPIES = 3 — # always safe, and its record holds COPIES = 3"),
            kind="codebase",
            sections={8: BASE_CODE_ENTRY.replace(" — commit:", " — # always safe — commit:")},
        ),
        research_example(
            "The subject of another commit",
            Expected(
                "the entry shows the subject feat: keep four copies, and its record holds feat: keep three copies",
                at="feat: keep four copies",
            ),
            kind="codebase",
            code=[BASE_CODE_RECORD, _COMMIT_RECORD],
            sections={8: f"{BASE_CODE_ENTRY}\n[2] commit evidence `commit-1` — {COMMIT} — feat: keep four copies"},
        ),
        research_example(
            "A failed test that is shown as passed",
            Expected("the entry shows the status passed, and its record holds failed", at="passed"),
            Expected("the entry shows the exit code 0, and its record holds 1", at="0"),
            kind="codebase",
            code=[BASE_CODE_RECORD, {"id": "test-1", "kind": "test", "status": "failed", "exit_code": 1}],
            sections={8: f"{BASE_CODE_ENTRY}\n[2] test evidence `test-1` — pytest / tests — passed (exit 0)"},
        ),
    ],
)
def source_mismatch(target: EntryTarget, policy: Policy, live: Live, identity: WebIdentity) -> Iterator[Problem]:
    """What an entry of the index shows is what its record holds.

    Why: readers look at the index, not at the records. A line, commit, status or tier that stands only there lends the
    report evidence that nobody verified. Only what an entry shows is compared, so shorter forms are fine.

    Fix: write the entry anew from its record; where the record is wrong, correct that first.
    """
    entry = target.entry
    for shown, followed in link_mismatches(entry):
        yield Problem(
            f"the entry shows the URL {shortened(shown)}, and the link leads to {shortened(followed)}",
            place(entry.url, entry),
            help="Let the text of the link be its own URL, or words.",
        )
    yield from _tier(target, policy, live, identity)
    candidates: list[list[Mismatch]] = [code_mismatches(entry, code) for code in target.code]
    candidates += [commit_mismatches(entry, commit) for commit in target.commits]
    candidates += [receipt_mismatches(entry, receipt) for receipt in target.receipts]
    # An ambiguous id is told elsewhere; here an entry that fits one of its records is true.
    if candidates:
        fewest = min(len(found) for found in candidates)
        yield from map(_problem, next(found for found in candidates if len(found) == fewest))


def _problem(mismatch: Mismatch) -> Problem:
    shown, expected = mismatch.shown.value, mismatch.expected
    return Problem(
        f"the entry shows the {mismatch.field} {shortened(shown) or 'nothing'}, "
        f"and its record holds {shortened(expected)}",
        Location(REPORT, mismatch.shown.span),
        help="Write the entry anew from its record.",
        related=(Related(mismatch.record, "the record"),),
        shown=_shown(expected) if mismatch.field == "excerpt" else (),
    )


def _shown(text: str) -> tuple[Excerpted, ...]:
    return (Excerpted("the record's excerpt", tuple(text.splitlines()[:20])),)


def _tier(target: EntryTarget, policy: Policy, live: Live, identity: WebIdentity) -> Iterator[Problem]:
    entry = target.entry
    if entry.tier is None or entry.url is None or not target.web or not target.resolved:
        return
    judged = classify(entry.url.value, policy.authority)
    # A page that this run was redirected from has the tier of the place where it ended.
    effective = [row.authority for row in live.all if identity.same(row.unit.ref.url, entry.url.value)]
    if any(entry.tier.value == str(one.tier.value) for one in (judged, *effective)):
        return
    if judged.entry is None and _FROM_REGISTRY.search(entry.text):
        raise Unavailable(
            "registry", f"the tier of [{entry.number}] rests on an authority registry that this policy lacks"
        )
    derived = effective[0] if effective else judged
    yield Problem(
        f"the entry shows tier T{entry.tier.value}, and {derived.tier} is derived: {derived.basis}",
        Location(REPORT, entry.tier.span),
        help="Write the derived tier, or name the host in the policy's authority registry with a reason.",
    )
