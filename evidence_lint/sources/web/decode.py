"""Undo ``Content-Encoding`` within bounds of memory (B063).

httpx's own decoders stop at nothing: a few kilobytes can ask for gigabytes. Here each step is given only the
room that is left.
"""

from __future__ import annotations

import zlib
from typing import Protocol

from evidence_lint.errors import SourceError

#: What is asked for; a server that sends anything else is refused.
ACCEPT_ENCODING = b"gzip, deflate"

# Below this size a high ratio is harmless: a page of spaces is small however it was sent.
_RATIO_FLOOR = 1024 * 1024
_SNIFF = 512
_TEXT_CONTROLS = frozenset(b"\t\n\r\f\x1b")


class DecodeError(SourceError):
    """A body that cannot be decompressed, or that grows beyond all measure."""


class _Inflater(Protocol):
    @property
    def unconsumed_tail(self) -> bytes: ...
    @property
    def unused_data(self) -> bytes: ...
    @property
    def eof(self) -> bool: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


def coding_of(header: str) -> str:
    """Return ``identity``, ``gzip`` or ``deflate``; raises :class:`DecodeError` for another or a double coding."""
    tokens = [token.strip().lower() for token in header.split(",")]
    codings = [token.removeprefix("x-") for token in tokens if token not in ("", "identity", "none", "utf-8")]
    if not codings:
        return "identity"
    if len(codings) > 1 or codings[0] not in ("gzip", "deflate"):
        raise DecodeError(f"the body is sent in the coding {header!r}, which was not asked for")
    return codings[0]


class BodyDecoder:
    """Takes a body piece by piece and keeps at most *max_bytes* of what it decodes to.

    ``truncated`` tells that there was more, ``notes`` what a person should know. A body that claims to be
    compressed and is plain text is kept as it is.
    """

    def __init__(self, coding: str, *, max_bytes: int, max_ratio: float) -> None:
        self._coding = coding
        self._max_bytes = max_bytes
        self._max_ratio = max_ratio
        self._head = b""
        self._inflater: _Inflater | None = None
        self._plain = coding == "identity"
        self._consumed = 0
        self._kept: list[bytes] = []
        self._size = 0
        self.truncated = False
        self.notes: list[str] = []

    def feed(self, piece: bytes) -> None:
        """Take the next *piece*; nothing more is kept once ``truncated`` is set."""
        if self.truncated or not piece:
            return
        self._consumed += len(piece)
        if self._plain:
            self._keep(piece)
        elif self._inflater is not None:
            self._inflate(piece)
        else:
            self._head += piece
            if len(self._head) >= _SNIFF:
                self._begin()

    def finish(self) -> bytes:
        """Return the body; raises :class:`DecodeError` when it ends before its compressed data does."""
        if not self._plain and self._inflater is None and self._head:
            self._begin()
        if self._inflater is not None and not self.truncated and not self._inflater.eof:
            raise DecodeError(f"the {self._coding} data ends too early")
        return b"".join(self._kept)

    def _begin(self) -> None:
        head, self._head = self._head, b""
        if _plainly_text(head):
            self._plain = True
            self.notes.append(
                f"the answer says Content-Encoding: {self._coding}, but its body is plain text; read as is"
            )
            self._keep(head)
            return
        self._inflater = self._new_inflater(head)
        self._inflate(head)

    def _new_inflater(self, head: bytes) -> _Inflater:
        if self._coding == "gzip":
            return zlib.decompressobj(zlib.MAX_WBITS | 16)
        # "deflate" should be the zlib format; some servers send the bare one.
        wrapped = len(head) >= 2 and head[0] & 0x0F == 8 and int.from_bytes(head[:2], "big") % 31 == 0
        return zlib.decompressobj(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)

    def _inflate(self, data: bytes) -> None:
        while data and not self.truncated:
            inflater = self._inflater
            if inflater is None:
                return
            if inflater.eof:
                # A gzip file may have several members; anything else after the end is padding.
                if self._coding != "gzip" or not data.startswith(b"\x1f\x8b"):
                    return
                inflater = self._inflater = self._new_inflater(data)
            try:
                out = inflater.decompress(data, self._max_bytes - self._size + 1)
            except zlib.error as error:
                raise DecodeError(f"the {self._coding} data is damaged ({error})") from error
            self._keep(out)
            if self._size > _RATIO_FLOOR and self._size > self._max_ratio * self._consumed:
                raise DecodeError(f"the {self._coding} data grows by more than {self._max_ratio:g} times")
            data = inflater.unused_data if inflater.eof else inflater.unconsumed_tail

    def _keep(self, data: bytes) -> None:
        room = self._max_bytes - self._size
        if len(data) > room:
            self.truncated = True
            data = data[:room]
        if data:
            self._kept.append(data)
            self._size += len(data)


def _plainly_text(head: bytes) -> bool:
    sample = head[:_SNIFF]
    if any(byte < 32 and byte not in _TEXT_CONTROLS for byte in sample):
        return False
    # The sample may cut a character in two: up to three bytes may be left over.
    for cut in range(min(4, len(sample))):
        try:
            sample[: len(sample) - cut].decode("utf-8")
        except UnicodeDecodeError:
            continue
        return True
    return False
