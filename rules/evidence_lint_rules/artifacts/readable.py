"""IN001 and IN002: a file of the bundle can be read, and holds what its name promises."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.artifact import ArtifactFault, Bundle, FaultKind
from evidence_lint.model.example import Expected, research_example
from evidence_lint.model.location import Location, Span
from evidence_lint.model.verdict import Problem
from evidence_lint.rule import rule

_NOT_UTF8 = "\ud800"
"""A lone surrogate: as a file of an example it becomes bytes that are no UTF-8."""


@rule(
    "IN001",
    "artifact-unreadable",
    passes=[
        research_example("every file can be read"),
        research_example("a byte order mark is no fault", report="\ufeff## 1) Research Question\n"),
        research_example("malformed JSON was read all the same", content="{"),
    ],
    fails=[
        research_example(
            "a record that is not UTF-8",
            Expected("content.json is not UTF-8…", artifact="content"),
            content=f'{{"items": ["{_NOT_UTF8}"]}}',
        ),
        research_example("a report that is not UTF-8", Expected("report.md is not UTF-8…"), report=_NOT_UTF8),
    ],
)
def artifact_readable(bundle: Bundle) -> Iterator[Problem]:
    """Every file of the bundle can be read.

    Why: a file that cannot be read was not checked. It may be missing, too large, in another encoding, or a link that
    leads out of the folder; in each case a pass would mean nothing.

    Fix: put the file where the message says, as a regular file in UTF-8 and within the size limit.
    """
    for name, artifact in bundle.artifacts.items():
        if name == bundle.main and not artifact.present:
            yield Problem(
                f"{artifact.path.name} is absent",
                Location(name),
                help="Records stand in this folder, so a report is expected beside them.",
            )
        for fault in artifact.faults:
            if fault.kind is FaultKind.UNREADABLE:
                yield Problem(fault.message, _place(name, fault))


@rule(
    "IN002",
    "artifact-invalid-json",
    passes=[
        research_example("well-formed records"),
        research_example(
            "unusual but valid JSON", content='\n[ {"url":"https:\\/\\/www.example.gov\\/a","content":""} ]\n'
        ),
        research_example("a file in another encoding is another rule's business", content=f'"{_NOT_UTF8}"'),
    ],
    fails=[
        research_example(
            "a comma too many",
            Expected("results.json is not valid JSON: …", at="]", artifact="results"),
            results='{"results": [{"url": "https://www.example.gov/a"}, ]}',
        ),
        research_example(
            "a key that occurs twice",
            Expected("…occurs twice in one object", at='"url"', artifact="content"),
            content='{"items": [{"url": "https://a.example.org/", "url": "https://b.example.org/"}]}',
        ),
        research_example(
            "NaN is no JSON number",
            Expected("…NaN is no JSON number", at="NaN", artifact="content"),
            content='{"items": [], "cost": NaN}',
        ),
    ],
)
def artifact_is_json(bundle: Bundle) -> Iterator[Problem]:
    """Every JSON file of the bundle is valid JSON that all programs read alike.

    Why: parsers disagree about duplicate keys, NaN and very deep nesting, so a record with them says different things
    to different readers. What does not parse at all was not checked.

    Fix: write the file with a JSON library and mend what the message points at.
    """
    for name, artifact in bundle.artifacts.items():
        for fault in artifact.faults:
            if fault.kind is FaultKind.INVALID_JSON:
                yield Problem(f"{artifact.path.name} is not valid JSON: {fault.message}", _place(name, fault))


def _place(name: str, fault: ArtifactFault) -> Location:
    if fault.offset is None:
        return Location(name)
    return Location(name, Span(fault.offset, fault.end if fault.end is not None else fault.offset))
