"""The excerpt: it is there, long enough, and stands word for word in the saved text."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import (
    BASE_FINDING,
    BASE_PAGE,
    BASE_URL,
    Expected,
    research_example,
)
from evidence_lint.model.verdict import Excerpted, Problem, Related, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.excerpts import PageText
from evidence_lint.witness.normalize import normalize
from evidence_lint.witness.shown import passage, word_diff
from evidence_lint.witness.standing import Standing
from evidence_lint.witness.web import SavedPages, WebEvidence

_ENOUGH_ALIKE = 0.35


def _excerpt(text: object) -> list[dict[str, object]]:
    return [{**BASE_FINDING, "evidence": [{"kind": "web", "url": BASE_URL, "excerpt": text}]}]


_AT = "/findings/0/evidence/0/excerpt"


@rule(
    "WEB103",
    "supporting-excerpt-missing",
    passes=[research_example("An excerpt")],
    fails=[
        research_example(
            "Blanks are no excerpt",
            Expected(f"no excerpt of {BASE_URL} is given", pointer=_AT, artifact="findings"),
            findings=_excerpt("  \n"),
        ),
        research_example(
            "No field",
            Expected(f"no excerpt of {BASE_URL} is given", pointer="/findings/0/evidence/0", artifact="findings"),
            findings=[{**BASE_FINDING, "evidence": [{"kind": "web", "url": BASE_URL}]}],
        ),
    ],
)
def excerpt_missing(evidence: WebEvidence, standing: Standing) -> Iterator[Problem]:
    """A web citation carries the words that support it.

    Why: a URL alone says that a page exists, not which of its words carry the claim.

    Fix: copy the supporting sentence from the page's text, word for word, into ``excerpt``.
    """
    if not evidence.ref.excerpt:
        yield Problem(
            f"no excerpt of {evidence.ref.url or 'the page'} is given",
            evidence.ref.at("excerpt"),
            help="Copy the supporting sentence from the page, word for word.",
            severity=standing.of_ref(evidence.ref),
        )


@rule(
    "WEB104",
    "excerpt-not-in-content",
    passes=[
        research_example("Word for word"),
        research_example(
            "Another case, other quotation marks, other line breaks",
            findings=_excerpt("KEEP three copies\n of  every record."),
        ),
    ],
    fails=[
        research_example(
            "A paraphrase",
            Expected("the excerpt does not stand in the saved text of …", pointer=_AT, artifact="findings"),
            findings=_excerpt("Three copies of each record should be kept."),
        ),
        research_example(
            "A changed digit",
            Expected("the excerpt does not stand in the saved text of …", pointer=_AT, artifact="findings"),
            findings=_excerpt("Tapes older than 9 years are replaced."),
        ),
        research_example(
            "Two passages joined by an ellipsis",
            Expected("the excerpt does not stand in the saved text of …", pointer=_AT, artifact="findings"),
            findings=_excerpt("Keep three copies ... stored in another building."),
        ),
    ],
)
def excerpt_not_in_content(evidence: WebEvidence, pages: SavedPages, standing: Standing) -> Iterator[Problem]:
    """The excerpt of a web citation occurs in the extracted text of its page.

    Why: words that are not on the page are not evidence, whoever wrote them; a paraphrase, a dropped word or a changed
    digit is how fabricated support looks. Letter case, white space, typographic marks and invisible characters do not
    count as differences.

    Fix: copy the sentence that the page really has (the nearest passage is shown), or drop the claim.
    """
    if not evidence.extracted or not evidence.ref.excerpt or evidence.match is not None or evidence.page is None:
        return
    page = evidence.page
    nearest = page.text.nearest(evidence.ref.excerpt)
    shown: tuple[Excerpted, ...] = ()
    if nearest is not None and nearest.similarity >= _ENOUGH_ALIKE:
        shown = (Excerpted(page.url, (nearest.passage,), diff=word_diff(nearest.diff)),)
    yield Problem(
        f"the excerpt does not stand in the saved text of {page.url}{_elsewhere(evidence, pages)}",
        evidence.ref.at("excerpt"),
        help="Copy the page's own words, or drop the claim."
        + ("" if nearest is None else f" The nearest passage is {nearest.similarity:.0%} alike."),
        related=(Related(page.row.at("content"), "the saved text"),),
        shown=shown,
        severity=standing.of_ref(evidence.ref),
    )


def _elsewhere(evidence: WebEvidence, pages: SavedPages) -> str:
    """Where else the words do stand, which is often what went wrong."""
    excerpt = evidence.ref.excerpt
    for page in pages.all:
        if page is not evidence.page and page.extracted and page.text.find(excerpt) is not None:
            return f"; it stands in {page.url}"
    for result in evidence.results:
        snippet = result.row.value.snippet if result.row.value is not None else None
        if snippet and PageText(snippet).find(excerpt) is not None:
            return "; it stands only in the search result's snippet"
    if evidence.page is not None and (cut := evidence.page.truncated):
        return f"; the text is known to be cut ({cut})"
    return ""


@rule(
    "WEB105",
    "excerpt-too-short",
    passes=[
        research_example("A sentence"),
        research_example(
            "Six Chinese characters are enough",
            findings=_excerpt("保留三份副本"),
            content=[{**BASE_PAGE, "content": "每条记录保留三份副本。"}],
        ),
    ],
    fails=[
        research_example(
            "Two letters occur on every page",
            Expected("an excerpt of 2 characters proves nothing", pointer=_AT, artifact="findings"),
            findings=_excerpt("of"),
        ),
    ],
)
def excerpt_too_short(evidence: WebEvidence, standing: Standing) -> Iterator[Problem]:
    """An excerpt is long enough to mean something.

    Why: a few letters stand on every page by chance. Twelve characters are the least, six in Han, Kana or Hangul.

    Fix: quote the whole sentence that carries the claim.
    """
    if evidence.too_short:
        count = len(normalize(evidence.ref.excerpt))
        yield Problem(
            f"an excerpt of {count} character{'' if count == 1 else 's'} proves nothing",
            evidence.ref.at("excerpt"),
            help="Quote the whole sentence (12 characters at least, 6 in Han, Kana or Hangul).",
            severity=standing.of_ref(evidence.ref),
        )


@rule(
    "WEB112",
    "excerpt-cut-at-negation",
    severity=Severity.WARNING,
    passes=[
        research_example("A whole sentence"),
        research_example(
            "The negation belongs to the sentence before",
            findings=_excerpt("Copies may be stored anywhere."),
            content=[{**BASE_PAGE, "content": "This is not a law. Copies may be stored anywhere."}],
        ),
    ],
    fails=[
        research_example(
            "The page says the opposite",
            Expected(
                "the excerpt starts just after a negation that it leaves out: 'not'", pointer=_AT, artifact="findings"
            ),
            findings=_excerpt("allowed to store copies abroad."),
            content=[{**BASE_PAGE, "content": "Agencies are not allowed to store copies abroad."}],
        ),
    ],
)
def excerpt_cut_at_negation(evidence: WebEvidence) -> Iterator[Problem]:
    """An excerpt does not leave out the negation, condition or exception that governs it.

    Why: words can be exact and still say the opposite of the page, when ``not``, ``unless`` or ``except`` stands just
    outside.

    Fix: quote the whole sentence.
    """
    if evidence.match is None or evidence.page is None:
        return
    cut = evidence.page.text.edge_cut(evidence.match)
    if cut is not None:
        article = "an" if cut.kind[0] in "aeiou" else "a"
        edge = "starts just after" if cut.side == "before" else "ends just before"
        yield Problem(
            f"the excerpt {edge} {article} {cut.kind} that it leaves out: {cut.words!r}",
            evidence.ref.at("excerpt"),
            help="Quote the whole sentence.",
            shown=(
                passage(
                    evidence.page.url,
                    evidence.page.text,
                    min(cut.start, evidence.match.start),
                    max(cut.end, evidence.match.end),
                ),
            ),
        )


@rule(
    "WEB115",
    "excerpt-matches-loosely",
    severity=Severity.WARNING,
    passes=[research_example("Word for word")],
    fails=[
        research_example(
            "The extraction glued two words",
            Expected("the excerpt matches only after the page's text is repaired: …", pointer=_AT, artifact="findings"),
            findings=_excerpt("Keep three copies of every record."),
            content=[{**BASE_PAGE, "content": "Keep three copies ofevery record."}],
        ),
    ],
)
def excerpt_matches_loosely(evidence: WebEvidence) -> Iterator[Problem]:
    """An excerpt matches without repairs to the page's saved text.

    Why: text that was damaged by its extraction (split or glued words, lost ligatures) can be read in more than one
    way, so such a match earns Medium at most.

    Fix: extract the page again with a better extractor, and save that text.
    """
    if evidence.loose and evidence.match is not None and evidence.page is not None:
        yield Problem(
            f"the excerpt matches only after the page's text is repaired: {'; '.join(evidence.match.repairs)}",
            evidence.ref.at("excerpt"),
            help="Extract the page again; the finding earns Medium at most meanwhile.",
            shown=(passage(evidence.page.url, evidence.page.text, evidence.match.start, evidence.match.end),),
        )
