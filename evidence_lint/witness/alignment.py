"""Whether a claim and an excerpt speak of the same things at all (chapter 7; WEB108).

A screen on words, not a judgement of meaning: it can only take support away.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from evidence_lint.witness.languages import HAN, HANGUL, HIRAGANA, KATAKANA, STOP_WORDS
from evidence_lint.witness.normalize import normalize

_CJK = f"{HAN}{HIRAGANA}{KATAKANA}{HANGUL}"
_RUN = re.compile(rf"[{_CJK}]+|(?:[^\W_{_CJK}]|(?<=\w)[.'](?=\w))+")
_IS_CJK = re.compile(f"[{_CJK}]")
_LEAST_SHARED = 2
_LEAST_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Alignment:
    """The claim's content words, those that the excerpt shares, and whether they are enough."""

    claim_words: frozenset[str]
    shared: frozenset[str]

    @property
    def sufficient(self) -> bool:
        """At least two shared words, or the only one, and a quarter of the claim's; a claim without any passes."""
        if not self.claim_words:
            return True
        least = min(_LEAST_SHARED, len(self.claim_words))
        return len(self.shared) >= least and len(self.shared) >= _LEAST_SHARE * len(self.claim_words)


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
    wanted = content_words(claim)
    return Alignment(wanted, wanted & content_words(excerpt))


def aligned(claim: str, excerpt: str) -> bool:
    """Tell whether claim and excerpt share enough content words."""
    return align(claim, excerpt).sufficient


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
