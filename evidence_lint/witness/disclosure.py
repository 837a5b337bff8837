"""Whether a downgrade or an omission is told to the reader (chapter 3): on the finding's line or in section 9."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evidence_lint.model.report import Report
from evidence_lint.witness.confidence import FindingAssessment
from evidence_lint.witness.lowering import is_reason, lacks, lowers, lowers_confidence
from evidence_lint.witness.report_fields import OMITTED, find_fields, read_count
from evidence_lint.witness.urls import normalize_url

_WORD = re.compile(r"[^\W\d_]{4,}")
_IDEOGRAPHS = re.compile(r"[\u3400-\u9fff]{2,}")
_NOTHING = re.compile(
    r"^\W*(?:none(?: documented| known| identified| recorded)?|n/a|not applicable|nothing(?: documented| to report)?"
    r"|no (?:known )?(?:gaps|limitations)(?: (?:or|and) (?:gaps|limitations))?(?: (?:documented|known|identified))?"
    r"|无|無|没有|暂无)\W*$",
    re.IGNORECASE,
)
_SAYS_NO = re.compile(
    r"^[^:：]{1,80}[:：]\s*(?:none|no|nil|zero|0|n/a|not applicable|nothing|无|無|没有)\b"
    r"(?:\s+(?:known|documented|identified|planned|recorded|found|observed))?\W*$",
    re.IGNORECASE,
)
_LOWERING = re.compile(r"downgrad|降级|降級|下调|下調", re.IGNORECASE)
_STEM = 5
_COMMON = frozenset(
    {
        "finding", "findings", "evidence", "could", "would", "should", "there", "their", "which", "these",
        "about", "confidence", "downgraded", "downgrade", "downgrades", "sources", "source", "high", "medium",
        "that", "this", "with", "from", "were", "report", "section", "reports", "sections", "claim", "claims",
        "verified",
    }
)  # fmt: skip
_COMMON_PAIRS = frozenset(
    {"证据", "發現", "发现", "报告", "报道", "结论", "来源", "没有", "没能", "无法", "因此", "可以"}
)


def gaps_text(report: Report) -> str:
    """The running text of section 9, or "" when the section is absent."""
    section = report.section(9)
    return section.prose.text if section is not None else ""


def says_nothing(report: Report) -> bool:
    """Whether section 9 claims that there is nothing to tell."""
    text = gaps_text(report).strip()
    return bool(text) and all(_NOTHING.match(line) for line in text.splitlines() if line.strip())


def downgrade_disclosed(report: Report, row: FindingAssessment) -> bool:
    """Whether the report tells that this finding was downgraded: on its line, or by one that names it or the reason.

    Naming alone tells nothing: the line has to speak of something lowered, failed or missing, and not to deny it.
    """
    stated = row.stated
    if stated is not None and (is_reason(stated.downgrade) or _lowered_on_line(row, stated.prose.text)):
        return True
    reasons = " ".join(row.reasons)
    return any(_tells(line, above, row, reasons) for line, above in _gaps(report))


def omission_disclosed(report: Report, row: FindingAssessment, omitted: int) -> bool:
    """Whether the report tells that this finding was left out.

    ``omitted`` is how many unusable findings are not published: section 7's right count, with a reason in section 9,
    tells it too.
    """
    gaps = _gaps(report)
    if any(_tells(line, above, row) for line, above in gaps):
        return True
    counts = [read_count(field.value) for field in find_fields(report, OMITTED) if field.value.strip()]
    right = bool(counts) and all(count == omitted for count in counts)
    return right and any(lacks(line) for line, _ in gaps)


def _lowered_on_line(row: FindingAssessment, text: str) -> bool:
    """Whether the finding's own line says so; where it is about lowering, it has to speak of its confidence."""
    about = f"{row.claim.title} {row.claim.text}"
    return lowers_confidence(text) or (lowers(text) and _LOWERING.search(text) is not None and not lowers(about))


def _tells(line: str, above: str, row: FindingAssessment, reasons: str = "") -> bool:
    """Whether a line of section 9, under a line that introduces it, tells of this finding."""
    if not lacks(_without_names(line, row)) and not (above and lacks(above)):
        return False
    return _names(line, row) or _speaks_of(line, row, reasons)


def _without_names(line: str, row: FindingAssessment) -> str:
    """A line without the title and the id of a finding, which may hold any words themselves."""
    for name in (row.claim.title, row.claim.id or ""):
        if len(name) > 1:
            line = re.sub(re.escape(name), " ", line, flags=re.IGNORECASE)
    return line


def _gaps(report: Report) -> Sequence[tuple[str, str]]:
    """The lines of section 9 that tell something, each with the line that introduces it (``Omitted findings:``)."""
    section = report.section(9)
    found: list[tuple[str, str]] = []
    if section is None:
        return found
    at, introduction, column = 0, "", 0
    for line in section.prose.text.split("\n"):
        stands = section.prose.span(at, at + 1).start
        at += len(line) + 1
        if not line.strip():
            continue
        depth = stands - (report.text.rfind("\n", 0, stands) + 1)
        if depth <= column or not introduction:
            introduction, column = "", 0
        if line.rstrip().endswith((":", "：")):
            introduction, column = line, depth
        elif _telling(line):
            found.append((line, introduction))
    return found


def gap_lines(report: Report) -> Sequence[str]:
    """The lines of section 9 that tell something: ``Confidence downgrades: none`` tells nothing."""
    return [line for line in gaps_text(report).splitlines() if _telling(line)]


def _telling(line: str) -> bool:
    return bool(line.strip()) and not _NOTHING.match(line) and not _SAYS_NO.match(line.strip())


def _names(line: str, row: FindingAssessment) -> bool:
    claim = row.claim
    if re.search(rf"\bfindings?\s*(?:#|no\.?|number)?\s*{claim.number}(?![\d.]\d|\d)", line, re.IGNORECASE):
        return True
    if re.search(rf"发现\s*#?\s*{claim.number}(?!\d)|第\s*{claim.number}\s*(?:条|個|个|項|项)", line):
        return True
    if claim.id and re.search(rf"(?<![\w-]){re.escape(claim.id)}(?![\w-])", line):
        return True
    if claim.title and claim.title.casefold() in line.casefold():
        return True
    return any(_names_url(line, unit.ref.url) for unit in row.units if unit.ref.url)


def _names_url(line: str, url: str) -> bool:
    if re.search(rf"{re.escape(url)}(?![\w/?&=%-])", line):
        return True
    key = normalize_url(url)
    return key is not None and any(
        normalize_url(word.strip("<>()[].,;")) == key for word in line.split() if "://" in word
    )


def _speaks_of(line: str, row: FindingAssessment, reasons: str = "") -> bool:
    """Whether a line shares two content words (by their stems), or three pairs of ideographs, with the finding."""
    about = f"{row.claim.title} {row.claim.text} {reasons}"
    return len(_stems(line) & _stems(about)) >= 2 or len(_pairs(line) & _pairs(about)) >= 3


def _stems(text: str) -> frozenset[str]:
    words: Sequence[str] = _WORD.findall(text.casefold())
    return frozenset(word[:_STEM] for word in words if word not in _COMMON)


def _pairs(text: str) -> frozenset[str]:
    runs: Sequence[str] = _IDEOGRAPHS.findall(text)
    return frozenset(run[at : at + 2] for run in runs for at in range(len(run) - 1)) - _COMMON_PAIRS
