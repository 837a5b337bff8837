"""Faults of the report's frame: sections, fields, counts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from evidence_lint.model.report import TITLES
from tests.faults.draft import Draft
from tests.faults.kinds import Change, fault

_NUMBERS = range(1, 10)


def body(number: int, text: str) -> Change:
    """Put a text in place of a section's content."""

    def change(draft: Draft) -> None:
        draft.report.bodies[number] = text

    return change


def field(section: int, at: int, *, label: str | None = None, value: str | None = None) -> Change:
    """Change a field's label or value."""

    def change(draft: Draft) -> None:
        row = draft.report.fields[section][at]
        row[0] = row[0] if label is None else label
        row[1] = row[1] if value is None else value

    return change


def _heading(number: int, text: str) -> Change:
    def change(draft: Draft) -> None:
        draft.report.headings[number] = text

    return change


@fault("section: removed", "section-missing")
def removed(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for number in _NUMBERS:

        def change(made: Draft, number: int = number) -> None:
            made.report.order.remove(number)

        yield change


@fault("section: renamed", "section-renamed")
def renamed(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for number in _NUMBERS:
        title = TITLES[number - 1] if not isinstance(TITLES, dict) else TITLES[number]
        other = 9 if number != 9 else 1
        for text in (
            f"{number}) Something Else",
            title,
            f"{number}. {title}",
            f"{number}: {title}",
            f"{number}) {title}s",
            f"{number}) {title.lower()}",
            f"{number}) **{title}**" if number != 4 else f"{number}) {title}!",
            f"{other}) {title}",
            f"{number}) {title[:-1]}",
        ):
            yield _heading(number, f"## {text}")


@fault("section: on another level", "section-level")
def level(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for number in _NUMBERS:
        plain = draft.report.headings[number].removeprefix("## ")
        for marks in ("#", "###", "####", "######"):
            yield _heading(number, f"{marks} {plain}")


@fault("section: heading is bold text", "section-missing", "section-renamed", "section-level")
def bold(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for number in _NUMBERS:
        plain = draft.report.headings[number].removeprefix("## ")
        for text in (f"**{plain}**", f"##{plain}", f"    ## {plain}", f"\\## {plain}", f"> ## {plain}"):
            yield _heading(number, text)


@fault("section: out of order", "section-out-of-order")
def reordered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for number in range(8):
        other = rng.choice([at for at in range(9) if at != number])

        def neighbours(made: Draft, at: int = number) -> None:
            order = made.report.order
            order[at], order[at + 1] = order[at + 1], order[at]

        def moved(made: Draft, at: int = number, other: int = other) -> None:
            made.report.order.insert(other, made.report.order.pop(at))

        yield from (neighbours, moved)


@fault("section: twice", "section-duplicated")
def duplicated(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for number in _NUMBERS:
        at = rng.choice([number, 9])

        def change(made: Draft, number: int = number, at: int = at) -> None:
            made.report.order.insert(at, number)

        yield change


@fault("section: emptied", "section-empty", "method-field-missing", "consensus-debate-missing")
def emptied(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for number in _NUMBERS:
        for text in ("", "\n\n", "<!-- to come -->"):
            yield body(number, text)


@fault("section: a further one", "section-unexpected")
def unexpected(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for number in (1, 2, 3, 4, 5, 6, 7, 9):
        for title in ("Appendix", "Conclusion", "References", "10) Next Steps", "附录"):
            yield body(number, f"{draft.report.body(number)}\n\n## {title}\n\nMore words.")


@fault("section 6: a subsection removed, renamed or promoted", "consensus-debate-missing")
def subsections(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, heading in enumerate(draft.report.subheadings):
        plain = heading.removeprefix("### ")
        for text in ("", f"**{plain}**", f"## {plain}", f"#### {plain}", f"### {plain[:4]}", "### Other", plain):

            def change(made: Draft, at: int = at, text: str = text) -> None:
                made.report.subheadings[at] = text

            yield change


@fault("fence: never closed", "fence-unclosed")
def fence(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for number in (1, 2, 3, 4, 5, 6, 7, 9):
        text = draft.report.body(number)
        for opener in ("```", "~~~", "````md"):
            yield body(number, f"{opener}\n{text}")
            yield body(number, f"{text}\n\n{opener}\nx = 1")


@fault("characters: hidden ones", "report-characters", warning=True)
def hidden_characters(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for number in _NUMBERS:
        if number == 8:
            continue
        text = draft.report.body(number)
        at = rng.randrange(len(text))
        for mark in ("\u200b", "\u202e", "\u2066", "\0", "\u2060"):
            yield body(number, text[:at] + mark + text[at:])


@fault("field: removed", "method-field-missing")
def field_removed(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for section, at in _required(draft):

        def change(made: Draft, section: int = section, at: int = at) -> None:
            del made.report.fields[section][at]

        yield change


@fault("field: without a value", "method-field-missing")
def field_emptied(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for section, at in _required(draft):
        yield field(section, at, value="")
        yield field(section, at, value="  ")
        yield field(section, at, value="<!-- later -->")


@fault("field: another label", "method-field-missing")
def field_relabelled(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for section, at in _required(draft):
        yield field(section, at, label="Note")


def _required(draft: Draft) -> list[tuple[int, int]]:
    return [
        (section, at)
        for section, rows in draft.report.fields.items()
        for at, row in enumerate(rows)
        if not row[0].startswith(("Live Web", "Claim support"))
    ]


_COUNTS = ("Retrieved", "Content", "Successfully", "Repository", "Cited")


@fault("count: wrong", "count-mismatch")
def count_wrong(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, (label, value) in enumerate(draft.report.fields[2]):
        if label.startswith(_COUNTS):
            number = int(value)
            for other in (number + 1, number - 1, number + 10, number * 10 + 1, 1000 + number):
                yield field(2, at, value=str(other))
            yield field(2, at, value=f"{number + 1} (all unique)")
            yield field(2, at, value="several")


@fault("tiers: wrong count", "tier-distribution-mismatch")
def tier_wrong(draft: Draft, rng: random.Random) -> Iterator[Change]:
    value = draft.report.fields[7][0][1]
    for tier in range(1, 6):
        for step in (1, 7):
            yield field(
                7, 0, value=re.sub(rf"T{tier}: (\d+)", lambda m, s=step, t=tier: f"T{t}: {int(m[1]) + s}", value)
            )
        if f"T{tier}: 0" not in value:
            yield field(7, 0, value=re.sub(rf"T{tier}: \d+", f"T{tier}: 0", value))
            yield field(7, 0, value="no web sources")


@fault("research kind: another or none", "research-kind-invalid", "session-mismatch")
def kind_wrong(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for value in ("web", "codebase", "hybrid", "market", "web research", "web | codebase"):
        if value != draft.kind:
            yield field(1, 1, value=f"`{value}`")


@fault("depth mode: another or none", "depth-mode-invalid", "session-mismatch")
def mode_wrong(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for value in ("quick", "standard", "deep", "thorough", "quick | standard | deep"):
        if value != draft.mode:
            yield field(1, 2, value=f"`{value}`")


@fault("degradation: declared better than it is", "degradation-mismatch")
def better(draft: Draft, rng: random.Random) -> Iterator[Change]:
    if draft.report.value(2, "degradation")[1] == "`Partial`":
        yield field(2, 1, value="`Full`")
        yield field(2, 1, value="Full (nothing is missing)")


@fault("degradation: declared worse than it is", "degradation-mismatch", warning=True)
def worse(draft: Draft, rng: random.Random) -> Iterator[Change]:
    yield field(2, 1, value="`Blocked`")
    if draft.report.value(2, "degradation")[1] == "`Full`":
        yield field(2, 1, value="`Partial`")


@fault("degradation: no such level", "degradation-invalid")
def no_level(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for value in ("Complete", "None", "Fully", "Full / Partial", "0"):
        yield field(2, 1, value=value)


def _chain(draft: Draft, *, better: bool) -> Iterator[Change]:
    order = ("insufficient", "partially satisfied", "satisfied")
    right = order.index(draft.report.value(7, "chain status")[1].strip("`"))
    for at, value in enumerate(order):
        if at != right and better == (at > right):
            yield field(7, 6, value=f"`{value}`")
            yield field(7, 6, value=value.capitalize())


@fault("chain status: better than it is, or none", "evidence-chain-status-mismatch")
def chain_better(draft: Draft, rng: random.Random) -> Iterator[Change]:
    yield from _chain(draft, better=True)
    for value in ("complete", "fine", "unsatisfied", "not satisfied"):
        yield field(7, 6, value=value)


@fault("chain status: worse than it is", "evidence-chain-status-mismatch", warning=True)
def chain_worse(draft: Draft, rng: random.Random) -> Iterator[Change]:
    yield from _chain(draft, better=False)


@fault(
    "template: rests of it", "placeholder-text", "degradation-invalid", "depth-mode-invalid", "research-kind-invalid"
)
def placeholder(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for section, at in _required(draft):
        if section == 1 and at != 3:
            for value in ("<fill in>", "TODO", "TBD", "quick | standard | deep", "[source]"):
                yield field(section, at, value=value)


@fault("summary: a Partial report does not say so", "partial-summary-unmarked")
def unmarked(draft: Draft, rng: random.Random) -> Iterator[Change]:
    text = draft.report.summary[0].text
    if text.startswith(("Partial result: ", "部分结果：")):

        def change(made: Draft) -> None:
            made.report.summary[0].text = text.removeprefix("Partial result: ").removeprefix("部分结果：")

        yield change


@fault("section 9: a downgrade or omission not told", "downgrade-undisclosed")
def undisclosed(draft: Draft, rng: random.Random) -> Iterator[Change]:
    told = [at for at, gap in enumerate(draft.report.gaps) if "finding #" in gap]
    for at in told:
        for text in ("", "None documented.", "Follow-up: none planned"):

            def change(made: Draft, at: int = at, text: str = text) -> None:
                made.report.gaps[at] = text
                if not text:
                    del made.report.gaps[at]
                # Section 7's right count, with any reason in section 9, would tell an omission too.
                made.report.value(7, "omitted")[1] = "0"

            yield change
    for number, finding in enumerate(draft.report.findings):
        if finding.downgrade:

            def silent(made: Draft, number: int = number) -> None:
                made.report.findings[number].downgrade = ""

            yield silent


@fault("index: more entries than the mode allows", "source-ceiling-exceeded")
def ceiling(draft: Draft, rng: random.Random) -> Iterator[Change]:
    if len(draft.report.entries) <= 8 or draft.mode == "quick":
        return

    def change(made: Draft) -> None:
        made.report.value(1, "depth mode")[1] = "`quick`"
        session = made.records["session"]
        session["mode"] = "quick"
        session["budget"] = {"retrieval_min": 5, "retrieval_max": 10, "content_max": 5, "report_sources_max": 8}
        session["usage"]["report_sources"] = 8

    yield change
