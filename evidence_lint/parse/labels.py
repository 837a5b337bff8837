"""The confidence label and the title of a stated finding, in the forms that people write (chapter 1, section 4)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

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
_CELL = re.compile(r"\s*\|\s*(?P<cell>high|medium|low)(?:\s+confidence)?[ \t]*(?:\||\n|$)", re.IGNORECASE)
_PARENTHESIS = re.compile(rf"\s*{_OPEN}[^()\[\]（）【】]{{0,120}}{_CLOSE}")
_NUMBERING = re.compile(
    r"[ \t]*(?:\[[ xX]\][ \t]*)?(?:(?:finding|#)[ \t]*)?(?:\d{1,3}[.):][ \t]+)?[ \t]*", re.IGNORECASE
)
_MOST_PARENTHESES = 4
_WINDOW = 100
_LABEL_WORD = re.compile(r"(?:very\s+|extremely\s+|fairly\s+)?(?:high|highest|medium|low)|[高中低]", re.IGNORECASE)
_OWN_LINE = re.compile(
    r"\W*(?:(?:overall|stated)\s+)?(?:confidence|置信度|可信度)(?:\s+level)?\s*[:=：]\W*(?P<after>high|medium|low)\W*"
    r"|\W*(?P<before>high|medium|low)\s+confidence\W*",
    re.IGNORECASE,
)
_AT_END = re.compile(r"\((?P<before>High|HIGH)\s+confidence\)[\s.]*(?:\[[\d\s,;–-]+\][\s.]*)*$")
_BORDER = re.compile(r"[)\]]?\s*(?:$|\n|[:：.;—–]|-\s)")
_IN_PARENTHESIS = re.compile(r"\b(?P<before>high|highest)\s+confidence\b", re.IGNORECASE)
_NOT_STATED = re.compile(
    r"\b(?:request\w*|not|no|never|downgrad\w*|lower\w*|instead|rather|from|below|short|earn\w*|until|pending|would|could"
    r"|without|than|for)\b|n['’]t\b",
    re.IGNORECASE,
)
_OF_CONFIDENCE = re.compile(r"confidence|置信|可信", re.IGNORECASE)
_RANKS = {"high": 3, "medium": 2, "low": 1}


@dataclass(frozen=True, slots=True)
class Head:
    """Ranges of a finding's rendered text: title, label, and where the statement begins."""

    title: tuple[int, int]
    label: str | None
    label_at: tuple[int, int] | None
    statement: int
    cut: tuple[int, int] | None = None
    """A label inside the statement, which is no part of its prose."""


def label_rank(label: str | None) -> int:
    """The height of a label: 1 to 3, 4 for what claims more than the contract knows, 0 for anything else."""
    word = (label or "").strip().lower()
    return _RANKS.get(word, 4 if re.search(r"\bhigh", word) else 0)


def _word(match: re.Match[str]) -> tuple[str, tuple[int, int]]:
    group = _group(match)
    if group == 0:
        return "", match.span()
    raw = match.group(group)
    start = match.start(group) + len(raw) - len(raw.lstrip(" *_`"))
    return raw.strip(" *_`"), (start, start + len(raw.strip(" *_`")))


def read_head(text: Rendered) -> Head:
    """Title and label of a finding that is written as a bullet or a paragraph."""
    plain = text.text
    numbering = _NUMBERING.match(plain)
    start = numbering.end() if numbering else 0
    first = _LABEL.match(plain, start)
    if first and (first.group("word") is None or _opening(text, first.end())):
        label, at = _word(first)
        title = _opening(text, first.end()) or (first.end(), first.end())
        return _highest(plain, Head(title, label, at, _after(plain, max(first.end(), title[1]))), first)
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
        return _highest(plain, Head(_trim(plain, start, inside.start()), label, at, _after(plain, end)), inside)
    whole = _OPEN_LABEL.fullmatch(plain[start:end].rstrip(" .:："))
    if whole:
        label, (a, b) = _word(whole)
        return Head((start, start), label, (a + start, b + start), _after(plain, end))
    title = _trim(plain, start, end)
    position = _skip(plain, end)
    for _ in range(_MOST_PARENTHESES):
        match = _LABEL.match(plain, position) or _OPEN_LABEL.match(plain, position) or _CELL.match(plain, position)
        if match:
            label, at = _word(match)
            return _highest(plain, Head(title, label, at, _after(plain, match.end())), match)
        other = _PARENTHESIS.match(plain, position)
        if other is None:
            break
        position = _skip(plain, other.end())
    return late_label(plain, title, _after(plain, end))


def _highest(plain: str, head: Head, first: re.Match[str]) -> Head:
    """The head with the highest of the labels that follow each other (chapter 3: what the report states)."""
    after = first.end(_group(first))
    more = _IN_PARENTHESIS.search(plain, after, first.end())
    if more and not _NOT_STATED.search(plain, after, first.end()):
        head = _higher(head, more.group("before"), more.span("before"))
    for _ in range(_MOST_PARENTHESES):
        match = _LABEL.match(plain, head.statement)
        if match is None:
            match = _OPEN_LABEL.match(plain, head.statement)
            if match is None or not _BORDER.match(plain, match.end()):
                break
        if not _LABEL_WORD.fullmatch(_word(match)[0]):
            break
        head = _higher(replace(head, statement=_after(plain, match.end())), *_word(match))
    return head


