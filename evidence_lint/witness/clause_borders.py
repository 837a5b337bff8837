"""Where the clauses of a sentence begin and end, as far as words show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evidence_lint.witness.polarity_words import PolarityWords
from evidence_lint.witness.sentence_tokens import Token, phrase_at


@dataclass(slots=True)
class Part:
    """A stretch of tokens that is one clause. ``elliptic`` says that it borrows its verb from the part before.

    ``unclear`` says that it may be no clause, but the beginning of a list that the next part ends.
    """

    tokens: list[Token]
    elliptic: bool = False
    unclear: bool = False


class Divider:
    """Divides sentences by the table of their language."""

    def __init__(self, words: PolarityWords) -> None:
        self._words = words

    def parts(self, tokens: Sequence[Token]) -> Iterator[Part]:
        """The clauses of a sentence, in order."""
        words = self._words
        current = Part([])
        fronted = bool(tokens) and (
            self._opens(tokens, 0) or phrase_at(tokens, 0, words.local) > 0 or tokens[0].text in words.prepositions
        )
        for at, token in enumerate(tokens):
            if current.tokens and (border := self._border(tokens, at, current, fronted=fronted)) is not None:
                if token.comma:
                    current.unclear = current.unclear or (fronted and not self._opens(tokens, 0))
                    fronted = False
                doubtful = self._may_be_list(tokens, at, current)
                yield current
                current = Part([], elliptic=border, unclear=doubtful)
            if not (token.comma and not current.tokens):
                current.tokens.append(token)
            if not words.spaced and token.text == "," and current.tokens:
                current.unclear = current.tokens[0].text in words.prepositions
                yield current
                ellipsis = at + 1 < len(tokens) and phrase_at(tokens, at + 1, words.replacements) > 0
                current = Part([], elliptic=ellipsis)
        if current.tokens:
            yield current

    def _border(self, tokens: Sequence[Token], at: int, current: Part, *, fronted: bool) -> bool | None:
        """Whether a part begins at *at*: None for no, else whether it is an ellipsis."""
        words = self._words
        token = tokens[at]
        if phrase_at(tokens, at, words.replacements):
            return True
        if not words.spaced:
            return False if self._opens(tokens, at) and at else None
        if token.text in words.contrasts and not token.code:
            return not self._finite(self._ahead(tokens, at + 1))
        if token.comma and fronted:
            return False
        if token.text in words.joins or token.comma:
            return self._join(tokens, at, current)
        if self._opens(tokens, at) and not (current.tokens and current.tokens[-1].text in {"and", "or", ","}):
            return False
        return None

    def _join(self, tokens: Sequence[Token], at: int, current: Part) -> bool | None:
        words = self._words
        start = at
        while start < len(tokens) and (tokens[start].comma or tokens[start].text in words.joins):
            start += 1
        if start >= len(tokens) or tokens[start].text in words.contrasts:
            return None
        ahead = self._ahead(tokens, start)
        rest = [token for token in ahead[1:] if token.text != "it"]
        if ahead and phrase_at(ahead, 0, words.ellipses) and not self._finite(rest):
            return True
        if self._opens(tokens, start) or (ahead and ahead[0].text in words.helpers):
            return False
        if self._finite(ahead):
            if self._finite(current.tokens):
                return False
            subordinate = tokens[at].comma and self._opens(current.tokens, 0)
            if subordinate or any(token.text in words.prepositions for token in current.tokens[1:]):
                current.unclear = True
                return False
        if self._may_be_list(tokens, at, current) and self._finite(current.tokens):
            return False
        if tokens[at].comma:
            first = ahead[0].text if ahead else ""
            if first.endswith("ing") and len(first) > 5:
                return False
            joined = start > at + 1 and len(ahead) > 1
            if joined and first not in words.determiners and ahead[1].text in {"a", "an", "the", "its", "their", "it"}:
                return False
        return None

    def _may_be_list(self, tokens: Sequence[Token], at: int, current: Part) -> bool:
        """``needs no connection and works offline``: a verb or a plural follows, and no word tells which."""
        if tokens[at].text != "and" or at + 2 >= len(tokens) or at == 0:
            return False
        if not any(self._denies(current.tokens, place) for place in range(len(current.tokens))):
            return False
        before, after = tokens[at - 1].text, tokens[at + 1].text
        plural = after.endswith("s") and len(after) > 3 and not after.endswith(("ss", "us", "is"))
        return plural and not before.endswith("s") and not self.verb_at(tokens, at + 1)

    def _denies(self, tokens: Sequence[Token], at: int) -> bool:
        return tokens[at].text.endswith("n't") or phrase_at(tokens, at, self._words.denials) > 0

    def _ahead(self, tokens: Sequence[Token], start: int) -> list[Token]:
        """The tokens from *start* up to whatever may end a clause."""
        found: list[Token] = []
        for at in range(start, len(tokens)):
            token = tokens[at]
            stops = token.comma or token.text in self._words.joins or token.text in self._words.contrasts
            if found and (stops or self._opens(tokens, at)):
                break
            found.append(token)
        return found

    def _finite(self, tokens: Sequence[Token]) -> bool:
        """Whether a stretch has a verb of its own, as far as words show it."""
        return any(self.verb_at(tokens, at) for at in range(len(tokens)))

    def verb_at(self, tokens: Sequence[Token], at: int) -> bool:
        """Whether the word there is a verb with a tense of its own."""
        word = tokens[at].text
        if tokens[at].code:
            return False
        if word in self._words.finite:
            return True
        follower = tokens[at + 1].text if at + 1 < len(tokens) else ""
        inflected = word.endswith(("s", "ed")) and len(word) > 3 and not word.endswith(("ss", "us", "is"))
        return inflected and word not in self._words.determiners and follower in self._words.determiners

    def _opens(self, tokens: Sequence[Token], at: int) -> bool:
        return phrase_at(tokens, at, self._words.openers) > 0
