"""What the sources cited in a passage say, for quotations and numbers (CIT115, CIT116; chapter 1, "The index")."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from evidence_lint.model.location import Location, Span
from evidence_lint.model.records import ReceiptRecord, Row
from evidence_lint.model.report import REPORT, Citation, Passage, Prose, Report, StatedFinding
from evidence_lint.witness.block_quotes import block_quotes, part_of
from evidence_lint.witness.captures import Live
from evidence_lint.witness.excerpts import PageText
from evidence_lint.witness.index import EntryTarget, EntryTargets, WebIdentity, WebTarget
from evidence_lint.witness.numbers import NumberIndex
from evidence_lint.witness.repository import CodeEvidence, CommitEvidence, RepositoryFault

_NO_CHECKOUT = {RepositoryFault.ROOT_MISSING, RepositoryFault.ROOT_NOT_FOUND}
_MOST_LINES = 500


@dataclass(frozen=True, slots=True)
class CitedPassage:
    """A bullet of section 4, a subtopic of section 5, a row of section 6 or a cited paragraph of section 3.

    ``parts`` are its running texts, with everything in it that may quote; a heading or title that has no prose of its
    own is a text with one place. ``block_quotes`` are the paragraphs, as a part and a range of its text, that stand in
    a block quote and are given as a source's words.
    """

    node: str
    location: Location
    parts: tuple[tuple[Prose, Span | None], ...]
    citations: tuple[Citation, ...]
    block_quotes: tuple[tuple[int, Span], ...] = ()

    def place(self, part: int, start: int, end: int) -> Location:
        """Where characters of a part stand in the report."""
        prose, whole = self.parts[part]
        return Location(REPORT, whole if whole is not None else prose.span(start, end))


def cited_passages(report: Report) -> Sequence[CitedPassage]:
    """Every passage of sections 4 to 6, and every paragraph of section 3, that cites something."""
    found = [
        _passage(
            report,
            finding,
            (
                *_plain(finding.title, finding.title_span),
                (finding.prose, None),
                *_plain(finding.downgrade, finding.downgrade_span),
            ),
        )
        for finding in report.findings
        if finding.citations
    ]
    found += [
        _passage(report, passage, (*_plain(passage.title, passage.anchor), (passage.prose, None)))
        for passage in report.passages
        if passage.citations
    ]
    return [*_summary(report), *found]


def _passage(
    report: Report, said: StatedFinding | Passage, parts: tuple[tuple[Prose, Span | None], ...]
) -> CitedPassage:
    quotes = (
        (number, quote)
        for number, (prose, place) in enumerate(parts)
        if place is None
        for quote in block_quotes(report.text, prose)
    )
    return CitedPassage(said.node, said.location, parts, said.citations, tuple(quotes))


def _summary(report: Report) -> Iterable[CitedPassage]:
    """The cited paragraphs and bullets of section 3."""
    section = report.by_number.get(3)
    if section is None:
        return
    at_marker: dict[int, list[Citation]] = defaultdict(list)
    for citation in report.citations:
        if citation.section == 3:
            at_marker[citation.marker.start].append(citation)
    whole = section.prose
    start = 0
    for number, line in enumerate(whole.text.split("\n"), start=1):
        prose = part_of(whole, start, start + len(line))
        cited = [one for marker in prose.citations for one in at_marker[prose.span(marker.start, marker.end).start]]
        if cited:
            place = Location(REPORT, prose.span(0, len(line)))
            yield CitedPassage(f"summary-{number}", place, ((prose, None),), tuple(cited))
        start += len(line) + 1


def _plain(text: str, span: Span | None) -> tuple[tuple[Prose, Span | None], ...]:
    return ((Prose(text, ()), span),) if text and span is not None else ()


@dataclass(frozen=True, slots=True, eq=False)
class SourceText:
    """A text that a cited source holds: ``origin`` says which, as a URL or ``path:line``."""

    origin: str
    text: PageText


@dataclass(frozen=True, eq=False)
class CitedSource:
    """An index entry as a source of words.

    ``texts`` may be quoted. ``doubtful`` are what the records claim and nothing confirms. ``unknown`` says why the
    source's words cannot be had in this run, so that nothing can be concluded from their absence; ``lacking`` says in
    words what the records do not hold of it, which is no excuse.
    """

    target: EntryTarget
    texts: tuple[SourceText, ...] = ()
    titles: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    unknown: str = ""
    lacking: str = ""

    @cached_property
    def numbers(self) -> NumberIndex:
        """The numbers of its texts, titles and facts (URL, date, path, lines, id, commit)."""
        return NumberIndex(*(text.text.original for text in self.texts), *self.titles, *self.facts)


class CitedTexts:
    """The words of the sources in the index, gathered once for each entry."""

    def __init__(
        self,
        targets: EntryTargets,
        code: Sequence[CodeEvidence],
        commits: Sequence[CommitEvidence],
        live: Live,
        identity: WebIdentity,
        *,
        question: str = "",
        pages_unreadable: str = "",
    ) -> None:
        """Keep what is needed to look; ``pages_unreadable`` says why no saved page can be read, if so."""
        self._targets = targets
        self._code = {evidence.row.pointer: evidence for evidence in code}
        self._commits = {evidence.row.pointer: evidence for evidence in commits}
        self._live = live
        self._identity = identity
        self._pages_unreadable = pages_unreadable
        self.question = question
        self._made: dict[int, CitedSource] = {}

    def of(self, citations: Iterable[Citation]) -> tuple[CitedSource, ...]:
        """The sources that some citations name; dangling numbers name none."""
        return tuple(self._source(target) for target in self._targets.cited(citations))

    def dangling(self, citations: Iterable[Citation]) -> bool:
        """Whether a number has no entry."""
        return any(not self._targets.of(citation.number) for citation in citations)

    def _source(self, target: EntryTarget) -> CitedSource:
        key = target.entry.span.start
        if key not in self._made:
            self._made[key] = self._read(target)
        return self._made[key]

    def _read(self, target: EntryTarget) -> CitedSource:
        if not target.resolved:
            return CitedSource(target, unknown=f"[{target.entry.number}] resolves to no record", facts=_facts(target))
        parts = [self._web(web) for web in target.web]
        parts += [self._repository(target, self._code.get(row.pointer)) for row in target.code]
        parts += [self._commit(self._commits.get(row.pointer)) for row in target.commits]
        parts += [_receipt(row) for row in target.receipts]
        return CitedSource(
            target,
            texts=tuple(text for part in parts for text in part.texts),
            titles=tuple(title for part in parts for title in part.titles) or _own_title(target),
            facts=(*_facts(target), *(fact for part in parts for fact in part.facts)),
            doubtful=tuple(text for part in parts for text in part.doubtful),
            unknown=next((part.unknown for part in parts if part.unknown), ""),
            lacking=next((part.lacking for part in parts if part.lacking), ""),
        )

    def _web(self, web: WebTarget) -> _Words:
        url = web.shown.value
        texts = [SourceText(page.url or url, page.shown) for page in web.pages if page.extracted]
        for row in self._live.all:
            if self._identity.same(row.unit.ref.url, url) and row.capture.searchable:
                texts.append(SourceText(f"{url} (captured in this run)", row.page))
                break
        titles = [title for row in web.results if (title := row.title)]
        titles += [value.title for page in web.pages if (value := page.row.value) is not None and value.title]
        dates = [found.date for row in web.results if (found := row.row.value) is not None and found.date]
        lacking = ""
        if not texts:
            lacking = f"no text of {url} was saved"
        elif any(page.truncated for page in web.pages):
            lacking = f"the saved text of {url} was cut"
        return _Words(
            tuple(texts),
            tuple(titles),
            (url, *dates, *(source.url for source in web.results)),
            unknown=self._pages_unreadable if not texts else "",
            lacking=lacking,
        )

    def _repository(self, target: EntryTarget, code: CodeEvidence | None) -> _Words:
        if code is None:
            return _Words(unknown=f"the record of [{target.entry.number}] was not examined")
        first, last = code.lines or (0, 0)
        place = f"{code.path}:{first}"
        lines = " ".join(str(line) for line in range(first, min(last, first + _MOST_LINES) + 1))
        facts = (code.path, lines, code.id, code.commit_id or "")
        if code.verified:
            return _Words((SourceText(place, PageText(code.blob_window or code.excerpt)),), facts=facts)
        if any(fault.fault in _NO_CHECKOUT for fault in code.diagnoses):
            return _Words(facts=facts, doubtful=(code.excerpt,), unknown=f"no checkout is at hand to read {place} in")
        return _Words(facts=facts, doubtful=(code.excerpt,), lacking=f"the record of {place} does not verify")

    def _commit(self, commit: CommitEvidence | None) -> _Words:
        if commit is None:
            return _Words(unknown="a commit record was not examined")
        value = commit.row.value
        facts = (commit.id, commit.commit_id or "")
        if commit.verified:
            return _Words((SourceText(f"commit {facts[1][:12]}", PageText(commit.subject)),), facts=facts)
        claimed = value.subject if value is not None and isinstance(value.subject, str) else ""
        if any(fault.fault in _NO_CHECKOUT for fault in commit.diagnoses):
            return _Words(facts=facts, doubtful=(claimed,), unknown="no checkout is at hand to read the commit in")
        return _Words(facts=facts, doubtful=(claimed,), lacking=f"the commit record {commit.id} does not verify")


@dataclass(frozen=True, slots=True)
class _Words:
    """What one record says."""

    texts: tuple[SourceText, ...] = ()
    titles: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    unknown: str = ""
    lacking: str = ""


def _receipt(row: Row[ReceiptRecord]) -> _Words:
    value = row.value
    if value is None:
        return _Words()
    said = [text for text in (value.summary, value.stdout_summary, value.stderr_summary) if isinstance(text, str)]
    name = value.id or row.pointer
    facts = [value.id, value.test_target, value.command, value.started_at, value.finished_at]
    facts += [str(number) for number in (value.exit_code, value.duration_seconds) if isinstance(number, int | float)]
    for names in (value.selectors, value.tested_paths, value.argv):
        facts += names if isinstance(names, list) else []
    return _Words(
        tuple(SourceText(f"receipt {name}", PageText(text)) for text in said if text.strip()),
        facts=tuple(fact for fact in facts if isinstance(fact, str)),
    )


def _own_title(target: EntryTarget) -> tuple[str, ...]:
    """The title that the entry shows; it counts only where no record has one."""
    return (target.entry.title.value,) if target.entry.title is not None else ()


def _facts(target: EntryTarget) -> tuple[str, ...]:
    """What the entry itself shows that counts as the unit for numbers."""
    entry = target.entry
    shown = (entry.url, entry.date, entry.path, entry.line, entry.id, entry.commit)
    return tuple(field.value for field in shown if field is not None)
