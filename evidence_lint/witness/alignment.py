"""Whether a claim and an excerpt speak of the same things at all (chapter 7; WEB108).

A screen on words, not a judgement of meaning: it can only take support away.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from evidence_lint.witness.denials import surely_different_languages
from evidence_lint.witness.excerpts import too_short
from evidence_lint.witness.languages import HAN, HANGUL, HIRAGANA, KATAKANA, STOP_WORDS
from evidence_lint.witness.normalize import normalize
from evidence_lint.witness.numbers import Number, NumberIndex, numbers_in
from evidence_lint.witness.sentence_tokens import stem

_CJK = f"{HAN}{HIRAGANA}{KATAKANA}{HANGUL}"
_RUN = re.compile(rf"[{_CJK}]+|(?:[^\W_{_CJK}]|(?<=\w)[.'](?=\w))+")
_IS_CJK = re.compile(f"[{_CJK}]")
_FINAL = " .,;:!?。！？"
_LEAST_SHARED = 2
_LEAST_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Alignment:
    """The claim's content words, those that the excerpt shares, and whether they are enough.

    A number of the claim is one word, however it is written there and in the excerpt. ``decided`` is False where the
    two are written in different languages, and nothing follows from their words; ``quoted`` tells that the excerpt
    stands in the claim word for word.
    """

    claim_words: frozenset[str]
    shared: frozenset[str]
    numbers: frozenset[str] = frozenset()
    decided: bool = True
    quoted: bool = False

    @property
    def sufficient(self) -> bool:
        """At least two shared words, or the only one, and a quarter of the claim's; a claim without any passes.

        So does one that quotes the excerpt, and a claim half of which is a number that both have.
        """
        if not self.claim_words or not self.decided or self.quoted:
            return True
        if self.numbers and 2 * len(self.shared) >= len(self.claim_words):
            return True
        least = min(_LEAST_SHARED, len(self.claim_words))
        return len(self.shared) >= least and len(self.shared) >= _LEAST_SHARE * len(self.claim_words)


@lru_cache(maxsize=512)
def content_words(text: str) -> frozenset[str]:
    """Return the words of *text* that carry content: stop words left out, CJK by pairs of characters.

    A plural or possessive *s* is dropped, so that ``tokens`` and ``token`` are one word.
    """
    words: set[str] = set()
    for run in _RUN.findall(normalize(text)):
        words.update(_pairs(run) if _IS_CJK.match(run) else _word(run))
    return frozenset(words)


def align(claim: str, excerpt: str) -> Alignment:
    """Compare the content words of a claim with those of an excerpt."""
    plain = content_words(claim)
    said = content_words(excerpt)
    result = Alignment(plain, _shared(plain, said))
    if result.sufficient:
        return result
    # The rest takes longer, and can only add what the two share.
    numbers = numbers_in(claim)
    source = NumberIndex(excerpt)
    held = frozenset(number.text for number in numbers if source.holds(number))
    wanted = content_words(_without(claim, numbers))
    return Alignment(
        wanted | {number.text for number in numbers},
        _shared(wanted, said) | held,
        numbers=held,
        decided=not surely_different_languages(claim, excerpt),
        quoted=not too_short(excerpt) and normalize(excerpt).rstrip(_FINAL) in normalize(claim),
    )


def _shared(wanted: frozenset[str], said: frozenset[str]) -> frozenset[str]:
    """The words of one text that another has in whatever grammatical form."""
    stems = {stem(word) for word in said}
    return frozenset(word for word in wanted if word in said or stem(word) in stems)


def aligned(claim: str, excerpt: str) -> bool:
    """Tell whether claim and excerpt share enough content words."""
    return align(claim, excerpt).sufficient


def _without(text: str, numbers: tuple[Number, ...]) -> str:
    """The text around its numbers."""
    parts: list[str] = []
    at = 0
    for number in numbers:
        parts.append(text[at : max(at, number.start)])
        at = max(at, number.end)
    return " ".join([*parts, text[at:]])


def _word(run: str) -> tuple[str, ...]:
    if run in STOP_WORDS:
        return ()
    bare = run.removesuffix("'s").replace("'", "")
    if len(bare) > 3 and bare.endswith("s") and not bare.endswith(("ss", "us", "is")):
        bare = bare[:-1]
    return () if bare in STOP_WORDS else (bare,)


def _pairs(run: str) -> tuple[str, ...]:
    """Return the pairs of neighbouring characters that hold no stop word; a single character stands for itself."""
    if len(run) == 1:
        return () if run in STOP_WORDS else (run,)
    pairs = (run[at : at + 2] for at in range(len(run) - 1))
    return tuple(pair for pair in pairs if pair not in STOP_WORDS and not any(char in STOP_WORDS for char in pair))
