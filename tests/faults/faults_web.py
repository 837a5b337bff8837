"""Faults of web evidence: excerpts, saved pages, retrieval results."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.faults.draft import Draft, sha256
from tests.faults.kinds import Change, fault
from tests.faults.language import make_fact
from tests.faults.words import CHANGES, stands_in

_MISSING = ("excerpt-not-in-content",)


def web_entries(draft: Draft) -> list[tuple[int, int]]:
    """Index of claim and of evidence of every web entry that is published."""
    return [
        (one, other)
        for one, claim in enumerate(draft.claims())
        for other, entry in enumerate(claim["evidence"])
        if entry["kind"] == "web"
    ]


def evidence(draft: Draft, place: tuple[int, int]) -> dict[str, Any]:
    """The evidence entry of a place."""
    return draft.claims()[place[0]]["evidence"][place[1]]


def put(place: tuple[int, int], **values: object) -> Change:
    """Change fields of an evidence entry; None removes a field."""

    def change(draft: Draft) -> None:
        entry = evidence(draft, place)
        for name, value in values.items():
            if value is None:
                entry.pop(name, None)
            else:
                entry[name] = value

    return change


def _excerpt_fault(name: str, alter: Callable[[str, random.Random], Iterator[str]]) -> None:
    @fault(f"excerpt: {name.replace('-', ' ')}", *_MISSING)
    def places(draft: Draft, rng: random.Random) -> Iterator[Change]:
        for place in web_entries(draft):
            entry = evidence(draft, place)
            page = draft.page(entry["url"])["content"]
            for text in alter(entry["excerpt"], rng):
                if not stands_in(text, page):
                    yield put(place, excerpt=text)


for _name, _alter in CHANGES.items():
    _excerpt_fault(_name, _alter)


@fault("excerpt: fabricated", *_MISSING)
def fabricated(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for place in web_entries(draft):
        text = make_fact(rng, draft.language).excerpt
        if not stands_in(text, draft.page(evidence(draft, place)["url"])["content"]):
            yield put(place, excerpt=text)


@fault("excerpt: passages stitched", *_MISSING)
def stitched(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for place in web_entries(draft):
        entry = evidence(draft, place)
        page = draft.page(entry["url"])["content"]
        other = page.split("\n\n")[-1][:60]
        for glue in (" ... ", " … ", " [...] ", " ", " / ", "; "):
            for text in (entry["excerpt"] + glue + other, other + glue + entry["excerpt"]):
                if not stands_in(text, page):
                    yield put(place, excerpt=text)


@fault("excerpt: inner words replaced by an ellipsis", *_MISSING)
def elided(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for place in web_entries(draft):
        text = evidence(draft, place)["excerpt"]
        third = len(text) // 3
        for mark in ("...", "…", "[…]", " … "):
            yield put(place, excerpt=text[:third] + mark + text[2 * third :])


@fault("excerpt: from another page", *_MISSING)
def other_page(draft: Draft, rng: random.Random) -> Iterator[Change]:
    everywhere = web_entries(draft)
    for place in everywhere:
        for other in everywhere:
            one, two = evidence(draft, place), evidence(draft, other)
            if one["url"] != two["url"] and not stands_in(two["excerpt"], draft.page(one["url"])["content"]):
                yield put(place, excerpt=two["excerpt"])


@fault("evidence: source swapped", *_MISSING)
def source_swapped(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for place in web_entries(draft):
        entry = evidence(draft, place)
        for page in draft.pages:
            if page["url"] != entry["url"] and page["content"] and not stands_in(entry["excerpt"], page["content"]):
                yield put(place, url=page["url"])


@fault("excerpt: absent, empty or no text", "supporting-excerpt-missing")
def excerpt_absent(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for place in web_entries(draft):
        for value in (None, "", "   ", "\n\t", 7, ["text"]):
            yield put(place, excerpt=value)


@fault("excerpt: too short", "excerpt-too-short", *_MISSING)
def too_short(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for place in web_entries(draft):
        text = evidence(draft, place)["excerpt"]
        for length in (1, 2, 5):
            yield put(place, excerpt=text[:length])


@fault("excerpt: cut at a negation or condition", "excerpt-cut-at-negation")
def cut_at_negation(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for place in web_entries(draft):
        text = evidence(draft, place)["excerpt"]
        for word in (" not ", " never ", " unless "):
            before, found, after = text.partition(word)
            if found and word == " unless ":
                yield put(place, excerpt=before)
            elif found:
                yield put(place, excerpt=after)
        before, found, after = text.partition("不会")
        if found and len(after) > 8:
            yield put(place, excerpt=after)


@fault("evidence: URL was never retrieved", "web-source-not-retrieved")
def unretrieved(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for place in web_entries(draft):
        url = evidence(draft, place)["url"]
        for other in (url + "x", url.replace("//", "//old."), url.replace("https:", "https:", 1) + "&v=2", url + "/x"):
            yield put(place, url=other)


@fault("evidence: URL is none", "invalid-url")
def invalid_url(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for place in web_entries(draft):
        host = evidence(draft, place)["url"].removeprefix("https://")
        for url in (f"ftp://{host}", f"https://user:secret@{host}", "javascript:alert(1)", f"file:///{host}", host, ""):
            yield put(place, url=url)


@fault("result: the row of a cited page removed", "web-source-not-retrieved", "required-results-missing")
def result_removed(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for url in _cited(draft):

        def change(made: Draft, url: str = url) -> None:
            made.results[:] = [row for row in made.results if row["url"] != url]

        yield change


@fault("result: URL altered", "web-source-not-retrieved")
def result_url(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for url in _cited(draft):

        def change(made: Draft, url: str = url) -> None:
            row = next(row for row in made.results if row["url"] == url)
            row["url"] = row["normalized_url"] = url + "-b"

        yield change


@fault("page: removed, emptied or failed", "web-content-not-extracted", "required-content-missing")
def page_lost(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for url in _cited(draft):

        def removed(made: Draft, url: str = url) -> None:
            made.pages[:] = [row for row in made.pages if row["url"] != url]

        def emptied(made: Draft, url: str = url) -> None:
            made.page(url)["content"] = "  \n"

        def failed(made: Draft, url: str = url) -> None:
            made.page(url)["error"] = "HTTP 403"

        yield from (removed, emptied, failed)


@fault("page: edited, hash stale", "content-hash-mismatch")
def page_edited(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for url in _cited(draft):
        page = draft.page(url)
        if "content_sha256" not in page:
            continue
        text = page["content"]
        at = rng.randrange(len(text))
        for edited in (
            text + " Added.",
            "x" + text,
            text[:-1],
            text[:at] + "~" + text[at:],
            text.replace("\n", " ", 1),
        ):

            def change(made: Draft, url: str = url, edited: str = edited) -> None:
                made.page(url)["content"] = edited

            yield change


@fault("page: hash altered", "content-hash-mismatch", "artifact-schema")
def hash_altered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for url in _cited(draft):
        right = sha256(draft.page(url)["content"])
        for value in (sha256("other"), right[:-1], right[:-1] + "g", 5, "sha256:" + sha256("other")):

            def change(made: Draft, url: str = url, value: object = value) -> None:
                made.page(url)["content_sha256"] = value

            yield change


@fault("page: the cited sentence edited, hash renewed", *_MISSING)
def sentence_edited(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for place in web_entries(draft):
        entry = evidence(draft, place)
        text = draft.page(entry["url"])["content"]
        at = text.find(entry["excerpt"])
        if at < 0 or text.count(entry["excerpt"]) != 1:
            continue
        at += rng.randrange(1, len(entry["excerpt"]) - 1)
        edited = text[:at] + "Qx" + text[at + 1 :]
        if stands_in(entry["excerpt"], edited):
            continue

        def change(made: Draft, url: str = entry["url"], edited: str = edited) -> None:
            page = made.page(url)
            page["content"] = edited
            page["content_sha256"] = sha256(edited)

        yield change


@fault("page: the cited sentence hyphenated at a line end", "excerpt-matches-loosely")
def hyphenated(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for place in web_entries(draft):
        entry = evidence(draft, place)
        text = draft.page(entry["url"])["content"]
        words = [word for word in entry["excerpt"].split() if word.isascii() and word.isalpha() and len(word) > 6]
        if not words or text.count(entry["excerpt"]) != 1:
            continue
        word = rng.choice(words)
        broken = entry["excerpt"].replace(word, f"{word[:4]}-\n{word[4:]}", 1)

        def change(made: Draft, entry: dict[str, Any] = entry, broken: str = broken) -> None:
            page = made.page(entry["url"])
            page["content"] = page["content"].replace(entry["excerpt"], broken)
            page["content_sha256"] = sha256(page["content"])

        yield change


@fault("page: cut off before the cited sentence", *_MISSING)
def page_cut(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for place in web_entries(draft):
        entry = evidence(draft, place)
        text = draft.page(entry["url"])["content"]
        at = text.find(entry["excerpt"][:20])
        if at > 40 and not stands_in(entry["excerpt"], text[: at + 10]):

            def change(made: Draft, url: str = entry["url"], at: int = at) -> None:
                page = made.page(url)
                page["content"] = page["content"][: at + 10]
                page["content_sha256"] = sha256(page["content"])

            yield change


@fault("page: marked as truncated", "content-truncated")
def page_truncated(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for url in _cited(draft):

        def change(made: Draft, url: str = url) -> None:
            made.page(url)["truncated"] = True

        yield change


def _cited(draft: Draft) -> list[str]:
    return list(dict.fromkeys(evidence(draft, place)["url"] for place in web_entries(draft)))
