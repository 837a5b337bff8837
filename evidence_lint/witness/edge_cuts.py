"""Excerpts that are exact but leave out a word beside them that turns them round (WEB112).

``permitted to end it`` stands word for word in ``is not permitted to end it``. Only the words next to the excerpt,
in the same sentence, are judged, since a warning that fires on honest excerpts is soon switched off.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from evidence_lint.witness.denials import NEGATED_CONTRACTION, guess_languages, word_pattern
from evidence_lint.witness.languages import LANGUAGES, SCALES, Language
from evidence_lint.witness.normalize import NormalizedText, normalize

_REACH = 240
_HEAD = 60
_MOST_LEADS = 2
_MOST_COMMAS = 2
_SENTENCE_END = re.compile(r"[.!?](?=[\"')\]]*(?:\s|\Z))|[。;:…]|(?:[!?])")
_ENDS_SENTENCE = re.compile(r"[.!?;:。！？；][\"'”’»」』)\]]*\s*\Z")
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n")
_NUMBERED = re.compile(r"no\.?\s*\d")
_COMPARATOR = re.compile(r"[<>≤≥≈~]=?\s*\Z")


@dataclass(frozen=True, slots=True)
class EdgeCut:
    """What an excerpt leaves out at its edge.

    *kind* is ``negation``, ``exception``, ``condition`` or ``quantity``; *words* the page's own words; *side* where
    they stand relative to the excerpt, ``before`` or ``after``; *start* and *end* their span in the original text.
    """

    kind: str
    words: str
    side: str
    start: int
    end: int


def edge_cut(original: str, start: int, end: int) -> EdgeCut | None:
    """Return what the excerpt at *start*:*end* of the *original* text leaves out beside it, or None."""
    return _before(original, start, end) or _after(original, start, end)


def _before(original: str, start: int, end: int) -> EdgeCut | None:
    reach = original[max(0, start - _REACH) : start]
    reach = reach[_last_border(reach, starts_block=original[start : start + 1].isupper()) :]
    context = NormalizedText(reach)
    head = normalize(original[start : min(end, start + _HEAD)])
    text = context.text
    ends = [found.end() for found in _SENTENCE_END.finditer(text)]
    floor = ends[-1] if ends else 0
    clause = text[floor:].lstrip(" \"')]")
    floor = len(text) - len(clause)
    if not clause:
        return None
    codes = guess_languages(f"{clause} {head}")
    found = _fronted(clause, codes) if clause[-1] in ",、" else _adjacent(clause, head, reach, codes)
    if found is None:
        return None
    kind, first, last = found
    left, right = context.original_span(floor + first, floor + last)
    base = start - len(reach)
    return EdgeCut(kind, original[base + left : base + right], "before", base + left, base + right)


def _adjacent(clause: str, head: str, reach: str, codes: tuple[str, ...]) -> tuple[str, int, int] | None:
    """Find a denying word at the very end of the clause before the excerpt."""
    if head[:1].isdigit() and (sign := _COMPARATOR.search(clause)):
        return "quantity", sign.start(), sign.end()
    bare = clause.rstrip(" \"'([")
    joined = clause + (" " if reach[-1:].isspace() else "") + head
    for kind, pattern in _tails(codes):
        found = pattern.search(bare)
        if found and not _is_harmless(joined, found.start("word"), found.end("word"), codes):
            return kind, found.start("word"), found.end("word")
    return None


def _fronted(clause: str, codes: tuple[str, ...]) -> tuple[str, int, int] | None:
    """Find a condition that opens the sentence and runs up to the excerpt (``Unless it rains, |...``)."""
    if clause.count(",") + clause.count("、") > _MOST_COMMAS:
        return None
    for kind, pattern in _openings(codes):
        found = pattern.match(clause)
        if found and not _is_harmless(clause, found.start("word"), found.end("word"), codes):
            return kind, found.start("word"), len(clause)
    return None


def _after(original: str, start: int, end: int) -> EdgeCut | None:
    excerpt_end = original[max(start, end - 8) : end]
    reach = original[end : end + _REACH]
    reach = reach[: _first_border(reach)]
    if _ENDS_SENTENCE.search(excerpt_end) or not reach.strip():
        return None
    context = NormalizedText(reach)
    text = context.text
    tail = normalize(original[max(start, end - _HEAD) : end])
    stop = _SENTENCE_END.search(text)
    clause = text[: stop.start()] if stop else text
    if tail[-1:].isdigit() and (scale := SCALES.match(text)):
        first = len(scale[0]) - len(scale[0].lstrip())
        return _after_cut("quantity", context, original, end, (first, scale.end()))
    codes = guess_languages(f"{tail} {clause}")
    joined = tail + (" " if reach[0].isspace() else "")
    parted = clause[:1] in ",、-(" or tail[-1:] in ",、-("
    for kind, pattern in _heads(codes):
        if parted and kind == "negation":
            continue
        found = pattern.match(clause)
        if found is None or _NUMBERED.match(text, found.start("word")):
            continue
        shift = len(joined)
        if not _is_harmless(joined + clause, shift + found.start("word"), shift + found.end("word"), codes):
            return _after_cut(kind, context, original, end, found.span("word"))
    return None


def _after_cut(kind: str, context: NormalizedText, original: str, base: int, span: tuple[int, int]) -> EdgeCut:
    first, last = context.original_span(*span)
    return EdgeCut(kind, original[base + first : base + last], "after", base + first, base + last)


def _last_border(text: str, *, starts_block: bool) -> int:
    """Return where the block before the excerpt begins: at a blank line, or at a line end before a capital."""
    if starts_block and text.rstrip(" \t").endswith("\n"):
        return len(text)
    borders = [found.end() for found in _PARAGRAPH.finditer(text)]
    return borders[-1] if borders else 0


def _first_border(text: str) -> int:
    """Return where the block after the excerpt ends: at a blank line, or a line end before a capital or a bullet."""
    border = re.search(r"\n[^\S\n]*(?:\n|[^\w\s]|\d+[.)])|\A[^\S\n]*\n[^\S\n]*(?=[A-Z])", text)
    return border.start() if border else len(text)


def _is_harmless(text: str, start: int, end: int, codes: tuple[str, ...]) -> bool:
    """Tell whether a denying word at *start*:*end* is part of a phrase that denies nothing."""
    for code in codes:
        language = LANGUAGES[code]
        if language.harmless:
            for found in re.finditer(word_pattern(language.harmless, spaced=language.spaced), text):
                if found.start() <= start and end <= found.end():
                    return True
                if found.start() < end and start < found.end() and found.start() <= start:
                    return True
    return False


def _kinds(language: Language) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return (
        ("exception", language.exceptions),
        ("condition", language.conditions),
        ("negation", language.negations),
    )


@cache
def _tails(codes: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return, by kind, patterns of denying words at the end of a text."""
    patterns: list[tuple[str, re.Pattern[str]]] = []
    for language in (LANGUAGES[code] for code in codes):
        space = r"\s+" if language.spaced else ""
        leads = word_pattern(language.leads, spaced=language.spaced) if language.leads else "(?!)"
        for kind, listed in _kinds(language):
            words = (*listed, *language.openers) if kind == "condition" else listed
            word = word_pattern(words, spaced=language.spaced)
            if kind == "negation" and language.spaced:
                word = rf"(?:{word}|\w+{NEGATED_CONTRACTION})"
            patterns.append((kind, re.compile(rf"(?P<word>{word})(?:{space}{leads}){{0,{_MOST_LEADS}}}\Z")))
    return tuple(patterns)


