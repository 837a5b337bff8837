"""Every entry of the index names a record, and no two name the same source."""

from __future__ import annotations

from collections.abc import Iterator

from rapidfuzz import fuzz, process

from evidence_lint.errors import Unavailable
from evidence_lint.model.bundle import CODE_EVIDENCE, CONTENT, RESULTS
from evidence_lint.model.example import (
    BASE_CODE_ENTRY,
    BASE_CODE_RECORD,
    BASE_ENTRY,
    BASE_PAGE,
    BASE_RESULT,
    BASE_URL,
    Expected,
    research_example,
)
from evidence_lint.model.location import Location
from evidence_lint.model.records import Records
from evidence_lint.model.report import REPORT, EntryKind, SourceEntry
from evidence_lint.model.verdict import Problem, Related, Severity
from evidence_lint.rule import rule
from evidence_lint.witness.index import EntryTarget, SourceIndex, WebIdentity, WebTarget, grouped
from evidence_lint.witness.web import RetrievedSource, RetrievedSources
from evidence_lint_rules.citations._naming import named, place, shortened

_LEAST_ALIKE = 80
_MOST_COMPARED = 200


@rule(
    "CIT107",
    "source-unresolved",
    passes=[
        research_example("The URL is a retrieval result"),
        research_example("The id is a code record's", kind="codebase"),
        research_example(
            "Another spelling of the same URL, and a link inside its notes",
            sections={
                8: "[1] Backup guide — HTTPS://WWW.example.gov:443/guides/backups/?utm_source=x#copies — government "
                "(preclassified T1) — date: unknown; basis: heuristic; sponsorship: see https://www.example.gov/about"
            },
        ),
        research_example("Saved, though not among the results", results=[]),
        research_example(
            "Notes below the index are no sources",
            sections={
                8: f"{BASE_ENTRY}\n\nAll pages were retrieved once; see https://www.example.gov/about for the "
                "publisher.\n\n"
                "- Archived: https://web.archive.org/web/2026/https://www.example.gov/guides/backups — a copy\n"
                "- T1 is a government namespace."
            },
        ),
    ],
    fails=[
        research_example(
            "A page that was never retrieved",
            Expected("no retrieval result and no saved page has this URL", at="https://www.example.gov/guides/backup"),
            sections={8: BASE_ENTRY.replace(BASE_URL, BASE_URL[:-1])},
        ),
        research_example(
            "An id that no record has",
            Expected("no code record has the id 'code-7'", at="code-7"),
            kind="codebase",
            sections={8: BASE_CODE_ENTRY.replace("code-1", "code-7")},
        ),
        research_example(
            "The id of a record of another kind",
            Expected("no test record has the id 'code-1', which is that of a code record", at="code-1"),
            kind="codebase",
            sections={8: "[1] test evidence `code-1` — pytest / tests — passed (exit 0)"},
        ),
        research_example(
            "One of two URLs has no record",
            Expected("no retrieval result and no saved page has this URL", at="https://b.example.gov/"),
            sections={8: f"1. {BASE_URL} https://b.example.gov/"},
        ),
        research_example(
            "Sources without a number",
            Expected(
                "this source has no number in the index, so nothing can cite it: NIST — …",
                at="NIST — https://nist.example.gov/x — government (T1)",
            ),
            Expected("this source has no number in the index…: ISO, …"),
            Expected("this source has no number in the index…: A paper…"),
            Expected("this source has no number in the index…: code evidence…"),
            sections={
                8: f"{BASE_ENTRY}\n- NIST — https://nist.example.gov/x — government (T1)\n\n"
                "<ul>\n<li>ISO, <a href='https://iso.example.org/'>27001</a> (T2)</li>\n</ul>\n\n"
                "A paper — https://papers.example.org/a — academic\n\n"
                "- code evidence `code-9` — store/copies.py:1 — COPIES = 3"
            },
        ),
        research_example(
            "An entry that names nothing",
            Expected("the entry names neither a URL nor the id of a record", at="[1] Backup guide, second edition"),
            sections={8: "[1] Backup guide, second edition"},
        ),
    ],
)
def source_unresolved(target: EntryTarget, records: Records, retrieved: RetrievedSources) -> Iterator[Problem]:
    """Every entry of the index names a record: a retrieved page, or repository evidence by its id.

    Why: a source without a record was perhaps never opened. Invented references look exactly like this.

    Fix: correct the URL or the id, or add the record by retrieving the page or pinning the code.
    """
    entry = target.entry
    if not target.numbered:
        yield Problem(
            f"this source has no number in the index, so nothing can cite it: {shortened(entry.text, 80)}",
            target.location,
            help="Give it the next number as `[n] …`, or take it out where nothing rests on it.",
        )
        return
    if target.resolved:
        return
    if entry.kind in {EntryKind.WEB, EntryKind.UNKNOWN}:
        _readable(records, RESULTS, CONTENT)
        if not target.web:
            yield Problem(
                "the entry names neither a URL nor the id of a record",
                target.location,
                help="Write the source as `Title — URL — type (preclassified T4)`, or with the id of its record.",
            )
        for web in target.web:
            if not web.resolved:
                yield _without_record(web, entry, retrieved)
        return
    _readable(records, CODE_EVIDENCE)
    name = entry.id.value if entry.id is not None else ""
    other = next((row for row in target.others if row.value is not None), None)
    kind = str(getattr(other.value, "kind", "") or "another") if other is not None else ""
    yield Problem(
        f"no {entry.kind} record has the id {name!r}" + (f", which is that of a {kind} record" if other else ""),
        place(entry.id, entry),
        help="Correct the id, or add the record to code_evidence.json (`evidence-lint pin` writes one).",
        related=(Related(other.at("kind"), "the record of this id"),) if other is not None else (),
    )


