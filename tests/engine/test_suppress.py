from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from evidence_lint.engine.baseline import Baseline
from evidence_lint.engine.locate import Locator
from evidence_lint.engine.suppress import SuppressionPolicy, Suppressor
from evidence_lint.errors import SelectionError
from evidence_lint.model.artifact import Medium
from evidence_lint.model.location import Location, Span
from evidence_lint.model.suppression import AfterRun, BaselineEntry, SuppressionUse
from evidence_lint.model.verdict import Outcome, Problem, Severity, Skip, Verdict
from evidence_lint.parse.suppressions import find_marks
from tests.support.engine_support import artifact, bundle_of

CODES = {"NOTE101", "NOTE102", "OTHER101"}


def matching(selector: str) -> Collection[str]:
    found = {code for code in CODES if code.startswith(selector)} if selector else set()
    if not found:
        raise SelectionError(selector)
    return found


POLICY = SuppressionPolicy(matching)


def failed(location: Location, code: str = "NOTE101", fingerprint: str = "f") -> Verdict:
    return Verdict(
        "n", code, "note", Outcome.FAILED, Severity.ERROR, problem=Problem("bad", location), fingerprint=fingerprint
    )


def applied(
    text: str, words: str, policy: SuppressionPolicy = POLICY, code: str = "NOTE101"
) -> tuple[Verdict, Sequence[SuppressionUse]]:
    start = text.index(words)
    bundle = bundle_of(artifact("report", text))
    verdicts, after = Suppressor(policy, Locator()).apply(
        bundle, [failed(Location("report", Span(start, start + len(words))), code)]
    )
    return verdicts[0], after.suppressions


MARK = "<!-- evidence-lint: ignore[NOTE101] known -->"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "lines",
    [
        [f"- a claim {MARK}", "- other"],
        [MARK, "- a claim", "- other"],
        [MARK, "", "- a claim"],
        [f"  {MARK}  ", "- a claim"],
        [MARK, "<!-- evidence-lint: ignore[OTHER101] x -->", "- a claim"],
        [f"- **Bold**: text {MARK} and a claim"],
        ["<!-- evidence-lint: ignore[NOTE101]", "known since May -->", "- a claim"],
        ["<!-- evidence-lint: ignore[ OTHER , NOTE101 ]: known -->", "- a claim"],
        ["<!--evidence-lint:ignore[NOTE]known-->", "- a claim"],
        ["```", "code", "```", MARK, "a claim"],
    ],
)
def test_a_mark_on_the_line_or_before_it_silences(lines: list[str], end: str) -> None:
    verdict, (use, *_) = applied(end.join(lines), "a claim")
    assert verdict.outcome is Outcome.SUPPRESSED
    assert verdict.suppression is not None
    assert verdict.suppression.kind == "inline"
    assert verdict.suppression.reason.startswith("known")
    assert (use.unused, use.unknown, use.refused) == ((), (), ()) or "OTHER" in use.unused


@pytest.mark.parametrize(
    "lines",
    [
        [f"- other {MARK}", "- a claim"],
        ["- a claim", MARK, "- other"],
        [MARK, "- other", "- a claim"],
        ["```", MARK, "```", "- a claim"],
        ["    " + MARK, "", "- a claim"],
        ["~~~md", MARK, "a claim", "~~~"],
        ["- <!-- evidence-lint: ignore[NOTE102] another rule --> a claim"],
        ["- <!-- evidence-lint: ignore[NOTE101] --> a claim"],
        ["- <!-- evidence-lint: ignore known --> a claim"],
        ["- <!-- evidence-lint: ignore[] known --> a claim"],
        ["- <!-- evidence-lint: ignore[ALL] known --> a claim"],
        ["- <!-- evidence-lint: ignore[all] known --> a claim"],
        ["- <!-- evidence-lint: ignore[NOTE999] known --> a claim"],
        ["- <!-- evidence-lint: ignores[NOTE101] known --> a claim"],
        ["- <!-- evidence-lint: ignore[NOTE101 known --> a claim"],
        ["- `" + MARK + "` a claim"],
    ],
)
def test_other_marks_silence_nothing(lines: list[str]) -> None:
    assert applied("\n".join(lines), "a claim")[0].outcome is Outcome.FAILED


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_mark_on_any_line_of_a_bullet_counts(at: int) -> None:
    lines = ["- a claim that", "  goes on and", "  on to its end"]
    lines[at] += " " + MARK
    text = "\n".join([*lines, "- other"])
    bullet = text[: text.index("- other")]
    assert applied(text, bullet)[0].outcome is Outcome.SUPPRESSED


def test_a_mark_inside_a_section_does_not_speak_about_the_section() -> None:
    text = f"## 4) Key Findings\n\n- one {MARK}\n- two\n"
    assert applied(text, text)[0].outcome is Outcome.FAILED
    marked = f"## 4) Key Findings {MARK}\n\n- one\n- two\n"
    assert applied(marked, marked)[0].outcome is Outcome.SUPPRESSED


