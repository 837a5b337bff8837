"""OUT111, OUT112 and OUT113: kind, mode and degradation are words of the contract, and the ledger's words."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.bundle import FINDINGS, SESSION, ResearchBundle
from evidence_lint.model.example import Expected, base_sections, research_example
from evidence_lint.model.location import Location, pointer
from evidence_lint.model.report import Field, Report
from evidence_lint.model.verdict import Problem, Related
from evidence_lint.rule import rule
from evidence_lint.witness.budget import session_word
from evidence_lint.witness.report_fields import (
    DEGRADATION,
    KIND,
    MODE,
    VOCABULARY,
    FieldSpec,
    stated_fields,
    word_of,
)

_BODIES = base_sections()


def _section_1(old: str, new: str) -> dict[int, str]:
    return {1: _BODIES[1].replace(old, new)}


@rule(
    "OUT111",
    "research-kind-invalid",
    passes=[
        research_example("a kind in code marks"),
        research_example("in bold and with a capital", sections=_section_1("`web`", "**Web**")),
        research_example("with a full stop", sections=_section_1("`web`", "web.")),
        research_example("with a remark", sections=_section_1("`web`", "`web` (no repository was given)")),
        research_example("the ledger's kind", session={"research_kind": "web", "mode": "quick"}),
        research_example("a ledger without a kind", session={"mode": "quick"}),
        research_example(
            "an absent field is another rule's business", sections=_section_1("- Research kind: `web`\n", "")
        ),
    ],
    fails=[
        research_example(
            "a word outside the list",
            Expected("research kind `archive` is none of web, codebase, hybrid", at="archive"),
            sections=_section_1("`web`", "`archive`"),
        ),
        research_example(
            "more than the word",
            Expected("research kind `web research` is none of web, codebase, hybrid", at="web research"),
            sections=_section_1("`web`", "web research"),
        ),
        research_example(
            "the choice of the template",
            Expected("research kind `web | codebase | hybrid` is none of web, codebase, hybrid"),
            sections=_section_1("`web`", "`web | codebase | hybrid`"),
        ),
        research_example(
            "another kind than the ledger's",
            Expected("research kind is web, but the ledger says hybrid", at="web"),
            session={"research_kind": "hybrid", "mode": "quick"},
        ),
    ],
)
def research_kind_invalid(report: Report, bundle: ResearchBundle) -> Iterator[Problem]:
    """The research kind is web, codebase or hybrid, and the kind that the records were made for.

    Why: the kind decides which evidence is required; a wrong one lowers the demand.

    Fix: state the kind of the ledger.
    """
    yield from _judge(report, bundle, KIND, "research kind", "research_kind")


@rule(
    "OUT112",
    "depth-mode-invalid",
    passes=[
        research_example("a mode in code marks"),
        research_example("with a capital and no marks", sections=_section_1("`quick`", "Quick")),
        research_example("the ledger's mode", session={"research_kind": "web", "mode": "quick"}),
    ],
    fails=[
        research_example(
            "a word outside the list",
            Expected("depth mode `exhaustive` is none of quick, standard, deep", at="exhaustive"),
            sections=_section_1("`quick`", "`exhaustive`"),
        ),
        research_example(
            "a second mode that is not the ledger's",
            Expected("depth mode is deep, but the ledger says quick", at="deep"),
            sections={1: _BODIES[1] + "\n- Depth mode (as asked): deep"},
            session={"research_kind": "web", "mode": "quick"},
        ),
        research_example(
            "another mode than the ledger's",
            Expected("depth mode is quick, but the ledger says deep", at="quick"),
            session={"research_kind": "web", "mode": "deep"},
        ),
    ],
)
def depth_mode_invalid(report: Report, bundle: ResearchBundle) -> Iterator[Problem]:
    """The depth mode is quick, standard or deep, and the mode that the ledger was opened for.

    Why: the mode tells a reader how hard the answer was looked for, and sets the ceilings.

    Fix: state the mode of the ledger.
    """
    yield from _judge(report, bundle, MODE, "depth mode", "mode")


@rule(
    "OUT113",
    "degradation-invalid",
    passes=[
        research_example("Full"),
        research_example("in lower case", sections={2: _BODIES[2].replace("`Full`", "partial")}),
        research_example("with a remark", sections={2: _BODIES[2].replace("`Full`", "**Partial** — one page failed")}),
        research_example("Blocked", sections={2: _BODIES[2].replace("`Full`", "`Blocked`")}),
    ],
    fails=[
        research_example(
            "a word outside the list",
            Expected("degradation level `Complete` is none of Full, Partial, Blocked", at="Complete"),
            sections={2: _BODIES[2].replace("`Full`", "`Complete`")},
        ),
        research_example(
            "two words at once",
            Expected("degradation level `Full / Partial` is none of Full, Partial, Blocked", at="Full / Partial"),
            sections={2: _BODIES[2].replace("`Full`", "Full / Partial")},
        ),
    ],
)
def degradation_invalid(report: Report) -> Iterator[Problem]:
    """The degradation level is Full, Partial or Blocked.

    Why: three words are comparable between reports; a fourth says nothing.

    Fix: state the level that the records give.
    """
    for field in stated_fields(report, DEGRADATION):
        yield from _outside(field, DEGRADATION, "degradation level")


def _outside(field: Field, spec: FieldSpec, name: str) -> Iterator[Problem]:
    if word_of(field.value, VOCABULARY[spec]) is None:
        shown = field.value if len(field.value) <= 60 else field.value[:59] + "…"
        yield Problem(f"{name} `{shown}` is none of {', '.join(VOCABULARY[spec])}", field.location)


def _judge(report: Report, bundle: ResearchBundle, spec: FieldSpec, name: str, member: str) -> Iterator[Problem]:
    for field in stated_fields(report, spec):
        yield from _judge_one(field, bundle, spec, name, member)


def _judge_one(field: Field, bundle: ResearchBundle, spec: FieldSpec, name: str, member: str) -> Iterator[Problem]:
    word = word_of(field.value, VOCABULARY[spec])
    if word is None:
        yield from _outside(field, spec, name)
        return
    recorded = session_word(bundle.records, member) if bundle.records.has(FINDINGS) else None
    if recorded in VOCABULARY[spec] and recorded != word:
        place = Location(SESSION, pointer=pointer(member))
        yield Problem(
            f"{name} is {word}, but the ledger says {recorded}",
            field.location,
            related=(Related(place, f"the ledger says {recorded}"),),
        )
