"""Which rules run: codes, code prefixes, families and names; ``-k`` expressions and node ids, as pytest has them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field

from evidence_lint.engine.catalogue import Catalogue
from evidence_lint.errors import SelectionError, UsageError
from evidence_lint.rule import Rule

EVERYTHING = "ALL"


def matching(catalogue: Catalogue, selector: str) -> frozenset[Rule]:
    """Return the rules that a selector names: ``ALL``, a family or code prefix, a code, or a name.

    Raises :class:`SelectionError` with the nearest right word when it names none.
    """
    word = selector.strip()
    if word.upper() == EVERYTHING:
        return frozenset(catalogue.rules)
    exact = catalogue.rule(word)
    if exact is not None:
        return frozenset({exact})
    upper = word.upper()
    found = frozenset(
        rule
        for rule in catalogue.rules
        if upper and rule.code.startswith(upper) and (rule.family == upper or upper[-1:].isdigit())
    )
    if not found:
        raise SelectionError(f"{selector!r} names no rule or family{nearest(catalogue, word)}")
    return found


def nearest(catalogue: Catalogue, word: str) -> str:
    """Return words that offer the nearest code or name, or nothing."""
    names = [name for rule in catalogue.rules for name in (rule.code, rule.name)] + list(catalogue.families)
    close = difflib.get_close_matches(word, names, n=1) or difflib.get_close_matches(word.upper(), names, n=1)
    return f"; did you mean {close[0]!r}?" if close else " (see: evidence-lint rules)"


def select_rules(catalogue: Catalogue, select: Sequence[str], ignore: Sequence[str]) -> list[Rule]:
    """Return the rules to run, in catalogue order.

    As in ruff, the more specific selector wins where both name a rule: ``--select WEB104 --ignore WEB`` runs WEB104.
    Without ``select`` every rule is selected.
    """
    chosen: list[Rule] = []
    wanted = _specificity(catalogue, select or [EVERYTHING])
    unwanted = _specificity(catalogue, ignore)
    for rule in catalogue.rules:
        if rule in wanted and wanted[rule] > unwanted.get(rule, -1):
            chosen.append(rule)
    return chosen


def _specificity(catalogue: Catalogue, selectors: Iterable[str]) -> dict[Rule, int]:
    found: dict[Rule, int] = {}
    for selector in selectors:
        rules = matching(catalogue, selector)
        word = selector.strip()
        weight = 0 if word.upper() == EVERYTHING else 100 if catalogue.rule(word) is not None else len(word)
        for rule in rules:
            found[rule] = max(found.get(rule, -1), weight)
    return found


@dataclass(frozen=True, slots=True)
class NodeFilter:
    """Narrows a run to node ids given on the command line and to a ``-k`` expression.

    ``nodes`` are of one bundle, without its path: ``subject`` or ``subject::rule-name``. ``keyword`` sees a whole id
    and the code of its rule.
    """

    nodes: tuple[str, ...] = ()
    keyword: Callable[[str, str], bool] | None = field(default=None, compare=False)

    @property
    def narrows(self) -> bool:
        """Whether anything may be left out."""
        return bool(self.nodes) or self.keyword is not None

    def allows(self, path: str, subject: str, rule_name: str, code: str = "") -> bool:
        """Whether this check runs."""
        tail = f"{subject}::{rule_name}"
        if self.nodes and not any(_heads(wanted, tail) for wanted in self.nodes):
            return False
        return self.keyword is None or self.keyword(f"{path}::{tail}", code)

    def may_allow(self, path: str, rule_name: str, code: str = "") -> bool:
        """Whether a rule whose subjects cannot be had is to be told about: one of them may be wanted."""
        if self.nodes and not any(self._may_mean(wanted, rule_name) for wanted in self.nodes):
            return False
        return self.keyword is None or self.keyword(f"{path}::bundle::{rule_name}", code)

    def unanswered(self, tails: Collection[str], unknown: Collection[str]) -> list[str]:
        """The wanted nodes that no check has answered to.

        ``tails`` are ``subject::rule-name`` of what there is, ``unknown`` the names of rules whose subjects could not
        be had.
        """
        return [
            wanted
            for wanted in self.nodes
            if not any(_heads(wanted, tail) for tail in tails)
            and not any(self._may_mean(wanted, name) for name in unknown)
        ]

    def _may_mean(self, wanted: str, rule_name: str) -> bool:
        return _without_number(wanted).rpartition("::")[2] == rule_name or "::" not in wanted


def _heads(wanted: str, tail: str) -> bool:
    return any(tail == node or tail.startswith(node + "::") for node in (wanted, _without_number(wanted)))


def _without_number(node: str) -> str:
    """A node id without the number of a problem, as it is copied from the output."""
    return _NUMBER.sub("", node)


_NUMBER = re.compile(r"(?<=[a-z0-9])\[[0-9]+\]\Z")


_MOST_TOKENS = 100
"""So that no expression is nested too deeply to be followed."""
_TOKEN = re.compile(r"\s*(?:(?P<mark>[()])|(?P<word>[^\s()]+))")


def compile_keyword(expression: str) -> Callable[[str], bool]:
    """Compile a ``-k`` expression: words joined by ``and``, ``or``, ``not`` and parentheses.

    A word matches when it occurs in the text, in any case. Raises :class:`UsageError` with the place of the fault.
    """
    tokens = [match.group("mark") or match.group("word") for match in _TOKEN.finditer(expression)]
    if len(tokens) > _MOST_TOKENS:
        raise UsageError(f"-k {expression[:60]!r}…: more than {_MOST_TOKENS} words and parentheses")
    return _Keyword(expression, tokens).parse()


class _Keyword:
    """A recursive-descent parser of ``-k`` expressions."""

    def __init__(self, source: str, tokens: list[str]) -> None:
        self._source = source
        self._tokens = tokens
        self._at = 0

    def parse(self) -> Callable[[str], bool]:
        test = self._or()
        if self._peek() is not None:
            raise self._error(f"unexpected {self._peek()!r}")
        return test

    def _peek(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self, word: str) -> bool:
        token = self._peek()
        if token is not None and token.lower() == word:
            self._at += 1
            return True
        return False

    def _or(self) -> Callable[[str], bool]:
        tests = [self._and()]
        while self._take("or"):
            tests.append(self._and())
        return lambda node: any(test(node) for test in tests)

    def _and(self) -> Callable[[str], bool]:
        tests = [self._not()]
        while self._take("and"):
            tests.append(self._not())
        return lambda node: all(test(node) for test in tests)

    def _not(self) -> Callable[[str], bool]:
        if self._take("not"):
            inner = self._not()
            return lambda node: not inner(node)
        if self._take("("):
            inner = self._or()
            if not self._take(")"):
                raise self._error("a parenthesis is not closed")
            return inner
        word = self._peek()
        if word is None or word == ")" or word.lower() in {"and", "or"}:
            raise self._error("a word is missing")
        self._at += 1
        wanted = word.casefold()
        return lambda node: wanted in node.casefold()

    def _error(self, message: str) -> UsageError:
        return UsageError(f"-k {self._source!r}: {message}")
