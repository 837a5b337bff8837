"""What is wrong with a JSON text, where, and in words (rule ``artifact-invalid-json``).

The standard library's parser is fast and stops at the first error with words that change from one Python to
the next. This one runs only on a text that was refused already. It builds no values, uses no recursion, and
tells all duplicate keys and impossible numbers before the first error of grammar, at exact characters.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from evidence_lint.model.artifact import ArtifactFault, FaultKind

MAX_DEPTH = 128
"""Nested arrays and objects that are read. Real records have fewer than ten."""

MAX_DIGITS = 300
"""Characters of a number. A longer one is no measurement, and no float can hold it."""

MAX_FAULTS = 100
"""Faults that are told of one text."""

_STRING_START = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+'
_OPEN_STRING = re.compile(_STRING_START)
_TOKEN = re.compile(
    rf'(?P<string>{_STRING_START}")'
    r"|(?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]++)?+)"
    r"|(?P<mark>[\[\]{},:])"
    r"|(?P<constant>-?(?:NaN|Infinity)\b)"
    r"|(?P<word>(?:true|false|null)\b)"
)
_SPACE = re.compile(r"[ \t\n\r]*+")
_UNKNOWN = re.compile(r"[\w.+-]{1,40}|.", re.DOTALL)

_VALUE, _FIRST_VALUE, _KEY, _FIRST_KEY, _COLON, _NEXT, _END = range(7)
_EXPECTED = {
    _VALUE: "a value",
    _FIRST_VALUE: "a value or ]",
    _KEY: "a key in double quotes",
    _FIRST_KEY: "a key in double quotes or }",
    _COLON: "a colon after the key",
    _END: "nothing more",
}


@dataclass(slots=True)
class Diagnosis:
    """The faults of a text in order; ``cut_off`` tells that the last one is the text's early end."""

    faults: list[ArtifactFault] = field(default_factory=list[ArtifactFault])
    cut_off: bool = False
    more: int = 0
    """Faults beyond :data:`MAX_FAULTS`, which are only counted."""

    def add(self, message: str, start: int, end: int) -> None:
        """Record a fault at characters ``start..end``."""
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(ArtifactFault(FaultKind.INVALID_JSON, message, start, end))
        else:
            self.more += 1


def diagnose(text: str, start: int = 0, end: int | None = None) -> Diagnosis:
    """Tell what is wrong with the JSON document at ``text[start:end]``; no faults when nothing is.

    Linear in the length of the text. Offsets are those of the whole ``text``.
    """
    return _Scanner(text, start, len(text) if end is None else end).run()


