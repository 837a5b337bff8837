"""Faults of repository evidence: code and commit records."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from tests.faults.draft import Draft
from tests.faults.kinds import Change, fault
from tests.faults.words import CHANGES

_MISMATCH = ("code-excerpt-mismatch", "code-line-out-of-range")
_FORGED = ["0" * 40, "deadbeef" * 5, "1234567", "f" * 40]


def records(draft: Draft, kind: str, *, pinned: bool | None = None) -> list[int]:
    """Indices of the cited records of a kind."""
    cited = {entry.shown.get("id") for entry in draft.report.entries}
    return [
        at
        for at, row in enumerate(draft.repository)
        if row["kind"] == kind
        and row["id"] in cited
        and (pinned is None or pinned == (row["commit"] in draft.checkout.commits))
    ]


def put(at: int, **values: object) -> Change:
    """Change fields of a record; None removes a field."""

    def change(draft: Draft) -> None:
        for name, value in values.items():
            if value is None:
                draft.repository[at].pop(name, None)
            else:
                draft.repository[at][name] = value

    return change


def _lines_at(draft: Draft, row: dict[str, Any], path: str, line: int) -> str | None:
    """What stands at a line and the ones after it, as many as the excerpt has; None outside the file."""
    commits = draft.checkout.commits
    commit = commits.index(row["commit"]) if row["commit"] in commits else 2
    if path not in draft.checkout.files[commit]:
        return None
    lines = draft.checkout.lines(commit, path)
    count = row["excerpt"].count("\n") + 1
    return "\n".join(lines[line - 1 : line - 1 + count]) if 1 <= line <= len(lines) - count + 1 else None


def _excerpt_fault(name: str, alter: Callable[[str, random.Random], Iterator[str]]) -> None:
    @fault(f"code excerpt: {name.replace('-', ' ')}", *_MISMATCH)
    def places(draft: Draft, rng: random.Random) -> Iterator[Change]:
        for at in records(draft, "code"):
            for text in alter(draft.repository[at]["excerpt"], rng):
                if text != draft.repository[at]["excerpt"] and text.strip():
                    yield put(at, excerpt=text)


for _name in ("digit-changed", "digit-dropped", "word-dropped", "word-inserted", "words-swapped", "letter-changed"):
    _excerpt_fault(_name, CHANGES[_name])


@fault("code excerpt: indentation, case or a line lost", *_MISMATCH)
def shape_lost(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "code"):
        text: str = draft.repository[at]["excerpt"]
        lines = text.split("\n")
        for other in (text.lstrip(), text.upper(), text.replace("    ", "\t"), text[:-1], "\n".join([*lines, "x = 1"])):
            if other != text and other.strip():
                yield put(at, excerpt=other)
        if len(lines) > 2:
            yield put(at, excerpt="\n".join([lines[0], *lines[2:]]))


@fault("code: kind or id of the record altered", "repository-evidence-not-found")
def record_lost(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for kind in ("code", "commit"):
        for at in records(draft, kind):
            for value in (None, "", "file", 5, "test"):
                yield put(at, kind=value)
                yield put(at, id=value)


@fault("code: excerpt absent or empty", "repository-evidence-incomplete")
def excerpt_absent(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "code"):
        for value in (None, "", " \n ", 5):
            yield put(at, excerpt=value)


@fault("code: line off by one", *_MISMATCH)
def off_by_one(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "code"):
        row = draft.repository[at]
        for line in (row["line"] - 1, row["line"] + 1):
            if _lines_at(draft, row, row["path"], line) != row["excerpt"]:
                yield put(at, line=line)


@fault("code: line moved far", *_MISMATCH)
def line_moved(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "code"):
        row = draft.repository[at]
        for line in (1, row["line"] + 7, row["line"] * 2 + 3, 10_000, 0, -1, -row["line"], 2**40):
            if line != row["line"] and _lines_at(draft, row, row["path"], line) != row["excerpt"]:
                yield put(at, line=line)


@fault("code: line is no number", "code-line-out-of-range")
def line_no_number(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "code"):
        for value in (None, True, "twelve", 1.5, [3], "", {"from": 1}):
            yield put(at, line=value)


@fault("code: path forged", "git-blob-not-found", "repository-path-not-found")
def path_forged(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "code"):
        path = draft.repository[at]["path"]
        for other in (
            path + "x",
            "src/" + path,
            path.rpartition("/")[0] or "nowhere",
            path.upper(),
            path[:-1],
            f"C:\\{path}",
        ):
            if other and other != path:
                yield put(at, path=other)


@fault("code: path leaves the repository", "repository-path-escape")
def path_escapes(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "code"):
        path = draft.repository[at]["path"]
        for other in (f"/{path}", f"../{path}", f"a/../{path}", ".git/config", "", ".", f"{path}\0", 7):
            yield put(at, path=other)


@fault("code: another file's path", *_MISMATCH)
def other_file(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "code"):
        row = draft.repository[at]
        commits = draft.checkout.commits
        commit = commits.index(row["commit"]) if row["commit"] in commits else 2
        for path in draft.checkout.files[commit]:
            if path != row["path"] and _lines_at(draft, row, path, row["line"]) != row["excerpt"]:
                yield put(at, path=path)


@fault("code: commit forged", "git-commit-not-found")
def commit_forged(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "code", pinned=True):
        right = draft.repository[at]["commit"]
        turned = right[:-1] + ("0" if right[-1] != "0" else "1")
        for value in (*_FORGED, turned, right + "0", right[:20] + "0" * 20):
            yield put(at, commit=value)


@fault("code: commit is a tree, a blob or a branch named like an id", "git-commit-not-found", "commit-label-ambiguous")
def commit_of_other_type(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "code", pinned=True):
        for value in (draft.checkout.trees[1], draft.checkout.hex_branch):
            yield put(at, commit=value)


@fault("code: another commit, where the lines differ", *_MISMATCH, "git-blob-not-found")
def other_commit(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "code", pinned=True):
        row = draft.repository[at]
        for commit in draft.checkout.commits:
            moved = {**row, "commit": commit}
            if commit != row["commit"] and _lines_at(draft, moved, row["path"], row["line"]) != row["excerpt"]:
                yield put(at, commit=commit)


def _unpinned(draft: Draft, *, alone: bool) -> Iterator[Change]:
    """Pins removed where the lines stand in the work tree too; ``alone`` where nothing else carries the finding."""
    for finding in draft.report.findings:
        entries = draft.findings[finding.row]["evidence"]
        if finding.label != "High" or alone == any(entry["kind"] == "commit" for entry in entries):
            continue
        for at in records(draft, "code", pinned=True):
            row = draft.repository[at]
            here = _lines_at(draft, {**row, "commit": "HEAD"}, row["path"], row["line"]) == row["excerpt"]
            if here and any(entry["id"] == row["id"] for entry in entries):
                for value in ("HEAD", "working-tree-unpinned", "main", "", None):
                    yield put(at, commit=value)


@fault("code: pin of a High removed", "code-unpinned", "confidence-inflated", "runtime-support-insufficient")
def unpinned(draft: Draft, rng: random.Random) -> Iterator[Change]:
    yield from _unpinned(draft, alone=True)


@fault("code: pin removed beside a commit that carries the High", "code-unpinned", warning=True)
def unpinned_beside(draft: Draft, rng: random.Random) -> Iterator[Change]:
    yield from _unpinned(draft, alone=False)


@fault("records: root not declared", "repository-root-missing")
def root_missing(draft: Draft, rng: random.Random) -> Iterator[Change]:
    if not draft.repository:
        return
    for value in (None, "", "  "):

        def change(made: Draft, value: object = value) -> None:
            made.records["code_evidence"]["root"] = value

        yield change

    def dropped(made: Draft) -> None:
        del made.records["code_evidence"]["root"]

    yield dropped


@fault("record: id unknown, misspelt or of another kind", "repository-evidence-not-found")
def id_unknown(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at, claim in enumerate(draft.claims()):
        for number, entry in enumerate(claim["evidence"]):
            if entry["kind"] == "web":
                continue
            others = [kind for kind in ("code", "commit", "test") if kind != entry["kind"]]
            for values in ({"id": entry["id"] + "9"}, {"id": ""}, {"id": "nope"}, *({"kind": kind} for kind in others)):

                def change(made: Draft, at: int = at, number: int = number, values: dict[str, str] = values) -> None:
                    made.claims()[at]["evidence"][number].update(values)

                yield change


@fault("record: two of one id", "duplicate-repository-evidence-id")
def id_duplicated(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for kind in ("code", "commit", "test"):
        for at in records(draft, kind):

            def twice(made: Draft, at: int = at) -> None:
                made.repository.append(dict(made.repository[at]))

            def other(made: Draft, at: int = at) -> None:
                row = made.repository[at]
                made.repository.insert(0, {**row, "line": 1, "excerpt": "other"})

            yield from (twice, other)


@fault("commit: subject altered", "commit-subject-mismatch")
def subject_altered(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "commit"):
        text = draft.repository[at]["subject"]
        altered = [
            out for name in ("word-dropped", "word-inserted", "letter-changed") for out in CHANGES[name](text, rng)
        ]
        for value in (*altered, text.upper(), text + ".", "fix: everything", "", None, 5):
            yield put(at, subject=value)


@fault("commit: id forged, a label, or absent", "git-commit-not-found", "commit-label-ambiguous")
def commit_record_forged(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "commit"):
        for value in (*_FORGED, "HEAD", "main", "", None, draft.checkout.trees[0], draft.checkout.hex_branch, "abc"):
            yield put(at, commit=value)


@fault("commit: another commit's id", "commit-subject-mismatch")
def commit_swapped(draft: Draft, rng: random.Random) -> Iterator[Change]:
    for at in records(draft, "commit"):
        for commit in draft.checkout.commits:
            if commit != draft.repository[at]["commit"]:
                yield put(at, commit=commit)
