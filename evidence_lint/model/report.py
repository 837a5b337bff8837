"""The nine-section report as a typed, located model (chapter 1). Spans are characters of the report's text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from evidence_lint.model.location import Location, Span

REPORT = "report"

TITLES: tuple[str, ...] = (
    "Research Question",
    "Method",
    "Executive Summary",
    "Key Findings",
    "Detailed Analysis",
    "Consensus vs Debate",
    "Source Quality Notes",
    "Sources",
    "Gaps & Limitations",
)
"""The nine titles, in order; section *n* is headed ``## n) title``."""


def contract_heading(number: int) -> str:
    """The exact text of a contract heading, without its hashes: ``4) Key Findings``."""
    return f"{number}) {TITLES[number - 1]}"


class HeadingMatch(StrEnum):
    """How a top-level heading stands to the contract."""

    EXACT = "exact"
    RENAMED = "renamed"
    """A near miss of an otherwise missing section."""
    LEVEL = "level"
    """A contract heading on another level than ``##``."""
    UNEXPECTED = "unexpected"
    """A further ``##``."""


@dataclass(frozen=True, slots=True)
class Heading:
    """An ATX or setext heading outside fences, comments and quotes."""

    level: int
    text: str
    span: Span
    text_span: Span
    setext: bool = False


@dataclass(frozen=True, slots=True)
class Prose:
    """Running text as a reader sees it, with the way back to the source.

    ``text`` is rendered inline text: emphasis, link destinations, code marks and HTML are gone, soft breaks are
    spaces, block borders are newlines; citation markers stay. ``origins[i]`` is the source offset of character
    ``i``; ``code`` are ranges of ``text`` that were code (spans, fences), where nothing is a citation.
    """

    text: str
    origins: tuple[int, ...]
    code: tuple[Span, ...] = ()
    citations: tuple[Span, ...] = ()
    """Ranges of ``text`` that are citation markers, brackets included."""

    def span(self, start: int, end: int) -> Span:
        """The source span of characters ``start..end`` of the text."""
        if not self.origins:
            return Span(0, 0)
        first = self.origins[min(start, len(self.origins) - 1)]
        last = self.origins[min(max(start, end - 1), len(self.origins) - 1)]
        return Span(first, max(first, last + 1 if end > start else last))


EMPTY_PROSE = Prose("", ())


@dataclass(frozen=True, slots=True)
class Citation:
    """One cited number. ``[1, 2]`` and ``[1-3]`` give several, each with the span of its own digits
    (the whole range for the numbers inside ``1-3``); ``marker`` is the whole bracket.
    """

    number: int
    span: Span
    marker: Span
    section: int

    @property
    def node(self) -> str:
        """The subject's part of a node id."""
        return f"citation-{self.number}@{self.span.start}"

    @property
    def location(self) -> Location:
        """The digits."""
        return Location(REPORT, self.span)


@dataclass(frozen=True, slots=True)
class Link:
    """A URL that a reader can follow in running text: inline, reference, autolink or bare. ``text`` is the label."""

    url: str
    text: str
    span: Span
    section: int
    """0 outside the nine sections."""


@dataclass(frozen=True, slots=True)
class Field:
    """One bullet ``- Label: value`` of sections 1, 2 and 7. ``value`` has outer code marks and space removed."""

    label: str
    value: str
    span: Span
    label_span: Span
    value_span: Span
    section: int

    @property
    def location(self) -> Location:
        """The value, or the whole bullet when the value is empty."""
        return Location(REPORT, self.value_span if self.value else self.span)


@dataclass(frozen=True, slots=True)
class Section:
    """A top-level section. ``number`` is its place in the contract, None for an unexpected one."""

    number: int | None
    heading: Heading
    match: HeadingMatch
    span: Span
    body: Span
    empty: bool
    prose: Prose = EMPTY_PROSE

    @property
    def node(self) -> str:
        """The subject's part of a node id."""
        return f"section-{self.number}" if self.number else f"section@{self.heading.span.start}"

    @property
    def location(self) -> Location:
        """The heading."""
        return Location(REPORT, self.heading.span)


@dataclass(frozen=True, slots=True)
class StatedFinding:
    """One bullet of section 4: ``- **Title** (High confidence): statement [1][2] Downgrade: …``.

    ``embedded`` is set for a labelled finding that stands elsewhere (below or inside another one, or in another
    section) and repeats no bullet's title. ``label`` is the raw word before ``confidence`` (None when there is no
    label), ``confidence`` the same as ``high``, ``medium``, ``low`` or None; of several labels it is the highest.
    ``prose`` is the statement (title, label and ``Downgrade:`` excluded).
    """

    number: int
    title: str
    title_span: Span
    label: str | None
    label_span: Span | None
    prose: Prose
    downgrade: str
    downgrade_span: Span | None
    citations: tuple[Citation, ...]
    span: Span
    placeholder: bool
    embedded: bool = False

    @property
    def confidence(self) -> str | None:
        """The stated confidence, when it is one of the contract's words."""
        word = (self.label or "").strip().lower()
        return word if word in {"high", "medium", "low"} else None

    @property
    def node(self) -> str:
        """The subject's part of a node id."""
        return f"stated-{self.number}"

    @property
    def location(self) -> Location:
        """The title, or the bullet where there is none."""
        return Location(REPORT, self.title_span if self.title else self.span)