class _Scanner:
    """A push-down automaton over the tokens of one document."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text = text
        self._at = start
        self._end = end
        self._state = _VALUE
        self._open: list[set[str] | None] = []
        """The keys of each open object; None for an open array."""
        self._found = Diagnosis()

    def run(self) -> Diagnosis:
        while True:
            self._at = self._skip_space(self._at)
            if self._at >= self._end:
                if self._state != _END:
                    self._early_end()
                return self._found
            match = _TOKEN.match(self._text, self._at, self._end)
            if match is None:
                self._no_token()
                return self._found
            if not self._step(match):
                return self._found
            self._at = match.end()

    def _skip_space(self, at: int) -> int:
        space = _SPACE.match(self._text, at, self._end)
        return at if space is None else space.end()

    def _step(self, match: re.Match[str]) -> bool:
        """Take one token; False when it does not fit, which has then been told."""
        token = match.group()
        if match.lastgroup == "mark":
            fits = self._mark(token)
            if fits is None:
                self._found.add(f"nested deeper than {MAX_DEPTH} levels", match.start(), match.end())
                return False
        elif self._state in {_KEY, _FIRST_KEY}:
            fits = match.lastgroup == "string"
            if fits:
                self._key(token, match.start(), match.end())
        else:
            fits = self._state in {_VALUE, _FIRST_VALUE}
            if fits:
                self._scalar(match)
        if not fits:
            self._unexpected(token, match.start(), match.end())
        return bool(fits)

    def _mark(self, mark: str) -> bool | None:
        state = self._state
        if mark in "[{":
            if state not in {_VALUE, _FIRST_VALUE}:
                return False
            if len(self._open) == MAX_DEPTH:
                return None
            self._open.append(set() if mark == "{" else None)
            self._state = _FIRST_KEY if mark == "{" else _FIRST_VALUE
            return True
        if mark == ":":
            self._state = _VALUE
            return state == _COLON
        if state not in {_NEXT, _FIRST_KEY, _FIRST_VALUE}:
            return False
        in_object = self._open[-1] is not None
        if mark == ",":
            self._state = _KEY if in_object else _VALUE
            return state == _NEXT
        if in_object != (mark == "}"):
            return False
        self._open.pop()
        self._after_value()
        return True

    def _key(self, token: str, start: int, end: int) -> None:
        keys = self._open[-1]
        key = token[1:-1] if "\\" not in token else str(json.loads(token))
        if keys is not None:
            if key in keys:
                self._found.add(f"the key {shorten(token)} occurs twice in one object", start, end)
            keys.add(key)
        self._state = _COLON

    def _scalar(self, match: re.Match[str]) -> None:
        token = match.group()
        if match.lastgroup == "constant":
            self._found.add(f"{token} is no JSON number", match.start(), match.end())
        elif match.lastgroup == "number" and (problem := number_fault(token)):
            self._found.add(problem, match.start(), match.end())
        self._after_value()

    def _after_value(self) -> None:
        self._state = _NEXT if self._open else _END

    def _early_end(self) -> None:
        self._found.cut_off = True
        at = len(self._text[: self._end].rstrip()) if self._end else 0
        empty = self._state == _VALUE and not self._open
        message = "there is no JSON in it" if empty else f"it ends too early: {self._wanted()} is missing"
        self._found.add(message, at, self._end)

    def _no_token(self) -> None:
        if self._text[self._at] == '"':
            self._bad_string()
            return
        unknown = _UNKNOWN.match(self._text, self._at, self._end)
        token = unknown.group() if unknown is not None else ""
        if self._at + len(token) == self._end and self._state in {_VALUE, _FIRST_VALUE}:
            self._found.cut_off = any(word.startswith(token) for word in ("true", "false", "null", "-"))
        self._unexpected(token, self._at, self._at + len(token))

    def _bad_string(self) -> None:
        match = _OPEN_STRING.match(self._text, self._at, self._end)
        bad = self._at if match is None else match.end()
        if bad >= self._end:
            self._found.cut_off = True
            self._found.add("it ends inside a string, whose closing quote is missing", self._at, self._end)
        elif self._text[bad] == "\\":
            self._found.add("a backslash that begins no JSON escape", bad, min(bad + 2, self._end))
        else:
            name = "line break" if self._text[bad] in "\r\n" else f"control character U+{ord(self._text[bad]):04X}"
            self._found.add(f"a {name} inside a string, where it has to be escaped", bad, bad + 1)

    def _unexpected(self, found: str, start: int, end: int) -> None:
        if self._state == _END:
            message = f"the document is complete, and {shorten(found)} follows"
        elif self._state == _KEY and found == "}":
            message = "a comma stands before }, and no member follows"
        elif self._state == _VALUE and found == "]" and self._open and self._open[-1] is None:
            message = "a comma stands before ], and no value follows"
        else:
            message = f"{self._wanted()} is expected, not {shorten(found)}"
        self._found.add(message, start, end)

    def _wanted(self) -> str:
        if self._state == _NEXT:
            return "a comma or " + ("]" if self._open[-1] is None else "}")
        return _EXPECTED[self._state]


def number_fault(token: str) -> str | None:
    """Tell why a JSON number cannot be used, or None when it can."""
    if len(token) > MAX_DIGITS:
        return f"a number of {len(token)} characters"
    if ("e" in token or "E" in token) and float(token) in {float("inf"), float("-inf")}:
        return f"the number {shorten(token)} is too large"
    return None


def shorten(text: str, limit: int = 40) -> str:
    """Text for a message: bounded, and characters that do not print named by their code points."""
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    return "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in cut)
