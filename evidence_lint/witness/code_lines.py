"""The lines of a file as Git numbers them, in bytes and in text, and how an excerpt differs from them (chapter 5)."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cached_property

from evidence_lint.model.repository import LfsPointer, git_lines, lfs_pointer

_UTF8_MARK = codecs.BOM_UTF8
_WIDE_MARKS = (
    # UTF-32 first: its little-endian mark begins like that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_HEAD = 1024
_COOKIE = re.compile(rb"coding[:=][ \t]*([-\w.]{2,40})")
"""PEP 263, Emacs, Vim (``fileencoding=``): in the first two lines."""
_DECLARED = (
    re.compile(rb"<\?xml[^>]{0,80}encoding=[\"']([-\w.]{2,40})[\"']"),
    re.compile(rb"<meta[^>]{0,120}charset=[\"']?([-\w.]{2,40})", re.IGNORECASE),
    re.compile(rb"@charset \"([-\w.]{2,40})\""),
)
# Codecs of Python that are no character codings, or cost more than linear time.
_NO_CODINGS = frozenset(
    {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem", "utf-7"}
)
_LAST_RESORTS = ("cp1252", "latin-1")
_DETECTION_LIMIT = 256 * 1024


class FileLines:
    """One file's lines. Text is made only when bytes do not settle a comparison.

    ``undecodable`` tells whether the file is neither UTF-8 nor in a coding that it declares or that can be detected.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._wide = next((coding for mark, coding in _WIDE_MARKS if data.startswith(mark)), None)

    @cached_property
    def raw(self) -> list[bytes]:
        """Git's lines, without a UTF-8 byte order mark; of a UTF-16 or UTF-32 file the lines of its text, in UTF-8."""
        if self._wide is not None and self._texts:
            return [line.encode("utf-8", "surrogatepass") for line in self._texts[0]]
        return git_lines(self.data.removeprefix(_UTF8_MARK))

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self.raw)

    @cached_property
    def lfs(self) -> LfsPointer | None:
        """The Git LFS pointer that the file is, if it is one."""
        return lfs_pointer(self.data)

    @property
    def undecodable(self) -> bool:
        """Whether there is no text to compare with."""
        return not self._texts

    def holds(self, first: int, excerpt: Sequence[str]) -> bool:
        """Whether exactly these lines stand from line ``first`` on."""
        wanted = [line.encode("utf-8", "surrogatepass") for line in excerpt]
        begin, end = first - 1, first - 1 + len(excerpt)
        if self.raw[begin:end] == wanted:
            return True
        if begin == 0 and excerpt[0].startswith("\ufeff") and self.data.startswith(_UTF8_MARK):
            return self.holds(first, [excerpt[0][1:], *excerpt[1:]])
        return self._utf8 is None and any(lines[begin:end] == list(excerpt) for lines in self._texts)

    def occurrences(self, excerpt: Sequence[str]) -> Iterator[int]:
        """The 1-based lines at which the excerpt stands exactly."""
        wanted = list(excerpt)
        if not wanted:
            return
        # By its rarest line, so that an excerpt that begins with a blank one costs no more than another.
        places = [self._index.get(line, []) for line in wanted]
        anchor = min(range(len(wanted)), key=lambda number: len(places[number]))
        for place in places[anchor]:
            begin = place - anchor
            if begin >= 0 and self.text[begin : begin + len(wanted)] == wanted:
                yield begin + 1

    @cached_property
    def _index(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, line in enumerate(self.text):
            found.setdefault(line, []).append(number)
        return found

    @cached_property
    def text(self) -> list[str]:
        """The lines as text; undecodable bytes become U+FFFD."""
        if self._texts:
            return self._texts[0]
        return [line.decode("utf-8", "replace") for line in self.raw]

    def window(self, first: int, last: int, around: int, limit: int) -> str:
        """The text of lines ``first`` to ``last`` and ``around`` lines on either side, at most ``limit`` characters."""
        begin, end = max(0, first - 1 - around), last + around
        if self._wide is None:
            try:
                return b"\n".join(self.raw[begin:end]).decode("utf-8")[:limit]
            except UnicodeDecodeError:
                pass
        return "\n".join(self.text[begin:end])[:limit]

    @cached_property
    def _utf8(self) -> list[str] | None:
        if self._wide is not None:
            return None
        try:
            return [line.decode("utf-8") for line in git_lines(self.data.removeprefix(_UTF8_MARK))]
        except UnicodeDecodeError:
            return None

    @cached_property
    def _texts(self) -> list[list[str]]:
        """The file's lines under each coding that it may be in, the likeliest first; none when it is no text."""
        if self._utf8 is not None:
            return [self._utf8]
        if self._wide is not None:
            return self._decoded([self._wide])
        declared = self._decoded(_declared_codings(self.data))
        if declared:
            return declared
        if b"\0" in self.data:
            return []
        detected = _detected_coding(self.data)
        return self._decoded([detected, *_LAST_RESORTS]) if detected is not None else []

    def _decoded(self, codings: Sequence[str]) -> list[list[str]]:
        found: list[list[str]] = []
        for coding in codings:
            try:
                text = self.data.decode(coding)
            except (LookupError, ValueError):
                continue
            found.append(text_lines(text))
        return found


def text_lines(text: str) -> list[str]:
    """Split at LF alone, dropping one CR before it; one newline at the end adds no line. As Git numbers lines."""
    if not text:
        return []
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def difference(excerpt: Sequence[str], found: Sequence[str]) -> str:
    """In which plain way the excerpt misses what stands there, or ""."""
    if len(excerpt) != len(found) or not found:
        return ""
    pairs = list(zip(excerpt, found, strict=True))
    if all(one.strip() == other.strip() for one, other in pairs):
        return "it differs in white space at the ends of a line"
    if all("".join(one.split()) == "".join(other.split()) for one, other in pairs):
        return "it differs in white space"
    if all(one.casefold() == other.casefold() for one, other in pairs):
        return "it differs in letter case"
    if all(unicodedata.normalize("NFKC", one) == unicodedata.normalize("NFKC", other) for one, other in pairs):
        return "it differs in the form of a Unicode character"
    if all(one.strip() in other for one, other in pairs):
        return "it is a part of the line, and whole lines are compared"
    return ""


def _declared_codings(data: bytes) -> list[str]:
    head = data[:_HEAD]
    tried = [_COOKIE.search(b"\n".join(head.split(b"\n", 2)[:2])), *(pattern.search(head) for pattern in _DECLARED)]
    names: list[str] = []
    for match in tried:
        if match is None:
            continue
        try:
            name = codecs.lookup(match[1].decode("ascii")).name.replace("_", "-")
        except (LookupError, ValueError):
            continue
        if name not in _NO_CODINGS:
            names.append(name)
    return names


def _detected_coding(data: bytes) -> str | None:
    # Lazy: nearly every file is UTF-8.
    from charset_normalizer import from_bytes  # noqa: PLC0415

    best = from_bytes(data[:_DETECTION_LIMIT]).best()
    return None if best is None else best.encoding
