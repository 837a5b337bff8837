"""Reading the report's fields by the words of their labels (chapter 1), and what an unclosed fence hides of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from evidence_lint.errors import Unavailable
from evidence_lint.model.report import Field, Report, Section, contract_heading

_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|（[^（）]*）")
_HYPHENS = re.compile(r"[\u2010-\u2015\u2212-]|\s+")
_GROUPING = re.compile(r"\D")
_COUNT = re.compile(
    r"(?:(?:a )?total(?: of)?:?\s+|exactly\s+)?"
    r"(\d{1,3}(?:[,.\u00a0\u2009\u202f '’]\d{3})+(?!\d)|\d{1,12}(?!\d))[*_`]*"
    r"(?=$|\s*[(（\[;；:：|]|\s*[,，](?!\d)|\s*[.。](?:\s|$)|\s*/\s*\d|\s+[—–-]+\s+(?!\d)|\s*—\s*(?!\d)"
    r"|\s+(?!(?:k|m|bn?|thousand|million|billion|hundred|dozen|or|to|and|plus|minus|times|x|percent|through|until|bis)\b)"
    r"[^\W\d_]|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af](?<![万亿億千百十至到余餘多]))",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"\s+#+$")


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A required field: its section, and the words that its label holds (chapter 1)."""

    section: int
    words: tuple[str, ...]

    @property
    def described(self) -> str:
        """The words as messages show them."""
        return " and ".join(f"“{word}”" for word in self.words)


QUESTION = FieldSpec(1, ("normalized question",))
KIND = FieldSpec(1, ("research kind",))
MODE = FieldSpec(1, ("depth mode",))
REQUIREMENTS = FieldSpec(1, ("evidence chain requirements",))
EXECUTION = FieldSpec(2, ("execution mode",))
DEGRADATION = FieldSpec(2, ("degradation",))
PLAN = FieldSpec(2, ("retrieval plan",))
DEDUP = FieldSpec(2, ("dedup",))
RETRIEVED = FieldSpec(2, ("retrieved sources",))
ITEMS = FieldSpec(2, ("content items",))
EXTRACTED = FieldSpec(2, ("successfully extracted",))
REPOSITORY = FieldSpec(2, ("repository evidence",))
CITED = FieldSpec(2, ("cited evidence",))
CHECKS = FieldSpec(2, ("validation checks",))
TIERS = FieldSpec(7, ("tier", "distribution"))
BASIS = FieldSpec(7, ("classification basis",))
SPONSORSHIP = FieldSpec(7, ("sponsorship",))
METHODOLOGY = FieldSpec(7, ("methodology",))
SINGLE = FieldSpec(7, ("single-source",))
OMITTED = FieldSpec(7, ("unverified", "omitted"))
CHAIN = FieldSpec(7, ("evidence chain status",))

REQUIRED: tuple[FieldSpec, ...] = (
    QUESTION, KIND, MODE, REQUIREMENTS,
    EXECUTION, DEGRADATION, PLAN, DEDUP, RETRIEVED, ITEMS, EXTRACTED, REPOSITORY, CITED, CHECKS,
    TIERS, BASIS, SPONSORSHIP, METHODOLOGY, SINGLE, OMITTED, CHAIN,
)  # fmt: skip

KINDS = ("web", "codebase", "hybrid")
MODES = ("quick", "standard", "deep")
LEVELS = ("Full", "Partial", "Blocked")
STATUSES = ("satisfied", "partially satisfied", "insufficient")
VOCABULARY: dict[FieldSpec, Sequence[str]] = {KIND: KINDS, MODE: MODES, DEGRADATION: LEVELS, CHAIN: STATUSES}


def folded(label: str) -> str:
    """A label as its words are compared: case, white space and the form of hyphens aside."""
    return _HYPHENS.sub(lambda match: " " if match[0].isspace() else "-", label.casefold())


def find_field(report: Report, spec: FieldSpec) -> Field | None:
    """The field that bears the words: one with a value before an empty one, one outside brackets before one inside.

    ``Citation integrity (this is what `Degradation` above reports)`` is a degradation field by its words alone, so
    words in brackets count for a field with a vocabulary only where the value is one of its words.
    """
    named = [field for field in report.fields_of(spec.section) if _bears(folded(field.label), spec.words)]
    outside = [field for field in named if _bears(_BRACKETS.sub(" ", folded(field.label)), spec.words)]
    known = VOCABULARY.get(spec)
    inside = [field for field in named if known is None or word_of(field.value, known) is not None]
    candidates = outside or inside
    return next((field for field in candidates if field.value.strip()), candidates[0] if candidates else None)


