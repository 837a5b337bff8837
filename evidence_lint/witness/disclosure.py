"""Whether a downgrade or an omission is told to the reader (chapter 3): on the finding's line or in section 9."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evidence_lint.model.report import Report
from evidence_lint.witness.confidence import FindingAssessment
from evidence_lint.witness.report_fields import OMITTED, find_field
from evidence_lint.witness.urls import normalize_url

_WORD = re.compile(r"[^\W\d_]{4,}")
_IDEOGRAPHS = re.compile(r"[\u3400-\u9fff]{2,}")
_ON_LINE = re.compile(
    r"downgrad|\b(?:confidence|label|high)\b[^.;。]{0,60}\b(?:lowered|reduced|capped|limited|not earned)"
    r"|\b(?:lowered|reduced|capped|held|kept)\s+(?:at|to|from)\s+(?:high|medium|low)\b|降级|降級|下调|下調|降低置信",
    re.IGNORECASE,
)
_LOWERED = re.compile(
    rf"{_ON_LINE.pattern}|\blower(?:ed|s)\b|\bcapped\b|\bconfidence\b|\b(?:high|medium)\b|置信度", re.IGNORECASE
)
_LEFT_OUT = re.compile(
    r"\bomit|\bexclud|\bdropp|\bleft out\b|\bremoved\b|\bwithheld\b|\bunverif|\bunsupport|\bunusable\b|\bmissing\b"
    r"|\black|\bfail|\binsufficient|\bwithout\b|\bno\b|\bnot\b|n['’]t\b|\bcannot\b|\bnone\b|\bnothing\b|\bunable\b"
    r"|未|无|無|缺|省略|遗漏|删除",
    re.IGNORECASE,
)
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
    """Whether the report tells that this finding was downgraded, by a line that names it or gives the reason."""
    stated = row.stated
    if stated is not None and (stated.downgrade.strip() or _ON_LINE.search(stated.prose.text)):
        return True
    reasons = " ".join(row.reasons)
    return any(
        _names(line, row) or (_LOWERED.search(line) is not None and _speaks_of(line, row, reasons))
        for line in gap_lines(report)
    )


def omission_disclosed(report: Report, row: FindingAssessment, omitted: int) -> bool:
    """Whether the report tells that this finding was left out.

    ``omitted`` is how many unusable findings are not published: section 7's right count, with a reason in section 9,
    tells it too.
    """
    lines = gap_lines(report)
    if any(_names(line, row) or (_LEFT_OUT.search(line) and _speaks_of(line, row)) for line in lines):
        return True
    count = find_field(report, OMITTED)
    right = count is not None and re.match(rf"\D*{omitted}(?!\d)", count.value) is not None
    return right and any(_LEFT_OUT.search(line) for line in lines)


def gap_lines(report: Report) -> Sequence[str]:
    """The lines of section 9 that tell something: ``Confidence downgrades: none`` tells nothing."""
    return [
        line
        for line in gaps_text(report).splitlines()
        if line.strip() and not _NOTHING.match(line) and not _SAYS_NO.match(line.strip())
    ]


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
