"""Quotations of the report stand in the sources that are cited for them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from evidence_lint.errors import Unavailable
from evidence_lint.model.example import BASE_ENTRY, Expected, research_example
from evidence_lint.model.location import Span
from evidence_lint.model.report import Prose
from evidence_lint.model.verdict import Excerpted, Problem, Related
from evidence_lint.rule import rule
from evidence_lint.witness.cited_texts import CitedPassage, CitedSource, CitedTexts, SourceText
from evidence_lint.witness.excerpts import PageText
from evidence_lint.witness.nearest import Nearest
from evidence_lint.witness.quotes import Quotation, is_quotable, quotations, quote_occurs
from evidence_lint.witness.shown import word_diff
from evidence_lint_rules.citations._naming import shortened

_OPENING = "\"“”„‟«»‹›「」『』﹁﹂﹃﹄〝〞〟‘’‚'\uff02"
_MARKS = str.maketrans(dict.fromkeys(_OPENING, " "))
_ATTRIBUTION = re.compile(r"\s*(?:—|–|―|--)\s*|\s+-\s+")
_LONGEST_NAME = 12
_LEAST_ALIKE = 0.4
_MOST_SHOWN = 5
"""Quotations of one passage for which the nearest passage is looked for, which takes longer than all the rest."""
_TITLE = "- **Three copies are required** (Medium confidence): "
_CODE_TITLE = _TITLE.replace("Medium", "High")
_ABSENT = "stands in none of the sources cited there ([1])"


@rule(
    "CIT115",
    "quote-not-in-evidence",
    passes=[
        research_example("Without quotations"),
        research_example(
            "Quotations that stand in the page, however they are set",
            sections={
                4: f"{_TITLE}The guide says “Keep three copies of every record,” and 'One copy must be stored in "
                'another building\'. It asks that "the result of each **drill** is [...] written down". [1]',
                5: "### Copies\n\nAs «keep three copies [1] of every record» shows.",
            },
        ),
        research_example(
            "Too short, in code, in a passage without a citation, or of the title and the question",
            sections={
                3: "The guide says “copies may never be counted twice”.",
                4: f'{_TITLE}It is called a "three two one" rule, don\'t worry, it\'s 5" wide; see '
                '`print("no page says this anywhere")`. [1]',
                5: "### Copies\n\n“How many copies of a record are kept?” was asked. [1]\n\n"
                '```\nsay "this is only a program"\n```\n\n'
                "### Words\n\nSome “say that it is otherwise there”.",
            },
        ),
        research_example(
            "Block quotes of the page, one with an attribution, and a remark that is set as one",
            sections={
                3: "The guide says “keep three copies of every record”. [1]\n\n"
                "It never says “copies may be counted twice”.",
                5: "### Copies\n\nThe guide says: [1]\n\n> Keep three copies of every record. — The guide\n\n"
                "> **Note:** this is a remark of our own on the rule. [1]\n\nSo much for it.\n\n"
                "> Or this one, said aside.",
            },
        ),
        research_example(
            "Code near the cited line",
            kind="codebase",
            sections={4: f'{_CODE_TITLE}It computes "return max(0, COPIES - present)" from it. [1]'},
        ),
    ],
    fails=[
        research_example(
            "Words that the page does not have",
            Expected(
                f"the quotation “Keep four copies of every record” {_ABSENT}", at="“Keep four copies of every record”"
            ),
            sections={4: f"{_TITLE}The guide says “Keep four copies of every record”. [1]"},
        ),
        research_example(
            "In a title, and in a subtopic that leaves out a word that denies",
            Expected(f"the quotation “nobody may ever delete one” {_ABSENT}"),
            Expected(
                f"the quotation “One copy … must be another building” {_ABSENT}",
                at="“One copy … must be another building”",
            ),
            sections={
                4: '- **The guide says "nobody may ever delete one"** (Medium confidence): It does. [1]',
                5: "### Copies\n\nIt adds “One copy … must be another building”. [1]",
            },
        ),
        research_example(
            "In a cited paragraph of the summary, and in a block quote",
            Expected(f"the quotation “copies may never be counted twice” {_ABSENT}"),
            Expected(f"the quotation “Every copy is exempt from any rule.” {_ABSENT}"),
            sections={
                3: "The guide says “copies may never be counted twice”. [1]",
                5: "### Copies\n\nThe guide says: [1]\n\n> Every copy is exempt from any rule.",
            },
        ),
        research_example(
            "Code that is not there",
            Expected(f"the quotation “COPIES may never be changed” {_ABSENT}"),
            kind="codebase",
            sections={4: f'{_CODE_TITLE}The file says "COPIES may never be changed". [1]'},
        ),
        research_example(
            "No text of the page was saved",
            Expected(
                "the quotation “Keep three copies of every record” stands in none of the sources cited there ([2]); no "
                "text of https://www.example.gov/tapes was saved"
            ),
            results=[{"url": "https://www.example.gov/tapes", "title": "Tapes"}],
            sections={
                5: "### Copies\n\nIt says “Keep three copies of every record”. [2]",
                8: f"{BASE_ENTRY}\n[2] Tapes — https://www.example.gov/tapes — government (preclassified T1)",
            },
        ),
    ],
)
def quote_not_in_evidence(passage: CitedPassage, sources: CitedTexts) -> Iterator[Problem]:
    """Every quotation of a cited passage stands in a source that is cited there.

    Why: quotation marks promise the source's own words. Invented or altered quotations are the plainest form of
    fabrication, and the most convincing one. White space, marks and punctuation at the edges are no difference; words
    are.

    Fix: quote the source word for word, or drop the quotation marks and say it in your own words.
    """
    cited = sources.of(passage.citations)
    texts = [text for source in cited for text in source.texts]
    pages = [*(text.text for text in texts), *(PageText(title) for source in cited for title in source.titles)]
    pages.append(PageText(sources.question))
    undecided = ""
    problems: list[Problem] = []
    for part, (prose, _) in enumerate(passage.parts):
        marked = list(prose_quotations(prose))
        for quotation in (*marked, *_block_quotations(passage, part, prose, marked)):
            if quote_occurs(quotation.text, pages) or _with_attribution(quotation, prose, pages):
                continue
            reason = _undecided(quotation, passage, cited, sources)
            if reason:
                undecided = (
                    undecided or f"the quotation “{shortened(quotation.text, 80)}” cannot be looked up: {reason}"
                )
            else:
                near = texts if len(problems) < _MOST_SHOWN else ()
                problems.append(_problem(passage, part, quotation, cited, near))
    if undecided and not problems:
        raise Unavailable("source-text", undecided)
    yield from problems


def prose_quotations(prose: Prose) -> Iterator[Quotation]:
    """The quotations of running text, block by block; marks inside code open none, citation markers are left out."""
    masked = _masked(prose)
    markers = sorted(prose.citations)
    start = 0
    for line in masked.split("\n"):
        for quotation in quotations(line):
            begin, end = start + quotation.start, start + quotation.end
            yield Quotation(begin, end, _without_markers(prose.text, markers, begin + 1, end - 1))
        start += len(line) + 1


def _block_quotations(
    passage: CitedPassage, part: int, prose: Prose, marked: Sequence[Quotation]
) -> Iterator[Quotation]:
    """Paragraphs of block quotes that are a source's words as a whole; where marks quote a part, the part counts."""
    markers = sorted(prose.citations)
    for number, span in passage.block_quotes:
        if number != part or any(span.start <= quotation.start < span.end for quotation in marked):
            continue
        text = _without_markers(prose.text, markers, span.start, span.end).strip()
        if is_quotable(text):
            yield Quotation(span.start, span.end, text)


