"""The cited page: it was retrieved, its text was saved, and the record's URL is one."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_lint.model.example import BASE_FINDING, BASE_PAGE, BASE_RESULT, BASE_URL, Expected, research_example
from evidence_lint.model.verdict import Problem, Related
from evidence_lint.rule import rule
from evidence_lint.witness.standing import Standing
from evidence_lint.witness.web import RecordedUrl, WebEvidence

_OTHER = "https://www.example.gov/guides/tapes"
_FILE = "file:///etc/passwd"


def _citing(url: str) -> list[dict[str, object]]:
    return [
        {**BASE_FINDING, "evidence": [{"kind": "web", "url": url, "excerpt": "Keep three copies of every record."}]}
    ]


@rule(
    "WEB101",
    "web-source-not-retrieved",
    passes=[
        research_example("The URL is a result"),
        research_example("Another spelling of a result's URL", findings=_citing(f"{BASE_URL}/?utm_source=mail#top")),
    ],
    fails=[
        research_example(
            "A page that no search brought",
            Expected(
                f"{_OTHER} is not among the retrieval results",
                pointer="/findings/0/evidence/0/url",
                artifact="findings",
            ),
            findings=_citing(_OTHER),
        ),
    ],
)
def source_not_retrieved(evidence: WebEvidence, standing: Standing) -> Iterator[Problem]:
    """The URL of a web citation is among the retrieval results.

    Why: a page that no recorded retrieval brought may never have been seen; invented URLs look exactly like this.

    Fix: record the result in results.json, or cite a page that was retrieved.
    """
    if evidence.key is not None and not evidence.results:
        yield Problem(
            f"{evidence.ref.url} is not among the retrieval results",
            evidence.ref.at("url"),
            help="Add the result to results.json, or cite a page that was retrieved.",
            severity=standing.of_ref(evidence.ref),
        )


@rule(
    "WEB102",
    "web-content-not-extracted",
    passes=[
        research_example("The page's text was saved"),
        research_example(
            "A failed first try and a good second one",
            content=[{**BASE_PAGE, "content": "", "error": "time-out"}, BASE_PAGE],
        ),
    ],
    fails=[
        research_example(
            "No row for the page",
            Expected(f"no text of {BASE_URL} was saved", pointer="/findings/0/evidence/0/url", artifact="findings"),
            content=[{**BASE_PAGE, "url": _OTHER}],
        ),
        research_example(
            "The extraction failed, whatever text the row holds",
            Expected(
                f"the extraction of {BASE_URL} failed: time-out",
                pointer="/findings/0/evidence/0/url",
                artifact="findings",
            ),
            content=[{**BASE_PAGE, "error": "time-out"}],
        ),
        research_example(
            "Of two rows for one URL the last counts",
            Expected(
                f"the extraction of {BASE_URL} brought no text",
                pointer="/findings/0/evidence/0/url",
                artifact="findings",
            ),
            content=[BASE_PAGE, {**BASE_PAGE, "content": " \n"}],
        ),
    ],
)
def content_not_extracted(evidence: WebEvidence, standing: Standing) -> Iterator[Problem]:
    """The text of a cited page was extracted and saved.

    Why: without the page's text nobody can look the excerpt up; a search snippet is a lead, not evidence.

    Fix: extract the page again (``evidence-lint capture`` writes content.json), or cite another one.
    """
    if evidence.key is None or evidence.extracted:
        return
    related: tuple[Related, ...] = ()
    if evidence.page is None:
        message = f"no text of {evidence.ref.url} was saved"
    else:
        row = evidence.page.row
        error = row.value.error if row.value is not None else None
        failed = (
            f"failed: {error}" if isinstance(error, str) and error.strip() else "failed" if error else "brought no text"
        )
        message = f"the extraction of {evidence.ref.url} {failed}"
        related = (Related(row.location, "the last row of this page"),)
    yield Problem(
        message,
        evidence.ref.at("url"),
        help="Capture the page again, or cite one whose text was saved.",
        related=related,
        severity=standing.of_ref(evidence.ref),
    )


@rule(
    "WEB114",
    "invalid-url",
    passes=[
        research_example("An https URL"),
        research_example(
            "An IPv6 host and an unusual port",
            results=[BASE_RESULT, {**BASE_RESULT, "url": "http://[2606:2800::1]:8080/a"}],
        ),
        research_example(
            "The normalised URL is one", results=[{**BASE_RESULT, "url": "guides/backups", "normalized_url": BASE_URL}]
        ),
    ],
    fails=[
        research_example(
            "A file of somebody's machine",
            Expected(f"{_FILE!r} is no http(s) URL", pointer="/results/1/url", artifact="results"),
            results=[BASE_RESULT, {**BASE_RESULT, "url": _FILE}],
        ),
        research_example(
            "Credentials in a URL",
            Expected("this URL holds credentials", pointer="/results/1/url", artifact="results"),
            results=[BASE_RESULT, {**BASE_RESULT, "url": "https://me:secret@example.gov/"}],
        ),
        research_example(
            "A file cited as a page",
            Expected(f"{_FILE!r} is no http(s) URL", pointer="/findings/0/evidence/0/url", artifact="findings"),
            findings=_citing(_FILE),
        ),
    ],
)
def invalid_url(recorded: RecordedUrl, standing: Standing) -> Iterator[Problem]:
    """The URLs of retrieval results and of web evidence are http(s) URLs without credentials.

    Why: other schemes name files and services of one machine; credentials in a record are a leak, and no page that
    needs them is public evidence.

    Fix: record the public address of the page.
    """
    if recorded.key is not None:
        return
    yield Problem(
        _complaint(recorded.value),
        recorded.location,
        help="Record the public http(s) address of the page.",
        severity=standing.of_ref(recorded.ref) if recorded.ref is not None else None,
    )


def _complaint(url: object) -> str:
    if not isinstance(url, str) or not url.strip():
        return "there is no URL"
    authority = url.partition("://")[2].partition("/")[0]
    if url.strip().lower().startswith(("http://", "https://")) and "@" in authority:
        return "this URL holds credentials"
    return f"{url!r} is no http(s) URL"
