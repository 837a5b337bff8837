"""OUT116 and OUT117: a degraded report says so where its reader begins."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_lint.errors import Unavailable
from evidence_lint.model.artifact import JSON
from evidence_lint.model.example import BASE_FINDING, BASE_PAGE, BASE_URL, Expected, research_example
from evidence_lint.model.report import Report
from evidence_lint.model.verdict import Problem, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.assessment import Assessment
from evidence_lint.witness.report_fields import fence_over, visible_section

_LACKING = re.compile(
    r"\bblocked\b|\binsufficient|\b(?:could|can|did|does|do|was|were|is|are)(?:\s+not|n['’]t)\s+(?:be\s+|yet\s+)?"
    r"(?:answer|establish|verif|support|determin|confirm|conclu|conclusive|possible|reach|obtain|retriev|find|found)"
    r"|\bcannot\b|\bunable\b|\bimpossible\b|\bunanswered\b|\binconclusive|\bunresolved\b|\bundetermined\b"
    r"|\b(?:no|without|lacks?|lacking)\s+(?:[\w-]+\s+){0,4}?(?:answers?|evidence|support|findings?|conclusions?|sources?"
    r"|results?|claims?|records?)\b"
    r"|\bnothing\s+(?:\w+\s+){0,3}?(?:supported|verified|established|found|confirmed|answered)\b"
    r"|无法|無法|未能|不足|受阻|阻塞|没有答案|沒有|没有.{0,8}(?:证据|答案|结论)|尚无|缺乏|缺少",
    re.IGNORECASE,
)
_PARTIAL = re.compile(
    r"\bpartial|\bpartly\b|\bin part\b|\bonly\s+(?:a\s+|one\s+|some\s+)?(?:part|some)\b|\bincomplete|\bnot\s+(?:be\s+)?"
    r"(?:fully|completely|entirely)\b|\bsome\s+(?:of\s+the\s+)?(?:questions?|findings?|evidence|sources?|pages?)\b.{0,60}\b(?:not|fail"
    r"|missing|unverified|omitted)|\bremains?\s+(?:open|unverified|unanswered)|\blimited\s+(?:answer|evidence|result|coverage)"
    r"|\bdowngraded\b|部分|不完整|未完全|不全|局部",
    re.IGNORECASE,
)
_INVENTED: list[JSON] = [
    {**BASE_FINDING, "evidence": [{"kind": "web", "url": BASE_URL, "excerpt": "Keep four copies of every record."}]}
]
_FAILED_PAGE: list[JSON] = [
    BASE_PAGE,
    {"url": "https://www.example.gov/guides/tapes", "content": "", "error": "timeout"},
]
_NO_FINDING = "- No finding had verified supporting evidence."


@rule(
    "OUT116",
    "blocked-report-claims",
    passes=[
        research_example("a report that is not blocked"),
        research_example(
            "a blocked report that claims nothing",
            findings=_INVENTED,
            sections={3: "Blocked: the guide could not be retrieved, so there is no answer.", 4: _NO_FINDING},
        ),
        research_example(
            "in other words", findings=[], sections={3: "Insufficient evidence was at hand.", 4: _NO_FINDING}
        ),
        research_example("in Chinese", findings=[], sections={3: "证据不足，无法回答。", 4: _NO_FINDING}),
        research_example(
            "a remark beside the placeholder",
            findings=[],
            sections={3: "Blocked.", 4: f"{_NO_FINDING}\n\nThe guide could not be retrieved; section 9 says why."},
        ),
    ],
    fails=[
        research_example(
            "a finding that nothing carries",
            Expected("the records give Blocked, yet a finding stands here", at="Three copies are required"),
            Expected(
                "the records give Blocked, yet the summary does not say that an answer is lacking",
                at="## 3) Executive Summary",
            ),
            findings=_INVENTED,
        ),
        research_example(
            "a cited sentence in the summary",
            Expected("the records give Blocked, yet the summary cites evidence for an answer", at="1"),
            findings=_INVENTED,
            sections={3: "Blocked in part: three copies are required [1].", 4: _NO_FINDING},
        ),
        research_example(
            "a claim beside the placeholder",
            Expected("the records give Blocked, yet a finding stands here", at="Still, tapes last for ever."),
            findings=[],
            sections={3: "No answer can be given.", 4: f"{_NO_FINDING}\n\nStill, tapes last for ever."},
        ),
        research_example(
            "a placeholder with a claim behind its colon",
            Expected("the records give Blocked, yet a finding stands here"),
            findings=[],
            sections={3: "No answer can be given.", 4: "- None captured with verified evidence: tapes last for ever."},
        ),
    ],
)
def blocked_report_claims(report: Report, assessment: Assessment) -> Iterator[Problem]:
    """A report that is Blocked by its records claims nothing.

    Why: Blocked means that no statement has evidence. An answer in such a report is an invention.

    Fix: take the findings out, and state in the summary what prevented an answer; or mend the evidence.
    """
    found = assessment.degradation
    if found is None or found.level != "Blocked":
        return
    for finding in report.findings:
        if not finding.placeholder:
            yield Problem("the records give Blocked, yet a finding stands here", finding.location)
    told = any(not finding.placeholder for finding in report.findings)
    section = report.section(3)
    cited = next((citation for citation in report.citations if citation.section == 3), None)
    if cited is not None:
        yield Problem("the records give Blocked, yet the summary cites evidence for an answer", cited.location)
        return
    hidden = fence_over(report, 3) or fence_over(report, 4)
    if hidden is not None:
        if not told:
            raise hidden
        return
    if section is not None and not section.empty and not _LACKING.search(section.prose.text):
        yield Problem(
            "the records give Blocked, yet the summary does not say that an answer is lacking", section.location
        )


@rule(
    "OUT117",
    "partial-summary-unmarked",
    severity=Severity.WARNING,
    passes=[
        research_example("a full report"),
        research_example(
            "a partial one that says so",
            content=_FAILED_PAGE,
            sections={3: "Partial result: three copies are required."},
        ),
        research_example(
            "in other words",
            content=_FAILED_PAGE,
            sections={3: "Only part of the question is answered: three copies are required."},
        ),
        research_example("in Chinese", content=_FAILED_PAGE, sections={3: "部分结果：需要三份副本。"}),
        research_example("a blocked one is another rule's business", findings=_INVENTED),
    ],
    fails=[
        research_example(
            "a failed page that the summary keeps quiet about",
            Expected(
                "the records give Partial, and the summary does not say that the answer is partial",
                at="## 3) Executive Summary",
            ),
            content=_FAILED_PAGE,
        )
    ],
)
def partial_summary_unmarked(report: Report, assessment: Assessment) -> Iterator[Problem]:
    """A Partial report says so in its summary.

    Why: many readers read the summary alone, and take it for the whole answer.

    Fix: begin the summary with what it leaves open, as `Partial result: …`.
    """
    found = assessment.degradation
    if found is None or found.level != "Partial":
        return
    section = visible_section(report, 3)
    if section is None or section.empty or _PARTIAL.search(section.prose.text):
        return
    if found.undecided is not None:
        raise Unavailable("live-pending", found.undecided)
    yield Problem(
        "the records give Partial, and the summary does not say that the answer is partial",
        section.location,
        help=f"Partial, since {found.reasons[0]}." if found.reasons else "",
    )