def _group(match: re.Match[str]) -> int | str:
    """The group of a label's word."""
    names = ("after", "bare", "before", "word", "cell")
    return next((name for name in names if name in match.re.groupindex and match.group(name) is not None), 0)


def _higher(head: Head, label: str, at: tuple[int, int]) -> Head:
    if label_rank(label) > label_rank(head.label) > 0:
        return replace(head, label=label, label_at=at)
    return head


def highest_label(text: Rendered, head: Head, end: int) -> Head:
    """The head with the highest label that the finding states up to ``end``: also one on a line of its own, or one that
    closes a line.
    """
    if label_rank(head.label) in {0, 3, 4}:
        return head
    for start, stop in _lines(text, head.statement, end):
        line = text.text[start:stop]
        match = _OWN_LINE.fullmatch(line) or _AT_END.search(line)
        if match:
            label, (a, b) = _word(match)
            head = _higher(head, label, (a + start, b + start))
    return head


def _lines(text: Rendered, start: int, end: int) -> list[tuple[int, int]]:
    """Block borders and line ends inside paragraphs both end a line."""
    borders = {at for at in text.breaks if start <= at < end}
    borders.update(match.start() for match in re.finditer("\n", text.text[:end]) if match.start() >= start)
    stops = [*sorted(borders), end]
    return [(a, b) for a, b in zip([start, *(stop + 1 for stop in stops)], stops, strict=False) if b - a < 500]


def strict_head(text: Rendered, start: int, end: int, *, home: bool) -> Head | None:
    """The head of a finding that begins with the strong range ``start..end``, when a label follows it directly.

    Elsewhere than at ``home`` (section 4) only a label with the word *confidence* counts.
    """
    plain = text.text
    inside = list(_LABEL.finditer(plain, start, end))
    if inside and not plain[inside[-1].end() : end].strip(" .:：*"):
        title = _trim(plain, start, inside[-1].start())
        return _checked(plain, title, inside[-1], _after(plain, end), home=home)
    title = _trim(plain, start, end)
    position = _skip(plain, end)
    if "\n" in plain[end:position]:
        stop = plain.find("\n", position)
        stop = len(plain) if stop < 0 else stop
        bare = position + len(plain[position:stop].rstrip(" :：."))
        own = _OWN_LINE.fullmatch(plain, position, stop) or _LABEL.fullmatch(plain, position, bare)
        return _checked(plain, title, own, _after(plain, stop), home=home) if own else None
    for _ in range(_MOST_PARENTHESES):
        if match := _LABEL.match(plain, position):
            return _checked(plain, title, match, _after(plain, match.end()), home=home)
        match = _OPEN_LABEL.match(plain, position)
        if match and _BORDER.match(plain, match.end()) and _words(plain[slice(*title)]) > 2:
            return _checked(plain, title, match, _after(plain, match.end()), home=home)
        if cell := _CELL.match(plain, position) or _CELL.match(plain, end):
            return _checked(plain, title, cell, _after(plain, cell.end()), home=home)
        other = _PARENTHESIS.match(plain, position)
        if other is None:
            break
        position = _skip(plain, other.end())
    return _closing_label(text, title, _after(plain, end)) if home else None


def _closing_label(text: Rendered, title: tuple[int, int], statement: int) -> Head | None:
    """A bold beginning of a line whose label closes the line."""
    plain = text.text
    before = plain[max(0, title[0] - _WINDOW) : title[0]].rstrip(" ")
    if before and not before.endswith("\n"):
        return None
    end = plain.find("\n", statement)
    match = _AT_END.search(plain, statement, len(plain) if end < 0 else end)
    return _checked(plain, title, match, statement, home=True) if match else None


def _checked(plain: str, title: tuple[int, int], match: re.Match[str], statement: int, *, home: bool) -> Head | None:
    """The head, unless its title or its label is of a kind that honest prose has."""
    words = plain[slice(*title)]
    label, at = _word(match)
    bare = "confidence" not in match.group().lower() and not re.search("[置可]信", match.group())
    named = re.search(r"\w", words) and not _OF_CONFIDENCE.search(words)
    if not named or not _LABEL_WORD.fullmatch(label) or (bare and (not home or _words(words) < 3)):
        return None
    before = plain[max(0, title[0] - _WINDOW) : title[0]].rstrip(" *_")
    inner = before and before[-1] not in "\n.!?:;)]}>|。！？：；）】" and not home
    if inner and label[:1].islower():
        # Calibrated language in the middle of a sentence: "the sea **will rise** (high confidence)".
        return None
    return _highest(plain, Head(title, label, at, statement), match)


def _words(title: str) -> int:
    """How many words a title has; two ideographs count as one."""
    ideographs = sum(ord(char) >= 0x2E80 for char in title)
    return len(title.split()) + ideographs // 2


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
        early = not re.search(r"[.!?:。：]\s|\n", before)
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
