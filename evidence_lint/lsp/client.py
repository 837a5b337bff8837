"""What the editor can do, as far as answers depend on it."""

from __future__ import annotations

from dataclasses import dataclass

from lsprotocol import types


@dataclass(frozen=True, slots=True)
class Client:
    """Capabilities; an editor that says nothing has none."""

    markdown: bool = False
    document_changes: bool = False
    watches_files: bool = False


def read_client(capabilities: types.ClientCapabilities) -> Client:
    """Read what an editor said of itself."""
    text, workspace = capabilities.text_document, capabilities.workspace
    hover = text.hover if text is not None else None
    edit = workspace.workspace_edit if workspace is not None else None
    watched = workspace.did_change_watched_files if workspace is not None else None
    return Client(
        markdown=hover is not None and types.MarkupKind.Markdown in (hover.content_format or ()),
        document_changes=edit is not None and bool(edit.document_changes),
        watches_files=watched is not None and bool(watched.dynamic_registration),
    )


def compatible(edit: types.WorkspaceEdit | None, client: Client) -> types.WorkspaceEdit | None:
    """The edit in the form that the editor understands: with versions of documents, or without."""
    if edit is None or client.document_changes:
        return edit
    changes: dict[str, list[types.TextEdit]] = {}
    for change in edit.document_changes or ():
        if isinstance(change, types.TextDocumentEdit):
            rows = [row for row in change.edits if isinstance(row, types.TextEdit)]
            changes.setdefault(change.text_document.uri, []).extend(rows)
    return types.WorkspaceEdit(changes=dict(changes))
