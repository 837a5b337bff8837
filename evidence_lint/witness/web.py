"""Serialized web evidence: what the saved results and pages say about each cited excerpt (chapters 2 and 4)."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from evidence_lint.model.location import Location
from evidence_lint.model.records import ContentRecord, Records, ResultRecord, Row
from evidence_lint.witness.claims import Claims, EvidenceKind, EvidenceRef
from evidence_lint.witness.excerpts import Match, MatchKind, PageText, too_short
from evidence_lint.witness.page_markup import read_markup
from evidence_lint.witness.urls import normalize_url

_CUT = re.compile(
    r"[\[(<{]\W{0,3}(?:content |text |page |output )?(?:was )?(?:truncated|cut off|clipped)[^\])>}]{0,60}[\])>}]\s*\Z",
    re.IGNORECASE,
)
_TAIL = 200
_WORDS_LOST = 50


@dataclass(frozen=True, eq=False)
class SavedPage:
    """A row of content.json, its text ready to be searched. ``PageText`` normalises once, when first searched."""

    row: Row[ContentRecord]
    url: str
    text: PageText
    extracted: bool
    """Whether the row has text and no error."""
    hash_matches: bool | None
    """Whether ``content_sha256`` is the text's; None when the row has none."""

    @property
    def node(self) -> str:
        """The subject's part of a node id."""
        return f"page-{self.row.number}"

    @property
    def location(self) -> Location:
        """The row."""
        return self.row.location

    @cached_property
    def _markup(self) -> tuple[PageText, PageText] | None:
        markup = read_markup(self.text.original)
        return None if markup is None else (PageText(markup.visible), PageText(markup.unseen))

    @property
    def shown(self) -> PageText:
        """What a reader of the page sees: the saved text, or what raw markup shows."""
        return self.text if self._markup is None else self._markup[0]

    def hides(self, excerpt: str) -> bool:
        """Whether the saved text is raw markup in which the excerpt stands only where no reader sees it (WEB113)."""
        if self._markup is None or "<" in excerpt:
            return False
        visible, unseen = self._markup
        return visible.find(excerpt) is None and unseen.find(excerpt) is not None

    @property
    def truncated(self) -> str | None:
        """Why the saved text is known to be cut, in words; None when nothing says so."""
        value = self.row.value
        if value is None or not self.extracted:
            return None
        if value.truncated is True:
            return "its record says so"
        if mark := _CUT.search(self.text.original[-_TAIL:]):
            return f"it ends with {mark[0].strip()!r}"
        words = len(self.text.original.split())
        if value.word_count is not None and value.word_count >= max(2 * words, words + _WORDS_LOST):
            return f"its record counts {value.word_count} words, and {words} are there"
        return None


class SavedPages:
    """The rows of content.json by URL. The exact URL wins over the normalised one, the last row over earlier ones."""

    def __init__(self, rows: Iterable[Row[ContentRecord]]) -> None:
        self.all: tuple[SavedPage, ...] = tuple(_page(row, row.value) for row in rows if row.value is not None)
        self._exact: dict[str, SavedPage] = {page.url: page for page in self.all if page.url}
        self._normalised: dict[str, dict[str, SavedPage]] = defaultdict(dict)
        for page in self.all:
            key = normalize_url(page.url)
            if key is not None:
                self._normalised[key][page.url] = page

    def find(self, url: str) -> tuple[SavedPage, ...]:
        """Return the page that a URL means; several when only its normalised form is known, of distinct exact URLs."""
        if url in self._exact:
            return (self._exact[url],)
        key = normalize_url(url)
        return tuple(self._normalised.get(key, {}).values()) if key is not None else ()


def _page(row: Row[ContentRecord], value: ContentRecord) -> SavedPage:
    content = value.content or ""
    return SavedPage(
        row=row,
        url=(value.url or "").strip(),
        text=PageText(content),
        extracted=bool(content.strip()) and not _failed(value.error),
        hash_matches=_hash_matches(value.content_sha256, content),
    )


def _failed(error: str | bool | None) -> bool:
    return error is True or (isinstance(error, str) and bool(error.strip()))


def _hash_matches(claimed: object, content: str) -> bool | None:
    if claimed is None or claimed == "":
        return None
    actual = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    return isinstance(claimed, str) and claimed.strip().lower() == actual


@dataclass(frozen=True, eq=False)
class RetrievedSource:
    """A row of results.json. ``url`` is ``normalized_url`` where that is a valid URL, else ``url``."""

    row: Row[ResultRecord]
    url: str
    key: str | None

    @property
    def title(self) -> str:
        """The title as the author saved it."""
        value = self.row.value
        return (value.title or "").strip() if value is not None else ""


