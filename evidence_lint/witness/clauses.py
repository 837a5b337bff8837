"""Clauses and what denies them: the ground of the polarity screen (chapter 3).

A clause is read from words alone, by the tables of its language. Each content word of a clause has a sign: True where
the clause asserts, False where it denies, None where words cannot tell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from evidence_lint.witness.clause_borders import Divider
from evidence_lint.witness.denials import guess_languages
from evidence_lint.witness.languages import LANGUAGES
from evidence_lint.witness.polarity_words import POLARITY_WORDS, PolarityWords
from evidence_lint.witness.sentence_tokens import Token, phrase_at, sentences, stem

Sign = bool | None
_LONGEST_ELLIPSIS = 3
_SUBJECT = 2
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
    denied_at: int | None = None
    """How many of the words stand before the first denial."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The stems of a text, to tell whether the other text has the same word."""

    words: frozenset[str]
    text: str

    def has(self, phrase: str) -> bool:
        """Whether a word (or, of a script without spaces, a phrase) occurs."""
        return stem(phrase) in self.words if phrase.isascii() else phrase in self.text

    def has_denied(self, phrase: str) -> bool:
        """Whether a phrase of a script without spaces occurs behind an ideograph that denies it (``不需要``)."""
        return any(denial + phrase in self.text for denial in "不无無毋未")


def vocabulary(text: str) -> Vocabulary:
    """Gather the words of *text*."""
    tokens = [token for sentence in sentences(text) for token in sentence]
    return Vocabulary(frozenset(stem(token.text) for token in tokens), "".join(token.text for token in tokens))


def clauses(text: str, other: Vocabulary, repeated: Collection[tuple[Token, ...]] = ()) -> tuple[Clause, ...]:
    """The clauses of *text*, read beside a text of *other* words; sentences that are *repeated* there agree with it.

    Empty where no table knows the language.
    """
    codes = [code for code in guess_languages(text.lower()) if code in POLARITY_WORDS]
    found: list[Clause] = []
    readers: dict[str, _Reader] = {}
    for tokens in sentences(text):
        han = sum(token.han for token in tokens)
        code = "zh" if han * 2 >= len(tokens) - han else "en"
        if code not in codes:
            continue
        if code not in readers:
            readers[code] = _Reader(POLARITY_WORDS[code], frozenset(LANGUAGES[code].stop_words), other)
        found += readers[code].read(tokens, agreed=tokens in repeated)
        if len(found) > _MOST_CLAUSES:
            break
    return tuple(found)


