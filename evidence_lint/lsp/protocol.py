"""pygls as this server uses it: without its documents, and with errors in the editor's log."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, cast

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from evidence_lint.version import __version__


class _Protocol(LanguageServerProtocol):
    """pygls' protocol without its documents: those break lines where an editor does not (U+2028, form feeds)."""

    def _hand_on(self, method: str, params: object) -> Generator[Any, Any, None]:
        handler = cast("dict[str, Any]", self.fm.features).get(method)  # pyright: ignore[reportUnknownMemberType]
        if handler is not None:
            yield handler, (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        yield from self._hand_on(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        yield from self._hand_on(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        yield from self._hand_on(types.TEXT_DOCUMENT_DID_CLOSE, params)


class _Server(LanguageServer):
    """pygls' server that tells of its errors in the editor's log, not in pop-ups."""

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log an error."""
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, f"evidence-lint: {error}"))


def make_server() -> LanguageServer:
    """A server without features yet."""
    return _Server("evidence-lint", __version__, protocol_cls=_Protocol, max_workers=2)
