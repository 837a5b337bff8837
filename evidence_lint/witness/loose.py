"""Matching after repair of extraction damage on the page's side (chapter 4, "excerpt-matches-loosely").

A PDF or an HTML extractor loses spaces at line ends and block borders, divides words with a hyphen, and drops
ligatures. Candidates are found in a key that leaves out everything damage can touch; then each is walked character
by character, and every difference must be one of the named repairs. A repair never adds, drops or changes a word
character other than a lost ligature, never joins or parts digits, and never turns ``notable`` into ``not able``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from evidence_lint.witness.languages import BOUND_NEGATIVES, REVERSED_BY_A_SPACE
from evidence_lint.witness.normalize import NormalizedText
from evidence_lint.witness.token_edges import cuts_token

HYPHENATED = "a word hyphenated at a line end"
GLUED = "a space lost between two words"
DIVIDED = "a space inside a word"
JOINERS = "zero-width joiners"
LIGATURE = "a lost ligature"
BORDER = "words glued at a block border"

_GAPS = " \u200c\u200d-"
_GAP_RUN = re.compile(f"[{_GAPS}]*")
_JOINERS = re.compile("[\u200c\u200d]")
_DAMAGE_CLASS = "\ufffd\x00-\x08\x0e-\x1b\x7f\ue000-\uf8ff"
_DAMAGE = re.compile(f"[{_DAMAGE_CLASS}]+")
_LIGATURES = ("ffi", "ffl", "ff", "fi", "fl")
_LETTERS_LEFT = re.compile(r"[^\W\d_]+\Z")
_LETTERS_RIGHT = re.compile(r"[^\W\d_]+")
_LAST_HUMP = re.compile(r"[^\W\d_]?(?:(?![A-Z])[^\W\d_])*\Z")
_FIRST_HUMP = re.compile(r"[^\W\d_](?:(?![A-Z])[^\W\d_])*")
_DIGIT_MARKS = ".,:/'^"
_WORD_LOOK = 40

_STRETCH = 4096
_MOST_CANDIDATES = 200
_MOST_STEPS = 400_000
_ENOUGH_TEXT = 3000
"""Characters of a page in which the absence of every f-ligature's letters shows that the extraction lost them."""


class LooseIndex:
    """A page prepared for loose matching; each key is built when first needed, in linear time."""

    def __init__(self, page: NormalizedText) -> None:
        """Prepare *page*."""
        self._page = page

    def find(self, excerpt: str) -> tuple[int, int, tuple[str, ...]] | None:
        """Return the normalised span of a match of a normalised *excerpt*, and the repairs that it needed."""
        found = self._search(excerpt, self._spacing, ligatures=False)
        if found is None and any(ligature in excerpt for ligature in _LIGATURES):
            found = self._search(excerpt, self._lettering, ligatures=True)
        return found

    @cached_property
    def _spacing(self) -> _Key:
        return _Key(self._page.text, _GAPS)

    @cached_property
    def _lettering(self) -> _Key:
        return _Key(self._page.text, _GAPS + "fil")

    @cached_property
    def _without_ligatures(self) -> bool:
        text = self._page.text
        return len(text) >= _ENOUGH_TEXT and not any(letters in text for letters in ("ff", "fi", "fl"))

    def _search(self, excerpt: str, key: _Key, *, ligatures: bool) -> tuple[int, int, tuple[str, ...]] | None:
        lead = _GAP_RUN.match(excerpt)
        core = excerpt[lead.end() if lead else 0 :].rstrip(_GAPS)
        wanted = key.of(core)
        if not wanted:
            return None
        budget = _MOST_STEPS
        at = -1
        for _ in range(_MOST_CANDIDATES):
            at = key.text.find(wanted, at + 1)
            if at < 0 or budget <= 0:
                return None
            for start in self._starts(key.origin(at), core, ligatures=ligatures):
                walk = _Walk(self._page, core, start, ligatures, ligatures and self._without_ligatures)
                end = walk.run()
                budget -= walk.steps
                if end is None or not self._same_ends(excerpt, core, start, end):
                    continue
                if edges := self._edges(start, end):
                    repairs = sorted({*walk.repairs, *edges} - {""})
                    return start, end, tuple(repairs)
        return None

    def _starts(self, at: int, core: str, *, ligatures: bool) -> list[int]:
        """Return where a match of *core* may begin, given where the first character that the key keeps stands."""
        if not ligatures:
            return [at]
        dropped = len(core) - len(core.lstrip("fil" + _GAPS))
        return list(range(at, max(-1, at - dropped - 1), -1))

    def _same_ends(self, excerpt: str, core: str, start: int, end: int) -> bool:
        """Tell whether hyphens at the ends of the excerpt stand in the page too."""
        at = excerpt.index(core)
        lead, trail = excerpt[:at], excerpt[at + len(core) :]
        text = self._page.text
        return text[max(0, start - len(lead)) : start] == lead and text[end : end + len(trail)] == trail

    def _edges(self, start: int, end: int) -> tuple[str, str] | None:
        """Return the repair at either edge ("" for none), or None when an edge cuts a word."""
        repairs: list[str] = []
        for position in (start, end):
            if not cuts_token(self._page, position):
                repairs.append("")
            elif self._glued_blocks(position):
                repairs.append(BORDER)
            else:
                return None
        return repairs[0], repairs[1]

    def _glued_blocks(self, position: int) -> bool:
        """Tell whether a change from lower to upper case shows that two blocks were glued (``clauseThe``)."""
        at = self._page.original_span(position, position + 1)[0]
        left = self._page.original[max(0, at - _WORD_LOOK) : at]
        right = self._page.original[at : at + _WORD_LOOK]
        if not (left[-1:].islower() and right[:1].isupper()):
            return False
        last, first = _LAST_HUMP.search(left), _FIRST_HUMP.match(right)
        words = [found[0].casefold() for found in (last, first) if found]
        return not any(word in BOUND_NEGATIVES for word in words)


