"""The confidence label and the title of a stated finding, in the forms that people write (chapter 1, section 4)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evidence_lint.parse.rendered import Rendered

_OPEN, _CLOSE = r"[(\[（【]", r"[)\]）】]"
_WORD = r"[^()\[\]（）【】:：,;，；]{1,40}?"
_LABEL = re.compile(
    rf"{_OPEN}\s*(?:"
    rf"(?:confidence|置信度|可信度)(?:\s+level)?\s*(?:[:=：]|is\b)\s*(?P<after>{_WORD})"
    rf"|confidence\s+(?P<bare>high|medium|low)"
    rf"|(?P<before>{_WORD})\s*[- ]?(?:confidence|置信度|可信度)(?:\s+level)?"
    rf"|(?P<word>high|medium|low)"
    rf")\s*(?:[,;，；:：—–/|][^()\[\]（）【】]{{0,200}})?{_CLOSE}",
    re.IGNORECASE,
)
_OPEN_LABEL = re.compile(
    r"\s*[—–:：,-]*\s*(?:(?:confidence|置信度)(?:\s+level)?\s*[:=：]\s*(?P<after>high|medium|low)|(?P<before>high|medium|low)\s+confidence)\b",
    re.IGNORECASE,
)
_ANYWHERE = re.compile(
    r"(?:\(\s*(?P<before>high|medium|low)\s+confidence\s*\)|\bconfidence(?:\s+level)?\s*[:：]\s*(?P<after>high|medium|low)\b)",
    re.IGNORECASE,
)
_CELL = re.compile(r"\s*\|\s*(?P<cell>high|medium|low)(?:\s+confidence)?\s*(?:\||$)", re.IGNORECASE)
_PARENTHESIS = re.compile(rf"\s*{_OPEN}[^()\[\]（）【】]{{0,120}}{_CLOSE}")
_NUMBERING = re.compile(
    r"[ \t]*(?:\[[ xX]\][ \t]*)?(?:(?:finding|#)[ \t]*)?(?:\d{1,3}[.):][ \t]+)?[ \t]*", re.IGNORECASE
)
_MOST_PARENTHESES = 4


@dataclass(frozen=True, slots=True)
class Head:
    """Ranges of a finding's rendered text: title, label, and where the statement begins."""

    title: tuple[int, int]
    label: str | None
    label_at: tuple[int, int] | None
    statement: int
    cut: tuple[int, int] | None = None
    """A label inside the statement, which is no part of its prose."""


def _word(match: re.Match[str]) -> tuple[str, tuple[int, int]]:
    for name in ("after", "bare", "before", "word", "cell"):
        if name in match.re.groupindex and match.group(name) is not None:
            raw = match.group(name)
            start = match.start(name) + len(raw) - len(raw.lstrip(" *_`"))
            return raw.strip(" *_`"), (start, start + len(raw.strip(" *_`")))
    return "", match.span()


def read_head(text: Rendered) -> Head:
    """Title and label of a finding that is written as a bullet or a paragraph."""
    plain = text.text
    numbering = _NUMBERING.match(plain)
    start = numbering.end() if numbering else 0
    first = _LABEL.match(plain, start)
    if first and (first.group("word") is None or _opening(text, first.end())):
        label, at = _word(first)
        title = _opening(text, first.end()) or (first.end(), first.end())
        return Head(title, label, at, _after(plain, max(first.end(), title[1])))
    opening = _opening(text, start)
    return _untitled(text, start) if opening is None else _titled(text, *opening)


def _opening(text: Rendered, start: int) -> tuple[int, int] | None:
    """The strong (or emphasised) text that stands first."""
    at = start
    while at < len(text.text) and (text.text[at].isspace() or text.text[at] in ":：—–-"):
        at += 1
    for ranges in (text.strong, text.emphasis):
        for a, b in ranges:
            if a <= at < b or a == at:
                return a, b
    return None


def _titled(text: Rendered, start: int, end: int) -> Head:
    plain = text.text
    labels = list(_LABEL.finditer(plain, start, end))
    inside = labels[-1] if labels else None
    if inside is not None and not plain[inside.end() : end].strip(" .:："):
        label, at = _word(inside)
        return Head(_trim(plain, start, inside.start()), label, at, _after(plain, end))
    whole = _OPEN_LABEL.fullmatch(plain[start:end].rstrip(" .:："))
    if whole:
        label, (a, b) = _word(whole)
        return Head((start, start), label, (a + start, b + start), _after(plain, end))
    title = _trim(plain, start, end)
    position = _skip(plain, end)
    for _ in range(_MOST_PARENTHESES):
        if match := _LABEL.match(plain, position):
            label, at = _word(match)
            return Head(title, label, at, _after(plain, match.end()))
        if match := _OPEN_LABEL.match(plain, position) or _CELL.match(plain, position):
            label, at = _word(match)
            return Head(title, label, at, _after(plain, match.end()))
        other = _PARENTHESIS.match(plain, position)
        if other is None:
            break
        position = _skip(plain, other.end())
    return late_label(plain, title, _after(plain, end))


def late_label(plain: str, title: tuple[int, int], statement: int) -> Head:
    """A head whose label, if any, stands further on."""
    late = _ANYWHERE.search(plain, statement)
    if late is None:
        return Head(title, None, None, statement)
    label, at = _word(late)
    return Head(title, label, at, statement, late.span())


def _untitled(text: Rendered, start: int) -> Head:
    """Without a strong title, what stands before an early label is the title."""
    plain = text.text
    for match in _LABEL.finditer(plain, start, min(len(plain), start + 400)):
        before = plain[start : match.start()]
        early = not re.search(r"[.!?:。：]\s", before)
        if early and (match.group("word") is None or match.group("word")[:1].isupper()):
            label, at = _word(match)
            return Head(_trim(plain, start, match.start()), label, at, _after(plain, match.end()))
        break
    return late_label(plain, (start, start), start)


def _trim(plain: str, start: int, end: int) -> tuple[int, int]:
    while start < end and plain[start].isspace():
        start += 1
    while end > start and (plain[end - 1].isspace() or plain[end - 1] in ":："):
        end -= 1
    return start, end


def _skip(plain: str, at: int) -> int:
    while at < len(plain) and (plain[at] in " \t\n:：" or plain[at] in "—–-"):
        at += 1
    return at


def _after(plain: str, at: int) -> int:
    """Where the statement begins: past the colon or dash that follows the head."""
    position = at
    while position < len(plain) and plain[position] in " \t\n":
        position += 1
    if position < len(plain) and plain[position] in ":：.—–-":
        position += 1
    while position < len(plain) and plain[position] in " \t\n":
        position += 1
    return position