def find_fields(report: Report, spec: FieldSpec) -> Sequence[Field]:
    """Every field that states the thing: the one of :func:`find_field` first, then those that state it again.

    A further field states it again where its label is the same but for brackets, or where its value is a word of the
    field's vocabulary: ``Degradation reason: one page failed`` is another field.
    """
    first = find_field(report, spec)
    if first is None:
        return []
    again = [field for field in report.fields_of(spec.section) if field is not first and _again(field, first, spec)]
    return [first, *again]


def _again(field: Field, first: Field, spec: FieldSpec) -> bool:
    label = _BRACKETS.sub(" ", folded(field.label))
    if not field.value.strip() or not _bears(label, spec.words):
        return False
    known = VOCABULARY.get(spec)
    if known is not None:
        return word_of(field.value, known) is not None
    return label.split() == _BRACKETS.sub(" ", folded(first.label)).split()


def stated_fields(report: Report, spec: FieldSpec) -> Sequence[Field]:
    """The fields that state a thing, none of them empty. Raises as :func:`stated_field` does."""
    return find_fields(report, spec) if stated_field(report, spec) is not None else []


def read_count(value: str) -> int | None:
    """The one whole number that a value is, perhaps with a remark after it; None for anything else.

    ``6 (2 failed)``, ``1 of 2``, ``8, all T1`` and ``2,000`` are counts; ``2-200``, ``2k``, ``~2``, ``2+``, ``2 %``,
    ``2.0`` and ``(2) 200`` are none.
    """
    match = _COUNT.match(value.strip().strip("*_`").strip())
    return int(_GROUPING.sub("", match[1])) if match is not None else None


def stated_field(report: Report, spec: FieldSpec) -> Field | None:
    """The field when it has a value. Raises :class:`Unavailable` when an unclosed fence may hide it."""
    field = find_field(report, spec)
    if field is not None and field.value.strip():
        return field
    visible_section(report, spec.section)
    return None


def _bears(label: str, words: Collection[str]) -> bool:
    spaced = label.replace("-", " ")
    return all(word in label or word.replace("-", " ") in spaced for word in words)


def word_of(value: str, vocabulary: Collection[str]) -> str | None:
    """The word of a vocabulary that a value is, in any case and with marks around it; a remark may follow it.

    ``Partial (one page failed)`` is Partial; ``quick | standard`` and ``web research`` are no words.
    """
    plain = value.strip().strip("`*_\"'“”").strip()
    words = "|".join(re.escape(word).replace(r"\ ", "[ _-]") for word in sorted(vocabulary, key=len, reverse=True))
    match = re.match(rf"({words})[`*_]*(?=$|[.。]?$|\s*[(（;；]|\s+[—–-]+\s|[.。]\s)", plain, re.IGNORECASE)
    if match is None:
        return None
    found = re.sub(r"[ _-]", " ", match[1]).casefold()
    return next((word for word in vocabulary if word.casefold() == found), None)


def stated_word(report: Report, spec: FieldSpec) -> tuple[Field, str] | None:
    """A field with the word of its vocabulary; None where it is absent, empty or another word."""
    field = stated_field(report, spec)
    word = word_of(field.value, VOCABULARY[spec]) if field is not None else None
    return (field, word) if field is not None and word is not None else None


def hidden_sections(report: Report) -> frozenset[int]:
    """The sections whose headings stand inside a fence that is never closed."""
    lines = [span.of(report.text) for fence in report.unclosed_fences for span in fence.hidden_headings]
    texts = {_CLOSING.sub("", line.strip()).lstrip("#").strip() for line in lines}
    return frozenset(number for number in range(1, 10) if contract_heading(number) in texts)


def hidden_by_fence(what: str) -> Unavailable:
    """What to raise where an unclosed fence hides the thing that a rule judges."""
    return Unavailable("unclosed-fence", f"a code fence that is never closed hides {what}")


def visible_section(report: Report, number: int) -> Section | None:
    """The section, None where it is absent. Raises :class:`Unavailable` when an unclosed fence hides some of it."""
    hidden = fence_over(report, number)
    if hidden is not None:
        raise hidden
    return report.section(number)


def fence_over(report: Report, number: int) -> Unavailable | None:
    """What to raise where an unclosed fence hides a section or a part of it, else None.

    A rule that has found something all the same tells that instead, for what is raised takes the place of all problems.
    """
    section = report.section(number)
    if section is None:
        return hidden_by_fence(f"section {number}") if number in hidden_sections(report) else None
    if any(section.span.start <= fence.span.start < section.span.end for fence in report.unclosed_fences):
        return hidden_by_fence(f"a part of section {number}")
    return None
