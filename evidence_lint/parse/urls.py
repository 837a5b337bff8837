"""Bare URLs in running text: where one ends, and what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Characters that end a bare URL: white space, controls, angle brackets, quotes, code marks, CJK punctuation.
_STOP = re.compile(r"[\s\x00-\x20<>\"`|“”„«»‹›，。；：！？、（）「」『』【】《》〈〉\ue000-\uf8ff]|\*\*")
_SCHEME = re.compile(r"(?<![A-Za-z0-9+.-])(?:https?|ftp|file)://", re.IGNORECASE)
_MARKER = re.compile(r"\[\s*\d{1,3}(?:\s*[-,–—;]\s*\d{1,3})*\s*\]")
_ENTITY_TAIL = re.compile(r"&[A-Za-z0-9]{1,31};$")
_TRAILING = ".,:;!?'’*_~…\\"
_ASCII_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_PAIRS = {")": "(", "]": "[", "}": "{"}


def url_end(text: str, start: int, limit: int | None = None) -> int:
    """Where the bare URL that begins at ``start`` ends; ``start`` when only a scheme stands there.

    Balanced brackets belong to the URL; closing ones without a partner, a citation marker and the
    punctuation of the sentence do not.
    """
    limit = len(text) if limit is None else limit
    scheme = _SCHEME.match(text, start, limit)
    if scheme is None:
        return start
    stop = _STOP.search(text, scheme.end(), limit)
    end = _balanced_end(text, scheme.end(), stop.start() if stop else limit)
    end = _trim(text, scheme.end(), end)
    return end if end > scheme.end() else start


def _balanced_end(text: str, start: int, end: int) -> int:
    depth = {"(": 0, "[": 0, "{": 0}
    for index in range(start, end):
        char = text[index]
        if char == "[" and _MARKER.match(text, index):
            return index
        if char in depth:
            depth[char] += 1
        elif char in _PAIRS:
            if depth[_PAIRS[char]] == 0:
                return index
            depth[_PAIRS[char]] -= 1
    return end


def _trim(text: str, start: int, end: int) -> int:
    while end > start:
        last = text[end - 1]
        if last == ";" and (entity := _ENTITY_TAIL.search(text[max(start, end - 40) : end])):
            end -= len(entity.group())
        elif last in _TRAILING or last in "([{":
            end -= 1
        else:
            break
    return end


def unescape_url(text: str, start: int, end: int) -> tuple[str, list[int]]:
    """The URL in ``text[start:end]`` without Markdown escapes and ``&amp;``, and the offset of each character."""
    if "\\" not in text[start:end] and "&amp;" not in text[start:end]:
        return text[start:end], list(range(start, end))
    chars: list[str] = []
    offsets: list[int] = []
    index = start
    while index < end:
        if text[index] == "\\" and index + 1 < end and text[index + 1] in _ASCII_PUNCTUATION:
            index += 1
        chars.append(text[index])
        offsets.append(index)
        index += 5 if text.startswith("&amp;", index, end) else 1
    return "".join(chars), offsets


def find_urls(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int, str]]:
    """The bare URLs of ``text`` as (start, end, URL)."""
    end = len(text) if end is None else end
    position = start
    while match := _SCHEME.search(text, position, end):
        stop = url_end(text, match.start(), end)
        if stop > match.start():
            yield match.start(), stop, unescape_url(text, match.start(), stop)[0]
        position = max(stop, match.end())
