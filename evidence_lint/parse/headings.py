"""Headings of the report, and how each stands to the contract (chapter 1; OUT101, OUT104, OUT105, OUT107)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from evidence_lint.model.report import TITLES, Heading, HeadingMatch, contract_heading
from evidence_lint.parse.blocks import Document, Node

NEAR = 82.0
"""Similarity (0 to 100) from which a title is taken for a contract title written a little differently."""

_CONTRACT = {contract_heading(number): number for number in range(1, 10)}
_NUMBERED = re.compile(
    r"(?:section\s+|part\s+|chapter\s+|§\s*)?[(\[]?\s*(\d{1,2})(?:\s*[).\]:、–—-]+\s*(?!\d)|\s+|$)(.*)",
    re.IGNORECASE | re.DOTALL,
)
_NOISE = re.compile(r"[^\w&]+")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A heading with its text as the contract compares it: escapes resolved, other markup left in place."""

    heading: Heading
    exact: str
    row: int
    body_row: int


@dataclass(frozen=True, slots=True)
class Matched:
    """A heading that opens a section."""

    candidate: Candidate
    number: int | None
    match: HeadingMatch


def candidate(document: Document, node: Node) -> Candidate:
    """The heading of a ``heading`` node."""
    inline = node.children[0]
    rendered = document.text(inline).strip()
    setext = node.token.markup in {"=", "-"}
    lines = document.lines
    plain = all(child in {"text", "text_special"} for child in _kinds(document, inline))
    raw = rendered.text if plain else inline.token.content
    text_span = rendered.span(0, len(rendered.text)) if rendered.text else lines.block(node.first, node.first + 1)
    heading = Heading(
        int(node.token.tag[1]), _fold(rendered.text), lines.block(node.first, node.last), text_span, setext
    )
    return Candidate(heading, _fold(raw), node.first, node.last)


def _kinds(document: Document, inline: Node) -> set[str]:
    rendered = document.text(inline)
    marked = rendered.code or rendered.strong or rendered.emphasis or rendered.links
    return {"markup"} if marked or "<" in inline.token.content else {"text"}


def _fold(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip()


def contract_number(exact: str) -> int | None:
    """The number of the contract heading with exactly this text, or None."""
    return _CONTRACT.get(_fold(exact))


def parted(text: str) -> tuple[int | None, str]:
    """A heading's number, however it is marked, and its title folded for comparison."""
    plain = unicodedata.normalize("NFKC", text).strip().strip("*_` ").strip()
    match = _NUMBERED.match(plain)
    number, title = (int(match.group(1)), match.group(2)) if match else (None, plain)
    folded = _NOISE.sub(" ", title.casefold().replace("&", " and ")).strip()
    return number, " ".join(folded.split())


_FOLDED_TITLES = {number: parted(title)[1] for number, title in enumerate(TITLES, start=1)}


def title_score(title: str, number: int) -> float:
    """How near a folded title is to the title of section ``number``: 0 to 100."""
    if not title or len(title) > 120:
        return 0.0
    return fuzz.ratio(title, _FOLDED_TITLES[number])


def match_sections(candidates: Sequence[Candidate]) -> list[Matched]:
    """The headings that open sections, in order, each with its relation to the contract."""
    found: dict[int, tuple[int | None, HeadingMatch]] = {}
    for place, one in enumerate(candidates):
        number = contract_number(one.exact)
        if number is not None:
            level = one.heading.level
            found[place] = (number, HeadingMatch.EXACT if level == 2 else HeadingMatch.LEVEL)
    _match_renamed(candidates, found)
    _match_titles_on_other_levels(candidates, found)
    first = min(found, default=len(candidates))
    for place, one in enumerate(candidates):
        # A title may stand before the first section; later a heading of level one opens a part of its own.
        if place not in found and (one.heading.level == 2 or (one.heading.level == 1 and place > first)):
            found[place] = (None, HeadingMatch.UNEXPECTED)
    return [Matched(candidates[place], *found[place]) for place in sorted(found)]


def _missing(found: dict[int, tuple[int | None, HeadingMatch]]) -> set[int]:
    return set(range(1, 10)) - {number for number, _ in found.values() if number is not None}


def _match_renamed(candidates: Sequence[Candidate], found: dict[int, tuple[int | None, HeadingMatch]]) -> None:
    missing = _missing(found)
    open_places = [
        (place, *parted(one.heading.text))
        for place, one in enumerate(candidates)
        if place not in found and one.heading.level == 2
    ]
    scored = [
        (score, -abs((number or section) - section), -place, section)
        for place, number, title in open_places
        for section in missing
        if (score := title_score(title, section)) >= NEAR
    ]
    taken: set[int] = set()
    for score, _, negative, section in sorted(scored, reverse=True):
        place = -negative
        if place not in found and (section not in taken or score == 100.0):
            found[place] = (section, HeadingMatch.RENAMED)
            taken.add(section)
    for place, number, _ in open_places:
        if place not in found and number in missing - taken:
            found[place] = (number, HeadingMatch.RENAMED)
            taken.add(number)


def _match_titles_on_other_levels(
    candidates: Sequence[Candidate], found: dict[int, tuple[int | None, HeadingMatch]]
) -> None:
    for section in sorted(_missing(found)):
        places = [
            place
            for place, one in enumerate(candidates)
            if place not in found
            and one.heading.level != 2
            and parted(one.heading.text)[1] == _FOLDED_TITLES[section]
            # A document may bear the name of one of its parts.
            and (place != 0 or one.heading.level != 1 or section == 1)
        ]
        if places:
            before = [place for place, (number, _) in found.items() if number is not None and number < section]
            in_order = [place for place in places if place > max(before, default=-1)]
            found[(in_order or places)[0]] = (section, HeadingMatch.LEVEL)


def ends_index(level: int, exact: str, missing: Iterable[int]) -> bool:
    """Whether an ATX heading inside section 8 is one: exact, or near a section that is ``missing`` (chapter 1)."""
    if contract_number(exact) is not None:
        return True
    number, title = parted(exact)
    for section in missing:
        if level == 2 and (number == section or title_score(title, section) >= NEAR):
            return True
        if level != 2 and title == _FOLDED_TITLES[section]:
            return True
    return False
