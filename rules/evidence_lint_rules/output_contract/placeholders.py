"""OUT121: nothing of the template remains."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from evidence_lint.model.example import Expected, base_sections, research_example
from evidence_lint.model.location import Location, Span
from evidence_lint.model.report import REPORT, Prose, Report
from evidence_lint.model.verdict import Problem, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.report_fields import KINDS, LEVELS, MODES, STATUSES

_BODIES = base_sections()
_LABELS = ("High", "Medium", "Low")
_SEPARATOR = r"\s*(?:\\?\||/|,?\s+or\b)\s*"


def _choice(words: Sequence[str]) -> str:
    word = "(?:" + "|".join(sorted(map(re.escape, words), key=len, reverse=True)) + ")"
    return rf"[`*]*{word}[`*]*(?:{_SEPARATOR}[`*]*{word}[`*]*)+(?:\s+confidence)?"


_CHOICE = re.compile(
    rf"\W{{0,2}}(?:{'|'.join(map(_choice, (KINDS, MODES, LEVELS, STATUSES, _LABELS)))})\s*(?:\W|\([^()]*\)\W*)?",
    re.IGNORECASE,
)
_MARKER = re.compile(
    r"(?<!\w)\[(?:sources?|citations?|citation needed|insert\b[^\]\n]{0,60}|your\b[^\]\n]{0,60})\](?![(:])",
    re.IGNORECASE,
)
_UNDONE = re.compile(
    r"(?:TODO|TBD|TBC|FIXME|T\.B\.D\.?|to be (?:determined|written|added|completed|filled in)"
    r"|(?:TODO|TBD|FIXME)\s*[:(（：—–-].*|待补充|待定|待填写|待補充|待确认)[.。!…]*",
    re.DOTALL,
)
_ANGLED = re.compile(
    r"[ \t>]*+(?:[-*+]|\d{1,3}[.)])?+[ \t]*+(?:[^<>:\n]{1,200}:[*_]{0,2}[ \t]+)?[`*_]{0,3}"
    r"(?P<value><[^<>\n]{1,200}>)[`*_]{0,3}"
    r"(?:[ \t]*\[[^\]\n]{1,20}\])*[ \t]*[.;]?[ \t]*"
)
_TAG = re.compile(
    r"</?(?:a|abbr|b|blockquote|br|caption|code|col|dd|del|details|div|dl|dt|em|figure|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|q|s"
    r"|samp|small|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var|wbr)(?:[\s/][^<>]*)?>"
    r"|<[^\s<>]+://[^<>]*>|<mailto:[^<>]*>|<[^\s<>@]+@[^\s<>@]+>|<[!?/][^<>]*>",
    re.IGNORECASE,
)
_LABEL = re.compile(r"[^:：]{1,200}[:：]\s+")
_DELIMITER = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-*:?[ \t]*)+")
_LONGEST_ROW = 2000


@rule(
    "OUT121",
    "placeholder-text",
    severity=Severity.WARNING,
    passes=[
        research_example("nothing of the template"),
        research_example("a choice in code", sections={5: "### A\n\nThe option is `quick | standard | deep`. [1]"}),
        research_example("a choice in a sentence", sections={5: "### A\n\nA report is quick | standard | deep. [1]"}),
        research_example("two words of a pair in a table", sections={5: "| High | Low |\n|---|---|\n| 1 | 2 |"}),
        research_example("TODO as a subject", sections={3: "TODO comments are listed, and a TODO list is kept."}),
        research_example("todo in another language", sections={3: "Todo está copiado tres veces."}),
        research_example("an autolink as a value", sections={9: "- See: <https://www.example.gov/a>\n- Note:<br>"}),
        research_example("a link named source", sections={9: "- See the [source](https://www.example.gov/a)."}),
        research_example("a generic type in a sentence", sections={3: "It returns a List<String> of three copies."}),
        research_example("in a fence", sections={5: "### A\n\n```\n<value>\nTODO\n```\n\nText. [1]"}),
        research_example("in a comment", sections={9: "- One.\n\n<!--\nTODO\n<value>\n-->"}),
        research_example(
            "in the index", sections={8: _BODIES[8] + "\n\n[2] TODO [source] — https://a.example.org/ — web"}
        ),
        research_example("in a subtopic's title", sections={5: "### TODO\n\nText. [1]"}),
        research_example("in a finding's title", sections={4: _BODIES[4].replace("Three copies are required", "TODO")}),
    ],
    fails=[
        research_example(
            "a choice list",
            Expected("`quick | standard | deep` remains from the template", at="quick | standard | deep"),
            sections={1: _BODIES[1].replace("`quick`", "`quick | standard | deep`")},
        ),
        research_example(
            "a choice list with a remark",
            Expected("`Full / Partial / Blocked (choose one)` remains from the template"),
            sections={2: _BODIES[2].replace("`Full`", "Full / Partial / Blocked (choose one)")},
        ),
        research_example(
            "a marker for a source",
            Expected("`[source]` remains from the template", at="[source]"),
            sections={3: "Three copies of every record are required [source]."},
        ),
        research_example(
            "an angled value of a field",
            Expected("`<the question>` remains from the template", at="<the question>"),
            sections={1: _BODIES[1].replace("How many copies of a record are kept?", "<the question>")},
        ),
        research_example(
            "an angled value in running text",
            Expected("`<what is missing>` remains from the template", at="<what is missing>"),
            sections={9: "- Missing evidence: <what is missing>"},
        ),
        research_example(
            "an angled statement of a finding",
            Expected("`<statement>` remains from the template", at="<statement>"),
            sections={4: "- **Three copies are required** (Medium confidence): <statement> [1]"},
        ),
        research_example(
            "work to be done",
            Expected("`TBD` remains from the template", at="TBD"),
            Expected("`TODO: ask the archive` remains from the template", at="TODO: ask the archive"),
            sections={7: _BODIES[7].replace("sponsorship: unknown", "sponsorship: TBD"), 9: "- TODO: ask the archive"},
        ),
    ],
)
def placeholder_text(report: Report) -> Iterator[Problem]:
    """Nothing of the template remains.

    Why: a choice that was not made, or a mark for text to come, shows that this part was not written, however complete
    the report looks.

    Fix: write what belongs there, or say that it is unknown.
    """
    last = 0
    for span in sorted({*_in_fields(report), *_in_prose(report), *_in_lines(report)}):
        if span.start < last:
            continue
        last = span.end
        text = " ".join(span.of(report.text).split())
        yield Problem(f"`{text[:80]}` remains from the template", Location(REPORT, span))


def _is_placeholder(text: str) -> bool:
    plain = text.strip()
    if _CHOICE.fullmatch(plain) or _UNDONE.fullmatch(plain):
        return True
    return re.fullmatch(r"<[^<>\n]{1,200}>", plain) is not None and _TAG.fullmatch(plain) is None


def _in_fields(report: Report) -> Iterator[Span]:
    """Values of fields; code marks around a value are usual there, so they do not matter."""
    for field in report.fields:
        if field.value and _is_placeholder(field.value):
            yield field.value_span


def _in_prose(report: Report) -> Iterator[Span]:
    """Bullets and paragraphs as a reader sees them, outside section 8, titles and code."""
    titles = _Spans([heading.span for heading in report.headings] + [finding.title_span for finding in report.findings])
    for section in report.sections:
        if section.number != 8:
            yield from _of_prose(report.text, section.prose, titles)
    for finding in report.findings:
        prose = finding.prose
        yield from _whole(prose, _Spans(prose.code), 0, len(prose.text))


def _of_prose(source: str, prose: Prose, titles: _Spans) -> Iterator[Span]:
    code = _Spans(prose.code)
    start = 0
    for line in prose.text.split("\n"):
        end = start + len(line)
        if line.strip() and not titles.touches(prose.span(start, start + 1)):
            if not _in_table(source, prose.span(start, start + 1).start):
                yield from _whole(prose, code, start, end)
                label = _LABEL.match(line)
                if label is not None:
                    yield from _whole(prose, code, start + label.end(), end)
            for match in _MARKER.finditer(line):
                if not code.touches(Span(start + match.start(), start + match.end())):
                    yield prose.span(start + match.start(), start + match.end())
        start = end + 1


def _whole(prose: Prose, code: _Spans, start: int, end: int) -> Iterator[Span]:
    text = prose.text[start:end]
    stripped = text.strip()
    first = start + len(text) - len(text.lstrip())
    if stripped and _is_placeholder(stripped) and not code.touches(Span(first, first + len(stripped))):
        yield prose.span(first, first + len(stripped))


def _in_table(source: str, at: int) -> bool:
    """Whether a source line is a row of a table, whose bars are no choice."""
    start = source.rfind("\n", 0, at) + 1
    line = source[start : start + _LONGEST_ROW].partition("\n")[0]
    after = source[start + len(line) + 1 : start + len(line) + 1 + _LONGEST_ROW].partition("\n")[0]
    return line.lstrip().startswith("|") or ("|" in line and _DELIMITER.fullmatch(after.strip()) is not None)


def _in_lines(report: Report) -> Iterator[Span]:
    """Values in angle brackets, which CommonMark takes for tags, so that running text lacks them."""
    comments = _Spans(_comments(report.text))
    code = _Spans(report.prose.span(span.start, span.end) for span in report.prose.code)
    for section in report.sections:
        if section.number == 8:
            continue
        at = section.body.start
        for line in section.body.of(report.text).splitlines(keepends=True):
            match = _ANGLED.fullmatch(line.rstrip("\r\n"))
            if match is not None and _TAG.fullmatch(match["value"]) is None:
                span = Span(at + match.start("value"), at + match.end("value"))
                if not comments.touches(span) and not code.touches(span):
                    yield span
            at += len(line)


def _comments(text: str) -> Iterator[Span]:
    at = text.find("<!--")
    while at >= 0:
        end = text.find("-->", at)
        if end < 0:
            return
        yield Span(at, end + 3)
        at = text.find("<!--", end)


class _Spans:
    """Spans that do not overlap, searched by place."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans = sorted(spans)
        self._starts = [span.start for span in self._spans]

    def touches(self, span: Span) -> bool:
        """Whether any of the spans shares a character with this one."""
        place = bisect_left(self._starts, span.end)
        return place > 0 and self._spans[place - 1].end > span.start
