"""IN004 to IN006 and IN008: the records that the research kind needs are there."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.artifact import JSON
from evidence_lint.model.bundle import CODE_EVIDENCE, CONTENT, FINDINGS, RESULTS, ResearchBundle
from evidence_lint.model.example import ABSENT, BASE_PAGE, Expected, research_example
from evidence_lint.model.location import Location, pointer
from evidence_lint.model.records import Records
from evidence_lint.model.report import REPORT
from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule
from evidence_lint.witness.assessment import research_kind
from evidence_lint.witness.degradation import has_rows, required_artifacts

_LISTS = {CONTENT: "items", RESULTS: "results", CODE_EVIDENCE: "evidence"}


@rule(
    "IN004",
    "required-content-missing",
    passes=[
        research_example("a web report with its pages"),
        research_example(
            "a page that failed is still a row", content=[{**BASE_PAGE, "content": "", "error": "timeout"}]
        ),
        research_example("codebase research needs no pages", kind="codebase"),
        research_example("a broken file is another rule's business", content="{"),
    ],
    fails=[
        research_example(
            "no content.json", Expected("content.json is absent, and web research needs it"), content=ABSENT
        ),
        research_example(
            "an empty list",
            Expected("content.json has no rows, and web research needs some", pointer="/items", artifact="content"),
            content=[],
        ),
        research_example(
            "hybrid research needs pages too",
            Expected("content.json is absent, and hybrid research needs it"),
            kind="hybrid",
            content=ABSENT,
        ),
    ],
)
def content_present(bundle: ResearchBundle, records: Records) -> Iterator[Problem]:
    """Web and hybrid research comes with the text of the pages that it read.

    Why: without the saved text no excerpt can be found in its page, and every web claim is unverified.

    Fix: add content.json with one row for each page that was extracted, failures included.
    """
    yield from _required(bundle, records, CONTENT)


@rule(
    "IN005",
    "required-results-missing",
    passes=[
        research_example("a web report with its retrieval results"),
        research_example("codebase research needs none", kind="codebase"),
    ],
    fails=[
        research_example(
            "no results.json", Expected("results.json is absent, and web research needs it"), results=ABSENT
        ),
        research_example(
            "an empty bare list",
            Expected("results.json has no rows, and web research needs some", pointer="", artifact="results"),
            results="[]",
        ),
    ],
)
def results_present(bundle: ResearchBundle, records: Records) -> Iterator[Problem]:
    """Web and hybrid research comes with its retrieval results.

    Why: a source that no retrieval found may never have been looked at.

    Fix: add results.json with the rows that the searches returned.
    """
    yield from _required(bundle, records, RESULTS)


@rule(
    "IN006",
    "required-code-evidence-missing",
    passes=[
        research_example("codebase research with its records", kind="codebase"),
        research_example("web research needs none"),
    ],
    fails=[
        research_example(
            "no code_evidence.json",
            Expected("code_evidence.json is absent, and codebase research needs it"),
            kind="codebase",
            code=ABSENT,
        ),
        research_example(
            "an empty list",
            Expected("code_evidence.json has no rows, and…", pointer="/evidence", artifact="code_evidence"),
            kind="hybrid",
            code=[],
        ),
    ],
)
def code_evidence_present(bundle: ResearchBundle, records: Records) -> Iterator[Problem]:
    """Codebase and hybrid research comes with repository evidence.

    Why: a statement about code that names no lines, commit or test run cannot be held against the repository.

    Fix: add code_evidence.json with a record for each line, commit or test run that a claim rests on.
    """
    yield from _required(bundle, records, CODE_EVIDENCE)


def _required(bundle: ResearchBundle, records: Records, name: str) -> Iterator[Problem]:
    kind = research_kind(bundle.report, records)
    if name not in required_artifacts(kind) or name in records.broken or has_rows(records, name):
        return
    artifact = bundle.artifacts.get(name)
    file = artifact.path.name if artifact is not None else f"{name}.json"
    if name in records.absent:
        yield Problem(f"{file} is absent, and {kind} research needs it", Location(REPORT))
        return
    data: JSON = artifact.data if artifact is not None else None
    where = pointer(_LISTS[name]) if isinstance(data, dict) and _LISTS[name] in data else ""
    yield Problem(f"{file} has no rows, and {kind} research needs some", Location(name, pointer=where))


@rule(
    "IN008",
    "required-findings-missing",
    passes=[
        research_example("a report with its findings"),
        research_example("an empty list of findings is there", findings=[]),
        research_example("a file that cannot be parsed is there", findings="{"),
    ],
    fails=[
        research_example(
            "a report alone",
            Expected("findings.json is absent: the report stands without records"),
            findings=ABSENT,
            results=ABSENT,
            content=ABSENT,
        ),
        research_example(
            "the other records do not help",
            Expected("findings.json is absent: the report stands without records"),
            kind="codebase",
            findings=ABSENT,
        ),
    ],
)
def findings_present(bundle: ResearchBundle) -> Iterator[Problem]:
    """The report comes with its findings.json.

    Why: without it nothing that the report states can be held against evidence; only its form is checked.

    Fix: keep findings.json beside the report, or map its name in the configuration.
    """
    if FINDINGS in bundle.records.absent:
        artifact = bundle.artifacts.get(FINDINGS)
        file = artifact.path.name if artifact is not None else "findings.json"
        yield Problem(f"{file} is absent: the report stands without records", Location(REPORT))
