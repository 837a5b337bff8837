"""What a body is, by what the server says of it and by its first bytes, much as browsers judge it."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from enum import Enum
from urllib.parse import urlsplit


class Kind(Enum):
    """How a body is read."""

    HTML = "text/html"
    XHTML = "application/xhtml+xml"
    XML = "application/xml"
    TEXT = "text/plain"
    MARKDOWN = "text/markdown"
    JSON = "application/json"
    PDF = "application/pdf"
    UNREADABLE = ""


@dataclass(frozen=True, slots=True)
class Sniffed:
    """The kind of a body; *problem* says what is wrong with it, *mismatch* that it is not what was announced."""

    kind: Kind
    problem: str | None = None
    mismatch: bool = False


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PDF_REACH = 1024
_TEXT_REACH = 1445
_PDF_MARK = re.compile(rb"%PDF-\d")
_HTML_MARK = re.compile(
    rb"\s*(?:<!--.*?-->\s*|<\?xml\s[^>]*>\s*)*<(?:!doctype\s+html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p)"
    rb"[\s>/]",
    re.IGNORECASE | re.DOTALL,
)
_XML_MARK = re.compile(rb"\s*<\?xml[\s?]")
_JSON_MARK = re.compile(rb"\s*[\[{]\s*[\"\[{\]}\d-]")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UNSAID = _names(
    "application/octet-stream binary/octet-stream application/x-download application/download application/binary "
    "application/force-download unknown/unknown application/unknown */*"
) | {""}
_PDF_TYPES = frozenset(("application/pdf", "application/x-pdf", "application/acrobat", "text/pdf"))
_TEXT_TYPES = _names(
    "application/javascript application/x-javascript application/ecmascript application/yaml application/x-yaml "
    "application/toml application/sql application/x-sh application/x-python application/x-tex application/x-latex "
    "application/rtf application/x-ndjson application/jsonl application/graphql message/rfc822"
)
_ARCHIVES = ((b"PK\x03\x04", "a ZIP archive or an office document"), (b"\x1f\x8b", "a gzip archive"))
_IMAGES = (
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"\xd0\xcf\x11\xe0", "an office document"),
    (b"7z\xbc\xaf", "an archive"),
    (b"%!PS", "a PostScript document"),
)


def sniff(body: bytes, media_type: str, url: str) -> Sniffed:
    """Judge *body* by its announced *media_type* ("" when there was none), its first bytes and its address."""
    media_type = media_type.partition(";")[0].strip().lower()
    announced = _announced(media_type, url)
    if _is_pdf(body, announced):
        return Sniffed(Kind.PDF)
    if announced is Kind.PDF:
        return _not_the_pdf(body, media_type)
    if body and (what := _binary(body, announced)) is not None:
        problem = f"no text can be read from {what}" + (f" (sent as {media_type})" if media_type else "")
        return Sniffed(Kind.UNREADABLE, problem)
    if announced is None:
        announced = _by_content(body) if media_type in _UNSAID else None
    if announced is None:
        return Sniffed(Kind.UNREADABLE, f"no text can be read from the media type {media_type}")
    if announced in (Kind.HTML, Kind.XHTML) and _path(url).endswith(".pdf"):
        problem = "the address ends in .pdf, but the answer is a web page: perhaps not the document itself"
        return Sniffed(announced, problem, mismatch=True)
    return Sniffed(announced)


def _announced(media_type: str, url: str) -> Kind | None:
    if media_type in _PDF_TYPES:
        return Kind.PDF
    if media_type in ("text/html", "application/xhtml+xml"):
        return Kind(media_type)
    if media_type in ("text/markdown", "text/x-markdown"):
        return Kind.MARKDOWN
    if media_type.endswith(("/json", "+json")) or media_type in ("application/x-ndjson", "application/jsonl"):
        return Kind.JSON
    if media_type.endswith(("/xml", "+xml")):
        return Kind.XML
    if media_type.startswith("text/") or media_type in _TEXT_TYPES:
        return Kind.MARKDOWN if _path(url).endswith((".md", ".markdown", ".mkd")) else Kind.TEXT
    return None


def _path(url: str) -> str:
    try:
        return urlsplit(url).path.lower()
    except ValueError:
        return ""


def _is_pdf(body: bytes, announced: Kind | None) -> bool:
    """Look for the mark within the first KiB, where readers of PDF accept it, but not in a page that shows one."""
    found = _PDF_MARK.search(body[:_PDF_REACH])
    if found is None:
        return False
    if announced in (None, Kind.PDF):
        return not _HTML_MARK.match(body[: found.start()])
    return not body[: found.start()].strip(b"\xef\xbb\xbf \t\r\n\0")


def _not_the_pdf(body: bytes, media_type: str) -> Sniffed:
    if _HTML_MARK.match(body[:_PDF_REACH]) or b"<html" in body[:_PDF_REACH].lower():
        what = "a web page"
    elif not body.strip():
        what = "nothing"
    elif (binary := _binary(body, None)) is not None:
        what = binary
    else:
        what = "other text"
    return Sniffed(
        Kind.UNREADABLE, f"not the document: announced as {media_type}, the answer holds {what}", mismatch=True
    )


def _binary(body: bytes, announced: Kind | None) -> str | None:
    """Say what kind of bytes these are when they are no text."""
    for mark, what in (*_ARCHIVES, *_IMAGES):
        if body.startswith(mark):
            return what
    if body.startswith(_WIDE):
        return None
    head = body[:_TEXT_REACH]
    controls = len(_CONTROL.findall(head))
    half = max(1, len(head) // 2)
    if head[::2].count(0) > half * 0.4 or head[1::2].count(0) > half * 0.4:
        # Sixteen-bit text without a mark has its zeros on one side only.
        return None if min(head[::2].count(0), head[1::2].count(0)) * 4 < max(head.count(0), 1) else "binary data"
    # A page may hold a stray control character; a file that was not announced as text may not.
    allowed = max(8.0, len(head) * 0.1) if announced is not None else 0
    return "binary data" if controls > allowed else None


def _by_content(body: bytes) -> Kind:
    head = body[:_TEXT_REACH].removeprefix(codecs.BOM_UTF8)
    if body.startswith(_WIDE):
        head = body[:_TEXT_REACH].replace(b"\0", b"")[2:]
    if _HTML_MARK.match(head):
        return Kind.HTML
    if _XML_MARK.match(head):
        return Kind.XML
    return Kind.JSON if _JSON_MARK.match(head) else Kind.TEXT