def _readable(records: Records, *artifacts: str) -> None:
    for artifact in artifacts:
        if artifact in records.broken:
            raise Unavailable("broken-records", f"{artifact}.json cannot be read, so nothing can be looked up in it")


def _without_record(web: WebTarget, entry: SourceEntry, retrieved: RetrievedSources) -> Problem:
    near = _nearest(web, entry, retrieved)
    related = (Related(near.row.at("url"), f"the nearest retrieval result: {shortened(near.url)}"),) if near else ()
    return Problem(
        "no retrieval result and no saved page has this URL",
        Location(REPORT, web.shown.span),
        help="Correct the URL, or retrieve the page and save it." if near is None else f"Is {near.url} meant?",
        related=related,
    )


def _nearest(web: WebTarget, entry: SourceEntry, retrieved: RetrievedSources) -> RetrievedSource | None:
    """The result of the same title, else that of the URL most alike."""
    sources = retrieved.all[:_MOST_COMPARED]
    title = entry.title.value.casefold() if entry.title is not None else ""
    for source in sources:
        if title and source.title.casefold() == title:
            return source
    best = process.extractOne(
        web.shown.value, [source.url for source in sources], scorer=fuzz.ratio, score_cutoff=_LEAST_ALIKE
    )
    return sources[best[2]] if best is not None else None


_DRILLS = "https://www.example.gov/guides/drills"


@rule(
    "CIT109",
    "source-duplicated",
    severity=Severity.WARNING,
    passes=[
        research_example("One entry"),
        research_example(
            "Two pages, one of which the other's title names",
            sections={
                8: f"{BASE_ENTRY}\n[2] On {BASE_URL} — {_DRILLS} — government (preclassified T1) — date: unknown"
            },
        ),
        research_example(
            "Two versions of a page, each with a record of its own",
            results=[{**BASE_RESULT, "url": f"{BASE_URL}?ref=v{n}"} for n in (1, 2)],
            content=[{**BASE_PAGE, "url": f"{BASE_URL}?ref=v{n}"} for n in (1, 2)],
            sections={
                8: "\n".join(
                    f"[{n}] Backup guide — {BASE_URL}?ref=v{n} — government (preclassified T1) — date: unknown"
                    for n in (1, 2)
                )
            },
        ),
    ],
    fails=[
        research_example(
            "One page in two spellings",
            Expected(f"[2] is the same source as [1]: {BASE_URL}/#copies", at=f"{BASE_URL}/#copies"),
            sections={8: f"{BASE_ENTRY}\n{BASE_ENTRY.replace('[1]', '[2]').replace(BASE_URL, BASE_URL + '/#copies')}"},
        ),
        research_example(
            "One record twice",
            Expected("[2] is the same source as [1]: code record code-1", at="code-1"),
            kind="codebase",
            code=[BASE_CODE_RECORD],
            sections={8: f"{BASE_CODE_ENTRY}\n{BASE_CODE_ENTRY.replace('[1]', '[2]')}"},
        ),
    ],
)
def source_duplicated(index: SourceIndex, identity: WebIdentity) -> Iterator[Problem]:
    """No source stands twice in the index.

    Why: one source under two numbers looks like two that agree.

    Fix: keep one of the entries, and let every citation use its number.
    """
    for kind, entries in grouped((_kind(entry, identity), entry) for entry in index.entries).items():
        if kind is None:
            continue
        kept: list[SourceEntry] = []
        for entry in entries:
            first = next((other for other in kept[:_MOST_COMPARED] if _same(entry, other, identity)), None)
            if first is None:
                kept.append(entry)
            elif first.number != entry.number:
                yield _twice(entry, first)


def _kind(entry: SourceEntry, identity: WebIdentity) -> tuple[str, str] | None:
    if entry.kind is EntryKind.WEB and entry.url is not None:
        return ("web", identity.key(entry.url.value))
    if entry.kind is not EntryKind.UNKNOWN and entry.id is not None:
        return (str(entry.kind), entry.id.value)
    return None


def _same(one: SourceEntry, other: SourceEntry, identity: WebIdentity) -> bool:
    if one.url is None or other.url is None or one.kind is not EntryKind.WEB:
        return True
    return identity.same(one.url.value, other.url.value)


def _twice(entry: SourceEntry, first: SourceEntry) -> Problem:
    shown = entry.url if entry.kind is EntryKind.WEB else entry.id
    value = shortened(shown.value) if shown is not None else ""
    what = value if entry.kind is EntryKind.WEB else f"{entry.kind} record {value}"
    return Problem(
        f"[{entry.number}] is the same source as [{first.number}]: {what}",
        place(shown, entry),
        help=f"Keep one of them, and cite [{first.number}] wherever [{entry.number}] stands.",
        related=(Related(first.location, f"the first entry of this source: {named(first)}"),),
    )