class _Reader:
    """Reads the sentences of one text that are in one language, in order."""

    def __init__(self, words: PolarityWords, stops: Collection[str], other: Vocabulary) -> None:
        self._words = words
        self._stops = stops
        self._other = other
        self._divider = Divider(words)
        self._subject: tuple[str, ...] = ()

    def read(self, tokens: Sequence[Token], *, agreed: bool) -> Iterator[Clause]:
        """The clauses of a sentence, ellipses filled in; those of an *agreed* one conflict with nothing."""
        clouded = agreed or self._sentence_clouded(tokens)
        before: Clause | None = None
        for part in self._divider.parts(tokens):
            clause = self._clause(part.tokens, clouded=clouded or part.unclear)
            if before is not None and part.elliptic:
                refers = any(token.text in {"it", "them"} for token in part.tokens)
                yield _with_verb(before, clause, replaced=0 if refers else len(clause.words))
                continue
            if before is not None and self._borrows_verb(part.tokens, clause):
                yield _with_predicate(before, clause)
                continue
            if clause.words:
                clause = self._with_subject(part.tokens, clause)
                before = clause
                yield clause

    def _sentence_clouded(self, tokens: Sequence[Token]) -> bool:
        """``not … unless`` agrees with a positive sentence that states a condition, but for the same ``unless``."""
        words = self._words
        clouds = words.conditional_clouds
        if words.spaced:
            clouds = tuple(word for word in clouds if not self._other.has(word))
        if not any(phrase_at(tokens, at, clouds) for at in range(len(tokens))):
            return False
        if words.spaced:
            return any(self._other.has(word) for word in words.conditions)
        return any(self._other.has(word) and not self._other.has_denied(word) for word in words.conditions)

    def _clause(self, tokens: Sequence[Token], *, clouded: bool) -> Clause:
        words: list[str] = []
        shown: list[str] = []
        signs: list[bool] = []
        denied_from: int | None = None
        denied_at: int | None = None
        bound = flips = 0
        local = restricted = partial = everything = False
        at = 0
        while at < len(tokens):
            role, length = self._role(tokens, at)
            text = "".join(token.text for token in tokens[at : at + length])
            if role in {"denial", "partial"}:
                partial = partial or role == "partial"
                denied_from = bound if denied_from is None else denied_from
                denied_at = len(words) if denied_at is None else denied_at
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
                        if local and self._divider.verb_at(tokens, at):
                            local = False
                        if self._carries(token) and not self._personal(tokens, at):
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
        return Clause(tuple(words), tuple(shown), found, restricted, some, supposed, denied_at)

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
        if denial > length:
            return False
        rest = [token.text for token in tokens[at + denial : at + length]]
        if not denial or not rest:
            return True
        if self._words.spaced:
            return not (rest[-1] not in self._stops and self._other.has(rest[-1]) and len(rest) == 1)
        phrase = "".join(rest)
        return len(rest) < 2 or not self._other.has(phrase)

    def _numbered(self, tokens: Sequence[Token], at: int) -> bool:
        """``no. 5`` is a number, ``404 not found`` a name, ``未签名的构建`` an unsigned build."""
        if tokens[at].text in self._words.modifiers:
            return any(token.text == self._words.modifier_end for token in tokens[at + 2 : at + 4])
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

    def _personal(self, tokens: Sequence[Token], at: int) -> bool:
        """``个人``: half of a word whose other half carries nothing."""
        return at > 0 and tokens[at].text == "人" and tokens[at - 1].text in {"个", "個"}

    def _with_subject(self, tokens: Sequence[Token], clause: Clause) -> Clause:
        """The clause with what its pronoun stands for: the subject of the clause before it."""
        head = [token.text for token in tokens[:4] if self._carries(token) or token.text in self._words.pronouns]
        subject = self._subject
        if not subject or not head or head[0] not in self._words.pronouns:
            self._subject = self._leading(tokens) if clause.words else subject
            return clause
        stems = tuple(stem(word) for word in subject)
        sign: Sign = clause.signs[0]
        return replace(
            clause,
            words=(*stems, *clause.words),
            shown=(*subject, *clause.shown),
            signs=((sign,) * len(stems)) + clause.signs,
            denied_at=None if clause.denied_at is None else clause.denied_at + len(stems),
        )

    def _leading(self, tokens: Sequence[Token]) -> tuple[str, ...]:
        """The words before the verb, as far as words show it; else the first one."""
        found: list[str] = []
        for at, token in enumerate(tokens):
            if found and self._divider.verb_at(tokens, at):
                return tuple(found[-_LONGEST_ELLIPSIS:])
            if self._carries(token) and not token.han:
                found.append(token.text)
        return tuple(found[:_SUBJECT])

    def _borrows_verb(self, tokens: Sequence[Token], clause: Clause) -> bool:
        """``whereas the other one does not``: a few words that end in a helping verb."""
        if not self._words.spaced or not clause.words or len(clause.words) > _LONGEST_ELLIPSIS:
            return False
        last = [token.text for token in tokens if token.text not in {"not", "so", "too", ","}][-1:]
        return bool(last) and last[0] in self._words.finite and last[0] not in {"it", "they", "he", "she", "i"}


def _with_verb(before: Clause, ellipsis: Clause, replaced: int) -> Clause:
    """``… on the client, and not on the server``: the ellipsis replaces the last words of the clause before."""
    return _joined(before, ellipsis, slice(0, max(0, len(before.words) - replaced)), first=False)


def _with_predicate(before: Clause, ellipsis: Clause) -> Clause:
    """``…, whereas the other one does not``: the ellipsis replaces the first words of the clause before."""
    same = before.words[:1] == ellipsis.words[:1]
    return _joined(before, ellipsis, slice(1 if same else len(ellipsis.words), None), first=True)


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
