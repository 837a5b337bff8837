"""Edits of the records that change nothing that they say."""

from __future__ import annotations

import json
import random
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

from tests.faults.draft import Draft, sha256
from tests.faults.faults_records import raw
from tests.faults.faults_repository import put as put_record
from tests.faults.faults_repository import records
from tests.faults.faults_web import evidence, put, web_entries
from tests.faults.kinds import Change, harmless


def written(dumps: Callable[[Any], str]) -> Change:
    """Write the JSON files in another way."""

    def change(draft: Draft) -> None:
        draft.dumps = dumps

    return change


def _shuffled(data: Any, seed: float) -> Any:
    if isinstance(data, dict):
        keys = list(data)
        random.Random(seed).shuffle(keys)
        return {key: _shuffled(data[key], seed) for key in keys}
    return [_shuffled(row, seed) for row in data] if isinstance(data, list) else data


@harmless("JSON: compact, indented, escaped")
def json_forms(draft: Draft, rng: random.Random) -> Iterator[Change]:
    yield written(lambda data: json.dumps(data, ensure_ascii=False, separators=(",", ":")))
    yield written(lambda data: json.dumps(data, ensure_ascii=True))
    yield written(lambda data: json.dumps(data, indent="\t") + "\n\n")


@harmless("JSON: keys in another order")
def key_order(draft: Draft, rng: random.Random) -> Iterator[Change]:
    seed = rng.random()
    yield written(lambda data: json.dumps(_shuffled(data, seed), ensure_ascii=False))
    yield written(lambda data: json.dumps(data, sort_keys=True))


