"""Clauses and what denies them: the ground of the polarity screen (chapter 3).

A clause is read from words alone, by the tables of its language. Each content word of a clause has a sign: True where
the clause asserts, False where it denies, None where words cannot tell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from evidence_lint.witness.denials import guess_languages
from evidence_lint.witness.languages import LANGUAGES
from evidence_lint.witness.polarity_words import POLARITY_WORDS, PolarityWords
from evidence_lint.witness.sentence_tokens import Token, phrase_at, sentences, stem

Sign = bool | None
_LONGEST_ELLIPSIS = 3
_MOST_CLAUSES = 2_000


@dataclass(frozen=True, slots=True)
class Clause:
    """The content words of a clause in order, and for each whether it is asserted.

    ``words`` are stems, or single ideographs; ``shown`` are they as they were written. ``restricted`` is set by
    ``only``, ``partial`` by a ``not all`` that agrees with a ``some`` of the other text.
    """

    words: tuple[str, ...]
    shown: tuple[str, ...]
    signs: tuple[Sign, ...]
    restricted: bool = False
    partial: bool = False
    hypothetical: bool = False
    """Whether it only supposes what it says (``if …``)."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The stems of a text, to tell whether the other text has the same word."""

    words: frozenset[str]
    text: str

    def has(self, phrase: str) -> bool:
        """Whether a word (or, of a script without spaces, a phrase) occurs."""
        return stem(phrase) in self.words if phrase.isascii() else phrase in self.text


def vocabulary(text: str) -> Vocabulary:
    """Gather the words of *text*."""
    tokens = [token for sentence in sentences(text) for token in sentence]
    return Vocabulary(frozenset(stem(token.text) for token in tokens), "".join(token.text for token in tokens))


def clauses(text: str, other: Vocabulary) -> tuple[Clause, ...]:
    """The clauses of *text*, read beside a text of *other* words. Empty where no table knows the language."""
    codes = [code for code in guess_languages(text.lower()) if code in POLARITY_WORDS]
    found: list[Clause] = []
    for tokens in sentences(text):
        han = sum(token.han for token in tokens)
        code = "zh" if han * 2 >= len(tokens) - han else "en"
        if code not in codes:
            continue
        reader = _Reader(POLARITY_WORDS[code], frozenset(LANGUAGES[code].stop_words), other)
        found += reader.read(tokens)
        if len(found) > _MOST_CLAUSES:
            break
    return tuple(found)


@dataclass(slots=True)
class _Part:
    """A stretch of tokens that is one clause. ``elliptic`` says that it borrows its verb from the part before."""

    tokens: list[Token]
    elliptic: bool = False


