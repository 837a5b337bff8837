"""Which findings and code records a receipt covers."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import BASE_CODE_FINDING, Expected
from evidence_lint.model.verdict import Problem, Related
from evidence_lint.rule import rule
from evidence_lint.witness.claims import ClaimKind
from evidence_lint.witness.receipts import TestReceipt
from evidence_lint.witness.standing import Standing
from evidence_lint.witness.units import RefFault, Unit
from evidence_lint_rules.receipts._examples import FINDING, expect, receipt_example
from evidence_lint_rules.receipts._faults import told


@rule(
    "TEST108",
    "test-covers-invalid",
    passes=[receipt_example("A sound receipt")],
    fails=[
        receipt_example(
            "A text",
            expect('`covers` is the string "finding-copies", where a list of ids is expected', "/covers"),
            covers="finding-copies",
        ),
        receipt_example(
            "An empty list", expect("`covers` is an empty list, where a list of ids is expected", "/covers"), covers=[]
        ),
    ],
)
def covers_invalid(receipt: TestReceipt, standing: Standing) -> Iterator[Problem]:
    """A receipt lists the ids of the findings and code records that it covers.

    Why: a test counts for a finding only by that list; without it the run belongs to no claim.

    Fix: list the finding's id and the ids of the code records that it cites.
    """
    yield from told(receipt, "test-covers-invalid", standing)


@rule(
    "TEST125",
    "test-does-not-cover-finding",
    passes=[receipt_example("The finding's id is covered")],
    fails=[
        receipt_example(
            "A receipt of another finding",
            Expected(
                "receipt test-1 does not cover finding-copies, so it counts for nothing here",
                pointer="/findings/0/evidence/1/id",
                artifact="findings",
            ),
            covers=["finding-tapes", "code-1"],
        ),
        receipt_example(
            "A finding without an id",
            Expected(
                "receipt test-1 cannot cover finding #1 (Three copies are required), which has no id of its own",
                pointer="/findings/0/evidence/1/id",
                artifact="findings",
            ),
            finding={name: value for name, value in FINDING.items() if name != "id"},
        ),
        receipt_example(
            "Two findings of one id",
            Expected(
                "the id 'finding-copies' is that of several findings, so receipt test-1 covers none of them",
                pointer="/findings/0/evidence/1/id",
                artifact="findings",
            ),
            others=({**BASE_CODE_FINDING, "title": "Another finding"},),
        ),
    ],
)
def does_not_cover(unit: Unit, standing: Standing) -> Iterator[Problem]:
    """A receipt that a finding cites covers that finding.

    Why: a passing test supports the finding that it was run for; cited for any other it is a pass borrowed from
    elsewhere.

    Fix: cite the receipt that covers the finding, or run the test for it and list the finding's id in ``covers``.
    """
    if unit.fault is not RefFault.NOT_COVERED or unit.test is None:
        return
    name, claim = unit.test.id or "(without id)", unit.ref.row
    given = getattr(claim.value, "id", None) if claim is not None else None
    if isinstance(given, str) and given.strip() in unit.test.covers:
        message = f"the id {given.strip()!r} is that of several findings, so receipt {name} covers none of them"
    elif isinstance(given, str) and given.strip():
        message = f"receipt {name} does not cover {given.strip()}, so it counts for nothing here"
    else:
        title = getattr(claim.value, "title", None) if claim is not None else None
        named = f"{ClaimKind.FINDING.words} #{unit.ref.claim_number}" + (f" ({title})" if title else "")
        message = f"receipt {name} cannot cover {named}, which has no id of its own"
    yield Problem(
        message,
        unit.ref.at("id"),
        help="Cite the receipt that covers the finding, or list the finding's id in `covers` of a run made for it.",
        related=(Related(unit.test.row.at("covers"), "what the receipt covers"),),
        severity=standing.of_ref(unit.ref),
    )