def test_a_span_that_ends_with_its_line_does_not_reach_the_next() -> None:
    text = f"- a claim\n- other {MARK}\n"
    assert applied(text, "- a claim\n")[0].outcome is Outcome.FAILED


def test_what_became_of_marks_is_told() -> None:
    text = (
        "- <!-- evidence-lint: ignore[NOTE101, NOTE102, NOTE9, OTHER101] why --> a claim\n"
        "- <!-- evidence-lint: ignore[NOTE101] --> b\n"
    )
    start = text.index("a claim")
    bundle = bundle_of(artifact("report", text))
    policy = SuppressionPolicy(matching, never=frozenset({"OTHER101"}))
    place = Location("report", Span(start, start + 7))
    passed = Verdict("n", "NOTE102", "note", Outcome.PASSED, Severity.ERROR)
    (verdict, _), after = Suppressor(policy, Locator()).apply(bundle, [failed(place), passed])
    first, second = after.suppressions
    assert verdict.outcome is Outcome.SUPPRESSED
    assert (first.used, first.unused, first.unknown, first.refused) == (
        ("NOTE101",),
        ("NOTE102",),
        ("NOTE9",),
        ("OTHER101",),
    )
    assert (second.mark.reason, second.used) == ("", ())


@pytest.mark.parametrize("outcome", [Outcome.SKIPPED, Outcome.ERRORED, Outcome.PASSED])
def test_only_failures_can_be_silenced(outcome: Outcome) -> None:
    text = f"a claim {MARK}"
    bundle = bundle_of(artifact("report", text))
    verdict = Verdict(
        "n",
        "NOTE101",
        "note",
        outcome,
        Severity.ERROR,
        subject=Location("report", Span(0, 7)),
        skip=Skip("x", "y") if outcome is Outcome.SKIPPED else None,
        fingerprint="f",
    )
    baseline = Baseline([BaselineEntry("f", "NOTE101", "report.md")], "b.json")
    policy = SuppressionPolicy(matching, baseline=baseline, baseline_folder=Path())
    assert Suppressor(policy, Locator()).apply(bundle, [verdict])[0] == [verdict]


def test_the_gate_decides_what_an_author_may_silence() -> None:
    text = f"- a claim {MARK}"
    assert applied(text, "a claim", SuppressionPolicy(matching, by_author=frozenset()))[0].outcome is Outcome.FAILED
    assert applied(text, "a claim", SuppressionPolicy(matching, by_author=frozenset({"NOTE102"})))[1][0].refused
    allowed = SuppressionPolicy(matching, by_author=frozenset({"NOTE101"}))
    assert applied(text, "a claim", allowed)[0].outcome is Outcome.SUPPRESSED
    never = SuppressionPolicy(matching, never=frozenset({"NOTE101"}), by_author=frozenset({"NOTE101"}))
    assert applied(text, "a claim", never)[0].outcome is Outcome.FAILED


def records(document: object, pointer: str) -> Verdict:
    bundle = bundle_of(artifact("report", "text"), artifact("findings", json.dumps(document), Medium.JSON))
    return Suppressor(POLICY, Locator()).apply(bundle, [failed(Location("findings", pointer=pointer))])[0][0]


BLOCK = {"ignore": ["NOTE101"], "reason": "known"}


@pytest.mark.parametrize(
    ("document", "pointer", "silenced"),
    [
        ({"findings": [{"evidence_lint": BLOCK}]}, "/findings/0", True),
        ({"findings": [{"evidence_lint": BLOCK}]}, "/findings/0/confidence", True),
        ({"findings": [{"evidence_lint": BLOCK}]}, "/findings/0/evidence/3/excerpt", True),
        ({"findings": [{"evidence_lint": BLOCK}, {}]}, "/findings/1", False),
        ({"findings": [{"evidence_lint": BLOCK}, *[{}] * 9]}, "/findings/01", False),
        ({"findings": [{"evidence": [{"evidence_lint": BLOCK}, {}]}]}, "/findings/0/evidence/0/url", True),
        ({"findings": [{"evidence": [{"evidence_lint": BLOCK}, {}]}]}, "/findings/0/evidence/1/url", False),
        ({"findings": [{"evidence": [{"evidence_lint": BLOCK}, {}]}]}, "/findings/0", False),
        ({"evidence_lint": BLOCK, "findings": [{}]}, "/findings/0", False),
        ({"findings": [{"evidence_lint": {"ignore": "NOTE101", "reason": "known"}}]}, "/findings/0", True),
        ({"findings": [{"evidence_lint": {"ignore": ["NOTE101"]}}]}, "/findings/0", False),
        ({"findings": [{"evidence_lint": {"ignore": ["NOTE101"], "reason": " "}}]}, "/findings/0", False),
        ({"findings": [{"evidence_lint": {"ignore": ["ALL"], "reason": "known"}}]}, "/findings/0", False),
        ({"findings": [{"evidence_lint": {"ignore": [5, None], "reason": "known"}}]}, "/findings/0", False),
        ({"findings": [{"evidence_lint": [BLOCK]}]}, "/findings/0", False),
        ({"a/b": [{"evidence_lint": BLOCK}]}, "/a~1b/0/c", True),
    ],
)
def test_a_block_silences_its_record(document: object, pointer: str, silenced: bool) -> None:
    assert (records(document, pointer).outcome is Outcome.SUPPRESSED) is silenced