@harmless("JSON: byte order mark, CRLF")
def json_bytes(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for name in draft.records:
        yield raw(f"{name}.json", lambda data: b"\xef\xbb\xbf" + data)
        yield raw(f"{name}.json", lambda data: data.replace(b"\n", b"\r\n"))


@harmless("JSON: unknown fields")
def unknown_fields(draft: Draft, rng: random.Random) -> Iterator[Change]:
    def everywhere(data: Any) -> Any:
        if isinstance(data, dict):
            return {**{key: everywhere(value) for key, value in data.items()}, "x_note": {"by": "us"}}
        return [everywhere(row) for row in data] if isinstance(data, list) else data

    def change(made: Draft) -> None:
        for name in list(made.records):
            if name != "session":
                made.records[name] = everywhere(made.records[name])

    yield change


@harmless("results and content as bare lists")
def bare_lists(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for name, rows in (("results", "results"), ("content", "items")):

        def change(made: Draft, name: str = name, rows: str = rows) -> None:
            made.records[name] = made.records[name][rows]

        if name in draft.records:
            yield change


@harmless("ledger under its other name; a validation.json beside it")
def other_names(draft: Draft, rng: random.Random) -> Iterator[Change]:
    def plan(made: Draft) -> None:
        made.records["research_plan"] = made.records.pop("session")

    def validation(made: Draft) -> None:
        made.records["validation"] = {"valid": False, "errors": ["everything"]}

    yield from (plan, validation)


@harmless("rows of results, content and evidence in another order")
def row_order(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for rows in (lambda d: d.results, lambda d: d.pages, lambda d: d.repository):
        if len(rows(draft)) > 1:
            yield lambda made, rows=rows: rows(made).reverse()


@harmless("records that nothing cites, counted")
def extra_records(draft: Draft, rng: random.Random) -> Iterator[Change]:
    def count(made: Draft, words: str) -> None:
        field = made.report.value(2, words)
        field[1] = str(int(field[1]) + 1)

    def result(made: Draft) -> None:
        url = "https://docs.tamarind.example.com/unused"
        made.results.append({"query": "q", "title": "Unused", "url": url, "normalized_url": url})
        count(made, "retrieved sources")

    def page(made: Draft) -> None:
        text = "A page that nobody cites in the end."
        url = "https://docs.tamarind.example.com/unused"
        made.pages.append({"url": url, "title": "Unused", "content": text, "content_sha256": sha256(text), "error": ""})
        made.records["session"]["usage"]["content_extractions"] = len(made.pages)
        count(made, "content items")
        count(made, "successfully")

    def code(made: Draft) -> None:
        commit = made.checkout.commits[0]
        row = {"id": "code-unused", "kind": "code", "path": "README.md", "line": 1, "excerpt": "# The service"}
        made.repository.append({**row, "commit": commit, "snapshot": "commit"})
        count(made, "repository evidence")

    if draft.pages:
        yield from (result, page)
    if draft.repository:
        yield code


def _spelt(name: str, alter: Callable[[str], str]) -> None:
    @harmless(f"excerpt: {name}")
    def places(draft: Draft, rng: random.Random) -> Iterator[Change]:
        for place in web_entries(draft):
            text = evidence(draft, place)["excerpt"]
            if alter(text) != text:
                yield put(place, excerpt=alter(text))


_spelt("typographic quotes and dashes", lambda t: t.replace("'", "’").replace(' "', " “").replace('"', "”"))
_spelt("plain quotes and dashes", lambda t: t.replace("\u2013", "-").replace("’", "'"))
_spelt("no-break and doubled blanks", lambda t: t.replace(" ", "\u00a0", 2).replace(" ", "  ", 2))
_spelt("line breaks for blanks", lambda t: t.replace(" ", "\n", 3).replace(" ", " \r\n ", 1))
_spelt("another case", str.upper)
_spelt("full-width digits", lambda t: t.translate({48 + n: 0xFF10 + n for n in range(10)}))
_spelt("soft hyphens and zero-width marks", lambda t: t[:5] + "\u00ad" + t[5:9] + "\u200b" + t[9:])
_spelt("Unicode NFD", lambda t: unicodedata.normalize("NFD", t))
_spelt("blanks around it", lambda t: f"  {t}\n")
_spelt("without its full stop", lambda t: t.rstrip(".。"))


@harmless("evidence: an equal spelling of the URL")
def equal_urls(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for place in web_entries(draft):
        url = evidence(draft, place)["url"]
        host = url.split("/")[2]
        for other in (url + "#part", url.replace(host, host.upper()), url.replace(host, host + ":443")):
            yield put(place, url=other)


@harmless("code: other spellings of commit, path, line and excerpt")
def code_spellings(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "code"):
        row = draft.repository[at]
        if len(row["commit"]) == 40:
            for commit in (row["commit"][:7], row["commit"][:20], row["commit"].upper()):
                yield put_record(at, commit=commit)
        for path in (f"./{row['path']}", row["path"].replace("/", "//", 1), row["path"].replace("/", "/./", 1)):
            yield put_record(at, path=path)
        yield put_record(at, line=str(row["line"]))
        yield put_record(at, excerpt=row["excerpt"] + "\n")
        yield put_record(at, excerpt=row["excerpt"].replace("\n", "\r\n"))


@harmless("commit: a shorter id")
def commit_spellings(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "commit"):
        for length in (7, 12, 39):
            yield put_record(at, commit=draft.repository[at]["commit"][:length])


@harmless("receipt: other spellings of times, ids and arguments")
def receipt_spellings(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "test"):
        row = draft.repository[at]
        yield put_record(at, started_at="2025-03-06T07:00:00Z", finished_at="2025-03-06T07:00:41Z")
        yield put_record(at, started_at="2025-03-06T08:00:00+01:00")
        yield put_record(at, finished_at="2025-03-06T07:00:41.250+00:00")
        yield put_record(at, repository={**row["repository"], "head_commit": row["repository"]["head_commit"][:12]})
        yield put_record(at, relevance_review={**row["relevance_review"], "reviewed_at": "2025-03-06"})
        yield put_record(at, covers=list(reversed(row["covers"])))
        yield put_record(at, tested_paths=[*reversed(row["tested_paths"]), "README.md"])
        yield put_record(at, duration_seconds=41)
        yield put_record(at, duration_seconds=40.6)
        program = {"pytest": "/usr/local/bin/pytest", "python": "python3.11", "python3": "/usr/bin/python3"}
        yield put_record(at, argv=[program[row["argv"][0]], *row["argv"][1:]])


@harmless("confidence of the records in another case")
def confidence_case(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for alter in (str.upper, str.title):

        def change(made: Draft, alter: Callable[[str], str] = alter) -> None:
            for row in made.findings:
                row["confidence"] = alter(row["confidence"])

        yield change


@harmless("records that claim a tier or a live status")
def claimed_status(draft: Draft, rng: random.Random) -> Iterator[Change]:
    def change(made: Draft) -> None:
        for page in made.pages:
            page["live_verified"] = True
        for row in made.results:
            row["source_tier"] = "T1"

    if draft.pages:
        yield change
