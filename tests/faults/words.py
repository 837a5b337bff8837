"""Single changes of a text that change what it says, at every class of position."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Iterator

_DIGIT = re.compile(r"\d")
_CJK = re.compile(r"[\u3400-\u9fff]")


def folded(text: str) -> str:
    """A text as excerpts are compared, well enough for an oracle."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def stands_in(text: str, page: str) -> bool:
    """Whether a text occurs in a page."""
    return folded(text) in folded(page)


def spots(count: int, rng: random.Random) -> list[int]:
    """First, second, middle, last but one and last of ``count`` places, and one at random."""
    if count < 1:
        return []
    return sorted({0, min(1, count - 1), count // 2, max(0, count - 2), count - 1, rng.randrange(count)})


def tokens(text: str) -> list[str]:
    """Words of a text; ideographs one by one."""
    if _CJK.search(text):
        return re.findall(r"[\u3400-\u9fff]|[^\u3400-\u9fff]+", text)
    return text.split(" ")


def joined(words: list[str], text: str) -> str:
    """The words as one text again."""
    return ("" if _CJK.search(text) else " ").join(words)


def digit_changes(text: str, rng: random.Random) -> Iterator[str]:
    """The text with one digit changed."""
    found = list(_DIGIT.finditer(text))
    for spot in spots(len(found), rng):
        at = found[spot].start()
        digit = str((int(text[at]) + rng.randint(1, 8)) % 10)
        if digit == "0" and (at == 0 or not text[at - 1].isdigit()):
            digit = "9" if text[at] != "9" else "7"
        if digit != text[at]:
            yield text[:at] + digit + text[at + 1 :]


def digit_drops(text: str, rng: random.Random) -> Iterator[str]:
    """The text with one digit dropped from a longer number."""
    found = [m for m in _DIGIT.finditer(text) if m.start() and text[m.start() - 1].isdigit()]
    for spot in spots(len(found), rng):
        at = found[spot].start()
        yield text[:at] + text[at + 1 :]


def negation_drops(text: str, rng: random.Random) -> Iterator[str]:
    """The text without one negation."""
    for match in re.finditer(r"\b(?:not|never) |不|没有", text):
        yield text[: match.start()] + text[match.end() :]


def word_drops(text: str, rng: random.Random) -> Iterator[str]:
    """The text without one inner word."""
    words = tokens(text)
    for spot in spots(len(words) - 2, rng):
        yield joined(words[: spot + 1] + words[spot + 2 :], text)


def word_insertions(text: str, rng: random.Random) -> Iterator[str]:
    """The text with one word more."""
    words = tokens(text)
    extra = "永久" if _CJK.search(text) else rng.choice(["permanently", "not", "almost", "formerly"])
    for spot in spots(len(words) - 1, rng):
        yield joined([*words[: spot + 1], extra, *words[spot + 1 :]], text)


def word_swaps(text: str, rng: random.Random) -> Iterator[str]:
    """The text with two neighbours swapped."""
    words = tokens(text)
    for spot in spots(len(words) - 1, rng):
        if words[spot] != words[spot + 1]:
            yield joined([*words[:spot], words[spot + 1], words[spot], *words[spot + 2 :]], text)


def word_replacements(text: str, rng: random.Random) -> Iterator[str]:
    """The text with one word replaced."""
    words = tokens(text)
    extra = "鲸" if _CJK.search(text) else rng.choice(["ostensibly", "voluntary", "Basel"])
    for spot in spots(len(words), rng):
        yield joined([*words[:spot], extra, *words[spot + 1 :]], text)


def letter_changes(text: str, rng: random.Random) -> Iterator[str]:
    """The text with one letter changed."""
    found = [m.start() for m in re.finditer(r"[a-z]", text)]
    for spot in spots(len(found), rng):
        at = found[spot]
        yield text[:at] + chr((ord(text[at]) - 97 + rng.randint(1, 25)) % 26 + 97) + text[at + 1 :]


CHANGES: dict[str, Callable[[str, random.Random], Iterator[str]]] = {
    "digit-changed": digit_changes,
    "digit-dropped": digit_drops,
    "negation-dropped": negation_drops,
    "word-dropped": word_drops,
    "word-inserted": word_insertions,
    "words-swapped": word_swaps,
    "word-replaced": word_replacements,
    "letter-changed": letter_changes,
}
