"""Reading one bundle: files to artifacts, records and the parsed report (chapters 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evidence_lint.dialect import Candidate, LoadOptions
from evidence_lint.model.artifact import Artifact, Medium
from evidence_lint.model.bundle import ResearchBundle
from evidence_lint.model.records import Records
from evidence_lint.model.report import REPORT
from evidence_lint.parse.json_text import parse_artifact
from evidence_lint.parse.markdown import parse_report
from evidence_lint.parse.records import read_records
from evidence_lint.sources.files import confinement, read_artifact

DIALECT = "nine-section"


def load(candidate: Candidate, options: LoadOptions) -> ResearchBundle:
    """Read the bundle that was found. Faults of files stand in its artifacts; only a broken parser raises.

    Every artifact of chapter 2 is in ``artifacts``, those without a file with ``present=False``, so that what
    is absent has a place. ``validation.json`` is not read: it is the author's word on his own work.
    """
    folder = candidate.main.parent
    within = confinement(folder)
    artifacts: dict[str, Artifact] = {
        name: parse_artifact(read_artifact(name, path, limit=options.max_bytes, within=within))
        for name, path in candidate.files.items()
    }
    report = read_artifact(REPORT, candidate.main, Medium.MARKDOWN, limit=options.max_bytes, within=within)
    records = read_records(artifacts)
    return ResearchBundle(
        path=candidate.path,
        folder=folder,
        dialect=DIALECT,
        main=REPORT,
        artifacts={REPORT: report, **artifacts},
        report=None
        if report.text is None
        else parse_report(report.text, evidence=verbatim_texts(records), urls=record_urls(records)),
        records=records,
    )


def verbatim_texts(records: Records) -> Mapping[str, tuple[str, ...]]:
    """The texts that section 8 may quote word for word, by record id (chapter 1, the index).

    Several records may share an id; which of them is meant is not decided here.
    """
    found: dict[str, tuple[str, ...]] = {}
    for row in records.code:
        if row.value is not None:
            _add(found, row.value.id, [row.value.excerpt])
    for commit in records.commits:
        if commit.value is not None:
            _add(found, commit.value.id, [commit.value.subject])
    for receipt in records.receipts:
        if receipt.value is not None:
            value = receipt.value
            _add(found, value.id, [value.summary, value.stdout_summary, value.stderr_summary])
    return found


def record_urls(records: Records) -> frozenset[str]:
    """Every URL that a retrieval result, a page or a finding's evidence gives."""
    urls: set[str] = set()
    for result in records.results:
        if result.value is not None:
            urls |= _texts([result.value.url, result.value.normalized_url])
    for page in records.content:
        if page.value is not None:
            urls |= _texts([page.value.url, page.value.final_url])
    for row in (*records.findings, *records.analysis, *records.consensus, *records.debate):
        entries = row.raw.get("evidence") if isinstance(row.raw, dict) else None
        if isinstance(entries, list):
            urls |= _texts(entry.get("url") for entry in entries if isinstance(entry, dict))
    return frozenset(urls)


def _add(found: dict[str, tuple[str, ...]], key: str | None, texts: Iterable[object]) -> None:
    if key is not None:
        found[key] = found.get(key, ()) + tuple(text for text in texts if isinstance(text, str) and text.strip())


def _texts(values: Iterable[object]) -> set[str]:
    return {value for value in values if isinstance(value, str) and value.strip()}
