"""Faults of the files themselves: JSON, shapes, the budget ledger."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.faults.draft import Draft, Files
from tests.faults.kinds import Change, fault

_UNREADABLE = ("artifact-invalid-json", "artifact-unreadable")


def raw(name: str, alter: Callable[[bytes], bytes]) -> Change:
    """Change the bytes of a file."""

    def change(draft: Draft) -> None:
        def apply(files: Files) -> None:
            files[name] = alter(files[name])

        draft.raw.append(apply)

    return change


def _names(draft: Draft) -> list[str]:
    return [f"{name}.json" for name in draft.records]


@fault("JSON: malformed", *_UNREADABLE)
def malformed(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for name in _names(draft):
        share = rng.random()
        yield raw(name, lambda data, share=share: data[: int(len(data) * share)])
        yield raw(name, lambda data: data.rstrip()[:-1] + b",}")
        yield raw(name, lambda data: data.replace(b'"', b"'"))
        yield raw(name, lambda data: data.replace(b":", b"", 1))
        yield raw(name, lambda data: b"// comment\n" + data)
        yield raw(name, lambda data: data + b"{}")
        yield raw(name, lambda data: data.replace(b"\n", b"\n\x01", 1))
        yield raw(name, lambda data: b"")
        yield raw(name, lambda data: b"[" * 500 + data + b"]" * 500)


@fault("JSON: a key twice", "artifact-invalid-json")
def key_twice(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for name in _names(draft):
        for key in (b'"extra"', json.dumps(next(iter(draft.records[name.removesuffix(".json")]))).encode()):
            yield raw(name, lambda data, key=key: data.replace(b"{", b"{" + key + b": 1, " + key + b": 1,", 1))


@fault("JSON: NaN or Infinity", "artifact-invalid-json")
def no_number(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for name in _names(draft):
        for word in (b"NaN", b"Infinity", b"-Infinity"):
            yield raw(name, lambda data, word=word: data.replace(b"{", b'{"extra": ' + word + b", ", 1))


@fault("file: not UTF-8", "artifact-unreadable", "artifact-invalid-json")
def not_utf8(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for name in [*_names(draft), "report.md"]:
        yield raw(name, lambda data: data.replace(b"e", b"\xe9", 1))
        yield raw(name, lambda data: data + b"\xff\xfe")


@fault("file: removed", "required-findings-missing", "required-results-missing", "required-content-missing",
       "required-code-evidence-missing")  # fmt: skip
def removed(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for name in draft.records:
        if name != "session":

            def change(made: Draft, name: str = name) -> None:
                del made.records[name]

            yield change


@fault("file: of another shape", "artifact-schema", "session-invalid", "required-results-missing",
       "required-content-missing", "required-code-evidence-missing")  # fmt: skip
def other_shape(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for name in draft.records:
        for value in ("text", 5, None, True, *([[]] if name in {"findings", "session"} else [])):

            def change(made: Draft, name: str = name, value: object = value) -> None:
                made.records[name] = value

            yield change


_TYPED = {
    "findings": ("findings", ("title", "analysis", "claim_type")),
    "results": (
        "results",
        ("title", "query", "domain", "snippet", "date", "source_type", "normalized_url", "methodology"),
    ),
    "content": (
        "items",
        ("url", "content", "title", "word_count", "http_status", "final_url", "fetched_at", "raw_sha256", "truncated"),
    ),
    "code_evidence": ("evidence", ("snapshot",)),
}


@fault("record: a field of another type", "artifact-schema", "invalid-url")
def other_type(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for name, (rows, fields) in _TYPED.items():
        if name not in draft.records:
            continue
        for at in range(len(draft.records[name][rows])):
            for field in fields:
                if name == "code_evidence" and field not in draft.repository[at]:
                    continue
                for value in (["list"], {"a": 1}, 0.5):

                    def change(
                        made: Draft, name: str = name, rows: str = rows, at: int = at, f: str = field, v: Any = value
                    ) -> None:
                        made.records[name][rows][at][f] = v

                    yield change


def _row_fault(kind: str, group: str, *answers: str) -> None:
    @fault(f"{kind}: no object", *answers)
    def places(draft: Draft, rng: random.Random) -> Iterator[Change]:
        for at in range(len(draft.records["findings"][group])):
            for value in (*(["text"] if group in {"findings", "analysis_sections"} else []), 7, None, [], True):

                def change(made: Draft, at: int = at, value: object = value) -> None:
                    made.records["findings"][group][at] = value

                yield change


_row_fault("finding", "findings", "invalid-finding")
_row_fault("analysis section", "analysis_sections", "invalid-analysis-section")
_row_fault("consensus row", "consensus", "invalid-consensus-statement")
_row_fault("debate row", "debate", "invalid-debate-statement")


@fault("consensus or debate: prose instead of rows", "legacy-consensus-unverified", "legacy-debate-unverified",
       "invalid-consensus-statement", "invalid-debate-statement", warning=True)  # fmt: skip
def legacy_rows(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for group in ("consensus", "debate"):
        for at in range(-1, len(draft.records["findings"][group])):

            def change(made: Draft, group: str = group, at: int = at) -> None:
                if at < 0:
                    made.records["findings"][group] = "Everyone agrees."
                else:
                    made.records["findings"][group][at] = "Everyone agrees."

            yield change


def _claim_fault(name: str, answers: tuple[str, ...], values: tuple[object, ...]) -> None:
    """A fault of one evidence entry of a published claim."""

    @fault(f"evidence: {name}", *answers)
    def places(draft: Draft, rng: random.Random) -> Iterator[Change]:
        for at, claim in enumerate(draft.claims()):
            for number in range(len(claim["evidence"])):
                for value in values:

                    def change(made: Draft, at: int = at, number: int = number, value: object = value) -> None:
                        entries = made.claims()[at]["evidence"]
                        if isinstance(value, dict):
                            entries[number] = {**entries[number], **value}
                        else:
                            entries[number] = value

                    yield change


_claim_fault("no object", ("invalid-evidence",), ("https://www.example.gov", 5, None, [], True))
_claim_fault("unknown kind", ("unsupported-evidence-kind",),
             tuple({"kind": kind} for kind in ("", "pdf", "Web", None, 3, ["web"])))  # fmt: skip


@fault("claim: no evidence", "missing-evidence")
def no_evidence(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in range(len(draft.claims())):
        for value in ([], None, "text", {}):

            def change(made: Draft, at: int = at, value: object = value) -> None:
                made.claims()[at]["evidence"] = value

            yield change


@fault("finding: bare URLs instead of evidence", "legacy-citations-unverified")
def legacy(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for finding in draft.report.findings:

        def change(made: Draft, row: int = finding.row) -> None:
            del made.findings[row]["evidence"]
            made.findings[row]["citations"] = ["https://www.archives.example.gov/guides/part-1"]

        yield change


def session(part: str, field: str, value: object) -> Change:
    """Change a field of the ledger, or of a part of it; None removes it."""

    def change(draft: Draft) -> None:
        target = draft.records["session"][part] if part else draft.records["session"]
        if value is None:
            target.pop(field, None)
        else:
            target[field] = value

    return change


@fault("session: a field altered or absent", "session-invalid", "session-mismatch")
def session_field(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for field in ("schema", "mode", "research_kind", "budget", "usage"):
        for value in (None, "", "other", 5, [], True):
            yield session("", field, value)
    for value in ("none", 5, {}):
        yield session("", "events", value)
    for field in ("session_id", "created_at", "updated_at"):
        for value in (5, [], {}, True):
            yield session("", field, value)


@fault("session: a budget that is not canonical", "session-invalid")
def session_budget(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for field, right in draft.records["session"]["budget"].items():
        for value in (right + 1, right - 1, right * 10, None, "5", float(right) + 0.5, True, -right):
            yield session("budget", field, value)


@fault("session: impossible usage", "session-invalid")
def session_usage(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for field in draft.records["session"]["usage"]:
        for value in (-1, 1000, 0.5, "3", True, None, [1]):
            yield session("usage", field, value)


@fault("session: another mode or kind", "session-mismatch")
def session_other(draft: Draft, rng: random.Random) -> Iterator[Change]:
    budgets = {"quick": (5, 10, 5, 8), "standard": (15, 25, 10, 20), "deep": (30, 50, 15, 40)}
    for mode, numbers in budgets.items():
        if mode != draft.mode:

            def change(made: Draft, mode: str = mode, numbers: tuple[int, ...] = numbers) -> None:
                ledger = made.records["session"]
                ledger["mode"] = mode
                ledger["budget"] = dict(zip(ledger["budget"], numbers, strict=True))

            yield change
    for kind in ("web", "codebase", "hybrid"):
        if kind != draft.kind:
            yield session("", "research_kind", kind)


@fault("session: fewer extractions than pages", "usage-below-records")
def session_below(draft: Draft, rng: random.Random) -> Iterator[Change]:
    extracted = sum(bool(page["content"]) for page in draft.pages)
    for number in range(extracted):
        yield session("usage", "content_extractions", number)


@fault("budget: exhausted, not told", "budget-exhausted-undisclosed")
def exhausted(draft: Draft, rng: random.Random) -> Iterator[Change]:
    def flag(made: Draft) -> None:
        made.records["content"]["budget_exhausted"] = True

    if draft.pages:
        yield flag
    for event in ({"type": "budget_exhausted"}, {"type": "search", "exhausted": True}, "retrieval budget exhausted"):

        def change(made: Draft, event: Any = event) -> None:
            made.records["session"]["events"].append(event)

        yield change


@fault("support review: malformed", "support-review-invalid")
def review_malformed(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for finding in draft.report.findings:
        if "support_review" not in draft.findings[finding.row]:
            continue
        for values in ({"stance": "agrees"}, {"stance": None}, {"stance": 5}, {"derived_numbers": "no"}):

            def change(made: Draft, row: int = finding.row, values: Any = values) -> None:
                made.findings[row]["support_review"].update(values)

            yield change


@fault("support review: a stance that does not carry", "claim-contradicts-evidence", "claim-support-qualified",
       "claim-support-unreviewed", warning=True)  # fmt: skip
def stance(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for finding in draft.report.findings:
        if "support_review" not in draft.findings[finding.row]:
            continue
        for word in ("partial", "context-only", "contradicts"):

            def change(made: Draft, row: int = finding.row, word: str = word) -> None:
                made.findings[row]["support_review"]["stance"] = word

            yield change
        if len(draft.report.findings) > 1:

            def dropped(made: Draft, row: int = finding.row) -> None:
                del made.findings[row]["support_review"]

            yield dropped


@fault("support counts: wrong", "support-counts-mismatch")
def support_counts(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, (label, value) in enumerate(draft.report.fields[2]):
        if label.startswith("Claim support"):
            for state in ("attested", "qualified", "unreviewed", "disputed", "blocked"):
                before, _, after = value.partition(f"— {state} " if state == "attested" else f", {state} ")
                number, _, rest = after.partition(",")
                glue = f"— {state} " if state == "attested" else f", {state} "
                changed = f"{before}{glue}{int(number) + 60}{',' if rest else ''}{rest}"

                def change(made: Draft, at: int = at, changed: str = changed) -> None:
                    made.report.fields[2][at][1] = changed

                yield change
