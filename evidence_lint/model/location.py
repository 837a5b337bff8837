"""Where something stands: spans of a text and pointers into JSON.

A location is symbolic until it is printed. ``engine/locate`` alone turns spans and pointers into lines and
columns, and only for what is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of characters, ``start <= end``, in the decoded text of an artifact (BOM excluded)."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"not a span: {self.start}..{self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, text: str) -> str:
        """The characters that the span covers."""
        return text[self.start : self.end]

    def covers(self, other: Span) -> bool:
        """Whether ``other`` lies inside this span."""
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Location:
    """A place in one artifact of a bundle.

    ``artifact`` is the artifact's name in its bundle (``report``, ``findings``, …). Exactly one of ``span``
    and ``pointer`` says where; with neither, the place is the artifact as a whole, shown as its first line
    (chapter 10: what is absent is located at line 1 of what should hold it). ``key`` asks for the member's
    name rather than its value.
    """

    artifact: str
    span: Span | None = None
    pointer: str | None = None
    key: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """A location as people read it: 1-based lines and columns, columns in characters, ends exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    pointer: str | None = None
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


def pointer(*parts: str | int) -> str:
    """A JSON pointer (RFC 6901) of these reference tokens; ``pointer()`` is the whole document."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def pointer_parts(text: str) -> tuple[str, ...]:
    """The reference tokens of a JSON pointer.

    Raises :class:`ValueError` when ``text`` is no pointer.
    """
    if not text:
        return ()
    if not text.startswith("/"):
        raise ValueError(f"not a JSON pointer: {text!r}")
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in text[1:].split("/"))
