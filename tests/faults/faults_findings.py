"""Faults of what the report claims: labels, titles, statements, quotations, citations."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from tests.faults.draft import Cited, Draft, Stated
from tests.faults.kinds import Change, fault
from tests.faults.words import CHANGES, digit_changes, negation_drops, spots, stands_in

_INFLATED = (
    "confidence-inflated", "live-required", "code-unpinned", "runtime-support-insufficient",
    "independence-insufficient",
)  # fmt: skip
_SCREENS = ("claim-contradicts-evidence", "claim-support-disputed")


def stated(at: int, **values: object) -> Change:
    """Change attributes of a stated finding."""

    def change(draft: Draft) -> None:
        for name, value in values.items():
            setattr(draft.report.findings[at], name, value)

    return change


def requested(row: int, **values: object) -> Change:
    """Change fields of a finding's record; None removes a field."""

    def change(draft: Draft) -> None:
        for name, value in values.items():
            if value is None:
                draft.findings[row].pop(name, None)
            else:
                draft.findings[row][name] = value

    return change


def passage(at: int, **values: object) -> Change:
    """Change attributes of the passage that stands at a place."""

    def change(draft: Draft) -> None:
        for name, value in values.items():
            setattr(draft.report.passages()[at], name, value)

    return change


@fault("label: inflated in the report", *_INFLATED)
def label_inflated(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, finding in enumerate(draft.report.findings):
        if finding.label == "Low":
            yield stated(at, label="Medium")
        if finding.label != "High":
            yield stated(at, label="High")
            yield stated(at, label="HIGH")


@fault("label: inflated in the record", "confidence-downgraded")
def record_inflated(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for finding in draft.report.findings:
        if draft.findings[finding.row]["confidence"] != "high":
            yield requested(finding.row, confidence="high")


@fault("label: inflated in report and record", *_INFLATED)
def both_inflated(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, finding in enumerate(draft.report.findings):
        if finding.label != "High":

            def change(made: Draft, at: int = at, row: int = finding.row) -> None:
                made.report.findings[at].label = "High"
                made.findings[row]["confidence"] = "high"

            yield change


@fault("label: the record requests less than is stated", "confidence-inflated")
def record_deflated(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for finding in draft.report.findings:
        if finding.label == "High":
            yield requested(finding.row, confidence="medium")
        if finding.label != "Low":
            yield requested(finding.row, confidence="low")


@fault("label: missing", "confidence-label-missing")
def label_missing(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, finding in enumerate(draft.report.findings):
        yield stated(at, label="")
        yield requested(finding.row, confidence=None)


@fault("label: invalid", "confidence-label-invalid", "confidence-label-missing")
def label_invalid(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, finding in enumerate(draft.report.findings):
        for word in ("Very High", "90%", "Certain", "Highest", "Medium-High"):
            yield stated(at, label=word)
        for value in ("very high", "", 0.9, 3, True, ["high"]):
            yield requested(finding.row, confidence=value)


@fault("record: claim type of a High altered", *_INFLATED)
def claim_type(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for finding in draft.report.findings:
        kind = draft.findings[finding.row]["claim_type"]
        if finding.label == "High":
            yield requested(finding.row, claim_type="single_fact")
            if kind == "code_fact":
                yield requested(finding.row, claim_type="runtime_behavior")
                yield requested(finding.row, claim_type="trend")


@fault("record: id of a runtime High removed or altered", *_INFLATED, "test-does-not-cover-finding")
def runtime_id(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for finding in draft.report.findings:
        if "id" in draft.findings[finding.row]:
            for value in (None, "", "finding-other", "  "):
                yield requested(finding.row, id=value)


@fault("record: code or receipt of a runtime High removed", *_INFLATED, "citation-evidence-mismatch")
def runtime_evidence(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for finding in draft.report.findings:
        entries = draft.findings[finding.row]["evidence"]
        if draft.findings[finding.row]["claim_type"] == "runtime_behavior":
            for at in range(len(entries)):
                yield requested(finding.row, evidence=entries[:at] + entries[at + 1 :])


@fault("finding: title altered in the report", "finding-unmatched")
def title_altered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, finding in enumerate(draft.report.findings):
        for name in ("digit-changed", "word-dropped", "word-inserted", "words-swapped", "letter-changed"):
            for text in CHANGES[name](finding.title, rng):
                yield stated(at, title=text)


@fault("finding: title altered in the record", "finding-unmatched")
def record_title(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for finding in draft.report.findings:
        for name in ("digit-changed", "word-dropped", "word-inserted"):
            for text in CHANGES[name](finding.title, rng):
                yield requested(finding.row, title=text)


@fault("finding: left out of the report", "finding-omitted")
def left_out(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in range(len(draft.report.findings)):

        def change(made: Draft, at: int = at) -> None:
            del made.report.findings[at]

        yield change


@fault("finding: unusable, and published", "unverified-finding-published")
def unusable_published(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for row, record in enumerate(draft.findings):
        if draft.stated(row) is None:
            for label in ("Low", "Medium", "High"):

                def change(made: Draft, row: int = row, title: str = record["title"], label: str = label) -> None:
                    number = made.report.entries[0].number
                    made.report.findings.append(Stated(made.findings[row]["analysis"], [number], title, label, "", row))

                yield change


@fault("finding: its only evidence removed", "unverified-finding-published", "missing-evidence")
def evidence_removed(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for finding in draft.report.findings:
        for value in ([], None, {}, "text"):
            yield requested(finding.row, evidence=value)


@fault("finding: an invented one", "finding-unmatched")
def invented(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in spots(len(draft.report.findings), rng):
        number = draft.report.findings[at].cites[0]

        def change(made: Draft, at: int = at, number: int = number) -> None:
            made.report.findings.insert(at, Stated("It was always so.", [number], "It was always so", "Low", "", -1))

        yield change


@fault("statement: negation dropped", *_SCREENS, warning=True)
def negation_dropped(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, finding in enumerate(draft.report.findings):
        if "“" not in finding.text and '"' not in finding.text:
            for text in negation_drops(finding.text, rng):
                yield stated(at, text=text)


@fault("statement: negation added", *_SCREENS, warning=True)
def negation_added(draft: Draft, rng: random.Random) -> Iterator[Change]:
    pairs = [
        (" must ", " must not "),
        (" is ", " is not "),
        (" retries ", " never retries "),
        ("必须", "不必"),
        ("为", "不为"),
    ]
    for at, finding in enumerate(draft.report.findings):
        if draft.entry_of(draft.findings[finding.row]["evidence"][0]).kind != "web":
            continue
        for word, negated in pairs:
            if word in finding.text and "“" not in finding.text and '"' not in finding.text:
                yield stated(at, text=finding.text.replace(word, negated, 1))


@fault("statement: number altered", "number-not-in-evidence", "claim-support-qualified", "claim-contradicts-evidence")
def number_altered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, finding in enumerate(draft.report.findings):
        entry = draft.entry_of(draft.findings[finding.row]["evidence"][0])
        if entry.kind != "web" or "“" in finding.text or '"' in finding.text:
            continue
        unit = f"{draft.page(entry.shown['url'])['content']} {entry.line()}"
        for text in digit_changes(finding.text, rng):
            numbers = set(re.findall(r"[\d.]*\d", text)) - set(re.findall(r"[\d.]*\d", finding.text))
            if all(not re.search(rf"(?<![\d.]){re.escape(number)}(?![\d.]*\d)", unit) for number in numbers):
                yield stated(at, text=text)


@fault("quotation: altered", "quote-not-in-evidence")
def quotation_altered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, finding in enumerate(draft.report.findings):
        match = re.search(r'"([^"]+)"|“([^”]+)”', finding.text)
        if match is None:
            continue
        quote = match[1] or match[2]
        page = draft.page(draft.findings[finding.row]["evidence"][0]["url"])["content"]
        for alter in CHANGES.values():
            for text in alter(quote, rng):
                if not stands_in(text, page) and text.strip():
                    yield stated(at, text=finding.text.replace(quote, text))


@fault("quotation: invented", "quote-not-in-evidence")
def quotation_invented(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, text in _cited_passages(draft):
        for opener, closer in ('""', "“”", "«»", "「」", "‘’"):
            yield passage(at, text=f"{text} {opener}nobody ever wrote these seven words{closer}.")
            if opener == "‘":
                continue
            yield passage(at, text=f"{text} {opener}从来没有人写过这样的句子{closer}。")


def _cited_passages(draft: Draft) -> list[tuple[int, str]]:
    """Findings, subtopics and rows that cite."""
    report = draft.report
    first = len(report.summary)
    return [(at, p.text) for at, p in enumerate(report.passages()) if p.cites and at >= first]


@fault("citation: dangling", "citation-dangling")
def dangling(draft: Draft, rng: random.Random) -> Iterator[Change]:
    beyond = len(draft.report.entries) + 1
    for at, one in enumerate(draft.report.passages()):
        for number in (beyond, beyond + 5, 99, 999):
            yield passage(at, cites=[*one.cites, number])


@fault("citation: removed from a finding", "finding-uncited")
def uncited(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in range(len(draft.report.findings)):
        yield stated(at, cites=[])


@fault("citation: removed from a subtopic or row", "analysis-uncited")
def analysis_uncited(draft: Draft, rng: random.Random) -> Iterator[Change]:
    first = len(draft.report.summary) + len(draft.report.findings)
    for at, one in enumerate(draft.report.passages()):
        if at >= first and one.cites:
            yield passage(at, cites=[])


@fault("citation: of another source", "citation-evidence-mismatch")
def miscited(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, finding in enumerate(draft.report.findings):
        for entry in draft.report.entries:
            if entry.number not in finding.cites:
                yield stated(at, cites=[entry.number])
                yield stated(at, cites=[*finding.cites, entry.number])


@fault("citations: all shifted by one", "citation-evidence-mismatch", "citation-dangling")
def shifted(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for step in (1, -1):

        def change(made: Draft, step: int = step) -> None:
            for one in made.report.passages():
                one.cites = [number + step for number in one.cites]

        yield change


_RESIDUE = [
    "【12†source】", "【3†L10-L15】", "citeturn0search1", "turn0search3", ":contentReference[oaicite:2]{index=2}",
    "\ue200cite\ue202turn0search1\ue201", "[cite: 4]", "[oaicite:0]",
]  # fmt: skip


@fault("citation: residue of a tool", "citation-marker-leftover")
def residue(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, one in enumerate(draft.report.passages()):
        for mark in _RESIDUE:
            yield passage(at, text=f"{one.text} {mark}")


@fault("DOI: not of a cited page", "doi-not-in-source")
def foreign_doi(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, finding in enumerate(draft.report.findings):
        for doi in ("10.1234/unseen.2024.7", "10.5555/12345678"):
            yield stated(at, text=f"{finding.text} (doi:{doi})")
            yield stated(at, text=f"{finding.text} See https://doi.org/{doi} too.")


@fault("report: an uncited subtopic added", "analysis-uncited")
def topic_added(draft: Draft, rng: random.Random) -> Iterator[Change]:
    def change(made: Draft) -> None:
        made.report.consensus.append(Cited("Everyone has always agreed on the remaining points."))
        made.report.consensus[:] = [row for row in made.report.consensus if not row.text.startswith("No statement")]

    if any(row.cites for row in draft.report.consensus):
        yield change