class RetrievedSources:
    """The rows of results.json by URL."""

    def __init__(self, rows: Iterable[Row[ResultRecord]]) -> None:
        self.all: tuple[RetrievedSource, ...] = tuple(_source(row, row.value) for row in rows if row.value is not None)
        self._exact: dict[str, RetrievedSource] = {}
        self._normalised: dict[str, list[RetrievedSource]] = defaultdict(list)
        for source in self.all:
            for url in _urls(source.row.value):
                self._exact[url] = source
            if source.key is not None:
                self._normalised[source.key].append(source)

    def find(self, url: str) -> tuple[RetrievedSource, ...]:
        """Return the result of exactly this URL, else all whose normalised URL it shares."""
        if url in self._exact:
            return (self._exact[url],)
        key = normalize_url(url)
        return tuple(self._normalised.get(key, ())) if key is not None else ()

    @cached_property
    def distinct(self) -> int:
        """Results without those that repeat a normalised URL."""
        keys = {source.key or source.row.pointer for source in self.all}
        return len(keys)


def _source(row: Row[ResultRecord], value: ResultRecord) -> RetrievedSource:
    for candidate in (value.normalized_url, value.url):
        if isinstance(candidate, str):
            key = normalize_url(candidate.strip())
            if key is not None:
                return RetrievedSource(row, candidate.strip(), key)
    return RetrievedSource(row, value.url.strip() if isinstance(value.url, str) else "", None)


def _urls(value: ResultRecord | None) -> Iterable[str]:
    if value is not None:
        for url in (value.url, value.normalized_url):
            if isinstance(url, str) and url.strip():
                yield url.strip()


@dataclass(frozen=True, eq=False)
class WebEvidence:
    """A cited excerpt held against the saved records.

    ``candidates`` are the pages that the URL means: one, or several of distinct exact URLs that share a normalised one.
    ``page`` is the one that was searched with success, else the last candidate; ``match`` the excerpt's place in it.
    """

    ref: EvidenceRef
    key: str | None
    """The normalised URL; None when the evidence URL is no http(s) URL, or holds credentials."""
    results: tuple[RetrievedSource, ...]
    candidates: tuple[SavedPage, ...]
    page: SavedPage | None
    match: Match | None
    too_short: bool
    hidden: bool = False
    """The excerpt stands only in what a reader of the saved page does not see (WEB113)."""

    @property
    def node(self) -> str:
        """The subject's part of a node id."""
        return self.ref.node

    @property
    def location(self) -> Location:
        """The evidence entry."""
        return self.ref.location

    @property
    def extracted(self) -> bool:
        """Whether the page's text was saved."""
        return self.page is not None and self.page.extracted

    @property
    def loose(self) -> bool:
        """Whether the excerpt matches only after extraction damage is repaired; such a unit earns Medium at most."""
        return self.match is not None and self.match.kind is MatchKind.LOOSE

    @property
    def verified(self) -> bool:
        """Whether the saved records hold: retrieved, extracted, unaltered, and the excerpt stands in the text."""
        return (
            self.key is not None
            and bool(self.results)
            and self.page is not None
            and self.page.extracted
            and self.page.hash_matches is not False
            and self.match is not None
            and not self.hidden
            and not self.too_short
        )


@dataclass(frozen=True, eq=False)
class RecordedUrl:
    """A URL that a record gives as the address of a source. ``key`` is its normalised form, None when it is no URL."""

    value: object
    key: str | None
    location: Location
    node: str
    ref: EvidenceRef | None = None
    """The evidence entry that gives it; None for a retrieval result."""


def recorded_urls(records: Records, claims: Claims) -> Sequence[RecordedUrl]:
    """Gather the URLs of retrieval results and of web evidence entries."""
    found = [
        RecordedUrl(source.row.value.url, source.key, source.row.at("url"), f"result-{source.row.number}")
        for source in read_results(records).all
        if source.row.value is not None
    ]
    found += [
        RecordedUrl(ref.url, normalize_url(ref.url), ref.at("url"), ref.node, ref)
        for ref in claims.refs
        if ref.kind is EvidenceKind.WEB
    ]
    return found


def examine_web(claims: Claims, retrieved: RetrievedSources, pages: SavedPages) -> Sequence[WebEvidence]:
    """Hold every web entry of findings.json against the saved results and pages."""
    return [_examine(ref, retrieved, pages) for ref in claims.refs if ref.kind is EvidenceKind.WEB]


def _examine(ref: EvidenceRef, retrieved: RetrievedSources, pages: SavedPages) -> WebEvidence:
    candidates = pages.find(ref.url)
    page = candidates[-1] if candidates else None
    match: Match | None = None
    if ref.excerpt:
        for candidate in candidates:
            if candidate.extracted:
                found = candidate.text.find(ref.excerpt)
                if found is not None and (match is None or match.kind is MatchKind.LOOSE):
                    page, match = candidate, found
    return WebEvidence(
        ref=ref,
        key=normalize_url(ref.url),
        results=retrieved.find(ref.url),
        candidates=candidates,
        page=page,
        match=match,
        too_short=bool(ref.excerpt) and too_short(ref.excerpt),
        hidden=match is not None and page is not None and page.hides(ref.excerpt),
    )


def read_pages(records: Records) -> SavedPages:
    """Make the saved pages of a bundle searchable."""
    return SavedPages(records.content)


def read_results(records: Records) -> RetrievedSources:
    """Index the retrieval results of a bundle."""
    return RetrievedSources(records.results)
