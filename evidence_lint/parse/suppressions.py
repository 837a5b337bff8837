"""Finding suppressions: comments of a report, and ``evidence_lint`` blocks of records (chapter 10)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt

from evidence_lint.model.artifact import JSON, Artifact, Medium
from evidence_lint.model.location import Location, Span, pointer
from evidence_lint.model.suppression import SuppressionMark

_MARK = re.compile(
    r"<!--\s*evidence-lint:\s*ignore(?![\w-])(?:\[(?P<rules>[^\]\n]*)\])?(?P<reason>(?!\[).*)-->", re.DOTALL
)
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)")
_MOST_MARKS = 50
"""Lines of nothing but marks that may stand before the line that they speak about."""
_LONGEST = 4000
"""Characters of a comment that may be a suppression."""
_BLOCK = "evidence_lint"


def find_marks(artifact: Artifact) -> Sequence[SuppressionMark]:
    """Return the suppressions of an artifact: comments in Markdown, blocks in JSON."""
    if artifact.medium is Medium.MARKDOWN and artifact.text is not None:
        return list(_inline(artifact.name, artifact.text))
    if artifact.medium in {Medium.JSON, Medium.JSONL}:
        return list(_blocks(artifact))
    return []


def _inline(name: str, text: str) -> Iterator[SuppressionMark]:
    if "evidence-lint:" not in text:
        return
    code = _code_lines(text)
    starts = _line_starts(text)
    for match in _comments(text):
        line = _line_of(starts, match.start())
        if line in code or _in_code_span(text, starts, line, match.start()):
            continue
        last = _line_of(starts, match.end())
        alone = not _without_marks(text, starts, line, last).strip()
        rules = match["rules"]
        yield SuppressionMark(
            kind="inline",
            selectors=tuple(word.strip() for word in rules.split(",") if word.strip()) if rules else (),
            reason=match["reason"].strip(" \t\r\n:-—"),
            location=Location(name, Span(match.start(), match.end())),
            lines=_next_text(text, starts, last + 1) if alone else (line, last),
        )


def _comments(text: str) -> Iterator[re.Match[str]]:
    """The comments that are suppressions, from left to right, each from its opening to the first closing mark."""
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start + 4)
        if end < 0:
            return
        match = _MARK.fullmatch(text, start, end + 3) if end - start <= _LONGEST else None
        if match is not None:
            yield match
        start = text.find("<!--", end + 3)


def _in_code_span(text: str, starts: Sequence[int], line: int, offset: int) -> bool:
    first = starts[line - 1]
    end = starts[line] if line < len(starts) else len(text)
    before = text[first:offset]
    if "`" not in before or end - first > _LONGEST:
        return False
    return any(span.start() < offset - first < span.end() for span in _CODE_SPAN.finditer(text[first:end]))


def _code_lines(text: str) -> frozenset[int]:
    """The lines (1-based) of fences and indented code: a comment there is an example of one."""
    lines: set[int] = set()
    for token in MarkdownIt("commonmark").parse(text):
        if token.type in {"fence", "code_block"} and token.map is not None:
            lines.update(range(token.map[0] + 1, token.map[1] + 1))
    return frozenset(lines)


def _line_starts(text: str) -> list[int]:
    return [0, *(match.end() for match in re.finditer(r"\r\n|\n|\r", text))]


def _line_of(starts: Sequence[int], offset: int) -> int:
    low, high = 0, len(starts)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if starts[middle] <= offset else (low, middle)
    return low + 1


def _without_marks(text: str, starts: Sequence[int], first: int, last: int) -> str:
    end = starts[last] if last < len(starts) else len(text)
    line = text[starts[first - 1] : end]
    for match in reversed(list(_comments(line))):
        line = line[: match.start()] + line[match.end() :]
    return line


def _next_text(text: str, starts: Sequence[int], line: int) -> tuple[int, int]:
    """The next line that holds anything but marks: what a comment on a line of its own speaks about."""
    furthest = min(len(starts), line + _MOST_MARKS)
    while line < furthest and not _without_marks(text, starts, line, line).strip():
        line += 1
    return line, line


def _blocks(artifact: Artifact) -> Iterator[SuppressionMark]:
    if artifact.text is None or f'"{_BLOCK}"' not in artifact.text:
        return
    stack: list[tuple[str, JSON]] = [("", artifact.data)]
    while stack:
        here, value = stack.pop()
        if isinstance(value, list):
            stack += [(here + pointer(index), item) for index, item in enumerate(value)]
        elif isinstance(value, dict):
            if isinstance(value.get(_BLOCK), dict):
                yield _block(artifact.name, here, value[_BLOCK])
            stack += [(here + pointer(key), item) for key, item in value.items() if key != _BLOCK]


def _block(name: str, here: str, block: JSON) -> SuppressionMark:
    ignore = block.get("ignore") if isinstance(block, dict) else None
    reason = block.get("reason") if isinstance(block, dict) else None
    words = [ignore] if isinstance(ignore, str) else ignore if isinstance(ignore, list) else []
    return SuppressionMark(
        kind="record",
        selectors=tuple(word.strip() for word in words if isinstance(word, str) and word.strip()),
        reason=reason.strip() if isinstance(reason, str) else "",
        location=Location(name, pointer=here + pointer(_BLOCK)),
        pointer=here,
    )