def _with_attribution(quotation: Quotation, prose: Prose, pages: Sequence[PageText]) -> bool:
    """Whether a block quote is a source's words but for the name behind a dash at its end."""
    if prose.text[quotation.start] in _OPENING:
        return False
    words, dash, name = _ATTRIBUTION.sub("\0", quotation.text).rpartition("\0")
    return bool(dash) and is_quotable(words) and len(name.split()) <= _LONGEST_NAME and quote_occurs(words, pages)


def _masked(prose: Prose) -> str:
    parts: list[str] = []
    at = 0
    for span in sorted(prose.code):
        begin = max(at, span.start)
        parts += [prose.text[at:begin], prose.text[begin : span.end].translate(_MARKS)]
        at = max(at, span.end)
    return "".join([*parts, prose.text[at:]])


def _without_markers(text: str, markers: Sequence[Span], start: int, end: int) -> str:
    parts: list[str] = []
    at = start
    for marker in markers[bisect_left(markers, start, key=lambda span: span.start) :]:
        if marker.end > end:
            break
        parts.append(text[at : marker.start].rstrip())
        at = marker.end
    return "".join([*parts, text[at:end]])


def _undecided(quotation: Quotation, passage: CitedPassage, cited: Sequence[CitedSource], sources: CitedTexts) -> str:
    """Why nothing follows from a quotation's absence, or "": a source's words cannot be had, or are not confirmed."""
    if any(quote_occurs(quotation.text, source.doubtful) for source in cited if source.doubtful):
        return "it stands in a record that does not verify"
    if sources.dangling(passage.citations):
        return "a number that is cited there has no entry"
    return next((source.unknown for source in cited if source.unknown), "")


def _problem(
    passage: CitedPassage, part: int, quotation: Quotation, cited: Sequence[CitedSource], texts: Sequence[SourceText]
) -> Problem:
    numbers = "".join(f"[{number}]" for number in dict.fromkeys(source.target.entry.number for source in cited))
    lacking = "; ".join(dict.fromkeys(source.lacking for source in cited if source.lacking))
    return Problem(
        f"the quotation “{shortened(quotation.text)}” stands in none of the sources cited there ({numbers})"
        + (f"; {lacking}" if lacking else ""),
        passage.place(part, quotation.start, quotation.end),
        help="Quote the source word for word, cite the source that says it, or drop the quotation marks.",
        related=tuple(Related(source.target.location, "a source cited there") for source in cited[:4]),
        shown=_nearest(quotation.text, texts),
    )


def _nearest(quote: str, texts: Sequence[SourceText]) -> tuple[Excerpted, ...]:
    """The passage most like the quotation, with a word diff."""
    best: tuple[Nearest, str] | None = None
    for text in texts[:20]:
        found = text.text.nearest(quote)
        if (
            found is not None
            and found.similarity >= _LEAST_ALIKE
            and (not best or found.similarity > best[0].similarity)
        ):
            best = (found, text.origin)
    if best is None:
        return ()
    nearest, origin = best
    return (Excerpted(origin, (shortened(nearest.passage, 400),), diff=word_diff(nearest.diff)),)
