"""The language server on pygls: the protocol's messages to the parts of this package, and their answers back.

Nothing that a document holds is executed, and no error ends the server: it is told to the editor's log.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

from lsprotocol import types

from evidence_lint.lsp.actions import KINDS, actions_at
from evidence_lint.lsp.board import Board
from evidence_lint.lsp.checker import Checker, Job, Planner, Snapshot, Trouble
from evidence_lint.lsp.client import Client, compatible, read_client
from evidence_lint.lsp.documents import Change, Documents, path_of
from evidence_lint.lsp.hover import hover_text
from evidence_lint.lsp.lookup import Found, Lookup
from evidence_lint.lsp.navigation import definitions, references
from evidence_lint.lsp.places import Places
from evidence_lint.lsp.positions import Encoding, Place
from evidence_lint.lsp.protocol import make_server
from evidence_lint.lsp.scheduler import Scheduler
from evidence_lint.model.location import Location
from evidence_lint.model.verdict import Outcome, Verdict

P = TypeVar("P")
R = TypeVar("R")

CHECK_LIVE = "evidence-lint.checkLive"
_PATIENCE = 3.0
"""Seconds that an answer waits for a check of what was just typed."""
_SETTINGS = {"pyproject.toml", "evidence-lint.toml"}


class EvidenceServer:
    """The server's features, registered on a pygls server."""

    def __init__(self, planner: Planner) -> None:
        self.server = make_server()
        self._documents = Documents()
        self._client = Client()
        self._noted: set[str] = set()
        self._board = Board(self._documents, self.server.text_document_publish_diagnostics)
        self._scheduler = Scheduler(Checker(planner), self._documents.texts, self._finish, self._log)
        self._register()

    def _register(self) -> None:
        def feature(method: str, options: object = None) -> Callable[[object], object]:
            return cast("Callable[[object], object]", self.server.feature(method, options))

        feature(types.INITIALIZE)(self._told(self._initialize))
        feature(types.INITIALIZED)(self._told(self._initialized))
        feature(types.TEXT_DOCUMENT_DID_OPEN)(self._told(self._opened))
        feature(types.TEXT_DOCUMENT_DID_CHANGE)(self._told(self._changed))
        feature(types.TEXT_DOCUMENT_DID_SAVE)(self._told(self._saved))
        feature(types.TEXT_DOCUMENT_DID_CLOSE)(self._told(self._closed))
        feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(self._told(self._files_changed))
        feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(self._told(self._recheck))
        feature(types.TEXT_DOCUMENT_HOVER)(self._asked(self._hover))
        feature(types.TEXT_DOCUMENT_DEFINITION)(self._asked(self._definition))
        feature(types.TEXT_DOCUMENT_REFERENCES)(self._asked(self._references))
        feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=list(KINDS)))(
            self._asked(self._actions)
        )

        async def check_live(*arguments: object) -> object:
            return await self._asked(self._check_live)(arguments)

        self.server.command(CHECK_LIVE)(check_live)

    def _told(self, handle: Callable[[P], None]) -> Callable[[P], None]:
        """A handler of notifications that raises nothing."""

        def guarded(params: P) -> None:
            try:
                handle(params)
            except Exception as problem:  # noqa: BLE001 - told to the editor; the server goes on
                self._broke(problem)

        return guarded

    def _asked(self, handle: Callable[[P], Awaitable[R]]) -> Callable[[P], Awaitable[R | None]]:
        """A handler of requests that raises nothing: its answer is then none."""

        async def guarded(params: P) -> R | None:
            try:
                return await handle(params)
            except Exception as problem:  # noqa: BLE001 - told to the editor; the server goes on
                self._broke(problem)
                return None

        return guarded

    def _initialize(self, params: types.InitializeParams) -> None:
        self._client = read_client(params.capabilities)
        encoding = self.server.workspace.position_encoding
        word = encoding.value if isinstance(encoding, types.PositionEncodingKind) else encoding
        if word in {"utf-8", "utf-16", "utf-32"}:
            self._documents.encoding = cast("Encoding", word)

    def _initialized(self, params: types.InitializedParams) -> None:
        if self._client.watches_files:
            watchers = [types.FileSystemWatcher(f"**/*.{suffix}") for suffix in ("md", "markdown", "json", "jsonl")]
            watchers += [types.FileSystemWatcher(f"**/{name}") for name in sorted(_SETTINGS)]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            row = types.Registration("files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            self.server.client_register_capability(types.RegistrationParams([row]))

    def _opened(self, params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        self._touch(self._documents.open(document.uri, document.text, document.version), pause=0)

    def _changed(self, params: types.DidChangeTextDocumentParams) -> None:
        changes = [_change(change) for change in params.content_changes]
        self._touch(self._documents.change(params.text_document.uri, params.text_document.version, changes))

    def _saved(self, params: types.DidSaveTextDocumentParams) -> None:
        path = self._documents.save(params.text_document.uri)
        if path is not None and path.name in _SETTINGS:
            self._recheck(params)
        self._touch(path, pause=0)

    def _closed(self, params: types.DidCloseTextDocumentParams) -> None:
        path = self._documents.close(params.text_document.uri)
        if path is not None:
            self._scheduler.forget(path)
            self._scheduler.touch(self._board.closed(path))

    def _files_changed(self, params: types.DidChangeWatchedFilesParams) -> None:
        changed = {path for event in params.changes if (path := path_of(event.uri)) is not None}
        everywhere = any(path.name in _SETTINGS for path in changed)
        folders = {path.parent for path in changed}
        near = {snapshot.key for path in changed for snapshot in self._board.of(path)}
        for document in self._documents:
            covered = any(snapshot.key in near for snapshot in self._board.of(document.path))
            if everywhere or covered or document.path.parent in folders:
                self._touch(document.path)

    def _recheck(self, params: object) -> None:
        self._scheduler.touch([document.path for document in self._documents])

    def _touch(self, path: Path | None, *, pause: float | None = None) -> None:
        """Check a file's bundles again: those it is known to belong to, under the name of their main file too."""
        if path is not None:
            mains = {s.row.bundle.artifacts[s.row.bundle.main].path for s in self._board.of(path)}
            self._scheduler.touch({path, *mains}, pause=pause)

    def _finish(self, job: Job, outcomes: Sequence[Snapshot | Trouble]) -> None:
        try:
            self._board.finish(job, outcomes)
        except Exception as problem:  # noqa: BLE001 - told to the editor; the server goes on
            self._broke(problem)
        for outcome in outcomes:
            for notice in outcome.result.notices if isinstance(outcome, Snapshot) else ():
                if notice not in self._noted:
                    self._noted.add(notice)
                    self._log(notice)

    async def _hover(self, params: types.HoverParams) -> types.Hover | None:
        for places, artifact, offset in await self._here(params):
            # The passage most like an excerpt is looked for here, in pages of any length.
            hover = await asyncio.to_thread(self._hover_at, places, artifact, offset)
            if hover is not None:
                return hover
        return None

    def _hover_at(self, places: Places, artifact: str, offset: int) -> types.Hover | None:
        lookup = Lookup(places.snapshot)
        found = lookup.at(artifact, offset)
        verdicts = [v for v in places.snapshot.row.verdicts if _stands_at(v, artifact, offset, places)]
        text = hover_text(found, verdicts, lookup, markdown=self._client.markdown)
        kind = types.MarkupKind.Markdown if self._client.markdown else types.MarkupKind.PlainText
        there = places.location(found.location).range if found is not None else None
        return types.Hover(types.MarkupContent(kind, text), there) if text else None

    async def _definition(self, params: types.DefinitionParams) -> list[types.Location] | None:
        return await self._jump(params, definitions)

    async def _references(self, params: types.ReferenceParams) -> list[types.Location] | None:
        whole = params.context.include_declaration
        return await self._jump(params, lambda found, lookup: references(found, lookup, declaration=whole))

    async def _jump(
        self, params: types.DefinitionParams | types.ReferenceParams, jump: Callable[[Found, Lookup], list[Location]]
    ) -> list[types.Location] | None:
        rows: list[types.Location] = []
        for places, artifact, offset in await self._here(params):
            lookup = Lookup(places.snapshot)
            found = lookup.at(artifact, offset)
            for location in jump(found, lookup) if found is not None else ():
                row = places.location(location)
                if row not in rows:
                    rows.append(row)
        return rows or None

    async def _actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        rows: list[types.CodeAction] = []
        asked = params.context.only
        only = [kind.value if isinstance(kind, types.CodeActionKind) else kind for kind in asked] if asked else None
        for places, artifact in await self._places(params.text_document.uri):
            for action in await asyncio.to_thread(actions_at, places, artifact, params.range, only):
                action.edit = compatible(action.edit, self._client)
                if all((row.title, row.edit) != (action.title, action.edit) for row in rows):
                    rows.append(action)
        return rows

    async def _check_live(self, arguments: Sequence[object]) -> object:
        """Check the bundles of some documents once with live captures; without arguments, of all that are open."""
        named = [path for word in arguments if isinstance(word, str) and (path := path_of(word)) is not None]
        paths = named or [document.path for document in self._documents]
        finished = [await self._scheduler.live(path) for path in self._one_a_bundle(paths)]
        if not all(finished):
            self._log("a live check was called off, since the files changed meanwhile or it took too long")
        return {"checked": sum(finished), "cancelled": len(finished) - sum(finished)}

    def _one_a_bundle(self, paths: Sequence[Path]) -> list[Path]:
        seen: set[str] = set()
        chosen: list[Path] = []
        for path in paths:
            keys = {snapshot.key for snapshot in self._board.of(path)}
            if not keys or not keys <= seen:
                chosen.append(path)
            seen |= keys
        return chosen

    async def _here(
        self, params: types.HoverParams | types.DefinitionParams | types.ReferenceParams
    ) -> list[tuple[Places, str, int]]:
        """The bundles of a document with the character that a position means in each."""
        rows = await self._places(params.text_document.uri)
        found = [(places, artifact, places.offset(artifact, params.position)) for places, artifact in rows]
        return [(places, artifact, offset) for places, artifact, offset in found if offset is not None]

    async def _places(self, uri: str) -> list[tuple[Places, str]]:
        """The bundles of a document, after a short wait where the last check is of an older text."""
        path = path_of(uri)
        if path is None:
            return []
        rows = self._known(path)
        if not rows or not all(places.current(artifact) for places, artifact in rows):
            await self._scheduler.settled(_PATIENCE)
            rows = self._known(path)
        return rows

    def _known(self, path: Path) -> list[tuple[Places, str]]:
        snapshots = [(snapshot, snapshot.artifact_of(path)) for snapshot in self._board.of(path)]
        return [(Places(snapshot, self._documents), name) for snapshot, name in snapshots if name is not None]

    def _log(self, message: str) -> None:
        self.server.window_log_message(types.LogMessageParams(types.MessageType.Warning, f"evidence-lint: {message}"))

    def _broke(self, problem: Exception) -> None:
        where = "".join(traceback.format_exception(problem))
        self.server.window_log_message(types.LogMessageParams(types.MessageType.Error, f"evidence-lint: {where}"))


def _change(change: types.TextDocumentContentChangeEvent) -> Change:
    if isinstance(change, types.TextDocumentContentChangePartial):
        start, end = change.range.start, change.range.end
        return Change(change.text, Place(start.line, start.character), Place(end.line, end.character))
    return Change(change.text)


def _stands_at(verdict: Verdict, artifact: str, offset: int, places: Places) -> bool:
    location = verdict.problem.location if verdict.problem is not None else None
    if verdict.outcome is not Outcome.FAILED or location is None or location.artifact != artifact:
        return False
    span = places.span(location)
    return span is not None and span.start <= offset <= span.end


def serve(planner: Planner, requests: BinaryIO, answers: BinaryIO) -> None:
    """Serve one editor until it goes away."""
    EvidenceServer(planner).server.start_io(requests, answers)