class PassageKind(StrEnum):
    """Where a cited passage stands."""

    SUBTOPIC = "subtopic"
    CONSENSUS = "consensus"
    DEBATE = "debate"


@dataclass(frozen=True, slots=True)
class Passage:
    """A ``###`` subtopic of section 5, or a row (bullet or paragraph) of a subsection of section 6."""

    kind: PassageKind
    number: int
    title: str
    prose: Prose
    citations: tuple[Citation, ...]
    span: Span
    anchor: Span
    """The heading of a subtopic, the row itself otherwise."""
    placeholder: bool

    @property
    def node(self) -> str:
        """The subject's part of a node id."""
        return f"{self.kind}-{self.number}"

    @property
    def location(self) -> Location:
        """The heading of a subtopic, the whole row otherwise."""
        return Location(REPORT, self.anchor)


class EntryKind(StrEnum):
    """What an index entry says it is."""

    WEB = "web"
    CODE = "code"
    COMMIT = "commit"
    TEST = "test"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Shown:
    """A value that an index entry shows, and where."""

    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """One entry of section 8. Each field is None where the entry does not show it.

    ``excerpt`` is the record's text consumed verbatim, or else what stands between the entry's dashes.
    ``tier`` is the digit of ``T1`` … ``T5``. ``urls`` are all URLs of the entry outside its title.
    """

    number: int
    number_span: Span
    span: Span
    kind: EntryKind
    text: str
    title: Shown | None = None
    url: Shown | None = None
    tier: Shown | None = None
    date: Shown | None = None
    id: Shown | None = None
    path: Shown | None = None
    line: Shown | None = None
    excerpt: Shown | None = None
    commit: Shown | None = None
    subject: Shown | None = None
    status: Shown | None = None
    exit_code: Shown | None = None
    tree: Shown | None = None
    urls: tuple[Shown, ...] = ()
    written: int | None = None
    """The number as written, where a Markdown list renders another (B016)."""

    @property
    def node(self) -> str:
        """The subject's part of a node id."""
        return f"source-{self.number}@{self.span.start}"

    @property
    def location(self) -> Location:
        """The whole entry."""
        return Location(REPORT, self.span)


@dataclass(frozen=True, slots=True)
class UnclosedFence:
    """A code fence that runs to the end of the report, and the headings that it hides."""

    span: Span
    hidden_headings: tuple[Span, ...]


@dataclass(frozen=True)
class Report:
    """The parsed report. ``sections`` are in document order, ``headings`` are all headings."""

    text: str
    title: str
    headings: tuple[Heading, ...]
    sections: tuple[Section, ...]
    fields: tuple[Field, ...]
    findings: tuple[StatedFinding, ...]
    """Bullets of section 4, placeholders included; then the embedded ones of the whole report."""
    subtopics: tuple[Passage, ...]
    consensus: tuple[Passage, ...]
    debate: tuple[Passage, ...]
    consensus_heading: Heading | None
    debate_heading: Heading | None
    entries: tuple[SourceEntry, ...]
    citations: tuple[Citation, ...]
    """Every citation of sections 3 to 6, in order."""
    links: tuple[Link, ...]
    unclosed_fences: tuple[UnclosedFence, ...]
    prose: Prose
    """The whole report as running text (section 8's consumed excerpts excluded)."""
    stray_headings: tuple[Heading, ...] = ()
    """Headings of level one and two that open no section: in list items, and as tags in HTML."""

    node = "report"

    @property
    def location(self) -> Location:
        """The report as a whole."""
        return Location(REPORT)

    @cached_property
    def by_number(self) -> dict[int, Section]:
        """The first section for each contract number that is present, renamed or misplaced ones included."""
        found: dict[int, Section] = {}
        for section in self.sections:
            if section.number is not None:
                found.setdefault(section.number, section)
        return found

    def section(self, number: int) -> Section | None:
        """The section with this contract number, or None."""
        return self.by_number.get(number)

    def fields_of(self, section: int) -> Sequence[Field]:
        """The bullets ``Label: value`` of a section."""
        return [field for field in self.fields if field.section == section]

    @property
    def passages(self) -> tuple[Passage, ...]:
        """Subtopics, then consensus and debate rows."""
        return self.subtopics + self.consensus + self.debate
