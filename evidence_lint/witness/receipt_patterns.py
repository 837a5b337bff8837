"""Patterns that select tests, matched in bounded time: they come from a record, and records are hostile."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LONGEST = 200
_REPEATS = 3
_REPEATED_GROUP = re.compile(r"\)[*+?{]")
_TOKEN = re.compile(r"\s*(\(|\)|[^\s()]+(?:\[[^\]]*\])?)")
_TOKENS = 60


def regex_fits(pattern: str, name: str) -> bool:
    """Whether a regular expression finds something in the name.

    Only expressions that cannot take long are tried: short, few repetitions, no repeated group. The benefit of the
    doubt is given to the rest, since a pattern without a match is but a warning.
    """
    repeats = len(re.findall(r"[*+{]", pattern))
    if len(pattern) > _LONGEST or repeats > _REPEATS or _REPEATED_GROUP.search(pattern):
        return True
    try:
        return re.search(pattern, name[:_LONGEST]) is not None
    except (re.error, RecursionError, OverflowError):
        return True


def keyword_fits(expression: str, names: Sequence[str]) -> bool:
    """Whether a ``-k`` expression (words, ``and``, ``or``, ``not``, parentheses) holds for a test of these names."""
    tokens = _TOKEN.findall(expression[: _LONGEST * 5])
    if len(tokens) > _TOKENS:
        return True
    return _Expression(tokens, [name.casefold() for name in names]).value()


class _Expression:
    """A recursive descent over the tokens; an ill-formed rest counts as true."""

    def __init__(self, tokens: Sequence[str], names: Sequence[str]) -> None:
        self._tokens = list(tokens)
        self._names = names

    def value(self) -> bool:
        result = self._term()
        while self._take("or"):
            other = self._term()
            result = result or other
        return result

    def _term(self) -> bool:
        result = self._factor()
        while self._take("and"):
            other = self._factor()
            result = result and other
        return result

    def _factor(self) -> bool:
        if self._take("not"):
            return not self._factor()
        if self._take("("):
            result = self.value()
            self._take(")")
            return result
        if not self._tokens:
            return True
        word = self._tokens.pop(0).casefold()
        return any(word in name for name in self._names)

    def _take(self, token: str) -> bool:
        if self._tokens and self._tokens[0] == token:
            self._tokens.pop(0)
            return True
        return False
