"""Small PDF files, written by hand."""

from __future__ import annotations

import hashlib
import zlib

IMAGE = b"q 100 0 0 100 72 600 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q"
_PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def text_page(*lines: str) -> bytes:
    """Return the content of a page with these lines of text."""
    escaped = [line.encode("latin-1").replace(b"(", b"\\(").replace(b")", b"\\)") for line in lines]
    shown = b"\n".join(b"(" + line + b") Tj T*" for line in escaped)
    return b"BT /F1 12 Tf 72 720 Td 14 TL\n" + shown + b"\nET"


def make_pdf(pages: list[bytes], *, title: str | None = None, password: str | None = None) -> bytes:
    """Return a document with a page for each content stream; *password* encrypts it (40-bit RC4)."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    key = _file_key(password) if password is not None else None
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    }
    for number, content in enumerate(pages):
        data = zlib.compress(content)
        place = 5 + 2 * number
        if key is not None:
            data = _rc4(hashlib.md5(key + place.to_bytes(3, "little") + b"\0\0").digest()[:10], data)
        resources = b"/Resources << /Font << /F1 3 0 R >> >>"
        objects[place - 1] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] " + resources + b" /Contents %d 0 R >>" % place
        )
        objects[place] = b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(data), data)
    trailer = b"/Root 1 0 R"
    if title is not None:
        objects[90_000] = b"<< /Title (" + title.encode("latin-1") + b") >>"
        trailer += b" /Info 90000 0 R"
    if password is not None:
        trailer += b" /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >> /ID [<00> <00>]" % (
            _owner(password).hex().encode(),
            _rc4(key or b"", _PAD).hex().encode(),
        )
    return _assemble(objects, trailer)


def _assemble(objects: dict[int, bytes], trailer: bytes) -> bytes:
    body = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    table = b"xref\n0 1\n0000000000 65535 f \n"
    for number, content in objects.items():
        table += b"%d 1\n%010d 00000 n \n" % (number, len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    end = b"trailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n" % (max(objects) + 1, trailer, len(body))
    return body + table + end


def _owner(password: str) -> bytes:
    return _rc4(hashlib.md5(_padded(password)).digest()[:5], _padded(password))


def _file_key(password: str) -> bytes:
    permissions = (-4).to_bytes(4, "little", signed=True)
    return hashlib.md5(_padded(password) + _owner(password) + permissions + b"\0").digest()[:5]


def _padded(password: str) -> bytes:
    return (password.encode("latin-1") + _PAD)[:32]


def _rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    other = 0
    for index in range(256):
        other = (other + state[index] + key[index % len(key)]) % 256
        state[index], state[other] = state[other], state[index]
    result = bytearray()
    first = second = 0
    for byte in data:
        first = (first + 1) % 256
        second = (second + state[first]) % 256
        state[first], state[second] = state[second], state[first]
        result.append(byte ^ state[(state[first] + state[second]) % 256])
    return bytes(result)
