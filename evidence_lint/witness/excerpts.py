"""The text witness: where an excerpt stands in a page, and what is nearest when it does not (chapter 4)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from evidence_lint.witness.edge_cuts import EdgeCut, edge_cut
from evidence_lint.witness.languages import CJK
from evidence_lint.witness.loose import LooseIndex
from evidence_lint.witness.nearest import DiffPart, Nearest, nearest_passage
from evidence_lint.witness.normalize import NormalizedText, normalize
from evidence_lint.witness.token_edges import cuts_token

__all__ = ["DiffPart", "EdgeCut", "Match", "MatchKind", "Nearest", "PageText", "too_short"]

SHORTEST_EXCERPT = 12
"""Normalised characters below which an excerpt proves nothing; a CJK character counts as two of them."""

ONE_MARK = str.maketrans(dict.fromkeys('"“”„‟«»‹›「」『』﹁﹂﹃﹄〝〞〟‘’‚‛＂＇｢｣', "'"))
"""Every quotation mark as one, for texts that nest them in their own ways."""

_WIDE = re.compile(f"[{CJK}\u3001-\u303f]")
_MOST_OCCURRENCES = 200_000
_MOST_ALTERNATIVES = 20


class MatchKind(StrEnum):
    """How an excerpt stands in a page."""

    EXACT = "exact"
    LOOSE = "loose"


@dataclass(frozen=True, slots=True)
class Match:
    """An excerpt found in a page: *start* and *end* count characters of the original text.

    *normal_start* and *normal_end* are the same span of the normalised text. *repairs* names, in words, the
    extraction damage that a loose match needed repaired; it is empty for an exact one.
    """

    start: int
    end: int
    kind: MatchKind
    repairs: tuple[str, ...]
    normal_start: int
    normal_end: int


def too_short(excerpt: str) -> bool:
    """Tell whether an excerpt is too short to prove anything (chapter 4: under 12 normalised characters).

    Six Han, Kana or Hangul characters are enough, so each counts as two, in mixed text as well: ``API 限流策略``
    has four plus eight. A text without any letter or digit is always too short.
    """
    text = normalize(excerpt)
    if not any(char.isalnum() for char in text):
        return True
    return len(text) + len(_WIDE.findall(text)) < SHORTEST_EXCERPT


class PageText:
    """One page, made once, however many excerpts point at it: everything costly is lazy and kept."""

    def __init__(self, original: str) -> None:
        """Take the extracted text of a page."""
        self.original = original

    @cached_property
    def normalized(self) -> NormalizedText:
        """The page in normal form, with its offset map."""
        return NormalizedText(self.original)

    @property
    def text(self) -> str:
        """The normalised text."""
        return self.normalized.text

    @cached_property
    def with_one_mark(self) -> PageText:
        """The same page with every quotation mark written as one, at the same offsets."""
        return PageText(self.original.translate(ONE_MARK))

    @cached_property
    def _loose(self) -> LooseIndex:
        return LooseIndex(self.normalized)

    def find(self, excerpt: str) -> Match | None:
        """Return the first exact occurrence of *excerpt*, else a loose one, else None."""
        wanted = normalize(excerpt)
        if not wanted:
            return None
        if (at := self.find_normal(wanted)) is not None:
            return self._match(at, at + len(wanted), MatchKind.EXACT, ())
        if (found := self._loose.find(wanted)) is not None:
            start, end, repairs = found
            return self._match(start, end, MatchKind.LOOSE, repairs)
        return None

    def find_normal(self, wanted: str, begin: int = 0) -> int | None:
        """Return where normalised text stands between token edges, from normalised position *begin* on."""
        page = self.normalized
        at = begin - 1
        for _ in range(_MOST_OCCURRENCES):
            at = page.text.find(wanted, at + 1)
            if at < 0:
                return None
            if not cuts_token(page, at) and not cuts_token(page, at + len(wanted)):
                return at
        return None

    def nearest(self, excerpt: str) -> Nearest | None:
        """Return the passage most like *excerpt*, for people to read; None when nothing is alike."""
        return nearest_passage(self.normalized, excerpt)

    def edge_cut(self, match: Match) -> EdgeCut | None:
        """Tell whether an exact match leaves out a negation, condition or exception beside it (WEB112)."""
        if match.kind is not MatchKind.EXACT:
            return None
        cut = edge_cut(self.original, match.start, match.end)
        wanted = self.text[match.normal_start : match.normal_end]
        at = match.normal_start
        for _ in range(_MOST_ALTERNATIVES):
            # The same words may stand elsewhere in the page whole: then the excerpt is honest.
            following = self.find_normal(wanted, at + 1) if cut else None
            if following is None:
                break
            at = following
            if edge_cut(self.original, *self.normalized.original_span(at, at + len(wanted))) is None:
                return None
        return cut

    def context(self, start: int, end: int, chars: int = 80) -> str:
        """Return the original text of a span with up to *chars* characters on either side, on one line."""
        return " ".join(self.original[max(0, start - chars) : end + chars].split())

    def _match(self, start: int, end: int, kind: MatchKind, repairs: tuple[str, ...]) -> Match:
        first, last = self.normalized.original_span(start, end)
        return Match(first, last, kind, repairs, start, end)
