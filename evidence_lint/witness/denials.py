"""Finding words that deny, except or condition something, in whatever language a text seems to be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from evidence_lint.witness.languages import HAN, HANGUL, HIRAGANA, KATAKANA, LANGUAGES

NEGATED_CONTRACTION = r"n't(?!\w)"

_SPACED_CODES = ("en", "de", "fr", "es")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def word_pattern(words: Iterable[str], *, spaced: bool) -> str:
    """Return an alternation, longest first, that matches any of *words* (whole ones where there are spaces)."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    body = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in ordered)
    return rf"(?<![\w'-])(?:{body})(?![\w'])" if spaced else f"(?:{body})"


def guess_languages(text: str) -> tuple[str, ...]:
    """Return the codes of the tables that apply to a normalised *text*, by its scripts and its stop words.

    A guess for screens that may only warn or take support away: unknown languages are treated as English.
    """
    codes: list[str] = []
    if re.search(f"[{HIRAGANA}{KATAKANA}]", text):
        codes.append("ja")
    elif re.search(f"[{HAN}]", text):
        codes.append("zh")
    if re.search(f"[{HANGUL}]", text):
        codes.append("ko")
    words = [found[0] for found in _WORD.finditer(text[:2000])]
    scores = {code: sum(word in LANGUAGES[code].stop_words for word in words) for code in _SPACED_CODES}
    best = max(_SPACED_CODES, key=lambda code: scores[code])
    if re.search(r"[a-z]", text):
        codes.append(best if scores[best] > scores["en"] + 1 else "en")
    return tuple(codes)


def surely_different_languages(one: str, other: str) -> bool:
    """Tell whether two texts are plainly in different languages, by their scripts or by several stop words of each."""
    ours, theirs = _script(one), _script(other)
    if ours and theirs and ours != theirs:
        return True
    first, second = _spaced_language(one), _spaced_language(other)
    return bool(first and second and first != second)


_SCRIPTS = {
    "latin": r"(?![\d_])[a-z\u00c0-\u024f]",
    "greek": "[\u0370-\u03ff]",
    "cyrillic": "[\u0400-\u04ff]",
    "hebrew": "[\u0590-\u05ff]",
    "arabic": "[\u0600-\u06ff]",
    "indic": "[\u0900-\u0dff]",
    "thai": "[\u0e00-\u0e7f]",
    "hangul": f"[{HANGUL}]",
    "han": f"[{HAN}{HIRAGANA}{KATAKANA}]",
}
_MOST_OF_IT = 0.6
_DENSITY = {"han": 2, "hangul": 2}
_FEWEST_STOP_WORDS = 3
_MOST_OTHERS = 3


def _script(text: str) -> str:
    """The script of most letters of a text; an ideograph counts twice. Empty when there is no such script."""
    sample = text[:2000].casefold()
    counts = {name: len(re.findall(one, sample)) * _DENSITY.get(name, 1) for name, one in _SCRIPTS.items()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] > _MOST_OF_IT * sum(counts.values()) else ""


def _spaced_language(text: str) -> str:
    """The language of a text that has several of its stop words, and far fewer of any other; else empty."""
    words = [found[0] for found in _WORD.finditer(text[:2000].casefold())]
    scores = {code: sum(word in LANGUAGES[code].stop_words for word in words) for code in _SPACED_CODES}
    best = max(_SPACED_CODES, key=lambda code: scores[code])
    rest = max(scores[code] for code in _SPACED_CODES if code != best)
    return best if scores[best] >= _FEWEST_STOP_WORDS and scores[best] >= _MOST_OTHERS * rest else ""


@cache
def denial_pattern(codes: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern of every negation and exception of some languages, harmless phrases aside.

    Group ``denial`` is set only where something is denied; a match without it is a phrase to step over.
    """
    harmless: list[str] = []
    denials: list[str] = []
    for code in codes:
        language = LANGUAGES[code]
        words = (*language.negations, *language.exceptions, *(("without",) if code == "en" else ()))
        denials.append(word_pattern(words, spaced=language.spaced))
        if language.harmless:
            harmless.append(word_pattern(language.harmless, spaced=language.spaced))
    denials.append(NEGATED_CONTRACTION)
    skipped = "|".join(harmless) or r"(?!)"
    return re.compile(f"{skipped}|(?P<denial>{'|'.join(denials)})")


def first_denial(text: str) -> str | None:
    """Return the first word of a normalised *text* that denies or excepts something, or None."""
    for found in denial_pattern(guess_languages(text)).finditer(text):
        if found["denial"]:
            return found["denial"]
    return None