@cache
def _openings(codes: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return patterns of conditions and exceptions that open a sentence."""
    patterns: list[tuple[str, re.Pattern[str]]] = []
    for language in (LANGUAGES[code] for code in codes):
        for kind, words in _kinds(language)[:2]:
            word = word_pattern(words, spaced=language.spaced)
            patterns.append((kind, re.compile(rf"(?:(?:and|but|however,?|und|et|y|但)\s*)?(?P<word>{word})")))
    return tuple(patterns)


@cache
def _heads(codes: tuple[str, ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return, by kind, patterns of denying words at the beginning of a text."""
    patterns: list[tuple[str, re.Pattern[str]]] = []
    for language in (LANGUAGES[code] for code in codes):
        helpers = word_pattern(language.auxiliaries, spaced=True) if language.auxiliaries else "(?!)"
        for kind, words in _kinds(language):
            word = word_pattern(words, spaced=language.spaced)
            if kind == "negation" and language.spaced:
                word = rf"(?:{word}|\w+{NEGATED_CONTRACTION})"
            before = rf"(?:{helpers}\s+){{0,{_MOST_LEADS}}}" if language.spaced else "(?:但|但是|而)?"
            patterns.append((kind, re.compile(rf"[\s,、(\-]*{before}(?P<word>{word})")))
    return tuple(patterns)
