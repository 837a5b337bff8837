"""OUT109: every code fence is closed."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import Expected, base_report, research_example
from evidence_lint.model.location import Location, Span
from evidence_lint.model.report import REPORT, Report
from evidence_lint.model.verdict import Problem, Related
from evidence_lint.rule import rule

_SHOWN = 3


@rule(
    "OUT109",
    "fence-unclosed",
    passes=[
        research_example("no fence"),
        research_example("a fence that is closed", sections={5: "### A\n\n```python\nx = 1\n```\n\nText. [1]"}),
        research_example("closed by a longer one", sections={5: "### A\n\n~~~\n```\n~~~~~\n\nText. [1]"}),
        research_example("closed on the last line", report=base_report({9: "- One.\n\n```\nx\n```"}).rstrip("\n")),
        research_example("marks inside a line are no fence", sections={5: "### A\n\nThree ``` marks. [1]"}),
        research_example("a fence in an item ends with it", sections={5: "### A\n\n- Item\n\n  ```\n  x\n\nText. [1]"}),
    ],
    fails=[
        research_example(
            "a fence that runs to the end",
            Expected(
                "the code fence is never closed, so the rest of the report is invisible: 4 headings", at="```text"
            ),
            report=base_report({5: "### A\n\n```text\nx = 1\n\nText. [1]", 6: "No one disagrees."}),
        ),
        research_example(
            "a closing fence that says something is none",
            Expected("the code fence is never closed, so the rest of the report is invisible", at="```"),
            report=base_report({9: "- One.\n\n```\nx\n``` end"}),
        ),
    ],
)
def fence_unclosed(report: Report) -> Iterator[Problem]:
    """Every code fence is closed.

    Why: a fence that is never closed turns all that follows into code. Headings, findings and sources after it are seen
    by no reader and no rule; rules about what it hides are skipped.

    Fix: close the fence with the same marks, at least as many, on a line of their own.
    """
    for fence in report.unclosed_fences:
        text = fence.span.of(report.text)
        end = fence.span.start + len(text.splitlines()[0] if text else "")
        hidden = fence.hidden_headings
        count = f": {len(hidden)} {'heading' if len(hidden) == 1 else 'headings'}" if hidden else ""
        yield Problem(
            f"the code fence is never closed, so the rest of the report is invisible{count}",
            Location(REPORT, Span(fence.span.start, end)),
            related=tuple(Related(Location(REPORT, span), "hidden in the fence") for span in hidden[:_SHOWN]),
        )
