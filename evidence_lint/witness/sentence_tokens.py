"""Words of a text as the polarity screen reads them: stems, punctuation, code, and phrases of a word table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from evidence_lint.witness.languages import HAN
from evidence_lint.witness.normalize import normalize

_CODE_MARK = "\ue000"
_CODE = re.compile(r"(`{1,3})(?!`)(?P<code>[^`\n]{1,400}?)\1(?!`)")
_URL = re.compile(r"\bhttps?://[^\s<>\"'）)\]]+")
_CODE_WORD = re.compile(r"\w+")
_BLOCK = re.compile(r"\n[^\S\n]*\n|\n(?=[^\S\n]*(?:[-*•+]\s|\d{1,3}[.)]\s|#|\|))|(?<=[.:;!?。；！？])[^\S\n]*\n")
_SENTENCE = re.compile(
    r"(?P<end>[.!?;:](?=[\"')\]]*(?:\s|\Z))[\"')\]]*|[。！？；：]|\s-{1,2}\s|\s[|/]\s|\.\.\.(?=\s|\Z))"
)
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|vs|cf|etc|approx|dr|mr|ms|inc|fig|sec|ch|al)|\b[a-z])\Z")
_NUMBERED = re.compile(r"\bno\. \d")
_PARENTHESIS = re.compile(r"\(([^()]{0,400})\)|（([^（）]{0,400})）")
_TOKEN = re.compile(rf"{_CODE_MARK}?(?:[^\W{HAN}{_CODE_MARK}]|(?<=\w)['.\-/_+:](?=[^\W{HAN}]))+|[{HAN}]|[,、，]")
_BOUND = ("non-", "not-", "no-", "anti-", "un-", "in-", "dis-", "never-", "de-", "counter-")
_HAN = re.compile(f"[{HAN}]")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, an ideograph or a comma. ``code`` words carry content and never deny."""

    text: str
    code: bool = False

    @property
    def han(self) -> bool:
        """Whether it is an ideograph."""
        return _HAN.match(self.text) is not None

    @property
    def comma(self) -> bool:
        """Whether it is a comma."""
        return self.text in ",、"


@lru_cache(maxsize=64)
def sentences(text: str) -> tuple[tuple[Token, ...], ...]:
    """The statements of *text* as tokens: questions left out, parentheses as statements of their own.

    Kept for a while, since one claim is held against many excerpts.
    """
    return tuple(tuple(tokens) for tokens in _sentences(text))


def _sentences(text: str) -> Iterable[Sequence[Token]]:
    marked = _CODE.sub(_mark_code, _URL.sub(" ", text.replace(_CODE_MARK, "")))
    for block in _BLOCK.split(marked):
        normal = normalize(block)
        asides = [inner for found in _PARENTHESIS.finditer(normal) for inner in found.groups() if inner]
        for part in (_PARENTHESIS.sub(" ", normal), *asides):
            for sentence in _divided(part):
                tokens = _tokens(sentence)
                if tokens:
                    yield tokens


def _mark_code(found: re.Match[str]) -> str:
    code = found["code"]
    words = _CODE_WORD.findall(code)
    if len(words) < 2 and not re.search(r"[^\w\s]", code):
        return f" {code} " if words else " "
    return " " + " ".join(_CODE_MARK + word for word in re.findall(r"[\w.\-/]+", code)) + " "


def _divided(text: str) -> Iterable[str]:
    start = 0
    for found in _SENTENCE.finditer(text):
        if found["end"].startswith(".") and (
            _ABBREVIATION.search(text, start, found.start()) or _NUMBERED.match(text, max(start, found.start() - 2))
        ):
            continue
        if found["end"] not in {"?", "？"}:
            yield text[start : found.start()]
        start = found.end()
    yield text[start:]


def _tokens(sentence: str) -> Sequence[Token]:
    tokens: list[Token] = []
    for raw in _TOKEN.findall(sentence):
        code = raw.startswith(_CODE_MARK)
        word = raw.removeprefix(_CODE_MARK).strip("_")
        if word in {",", "、", "，"}:
            tokens.append(Token("、" if word == "、" else ","))
        elif "-" in word and not code and not word.startswith(_BOUND):
            tokens += [Token(part) for part in word.split("-") if part]
        elif word:
            tokens.append(Token(word, code))
    return tokens


@cache
def stem(word: str) -> str:
    """A word without its commonest English endings, so that ``retains`` and ``retained`` are one word."""
    bare = word.removesuffix("'s").replace("'", "")
    if not bare.isascii() or not bare.isalpha() or len(bare) <= 3:
        return bare
    for ending in ("ations", "ation", "ions", "ion"):
        if bare.endswith("t" + ending) or (ending.startswith("at") and bare.endswith(ending)):
            kept = bare.removesuffix(ending) + ("at" if ending.startswith("at") else "")
            if len(kept) >= 4:
                return kept
    for ending in ("ies", "ied", "ying", "ing", "ed", "es", "s"):
        kept = bare.removesuffix(ending)
        if (
            kept == bare
            or bare.endswith("eed")
            or len(kept) < 3 - (ending in {"es", "s", "ed"})
            or not re.search("[aeiouy]", kept)
        ):
            continue
        if ending == "s" and bare.endswith(("ss", "us", "is")):
            break
        if ending in {"ies", "ied", "ying"}:
            return kept + "i"
        return _bare(kept)
    return _bare(bare)


def _bare(word: str) -> str:
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        return word[:-1]
    if word.endswith("y") and len(word) > 3:
        return word[:-1] + "i"
    return word.removesuffix("e") if len(word) > 3 else word


@cache
def phrase_table(phrases: tuple[str, ...]) -> Mapping[str, Sequence[tuple[str, ...]]]:
    """Phrases by their first token, longest first."""
    table: dict[str, list[tuple[str, ...]]] = {}
    for phrase in phrases:
        parts = tuple(phrase) if _HAN.match(phrase) else tuple(phrase.split())
        table.setdefault(parts[0], []).append(parts)
    return {first: sorted(listed, key=len, reverse=True) for first, listed in table.items()}


def phrase_at(tokens: Sequence[Token], at: int, phrases: tuple[str, ...]) -> int:
    """How many tokens the longest of *phrases* covers that begins at *at*; 0 for none."""
    for parts in phrase_table(phrases).get(tokens[at].text, ()):
        here = tokens[at : at + len(parts)]
        if len(here) == len(parts) and all(
            token.text == part and not token.code for token, part in zip(here, parts, strict=True)
        ):
            return len(parts)
    return 0