def test_a_block_does_not_reach_another_file() -> None:
    document = {"findings": [{"evidence_lint": BLOCK}]}
    bundle = bundle_of(
        artifact("report", "text"),
        artifact("findings", json.dumps(document), Medium.JSON),
        artifact("content", json.dumps({"findings": [{}]}), Medium.JSON),
    )
    verdicts, _ = Suppressor(POLICY, Locator()).apply(bundle, [failed(Location("content", pointer="/findings/0"))])
    assert verdicts[0].outcome is Outcome.FAILED


def with_baseline(
    verdicts: Sequence[Verdict], entries: Sequence[BaselineEntry], **policy: object
) -> tuple[list[Verdict], AfterRun]:
    made = SuppressionPolicy(matching, baseline=Baseline(entries, "b.json"), baseline_folder=Path(), **policy)  # type: ignore[arg-type]
    return Suppressor(made, Locator()).apply(bundle_of(artifact("report", "text")), verdicts)


KNOWN = BaselineEntry("f", "NOTE101", "./report.md", "bad")


def test_a_baseline_silences_by_fingerprint_rule_and_report() -> None:
    (verdict,), after = with_baseline([failed(Location("report"))], [KNOWN])
    assert verdict.suppression is not None
    assert (verdict.suppression.kind, after.stale) == ("baseline", ())
    for entry in (
        BaselineEntry("g", "NOTE101", "report.md"),
        BaselineEntry("f", "NOTE102", "report.md"),
        BaselineEntry("f", "NOTE101", "other.md"),
        BaselineEntry("f", "NOTE101", "x/report.md"),
    ):
        (verdict,), _ = with_baseline([failed(Location("report"))], [entry])
        assert verdict.outcome is Outcome.FAILED, entry


def test_a_baseline_does_not_silence_what_never_may_be() -> None:
    (verdict,), _ = with_baseline([failed(Location("report"))], [KNOWN], never=frozenset({"NOTE101"}))
    assert verdict.outcome is Outcome.FAILED


def test_a_known_failure_that_is_gone_is_stale_only_if_its_rule_decided_everything() -> None:
    def row(outcome: Outcome) -> Verdict:
        return Verdict("n", "NOTE101", "note", outcome, Severity.ERROR, skip=Skip("x", "not here"))

    assert with_baseline([row(Outcome.PASSED)], [KNOWN])[1].stale == (KNOWN,)
    assert with_baseline([row(Outcome.PASSED), row(Outcome.SKIPPED)], [KNOWN])[1].stale == ()
    assert with_baseline([], [KNOWN])[1].stale == ()
    policy = SuppressionPolicy(matching, baseline=Baseline([KNOWN], "b.json"), baseline_folder=Path())
    bundle = bundle_of(artifact("report", "text"))
    assert Suppressor(policy, Locator()).apply(bundle, [], {"NOTE101"})[1].stale == (KNOWN,), "no subject is left"
    assert Suppressor(policy, Locator()).apply(bundle, [row(Outcome.PASSED)], narrowed=True)[1].stale == ()


def test_what_ran_and_what_was_skipped_is_told_apart() -> None:
    def row(code: str, outcome: Outcome) -> Verdict:
        return Verdict("n", code, "note", outcome, Severity.ERROR, skip=Skip("x", "not here"))

    _, after = with_baseline(
        [row("NOTE101", Outcome.PASSED), row("NOTE101", Outcome.SKIPPED), row("NOTE102", Outcome.SKIPPED)], []
    )
    assert after.ran == {"NOTE101"}
    assert after.skipped == {"NOTE101": "not here", "NOTE102": "not here"}


def test_a_suppression_of_a_rule_that_was_skipped_is_not_called_unused() -> None:
    text = f"text {MARK}"
    skipped = Verdict("n", "NOTE101", "note", Outcome.SKIPPED, Severity.ERROR, skip=Skip("x", "y"))
    bundle = bundle_of(artifact("report", text))
    assert Suppressor(POLICY, Locator()).apply(bundle, [skipped])[1].suppressions[0].unused == ()
    passed = Verdict("n", "NOTE101", "note", Outcome.PASSED, Severity.ERROR)
    assert Suppressor(POLICY, Locator()).apply(bundle, [passed])[1].suppressions[0].unused == ("NOTE101",)
    narrowed = Suppressor(POLICY, Locator()).apply(bundle, [passed], narrowed=True)[1]
    assert narrowed.suppressions[0].unused == ()


def test_marks_of_a_hostile_report_are_found_in_bounded_time() -> None:
    text = "<!-- evidence-lint: ignore[" * 20_000 + "a claim"
    assert find_marks(artifact("report", text)) == []
    nested: object = {"evidence_lint": BLOCK}
    for _ in range(400):
        nested = [nested]
    assert len(find_marks(artifact("findings", json.dumps({"x": nested}), Medium.JSON))) == 1
