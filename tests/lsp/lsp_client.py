"""A small client of the language server protocol, over the standard streams of a real server process."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

WAIT = 60.0

FULL = {
    "textDocument": {
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}, "didChangeWatchedFiles": {"dynamicRegistration": True}},
}


class Client:
    """One editor with one server."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        capabilities: Mapping[str, Any] = FULL,
        folders: Sequence[Path] = (),
        program: Sequence[str] = (sys.executable, "-m", "evidence_lint", "lsp"),
    ) -> None:
        self.process = subprocess.Popen(
            [*program, *options],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.diagnostics: dict[str, dict[str, Any]] = {}
        self.published: list[dict[str, Any]] = []
        self.log: list[str] = []
        self.requests: list[dict[str, Any]] = []
        self._answers: dict[int, dict[str, Any]] = {}
        self._number = 0
        self._versions: dict[str, int] = {}
        threading.Thread(target=self._read, daemon=True).start()
        roots = [{"uri": root.as_uri(), "name": root.name} for root in folders or (folder,)]
        self.server = self.request(
            "initialize", {"processId": None, "capabilities": capabilities, "workspaceFolders": roots, "rootUri": None}
        )
        self.notify("initialized", {})

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def stop(self) -> int:
        """Shut down as an editor does; the exit status."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(WAIT)

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        try:
            while True:
                length = 0
                while (line := stream.readline()).strip():
                    name, _, value = line.decode().partition(":")
                    length = int(value) if name.lower() == "content-length" else length
                if not line:
                    break
                self._messages.put(json.loads(stream.read(length)))
        except ValueError as problem:
            self._messages.put({"method": "broken", "params": {"message": str(problem)}})
        self._messages.put(None)

    def send(self, message: Mapping[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        stream = self.process.stdin
        assert stream is not None
        stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        stream.flush()

    def notify(self, method: str, params: object) -> None:
        self.send({"method": method, "params": params})

    def request(self, method: str, params: object, *, error: bool = False) -> Any:
        self._number += 1
        number = self._number
        self.send({"id": number, "method": method, "params": params})
        self.until(lambda: number in self._answers, f"an answer to {method}")
        answer = self._answers.pop(number)
        if error:
            return answer.get("error")
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def until(self, ready: Callable[[], object], what: str, wait: float = WAIT) -> None:
        """Take in messages until something is so."""
        end = time.monotonic() + wait
        while not ready():
            left = end - time.monotonic()
            assert left > 0, f"no {what} within {wait} s; log: {self.log}"
            try:
                message = self._messages.get(timeout=left)
            except queue.Empty:
                continue
            if message is None:
                stderr = self.process.stderr.read().decode() if self.process.stderr is not None else ""
                raise AssertionError(f"the server went away while waiting for {what}: {stderr}")
            self._take(message)

    def pause(self, seconds: float) -> None:
        """Take in whatever comes for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                message = self._messages.get(timeout=left)
            except queue.Empty:
                return
            if message is None:
                return
            self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
        method = message.get("method")
        if method is None:
            self._answers[message["id"]] = message
        elif method == "textDocument/publishDiagnostics":
            self.published.append(message["params"])
            self.diagnostics[message["params"]["uri"]] = message["params"]
        elif method == "window/logMessage":
            self.log.append(message["params"]["message"])
        elif "id" in message:
            self.requests.append(message)
            self.send({"id": message["id"], "result": None})
        else:
            self.log.append(f"{method}: {message['params']}")

    # Documents

    def open(self, path: Path, text: str | None = None, *, wait: bool = True) -> str:
        """Open a document, and wait for its first diagnostics."""
        uri = path.as_uri()
        shown = path.read_bytes().decode("utf-8-sig") if text is None else text
        self._versions[uri] = 1
        before = len(self.published)
        item = {"uri": uri, "languageId": "markdown", "version": 1, "text": shown}
        self.notify("textDocument/didOpen", {"textDocument": item})
        if wait:
            self.until(lambda: self._told(uri, before, 1), f"diagnostics of {path.name}")
        return uri

    def change(self, uri: str, *changes: Mapping[str, Any] | str, wait: bool = True) -> int:
        """Change a document: whole texts, or ranges; wait for the diagnostics of that version."""
        self._versions[uri] += 1
        version = self._versions[uri]
        before = len(self.published)
        rows = [{"text": change} if isinstance(change, str) else change for change in changes]
        self.notify(
            "textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": rows}
        )
        if wait:
            self.until(lambda: self._told(uri, before, version), f"diagnostics of version {version}")
        return version

    def _told(self, uri: str, before: int, version: int) -> bool:
        return any(row["uri"] == uri and row.get("version") == version for row in self.published[before:])

    def codes(self, uri: str) -> list[str]:
        """The codes of the diagnostics of a document, in order of place."""
        rows = self.diagnostics.get(uri, {"diagnostics": []})["diagnostics"]
        return [row["code"] for row in sorted(rows, key=lambda row: tuple(row["range"]["start"].values()))]

    def problem(self, uri: str, code: str) -> dict[str, Any]:
        """The one diagnostic of a code."""
        rows = [row for row in self.diagnostics[uri]["diagnostics"] if row["code"] == code]
        assert len(rows) == 1, self.diagnostics[uri]["diagnostics"]
        found: dict[str, Any] = rows[0]
        return found

    def at(self, method: str, uri: str, position: Mapping[str, int], **more: object) -> Any:
        return self.request(method, {"textDocument": {"uri": uri}, "position": position, **more})

    def actions(self, uri: str, where: Mapping[str, Any], only: Sequence[str] | None = None) -> list[dict[str, Any]]:
        context: dict[str, Any] = {"diagnostics": []}
        if only is not None:
            context["only"] = only
        params = {"textDocument": {"uri": uri}, "range": where, "context": context}
        return self.request("textDocument/codeAction", params) or []


def position_of(text: str, needle: str, into: int = 0) -> dict[str, int]:
    """The UTF-16 position of a text's first occurrence, ``into`` characters further."""
    at = text.index(needle) + into
    before = text[:at].replace("\r\n", "\n").replace("\r", "\n")
    line = before.split("\n")[-1]
    return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}


def range_of(text: str, needle: str) -> dict[str, Any]:
    return {"start": position_of(text, needle), "end": position_of(text, needle, len(needle))}


def covered(text: str, where: Mapping[str, Any]) -> str:
    """The characters of a text in a range that counts UTF-16."""
    start, end = index_of(text, where["start"]), index_of(text, where["end"])
    return text[start:end]


def index_of(text: str, position: Mapping[str, int]) -> int:
    lines = text.replace("\r\n", "\n\0").replace("\r", "\n").replace("\n\0", "\r\n").split("\n")
    raw = [line + "\n" for line in lines[:-1]] + lines[-1:]
    before = sum(len(line) for line in raw[: position["line"]])
    line = raw[position["line"]]
    return before + len(line.encode("utf-16-le")[: 2 * position["character"]].decode("utf-16-le"))


def applied(text: str, edits: Sequence[Mapping[str, Any]]) -> str:
    """A text with the edits of the protocol applied."""
    spans = sorted(
        (
            (index_of(text, edit["range"]["start"]), index_of(text, edit["range"]["end"]), edit["newText"])
            for edit in edits
        ),
        reverse=True,
    )
    for start, end, new in spans:
        text = text[:start] + new + text[end:]
    return text
