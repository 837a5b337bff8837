"""Choose how a body is read: by what it is, not only by what the server calls it (chapter 4, "Text extraction")."""

from __future__ import annotations

from dataclasses import fields
from importlib.util import find_spec

from evidence_lint.model.capture import Extraction
from evidence_lint_plugins.extractors.charsets import Decoded, decode
from evidence_lint_plugins.extractors.plain import extract_json, extract_text, without_surrogates
from evidence_lint_plugins.extractors.sniff import Kind, sniff
from evidence_lint_plugins.extractors.workers import Job, WorkerFailure, run

PDF_HINT = "no text can be read from a PDF here: install the extra with pip install 'evidence-lint[pdf]'"
MARKUP_SECONDS = 10.0
PDF_SECONDS = 20.0
"""Longest time for one body; a capture gives up on its extractor later still (``CaptureLimits.extract_timeout``)."""

_MARKUP = frozenset((Kind.HTML, Kind.XHTML, Kind.XML))
_STRINGS = frozenset(("text", "hidden_text", "extractor", "title", "problem"))


def extract(body: bytes, media_type: str, charset: str | None, url: str) -> Extraction:
    """Read the text of *body* as a reader sees it; never raises for what a body holds.

    What could not be read is named in ``problem``: an absent excerpt says nothing then.
    """
    found = sniff(body, media_type, url)
    if found.kind is Kind.UNREADABLE:
        return Extraction("", extractor="sniff", problem=found.problem, unsupported=not found.mismatch)
    if found.kind is Kind.PDF:
        return _read_pdf(body)
    decoded = decode(body, charset, markup=found.kind in _MARKUP)
    extraction = _read_characters(found.kind, decoded)
    problems = [problem for problem in (found.problem, decoded.problem, extraction.problem) if problem]
    return Extraction(
        extraction.text,
        title=extraction.title,
        charset=decoded.charset,
        extractor=extraction.extractor,
        hidden_text=extraction.hidden_text,
        problem="; ".join(problems) or None,
    )


def _read_characters(kind: Kind, decoded: Decoded) -> Extraction:
    if kind is Kind.TEXT:
        return extract_text(decoded.text)
    if kind is Kind.JSON:
        return extract_json(decoded.text)
    return _ask(Job(kind.value, without_surrogates(decoded.text).encode(), MARKUP_SECONDS), "the page cannot be read")


def _read_pdf(body: bytes) -> Extraction:
    if find_spec("pypdfium2") is None:
        return Extraction("", extractor="sniff", problem=PDF_HINT, unsupported=True)
    # A library that reads PDFs keeps caches; each document gets a process of its own.
    return _ask(Job(Kind.PDF.value, body, PDF_SECONDS, last=True), "the PDF cannot be read")


def _ask(job: Job, complaint: str) -> Extraction:
    try:
        answer = run(job)
    except WorkerFailure as failure:
        return Extraction("", extractor="child process", problem=f"{complaint}: {failure}")
    return _extraction(answer)


def _extraction(answer: dict[str, object]) -> Extraction:
    """Make an extraction of a child's answer, which is as little trusted as the page."""
    values = {field.name: answer.get(field.name) for field in fields(Extraction) if field.name in _STRINGS}
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    return Extraction(
        texts.get("text", ""),
        title=texts.get("title"),
        extractor=texts.get("extractor", ""),
        hidden_text=texts.get("hidden_text", ""),
        problem=texts.get("problem"),
    )
