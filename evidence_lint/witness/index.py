"""The index of a report (section 8): which entry has which number, and which record each entry names (chapter 1)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from evidence_lint.errors import Unavailable
from evidence_lint.model.location import Location
from evidence_lint.model.records import CodeRecord, CommitRecord, ReceiptRecord, Record, Records, Row
from evidence_lint.model.report import Citation, EntryKind, Report, Shown, SourceEntry
from evidence_lint.witness.report_fields import fence_over
from evidence_lint.witness.unnumbered import unnumbered_sources
from evidence_lint.witness.urls import exact_url, normalize_url
from evidence_lint.witness.web import RetrievedSource, RetrievedSources, SavedPage, SavedPages

_NOTE = re.compile(r"\b(?:basis|sponsorship|methodology|archived?|licen[cs]e|accessed|via|note)\b[^;\n]{0,60}$", re.I)
_ARCHIVED = re.compile(
    r"https?://(?:web\.archive\.org/web/[^/]+|archive\.[a-z]{2,5}/[^/]+)/(?P<url>https?:/{1,2}.+)", re.I
)

_CODE_MARK = re.compile(r"`([^`\n]{1,200})`")
_MOST_MARKS = 8

K = TypeVar("K")
T = TypeVar("T")
R = TypeVar("R", bound=Record)


class SourceIndex:
    """Section 8 as numbers and entries, and what sections 3 to 6 cite of it.

    Two entries may share a number, so that a number may have several.
    """

    def __init__(self, report: Report) -> None:
        self.entries: tuple[SourceEntry, ...] = report.entries
        self.unnumbered: Sequence[SourceEntry] = unnumbered_sources(report)
        """What section 8 shows as a source without a number."""
        self.by_number: Mapping[int, Sequence[SourceEntry]] = grouped((entry.number, entry) for entry in report.entries)
        self.cited: frozenset[int] = frozenset(citation.number for citation in report.citations)


def read_index(report: Report) -> SourceIndex:
    """Read the index; raises :class:`Unavailable` where the report has none that a reader could see."""
    if report.section(8) is None:
        raise fence_over(report, 8) or Unavailable(
            "no-index", "the report has no section 8, so no number can be looked up"
        )
    return SourceIndex(report)


@dataclass(frozen=True, slots=True, eq=False)
class WebTarget:
    """One URL of an entry and the saved records that it means; none when nothing of it was retrieved or saved."""

    shown: Shown
    results: tuple[RetrievedSource, ...]
    pages: tuple[SavedPage, ...]

    @property
    def resolved(self) -> bool:
        """Whether any record is meant."""
        return bool(self.results or self.pages)


@dataclass(frozen=True, eq=False)
class EntryTarget:
    """An entry of the index and the records that it names.

    ``web`` has one item for each URL that the entry gives as its source; ``code``, ``commits`` and ``receipts`` are the
    records of its id and kind, several when an id is ambiguous. ``others`` are records of its id but of another kind.
    """

    entry: SourceEntry
    web: tuple[WebTarget, ...] = ()
    code: tuple[Row[CodeRecord], ...] = ()
    commits: tuple[Row[CommitRecord], ...] = ()
    receipts: tuple[Row[ReceiptRecord], ...] = ()
    others: tuple[Row[Record], ...] = ()

    @property
    def node(self) -> str:
        """The subject's part of a node id."""
        return self.entry.node

    @property
    def location(self) -> Location:
        """The entry."""
        return self.entry.location

    @property
    def numbered(self) -> bool:
        """Whether the report gives the entry a number; without one, nothing can cite it."""
        return self.entry.number_span.end > self.entry.number_span.start

    @property
    def rows(self) -> tuple[Row[CodeRecord] | Row[CommitRecord] | Row[ReceiptRecord], ...]:
        """The repository records that the entry names."""
        return (*self.code, *self.commits, *self.receipts)

    @property
    def resolved(self) -> bool:
        """Whether every source that the entry gives has a record."""
        return bool(self.rows) or (bool(self.web) and all(target.resolved for target in self.web))

    @property
    def ambiguous(self) -> bool:
        """Whether the entry's id is that of several records."""
        return len(self.rows) + len(self.others) > 1


class EntryTargets:
    """The targets of all entries; at their end, without records, the sources that bear no number."""

    def __init__(self, targets: Iterable[EntryTarget]) -> None:
        self.all: tuple[EntryTarget, ...] = tuple(targets)
        self._by_number = grouped((target.entry.number, target) for target in self.all if target.numbered)

    def of(self, number: int) -> Sequence[EntryTarget]:
        """The targets of a number, none when it is dangling."""
        return self._by_number.get(number, ())

    def cited(self, citations: Iterable[Citation]) -> tuple[EntryTarget, ...]:
        """The targets of some citations, each once and in order."""
        numbers = dict.fromkeys(citation.number for citation in citations)
        return tuple(target for number in numbers for target in self.of(number))


def resolve_entries(
    index: SourceIndex, records: Records, retrieved: RetrievedSources, pages: SavedPages
) -> EntryTargets:
    """Look up what each entry names: by the id in its code marks, or by its URL."""
    lookup = _Lookup(records, retrieved, pages)
    return EntryTargets(
        (*(lookup.target(entry) for entry in index.entries), *(EntryTarget(entry) for entry in index.unnumbered))
    )