class _Key:
    """A text without some characters, and the way back."""

    def __init__(self, text: str, dropped: str) -> None:
        self._source = text
        self._dropped = dropped
        pieces = [self.of(text[at : at + _STRETCH]) for at in range(0, len(text), _STRETCH)]
        self.text = "".join(pieces)
        self._lengths = [0, *accumulate(len(piece) for piece in pieces)]

    def of(self, text: str) -> str:
        """Return *text* without the characters that the key leaves out."""
        for char in self._dropped:
            text = text.replace(char, "")
        return _DAMAGE.sub("", text)

    def origin(self, position: int) -> int:
        """Return where the key's character at *position* stands in the source."""
        stretch = bisect_right(self._lengths, position) - 1
        left = position - self._lengths[stretch]
        at = stretch * _STRETCH
        while True:
            char = self._source[at]
            if char not in self._dropped and not _DAMAGE.match(char):
                if left == 0:
                    return at
                left -= 1
            at += 1


class _Walk:
    """One comparison of an excerpt with the page from one starting point."""

    def __init__(self, page: NormalizedText, excerpt: str, start: int, ligatures: bool, lossy: bool) -> None:
        self._page = page
        self._text = page.text
        self._excerpt = excerpt
        self._at = start
        self._done = 0
        self._ligatures = ligatures
        self._lossy = lossy
        self.steps = 0
        self.repairs: set[str] = set()

    def run(self) -> int | None:
        """Return where the match ends in the page, or None when something differs that damage cannot explain."""
        text, excerpt = self._text, self._excerpt
        while self._done < len(excerpt):
            self.steps += 1
            page_gap, own_gap = self._gap(text, self._at), self._gap(excerpt, self._done)
            if page_gap != own_gap:
                if not (self._ligature() or self._repair(page_gap, own_gap)):
                    return None
            elif page_gap:
                self._step(len(page_gap), len(page_gap))
            elif self._at < len(text) and text[self._at] == excerpt[self._done]:
                self._step(1, 1)
            elif not self._ligature():
                return None
        return self._at

    def _step(self, page: int, excerpt: int) -> None:
        self._at += page
        self._done += excerpt

    @staticmethod
    def _gap(text: str, at: int) -> str:
        if at >= len(text) or text[at] not in _GAPS:
            return ""
        found = _GAP_RUN.match(text, at)
        return found[0] if found else ""

    def _repair(self, page_gap: str, own_gap: str) -> bool:
        after = self._at + len(page_gap)
        if self._at == 0 or after >= len(self._text) or self._done == 0:
            return False
        name = self._name_repair(page_gap, own_gap, after)
        if name is None:
            return False
        self.repairs.add(name)
        self._step(len(page_gap), len(own_gap))
        return True

    def _name_repair(self, page_gap: str, own_gap: str, after: int) -> str | None:
        page, own = _JOINERS.sub("", page_gap), _JOINERS.sub("", own_gap)
        left, right = self._text[self._at - 1], self._text[after]
        if page == own:
            return JOINERS
        if {page, own} == {"", " "}:
            if self._touches_number(after) or self._turns_round(after):
                return None
            return GLUED if own else DIVIDED
        if page in {"- ", " - ", " -"} and own in {"", "-"}:
            written = self._written(after)
            if "\u2014" in written or "\u2013" in written or not (left.isalnum() and right.isalnum()):
                return None
            letters = left.isalpha() and right.isalpha()
            broken = any(char in "\n\r" for char in written)
            if (page == "- " and letters) or (broken and (letters or own == "-")):
                return HYPHENATED
        return None

    def _written(self, after: int) -> str:
        start, end = self._page.original_span(self._at, after)
        return self._page.original[start:end]

    def _touches_number(self, after: int) -> bool:
        """Tell whether a space here decides what a number is."""
        text = self._text
        left, right = text[self._at - 1], text[after]
        if right.isdigit() and (left.isdigit() or left in _DIGIT_MARKS + "+±"):
            return left != "." or self._at < 2 or not text[self._at - 2].isalpha()
        return left.isdigit() and right in _DIGIT_MARKS and text[after + 1 : after + 2].isdigit()

    def _turns_round(self, after: int) -> bool:
        """Tell whether a space here parts or joins a word that then says something else."""
        left = _LETTERS_LEFT.search(self._text[max(0, self._at - _WORD_LOOK) : self._at])
        right = _LETTERS_RIGHT.match(self._text[after : after + _WORD_LOOK])
        if left is None or right is None:
            return False
        return right[0] in {"less", "out"} or left[0] + right[0] in REVERSED_BY_A_SPACE

    def _ligature(self) -> bool:
        """Step over a ligature that the page lost: to nothing, to a space in a word, or to a damage character."""
        if not self._ligatures:
            return False
        for ligature in _LIGATURES:
            rest = self._done + len(ligature)
            if not self._excerpt.startswith(ligature, self._done):
                continue
            for after in self._after_damage():
                if self._text[after : after + 1] == self._excerpt[rest : rest + 1]:
                    self.repairs.add(LIGATURE)
                    self._step(after - self._at, len(ligature))
                    return True
        return False

    def _after_damage(self) -> list[int]:
        text, at = self._text, self._at
        places: list[int] = []
        if damage := _DAMAGE.match(text, at):
            places.append(damage.end())
        if at and text[at : at + 1] == " " and text[at - 1].isalpha() and text[at + 1 : at + 2].isalpha():
            places.append(at + 1)
        if self._lossy:
            places.append(at)
        return places
