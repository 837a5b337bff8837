"""The policy in force: what the work tree would change of it, and what its gate demands."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.artifact import Bundle
from evidence_lint.model.example import BASE_FINDING, Expected, base_sections, research_example
from evidence_lint.model.location import Location
from evidence_lint.model.policy import Gate, Policy, PolicyChange
from evidence_lint.model.suppression import AfterRun
from evidence_lint.model.verdict import Problem, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.assessment import Assessment
from evidence_lint.witness.captures import Live
from evidence_lint.witness.claims import EvidenceKind
from evidence_lint.witness.confidence import FindingAssessment, rank

_CHANGED = Policy(revision="origin/main", changes=(PolicyChange("ignore", "WEB104 is ignored"),))


@rule(
    "META105",
    "policy-changed",
    severity=Severity.WARNING,
    passes=[
        research_example("The work tree's own policy is in force"),
        research_example("The work tree has the same policy", policy=Policy(revision="origin/main")),
    ],
    fails=[
        research_example(
            "The report comes with a laxer configuration",
            Expected("the policy of origin/main is in force; the work tree would change ignore: WEB104 is ignored"),
            policy=_CHANGED,
        ),
    ],
)
def policy_changed(bundle: Bundle, policy: Policy) -> Iterator[Problem]:
    """The work tree has the policy that is in force.

    Why: with ``--policy-from`` the gate goes by the policy of a revision that the report's author does not control.
    What the work tree would change is told, so that a reviewer can judge the change by itself.

    Fix: review the change of the policy apart from the report.
    """
    for change in policy.changes:
        yield Problem(
            f"the policy of {policy.revision} is in force; the work tree would change {change.what}: {change.detail}",
            Location(bundle.main),
            help="Review the change of the policy apart from the report.",
        )


@rule(
    "META106",
    "gate-label-without-live",
    passes=[
        research_example("No gate on labels"),
        research_example("Not above the limit", policy=Policy(gate=Gate(without_live="medium"))),
    ],
    fails=[
        research_example(
            "A Medium that no capture confirmed",
            Expected(
                "the gate allows Low at most for a web claim without live capture, and this says Medium",
                at="Three copies are required",
            ),
            policy=Policy(gate=Gate(without_live="low")),
        ),
    ],
)
def label_without_live(finding: FindingAssessment, policy: Policy, live: Live) -> Iterator[Problem]:
    """No web claim states more than the gate allows without a live capture.

    Why: a project may trust saved pages less than the contract does.

    Fix: run with the network (``--live``), or lower the label.
    """
    limit = policy.gate.without_live
    stated = finding.stated
    if limit is None or stated is None or rank(stated.confidence) <= rank(limit):
        return
    web = [unit for unit in finding.verified if unit.ref.kind is EvidenceKind.WEB]
    if not web or any(unit.ref.kind is not EvidenceKind.WEB for unit in finding.verified):
        return
    if not any((row := live.of(unit)) is not None and row.supports for unit in web):
        yield Problem(
            f"the gate allows {limit.capitalize()} at most for a web claim without live capture, and this says "
            f"{(stated.confidence or '').capitalize()}",
            finding.location,
            help="Run with the network (--live), or lower the label.",
        )


@rule(
    "META107",
    "gate-too-many-medium",
    passes=[research_example("At the limit", policy=Policy(gate=Gate(max_medium=1)))],
    fails=[
        research_example(
            "One more than allowed",
            Expected("1 finding states Medium, and the gate allows 0"),
            policy=Policy(gate=Gate(max_medium=0)),
        ),
    ],
)
def too_many_medium(bundle: Bundle, assessment: Assessment, policy: Policy) -> Iterator[Problem]:
    """No more findings are Medium than the gate allows.

    Why: a project may want its reports to rest on facts; too many findings that are only probable make no basis.

    Fix: add the evidence that lifts findings to High, or leave some out.
    """
    limit = policy.gate.max_medium
    if limit is None:
        return
    count = sum(row.stated is not None and row.stated.confidence == "medium" for row in assessment.findings)
    if count > limit:
        yield Problem(
            f"{count} finding{' states' if count == 1 else 's state'} Medium, and the gate allows {limit}",
            Location(bundle.main),
            help="Add evidence, or leave findings out.",
        )


@rule(
    "META108",
    "gate-required-rule",
    passes=[
        research_example("It ran", policy=Policy(gate=Gate(required_rules=("WEB104",)))),
        research_example("It has nothing to look at", policy=Policy(gate=Gate(required_rules=("TEST101",)))),
    ],
    fails=[
        research_example(
            "It could not run",
            Expected("the gate requires LIVE103, which did not run here…"),
            sections={4: base_sections()[4].replace("Medium", "High")},
            findings=[{**BASE_FINDING, "confidence": "high"}],
            policy=Policy(gate=Gate(required_rules=("LIVE103",))),
        ),
    ],
)
def required_rule(bundle: Bundle, after: AfterRun) -> Iterator[Problem]:
    """Every rule that the gate requires came to a decision.

    Why: a rule that was skipped, on one subject even, or not selected has shown nothing there; a gate that counts on it
    must not open. A rule that finds nothing to look at in the bundle has run.

    Fix: give the run what the rule needs (the reason says what), and select it.
    """
    for code in after.required:
        if code not in after.ran or code in after.skipped:
            reason = after.skipped.get(code)
            yield Problem(
                f"the gate requires {code}, which did not run here{f': {reason}' if reason else ''}"
                if code not in after.ran
                else f"the gate requires {code}, which could not decide everything here: {reason}",
                Location(bundle.main),
                help="Give the run what the rule needs, and select it.",
            )
