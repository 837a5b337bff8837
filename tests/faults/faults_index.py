"""Faults of the source index: entries and what they show."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.faults.draft import Draft, Entry
from tests.faults.kinds import Change, fault
from tests.faults.words import CHANGES


def shown(at: int, **values: str) -> Change:
    """Change what an entry shows."""

    def change(draft: Draft) -> None:
        draft.report.entries[at].shown.update(values)

    return change


def _entries(draft: Draft, *kinds: str) -> list[tuple[int, Entry]]:
    return [(at, entry) for at, entry in enumerate(draft.report.entries) if entry.kind in kinds]


@fault("entry: removed", "citation-dangling")
def removed(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in range(len(draft.report.entries)):

        def change(made: Draft, at: int = at) -> None:
            del made.report.entries[at]

        yield change


@fault("entry: renumbered", "citation-dangling", "source-number-duplicated", "source-numbering-gap")
def renumbered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    count = len(draft.report.entries)
    for at in range(count):
        for number in (count + 1, count + 7, 0, 99):

            def change(made: Draft, at: int = at, number: int = number) -> None:
                made.report.entries[at].number = number

            yield change


@fault("entry: two of one number", "source-number-duplicated")
def number_twice(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, entry in enumerate(draft.report.entries):
        for other in draft.report.entries:
            if other.number != entry.number:

                def change(made: Draft, at: int = at, number: int = other.number) -> None:
                    made.report.entries[at].number = number

                yield change


@fault("entry: numbers of two swapped", "citation-evidence-mismatch")
def swapped(draft: Draft, rng: random.Random) -> Iterator[Change]:
    cited = {number for finding in draft.report.findings for number in finding.cites}
    for at in range(len(draft.report.entries) - 1):

        def change(made: Draft, at: int = at) -> None:
            one, other = made.report.entries[at : at + 2]
            one.number, other.number = other.number, one.number

        pair = {at + 1, at + 2}
        if pair & cited and all(set(f.cites) & pair != pair for f in draft.report.findings):
            yield change


@fault("entry: one source twice", "source-duplicated")
def twice(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in range(len(draft.report.entries)):

        def change(made: Draft, at: int = at) -> None:
            entries = made.report.entries
            entries.append(Entry(len(entries) + 1, entries[at].kind, dict(entries[at].shown)))

        yield change


@fault("entry: never cited", "source-uncited")
def uncited(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for entry in draft.report.entries:

        def change(made: Draft, number: int = entry.number) -> None:
            for one in made.report.passages():
                one.cites = [cite for cite in one.cites if cite != number]

        yield change


@fault("entry: URL altered", "source-unresolved", "source-mismatch")
def url_altered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, entry in _entries(draft, "web"):
        url = entry.shown["url"]
        for other in (url + "x", url[:-1], url.replace("//", "//m."), url + "/more", url.replace("https", "ftp")):
            if other not in {row["url"] for row in draft.results}:
                yield shown(at, url=other)


@fault("entry: id altered", "source-unresolved", "source-number-duplicated", "source-duplicated")
def id_altered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, entry in _entries(draft, "code", "commit", "test"):
        for other in (entry.shown["id"] + "9", "code-x", entry.shown["id"].upper(), ""):
            yield shown(at, id=other)


@fault("entry: of another kind", "source-unresolved", "source-mismatch")
def kind_altered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, entry in _entries(draft, "code", "commit"):
        other = "commit" if entry.kind == "code" else "code"

        def change(made: Draft, at: int = at, other: str = other) -> None:
            row = made.report.entries[at]
            row.kind = other
            row.shown = {"path": "a.py", "line": "1", "excerpt": "x", "subject": "feat: x", **row.shown}

        yield change


@fault("entry: tier altered", "source-mismatch")
def tier_altered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, entry in _entries(draft, "web"):
        for tier in range(1, 6):
            if f"T{tier}" != entry.shown["tier"]:
                yield shown(at, tier=f"T{tier}")


@fault("entry: path altered", "source-mismatch")
def path_altered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, entry in _entries(draft, "code"):
        path = entry.shown["path"]
        for other in (path + "x", "src/" + path, path[1:], path.rpartition("/")[2] + "s"):
            yield shown(at, path=other)


@fault("entry: line altered", "source-mismatch")
def line_altered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, entry in _entries(draft, "code"):
        line = int(entry.shown["line"])
        for other in (line + 1, max(1, line - 1) if line > 1 else 9, line * 10, line + 100):
            yield shown(at, line=str(other))


@fault("entry: excerpt altered", "source-mismatch")
def excerpt_altered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, entry in _entries(draft, "code"):
        for name in ("digit-changed", "word-dropped", "word-inserted", "words-swapped", "letter-changed"):
            for text in CHANGES[name](entry.shown["excerpt"], rng):
                if text.split() != entry.shown["excerpt"].split() and text.strip():
                    yield shown(at, excerpt=text)


@fault("entry: commit altered", "source-mismatch", "source-unresolved")
def commit_altered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, entry in _entries(draft, "code", "commit", "test"):
        for other in (*draft.checkout.commits, "0" * 40, "working-tree-unpinned", entry.shown["commit"][:-1] + "x"):
            if other != entry.shown["commit"] and len(entry.shown["commit"]) == 40:
                yield shown(at, commit=other)


@fault("entry: subject altered", "source-mismatch")
def subject_altered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, entry in _entries(draft, "commit"):
        for name in ("word-dropped", "word-inserted", "letter-changed"):
            for text in CHANGES[name](entry.shown["subject"], rng):
                yield shown(at, subject=text)


@fault("entry: status or exit code altered", "source-mismatch")
def status_altered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, _ in _entries(draft, "test"):
        for word in ("failed", "skipped", "error"):
            yield shown(at, status=word)
        for code in ("1", "5", "-1", "10"):
            yield shown(at, exit=code)


@fault("entry: tracking parameter", "url-tracking-parameter")
def tracking(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, entry in _entries(draft, "web"):
        url = entry.shown["url"]
        for residue in ("utm_source=chatgpt.com", "utm_medium=ai", "fbclid=ab12", "gclid=x"):
            yield shown(at, url=f"{url}{'&' if '?' in url else '?'}{residue}")


@fault("entry: URL cannot be one", "url-malformed", "source-unresolved")
def malformed(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, entry in _entries(draft, "web"):
        url = entry.shown["url"]
        host = url.split("/")[2]
        bad = [url.replace(host, h) for h in ("<host>", "your-domain.com", "localhost", "www. example.gov")]
        for other in (*bad, url[:8], url + "%zz", url.replace("https://", "https:///"), "https://"):
            yield shown(at, url=other)


@fault("entry: malformed DOI", "doi-malformed")
def doi(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, entry in enumerate(draft.report.entries):
        if entry.kind == "web":
            for text in ("; doi: 10.12/x", "; doi: 10.100/copies"):

                def change(made: Draft, at: int = at, text: str = text) -> None:
                    made.report.entries[at].extra = text

                yield change