class _Lookup:
    def __init__(self, records: Records, retrieved: RetrievedSources, pages: SavedPages) -> None:
        self._retrieved = retrieved
        self._pages = pages
        self._final = grouped(
            (key, page)
            for page in pages.all
            if page.row.value is not None
            and page.row.value.final_url
            and (key := normalize_url(page.row.value.final_url)) is not None
        )
        self._code = _by_id(records.code)
        self._commits = _by_id(records.commits)
        self._receipts = _by_id(records.receipts)
        self._other = _by_id(records.other_evidence)

    def target(self, entry: SourceEntry) -> EntryTarget:
        if entry.kind in {EntryKind.WEB, EntryKind.UNKNOWN}:
            web = tuple(self.web(shown) for shown in source_urls(entry))
            return EntryTarget(entry, web=web) if web else self._by_code_mark(entry)
        name = entry.id.value if entry.id is not None else ""
        code, commits = self._code.get(name, ()), self._commits.get(name, ())
        receipts = self._receipts.get(name, ())
        named: dict[EntryKind, Sequence[Row[Record]]] = {
            EntryKind.CODE: code,
            EntryKind.COMMIT: commits,
            EntryKind.TEST: receipts,
        }
        others = [row for kind, rows in named.items() if kind is not entry.kind for row in rows]
        return EntryTarget(
            entry,
            code=tuple(code) if entry.kind is EntryKind.CODE else (),
            commits=tuple(commits) if entry.kind is EntryKind.COMMIT else (),
            receipts=tuple(receipts) if entry.kind is EntryKind.TEST else (),
            others=(*others, *self._other.get(name, ())),
        )

    def _by_code_mark(self, entry: SourceEntry) -> EntryTarget:
        """An entry that names a record by an id in code marks without saying its kind."""
        for name in _CODE_MARK.findall(entry.text)[:_MOST_MARKS]:
            target = EntryTarget(
                entry,
                code=tuple(self._code.get(name.strip(), ())),
                commits=tuple(self._commits.get(name.strip(), ())),
                receipts=tuple(self._receipts.get(name.strip(), ())),
            )
            if target.rows:
                return target
        return EntryTarget(entry)

    def web(self, shown: Shown) -> WebTarget:
        url = exact_url(shown.value)
        results, pages = self._retrieved.find(url), self._pages.find(url)
        if not results and not pages:
            # A page that was redirected may be cited under the address where it ended.
            key = normalize_url(url)
            pages = tuple(self._final.get(key, ())) if key is not None else ()
        return WebTarget(shown, results, pages)


def source_urls(entry: SourceEntry) -> tuple[Shown, ...]:
    """The URLs that an entry gives as its sources: not those of its notes, nor an archived copy of another of them."""
    urls: dict[str, Shown] = {}
    main = entry.url
    for shown in (*((main,) if main is not None else ()), *entry.urls):
        if main is not None and shown is not main and _is_note(entry, main, shown):
            continue
        urls.setdefault(shown.value, shown)
    keys = {normalize_url(url) for url in urls}
    return tuple(shown for url, shown in urls.items() if len(urls) == 1 or not _archives(url, keys))


def _is_note(entry: SourceEntry, main: Shown, shown: Shown) -> bool:
    start = entry.text.rfind(main.value) + len(main.value)
    end = entry.text.find(shown.value, start)
    return end >= 0 and _NOTE.search(entry.text, start, end) is not None


def _archives(url: str, keys: Iterable[str | None]) -> bool:
    archived = _ARCHIVED.match(url)
    if archived is None:
        return False
    inner = re.sub(r"^(https?):/{1,2}", r"\1://", archived["url"], flags=re.I)
    return normalize_url(inner) in set(keys)


class WebIdentity:
    """Which URLs are one source: the normalised form decides, unless the records hold both as pages of their own.

    Where several records of one file share a normalised URL (``?ref=v1``, ``?ref=v2``), the exact URL wins (chapter 2).
    """

    def __init__(self, retrieved: RetrievedSources, pages: SavedPages) -> None:
        self._files = (
            frozenset(url for source in retrieved.all if (url := exact_url(source.url))),
            frozenset(url for page in pages.all if (url := exact_url(page.url))),
        )

    def key(self, url: str) -> str:
        """What two URLs of one source share; it may be shared by two sources, so that :meth:`same` decides."""
        return normalize_url(url) or url.strip()

    def same(self, one: str, other: str) -> bool:
        """Whether two URLs name one source."""
        if self.key(one) != self.key(other):
            return False
        first, second = exact_url(one), exact_url(other)
        return first == second or not any(first in file and second in file for file in self._files)


def grouped(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """Group values by key, in order."""
    found: dict[K, list[T]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return dict(found)


def _by_id(rows: Iterable[Row[R]]) -> dict[str, list[Row[R]]]:
    named = ((getattr(row.value, "id", None), row) for row in rows)
    return grouped((name.strip(), row) for name, row in named if isinstance(name, str) and name.strip())
