"""The bytes of a commit object, read as Git reads them."""

from __future__ import annotations

import codecs
import re
from datetime import UTC, datetime, timedelta, timezone

from evidence_lint.model.repository import CommitInfo
from evidence_lint.sources.git_errors import ObjectCorrupt

_TREE = re.compile(rb"tree ([0-9a-f]{40}(?:[0-9a-f]{24})?)\n")
_PARENT = re.compile(rb"parent ([0-9a-f]{40}(?:[0-9a-f]{24})?)\n")
_WHEN = re.compile(rb"^committer [^\n]*> *(-?[0-9]{1,18}) ([+-])([0-9]{2})([0-9]{2})[^\n]*$", re.MULTILINE)
_CODING = re.compile(rb"^encoding ([^\n]{1,64})$", re.MULTILINE)
_SPACE = b" \t\n\r"

# Python's codecs that are no character codings, or cost more than linear time.
_NO_CODINGS = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"})


def parse_commit(oid: str, data: bytes) -> CommitInfo:
    """Read a commit object; raises :class:`ObjectCorrupt` when it is none."""
    head, _, message = data.partition(b"\n\n")
    head += b"\n"
    tree = _TREE.match(head)
    if tree is None:
        raise ObjectCorrupt(oid, "it is no well-formed commit")
    parents: list[str] = []
    at = tree.end()
    while (parent := _PARENT.match(head, at)) is not None:
        parents.append(parent[1].decode("ascii"))
        at = parent.end()
    coding = _CODING.search(head, at)
    subject, exact = _decode(_subject(message), coding[1] if coding else b"utf-8")
    return CommitInfo(oid, tree[1].decode("ascii"), tuple(parents), subject, exact, _when(head))


def _subject(message: bytes) -> bytes:
    """The first paragraph as one line, which is what Git prints for ``%s``."""
    rows: list[bytes] = []
    for row in message.partition(b"\0")[0].split(b"\n"):
        text = row.rstrip(_SPACE)
        if text:
            rows.append(text)
        elif rows:
            break
    return b" ".join(rows)


def _decode(text: bytes, coding: bytes) -> tuple[str, bool]:
    try:
        name = codecs.lookup(coding.decode("ascii").strip()).name
        usable = name not in _NO_CODINGS
        # bytes.decode() takes character codings alone: "zlib" and "rot13" are lookup errors.
        return text.decode(name if usable else "utf-8"), usable
    except (LookupError, ValueError):
        return text.decode("utf-8", "replace"), False


def _when(head: bytes) -> datetime | None:
    found = _WHEN.search(head)
    if found is None:
        return None
    offset = timedelta(hours=int(found[3]), minutes=int(found[4]))
    if offset >= timedelta(hours=24):
        offset = timedelta(0)
    try:
        moment = datetime.fromtimestamp(int(found[1]), UTC)
        return moment.astimezone(timezone(-offset if found[2] == b"-" else offset))
    except (OverflowError, ValueError, OSError):
        return None
