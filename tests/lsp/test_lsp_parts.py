"""The parts of the language server by themselves."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence_lint.cli.lsp import SettingsPlanner
from evidence_lint.dialect import LoadOptions
from evidence_lint.engine.collect import Argument, collect
from evidence_lint.lsp.changes import differences
from evidence_lint.lsp.checker import Cancelled, Checker, Job, Snapshot, Token, Trouble
from evidence_lint.lsp.documents import Change, Document, Documents, path_of, uri_of
from evidence_lint.lsp.overlay import loader
from evidence_lint.lsp.positions import Encoding, LineTable, Place, units
from evidence_lint.lsp.scheduler import Scheduler
from evidence_lint.lsp.suppressing import suppression
from evidence_lint.lsp.words import Page, visible
from evidence_lint.model.artifact import FaultKind
from evidence_lint.model.bundle import ResearchBundle
from evidence_lint.model.example import base_sections, research_example
from evidence_lint.model.verdict import Outcome

ENCODINGS: list[Encoding] = ["utf-8", "utf-16", "utf-32"]
TEXTS = st.text(st.sampled_from("ab \n\rä😀\u2028\x0c\ufeff\ud800"), max_size=40)
PLANNER = SettingsPlanner()


# Positions


@settings(deadline=None)
@given(TEXTS, st.sampled_from(ENCODINGS), st.integers(0, 45))
def test_a_position_leads_back_to_its_character(text: str, encoding: Encoding, offset: int) -> None:
    table = LineTable(text, encoding)
    decoded = text.removeprefix("\ufeff")
    at = min(offset, len(decoded))
    place = table.place(at)
    # Between CR and LF, and behind a line end of its own line, an editor has no position.
    if not (decoded[at - 1 : at + 1] == "\r\n" and at):
        assert table.offset(place) == at
    assert table.place(10_000) == table.place(len(decoded))


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 7), ("utf-16", 4), ("utf-32", 3)])
def test_columns_are_code_units(encoding: Encoding, column: int) -> None:
    assert LineTable("x\nä😀bc", encoding).place(5) == Place(1, column)
    assert units("\ud800", encoding) == (3 if encoding == "utf-8" else 1)


def test_a_position_inside_a_character_or_beyond_a_line() -> None:
    table = LineTable("😀b\r\nc", "utf-16")
    assert [table.offset(Place(0, column)) for column in (0, 1, 2, 3, 99)] == [0, 0, 1, 2, 2]
    assert (table.offset(Place(1, 5)), table.offset(Place(7, 0)), table.offset(Place(-1, 0))) == (5, 5, 0)


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_differences_make_one_text_of_the_other(before: str, after: str) -> None:
    made = before
    edits = list(differences(before, after))
    for start, end, text in reversed(edits):
        made = made[:start] + text + made[end:]
    assert made == after
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(edits))
    for start, end, _ in edits:
        assert before[start - 1 : start + 1] != "\r\n" or not start
        assert before[end - 1 : end + 1] != "\r\n" or not end


# Documents


def test_changes_apply_in_order() -> None:
    documents = Documents()
    path = documents.open("file:///tmp/a%20b/r.md", "one\r\ntwo", 1)
    assert path == Path("/tmp/a b/r.md")
    rows = [
        Change("ONE", Place(0, 0), Place(0, 3)),
        Change("!", Place(1, 3), Place(1, 3)),
        Change("x", Place(0, 9), Place(1, 0)),
    ]
    assert documents.change("file:///tmp/a%20b/r.md", 2, rows) == path
    document = documents.get("file:///tmp/a b/r.md")
    assert document is not None
    assert (document.text, document.version, document.edited) == ("ONExtwo!", 2, True)
    assert documents.change("file:///other", 1, []) is None
    documents.save(document.uri)
    assert [row.edited for row in documents] == [False]
    assert documents.close(document.uri) == path
    assert not documents.texts()


@pytest.mark.parametrize(
    "uri", ["untitled:1", "http://x/y", "file://host/x", "file:x", "file:///a%00b", "", "//[", "git:/x"]
)
def test_what_is_no_file(uri: str) -> None:
    assert path_of(uri) is None


def test_a_path_and_its_uri() -> None:
    path = Path("/tmp/ä #?%/x.md")
    assert path_of(uri_of(path)) == path
    assert path_of("file:///a/../b/./c") == Path("/b/c")


# Words


@settings(deadline=None)
@given(st.text(max_size=60))
def test_nothing_in_a_shown_text_acts(text: str) -> None:
    for shown in (visible(text), visible(text, lines=True)):
        assert all(character.isprintable() or character in "\n\t\u200c\u200d" for character in shown)
    page = Page(markdown=True)
    page.quote(text)
    body = page.text.split("\n")
    assert set(body[0].removesuffix("text")) == {"`"}
    assert all(not line.startswith(body[-1]) for line in body[1:-1])


def test_markdown_is_escaped_and_plain_text_is_not() -> None:
    evil = "- [a](b) <i> `c` http://x www.y &amp; 1*2 #3 _d_"
    escaped = Page(markdown=True).escaped(evil)
    assert escaped == r"\- \[a\]\(b\) \<i\> \`c\` http\://x www\.y \&amp; 1\*2 \#3 \_d\_"
    assert Page(markdown=True).escaped("12. x") == r"12\. x"
    assert Page(markdown=False).escaped(evil) == evil
    assert len(Page().escaped("x" * 5000)) == 601


# Unsaved texts


def write(folder: Path, **parts: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in research_example("", **parts).files.items():
        (folder / name).write_text(text)
    return folder / "report.md"


def loaded(report: Path, *documents: Document) -> ResearchBundle:
    with ExitStack() as stack:
        plan = PLANNER(report, "offline", stack)
        [found] = collect([Argument(report)], plan.catalogue.dialects, LoadOptions(max_bytes=5000))
        texts = {str(document.path.resolve()): document for document in documents}
        bundle = loader(found.dialect, texts)(found.candidate, LoadOptions(max_bytes=5000))
    assert isinstance(bundle, ResearchBundle)
    return bundle


def document(path: Path, text: str, *, edited: bool = True) -> Document:
    return Document(path.as_uri(), path, text, 1, edited)


def test_unsaved_texts_are_loaded_where_their_files_stand(tmp_path: Path) -> None:
    report = write(tmp_path / "b")
    findings = report.parent / "findings.json"
    plain = loaded(report)
    assert loaded(report, document(report, report.read_text())) == plain
    bundle = loaded(report, document(report, "# Other\r\n"), document(findings, '{"findings": []}'))
    assert bundle.artifacts["report"].text == "# Other\r\n"
    assert not bundle.records.findings
    assert bundle.records.content == plain.records.content
    assert (bundle.path, bundle.folder) == (plain.path, plain.folder)
    assert {name: row.path for name, row in bundle.artifacts.items()} == {n: r.path for n, r in plain.artifacts.items()}
    assert bundle.artifacts["session"] == plain.artifacts["session"], "what is absent stays so"
    assert report.read_text() != "# Other\r\n"


def test_an_unsaved_text_is_bounded_and_of_an_encoding(tmp_path: Path) -> None:
    report = write(tmp_path / "b")
    report.write_bytes(b"\xef\xbb\xbf" + report.read_bytes())
    kept = loaded(report, document(report, "\ufeff# x"))
    assert (kept.artifacts["report"].text, kept.artifacts["report"].bom) == ("# x", True)
    long = loaded(report, document(report, "x" * 6000)).artifacts["report"]
    assert [fault.kind for fault in long.faults] == [FaultKind.UNREADABLE]
    lone = loaded(report, document(report, "\ud800")).artifacts["report"]
    assert [fault.kind for fault in lone.faults] == [FaultKind.UNREADABLE]


def test_what_may_not_be_read_stays_unread_beside_an_unsaved_text(tmp_path: Path) -> None:
    report = write(tmp_path / "b")
    (tmp_path / "secret.json").write_text('{"findings": []}')
    (report.parent / "findings.json").unlink()
    (report.parent / "findings.json").symlink_to(tmp_path / "secret.json")
    plain = loaded(report)
    bundle = loaded(report, document(report, "# x"), document(report.parent / "findings.json", '{"findings": []}'))
    assert plain.artifacts["findings"].faults
    assert bundle.artifacts["findings"] == plain.artifacts["findings"]
    assert bundle.records.broken == plain.records.broken == {"findings"}


# Checks


def check(report: Path, token: Token | None = None) -> Sequence[Snapshot | Trouble]:
    return Checker(PLANNER).check(Job(frozenset({report}), {}, token=token or Token()))


def test_a_check_that_was_called_off_ends_at_the_next_verdict(tmp_path: Path) -> None:
    report = write(tmp_path)
    [snapshot] = check(report)
    assert isinstance(snapshot, Snapshot)
    assert snapshot.row.counts.passed > 100

    class Ending(Token):
        looks = 0

        @property
        def cancelled(self) -> bool:
            self.looks += 1
            return self.looks > 20

    token = Ending()
    with pytest.raises(Cancelled):
        check(report, token)
    assert token.looks < 30
    assert isinstance(check(report)[0], Snapshot), "the next check is none the worse for it"


def test_wrong_settings_are_trouble_and_no_error(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    report = write(tmp_path)
    (tmp_path / "evidence-lint.toml").write_text('select = ["NOPE"]\n')
    [trouble] = check(report)
    assert isinstance(trouble, Trouble)
    assert "NOPE" in trouble.message
    (tmp_path / "evidence-lint.toml").write_text('select = ["NOPE"]\nrules = ["local.py"]\n')
    [trouble] = check(report)
    assert isinstance(trouble, Trouble)
    assert "--trust-workspace" in trouble.message


def test_suppressions_silence_their_rule_and_change_nothing_else(tmp_path: Path) -> None:
    """Every problem of a faulty report, wherever it stands, can be suppressed without making a new one."""
    sections = {
        2: base_sections()[2].replace("Retrieved sources: 1", "Retrieved sources: 4").replace("`Full`", "`Partial`"),
        4: base_sections()[4].replace("[1]", "\n  It is 99 % certain. [1] [7]"),
        5: "### Copies\n\nEvery record is kept three times. [1]\nA line further on. [8]\n\n```\n[9] in a fence\n```",
        8: base_sections()[8] + "\n\n[2] Nothing — https://www.example.gov/none — government — date: unknown",
    }
    report = write(tmp_path, sections=sections)
    [snapshot] = check(report)
    assert isinstance(snapshot, Snapshot)
    failed = [v for v in snapshot.row.verdicts if v.outcome is Outcome.FAILED]
    tried = set()
    for verdict in failed:
        edit = suppression(verdict, snapshot)
        if edit is None or edit.artifact != "report":
            continue
        tried.add(verdict.code)
        text = report.read_text()
        marked = text[: edit.start] + edit.text.replace(" -->", " as a test -->") + text[edit.end :]
        job = Job(frozenset({report}), {str(report.resolve()): document(report, marked)})
        [after] = Checker(PLANNER).check(job)
        assert isinstance(after, Snapshot)
        left = sorted(v.code for v in after.row.verdicts if v.outcome is Outcome.FAILED)
        silenced = [v.code for v in after.row.verdicts if v.outcome is Outcome.SUPPRESSED]
        assert verdict.code in silenced, marked
        assert sorted([*left, *silenced]) == sorted(v.code for v in failed), (verdict.code, marked)
    assert {"OUT115", "CIT101"} <= tried
    meta = replace(failed[0], code="META101")
    assert suppression(meta, snapshot) is None


# Scheduling


class Slow(Checker):
    """A checker that works until it is told to end, or called off."""

    def __init__(self) -> None:
        super().__init__(PLANNER)
        self.jobs: list[Job] = []
        self.go = threading.Event()
        self.deaf = False

    def check(self, job: Job) -> Sequence[Snapshot | Trouble]:
        self.jobs.append(job)
        while not self.go.wait(0.005):
            if not self.deaf:
                job.token.require()
        if any(path.name == "bug" for path in job.paths):
            raise ValueError("on purpose")
        return [Trouble(path, "done") for path in sorted(job.paths)]


class Desk:
    def __init__(self, **limits: float) -> None:
        self.checker = Slow()
        self.finished: list[frozenset[Path]] = []
        self.told: list[str] = []
        self.scheduler = Scheduler(
            self.checker, dict, lambda job, _: self.finished.append(job.paths), self.told.append, pause=0.01, **limits
        )

    async def started(self, number: int) -> None:
        while len(self.checker.jobs) < number:
            await asyncio.sleep(0.005)


A, B, BUG = Path("/a"), Path("/b"), Path("/bug")


def test_a_newer_change_calls_the_older_check_off() -> None:
    async def scenario() -> Desk:
        desk = Desk()
        desk.scheduler.touch([A, B])
        await desk.started(1)
        desk.scheduler.touch([A])
        await desk.started(2)
        assert desk.checker.jobs[0].token.cancelled
        desk.checker.go.set()
        assert await desk.scheduler.settled(5)
        return desk

    desk = asyncio.run(scenario())
    assert desk.finished == [frozenset({A, B})], "what was called off for A is still done for B"
    assert desk.told == []


def test_changes_in_quick_succession_are_one_check() -> None:
    async def scenario() -> Desk:
        desk = Desk()
        desk.checker.go.set()
        for _ in range(20):
            desk.scheduler.touch([A])
        desk.scheduler.touch([])
        assert await desk.scheduler.settled(5)
        return desk

    assert asyncio.run(scenario()).finished == [frozenset({A})]


def test_a_change_elsewhere_waits_for_its_turn() -> None:
    async def scenario() -> Desk:
        desk = Desk()
        desk.scheduler.touch([A])
        await desk.started(1)
        desk.scheduler.touch([B])
        assert not await desk.scheduler.settled(0.05)
        desk.checker.go.set()
        assert await desk.scheduler.settled(5)
        return desk

    assert asyncio.run(scenario()).finished == [frozenset({A}), frozenset({B})]


def test_a_check_that_takes_too_long_is_called_off_and_left_behind() -> None:
    async def scenario() -> Desk:
        desk = Desk(limit=0.4, grace=0.1)
        desk.scheduler.touch([A])
        assert await desk.scheduler.settled(5)
        desk.checker.deaf = True
        desk.scheduler.touch([B])
        assert await desk.scheduler.settled(5)
        desk.checker.go.set()
        await asyncio.sleep(0.05)
        assert desk.finished == []
        desk.scheduler.touch([A])
        assert await desk.scheduler.settled(5)
        return desk

    desk = asyncio.run(scenario())
    assert desk.finished == [frozenset({A})], "an abandoned check that ends after all counts for nothing"
    assert [line.endswith("left behind") for line in desk.told] == [False, True]


def test_a_live_check_is_asked_for_once_and_never_again_by_typing() -> None:
    async def scenario() -> Desk:
        desk = Desk()
        asked = asyncio.create_task(desk.scheduler.live(A))
        await desk.started(1)
        desk.scheduler.touch([A])
        assert await asked is False
        await desk.started(2)
        desk.checker.go.set()
        assert await desk.scheduler.settled(5)
        assert await desk.scheduler.live(A) is True
        return desk

    desk = asyncio.run(scenario())
    assert [job.mode for job in desk.checker.jobs] == ["live", "offline", "live"]


def test_a_fault_of_the_checker_is_told_and_the_next_check_runs() -> None:
    async def scenario() -> Desk:
        desk = Desk()
        desk.checker.go.set()
        desk.scheduler.touch([BUG])
        assert await desk.scheduler.settled(5)
        desk.scheduler.touch([A])
        desk.scheduler.touch([BUG])
        desk.scheduler.forget(BUG)
        assert await desk.scheduler.settled(5)
        return desk

    desk = asyncio.run(scenario())
    assert desk.finished == [frozenset({A})]
    assert desk.told == ["the check of bug was not finished, and the last result stands: ValueError: on purpose"]