class _Reader:
    """Reads sentences of one language."""

    def __init__(self, words: PolarityWords, stops: Collection[str], other: Vocabulary) -> None:
        self._words = words
        self._stops = stops
        self._other = other

    def read(self, tokens: Sequence[Token]) -> Iterator[Clause]:
        """The clauses of a sentence, ellipses filled in."""
        clouded = self._sentence_clouded(tokens)
        before: Clause | None = None
        for part in self._parts(tokens):
            clause = self._clause(part.tokens, clouded=clouded)
            if before is not None and part.elliptic:
                yield _with_verb(before, clause)
                continue
            if before is not None and self._borrows_verb(part.tokens, clause):
                yield _with_predicate(before, clause)
                continue
            if clause.words:
                before = clause
                yield clause

    def _parts(self, tokens: Sequence[Token]) -> Iterator[_Part]:
        words = self._words
        current = _Part([])
        fronted = bool(tokens) and self._opens(tokens, 0)
        for at, token in enumerate(tokens):
            if current.tokens and (border := self._border(tokens, at, current, fronted=fronted)) is not None:
                if token.comma:
                    fronted = False
                yield current
                current = _Part([], elliptic=border)
            if not (token.comma and not current.tokens):
                current.tokens.append(token)
            if not words.spaced and token.text == "," and current.tokens:
                yield current
                ellipsis = at + 1 < len(tokens) and phrase_at(tokens, at + 1, words.replacements) > 0
                current = _Part([], elliptic=ellipsis)
        if current.tokens:
            yield current

    def _border(self, tokens: Sequence[Token], at: int, current: _Part, *, fronted: bool) -> bool | None:
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

    def _join(self, tokens: Sequence[Token], at: int, current: _Part) -> bool | None:
        words = self._words
        start = at
        while start < len(tokens) and (tokens[start].comma or tokens[start].text in words.joins):
            start += 1
        if start >= len(tokens) or tokens[start].text in words.contrasts:
            return None
        ahead = self._ahead(tokens, start)
        if ahead and phrase_at(ahead, 0, words.ellipses) and not self._finite(ahead[1:]):
            return True
        if self._opens(tokens, start) or (ahead and ahead[0].text in words.helpers):
            return False
        if self._finite(ahead) and self._finite(current.tokens):
            return False
        if tokens[at].comma:
            first = ahead[0].text if ahead else ""
            if first.endswith("ing") and len(first) > 5:
                return False
            joined = start > at + 1 and len(ahead) > 1
            if joined and first not in words.determiners and ahead[1].text in {"a", "an", "the", "its", "their", "it"}:
                return False
        return None

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
        for at, token in enumerate(tokens):
            if token.code:
                continue
            if token.text in self._words.finite:
                return True
            follower = tokens[at + 1].text if at + 1 < len(tokens) else ""
            word = token.text
            inflected = word.endswith(("s", "ed")) and len(word) > 3 and not word.endswith(("ss", "us", "is"))
            if inflected and word not in self._words.determiners and follower in self._words.determiners:
                return True
        return False

    def _opens(self, tokens: Sequence[Token], at: int) -> bool:
        return phrase_at(tokens, at, self._words.openers) > 0

    def _sentence_clouded(self, tokens: Sequence[Token]) -> bool:
        """``not … unless`` agrees with a positive sentence that states a condition."""
        words = self._words
        if not any(phrase_at(tokens, at, words.conditional_clouds) for at in range(len(tokens))):
            return False
        return any(self._other.has(word) for word in words.conditions)

    def _clause(self, tokens: Sequence[Token], *, clouded: bool) -> Clause:
        words: list[str] = []
        shown: list[str] = []
        signs: list[bool] = []
        denied_from: int | None = None
        bound = flips = 0
        local = restricted = partial = everything = False
        at = 0
        while at < len(tokens):
            role, length = self._role(tokens, at)
            text = "".join(token.text for token in tokens[at : at + length])
            if role in {"denial", "partial"}:
                partial = partial or role == "partial"
                denied_from = bound if denied_from is None else denied_from
            elif role == "flip":
                flips += 1
            elif role == "local":
                local = True
            elif role == "replacement":
                flips += 1
            elif role == "restriction":
                restricted = True
            elif role == "soft":
                bound = len(words)
            elif role == "cloud":
                clouded = clouded or not self._other.has(text)
            if role in {"", "cloud", "opposite"}:
                if role == "opposite" and self._turns(tokens[at].text):
                    flips += 1
                    words.append(stem(tokens[at].text[2:]))
                    shown.append(tokens[at].text)
                    signs.append(local)
                else:
                    everything = everything or (denied_from is not None and tokens[at].text in self._words.universal)
                    for token in tokens[at : at + length]:
                        if local and self._finite(tokens[at : at + length + 1]):
                            local = False
                        if self._carries(token):
                            words.append(token.text if token.han else stem(token.text))
                            shown.append(token.text)
                            signs.append(local)
            at += length
        found = tuple(
            None if clouded else not ((denied_from is not None and position >= denied_from) ^ (flips % 2 == 1) ^ turned)
            for position, turned in enumerate(signs)
        )
        some = (partial or everything) and any(self._other.has(word) for word in self._words.some)
        first = next((at for at, token in enumerate(tokens) if token.text not in self._words.joins), None)
        supposed = first is not None and phrase_at(tokens, first, self._words.hypotheses) > 0
        return Clause(tuple(words), tuple(shown), found, restricted, some, supposed)

    def _role(self, tokens: Sequence[Token], at: int) -> tuple[str, int]:
        """What the phrase at *at* does to its clause, and how many tokens it has."""
        words = self._words
        token = tokens[at]
        if token.code or token.comma:
            return "", 1
        if (length := phrase_at(tokens, at, words.harmless)) and self._harmless(tokens, at, length):
            return "harmless", length
        for role, phrases in (
            ("partial", words.partial),
            ("replacement", words.replacements),
            ("local", words.local),
            ("flip", words.flips),
            ("denial", words.denials),
            ("restriction", words.restrictions),
            ("cloud", words.clouds),
            ("soft", words.soft_openers),
            ("opener", words.openers),
        ):
            length = phrase_at(tokens, at, phrases)
            if length and not self._longer_denial(role, tokens, at, length):
                return ("", 1) if role == "denial" and self._numbered(tokens, at) else (role, length)
        if token.text.endswith("n't"):
            return "denial", 1
        return ("opposite", 1) if token.text in words.opposites else ("", 1)

    def _longer_denial(self, role: str, tokens: Sequence[Token], at: int, length: int) -> bool:
        """Whether the same place holds a longer phrase that denies (``没有`` beside ``没``)."""
        return role in {"local", "restriction"} and phrase_at(tokens, at, self._words.denials) > length

    def _harmless(self, tokens: Sequence[Token], at: int, length: int) -> bool:
        """A phrase such as ``not exceed`` is a denial after all where the other text has its word alone."""
        denial = phrase_at(tokens, at, self._words.denials)
        rest = [token.text for token in tokens[at + denial : at + length]]
        if not denial or not rest:
            return True
        if self._words.spaced:
            return not (rest[-1] not in self._stops and self._other.has(rest[-1]) and len(rest) == 1)
        phrase = "".join(rest)
        return len(rest) < 2 or not self._other.has(phrase)

    def _numbered(self, tokens: Sequence[Token], at: int) -> bool:
        """``no. 5`` is a number, ``404 not found`` a name."""
        follower = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if tokens[at].text == "no":
            return not follower or follower.isdigit() or (at == 0 and tokens[1].comma)
        return tokens[at].text == "not" and at > 0 and tokens[at - 1].text.isdigit() and len(tokens[at - 1].text) == 3

    def _turns(self, word: str) -> bool:
        """Whether a bound negative stands against its own base in the other text (``unsupported``, ``supported``)."""
        return self._other.has(word[2:]) and not self._other.has(word)

    def _carries(self, token: Token) -> bool:
        if token.comma:
            return False
        return token.text not in self._stops and token.text not in self._words.fillers

    def _borrows_verb(self, tokens: Sequence[Token], clause: Clause) -> bool:
        """``whereas the other one does not``: a few words that end in a helping verb."""
        if not self._words.spaced or not clause.words or len(clause.words) > _LONGEST_ELLIPSIS:
            return False
        last = [token.text for token in tokens if token.text not in {"not", "so", "too", ","}][-1:]
        return bool(last) and last[0] in self._words.finite and last[0] not in {"it", "they", "he", "she", "i"}


def _with_verb(before: Clause, ellipsis: Clause) -> Clause:
    """``… on the client, and not on the server``: the ellipsis replaces the last words of the clause before."""
    return _joined(before, ellipsis, slice(0, max(0, len(before.words) - len(ellipsis.words))), first=False)


def _with_predicate(before: Clause, ellipsis: Clause) -> Clause:
    """``…, whereas the other one does not``: the ellipsis replaces the first words of the clause before."""
    return _joined(before, ellipsis, slice(len(ellipsis.words), None), first=True)


def _joined(before: Clause, ellipsis: Clause, kept: slice, *, first: bool) -> Clause:
    words, shown = before.words[kept], before.shown[kept]
    unclear = any(sign is None for sign in (*before.signs, *ellipsis.signs))
    sign: Sign = None if unclear else all(ellipsis.signs)
    return Clause(
        (*ellipsis.words, *words) if first else (*words, *ellipsis.words),
        (*ellipsis.shown, *shown) if first else (*shown, *ellipsis.shown),
        (sign,) * (len(words) + len(ellipsis.words)),
        ellipsis.restricted or before.restricted,
        ellipsis.partial,
    )
