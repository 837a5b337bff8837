"""From bytes to characters as browsers do it: BOM, HTTP header, what the document says, then detection."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

#: Labels that browsers read as another encoding than their name says (WHATWG Encoding, "Names and labels").
_BROWSER_LABELS = {
    **dict.fromkeys(("ascii", "iso8859-1", "latin-1", "latin1", "l1", "iso-8859-1", "iso88591", "x-cp1252"), "cp1252"),
    **dict.fromkeys(("iso8859-9", "latin5", "l5"), "cp1254"),
    **dict.fromkeys(("iso8859-11", "tis-620", "dos-874", "windows-874"), "cp874"),
    **dict.fromkeys(("gb2312", "gbk", "x-gbk", "gb_2312-80", "chinese", "hz"), "gb18030"),
    **dict.fromkeys(("shift_jis", "x-sjis", "ms_kanji", "sjis", "windows-31j"), "cp932"),
    **dict.fromkeys(("euc_kr", "euc-kr", "ks_c_5601-1987", "ks_c_5601", "korean", "windows-949"), "cp949"),
    **dict.fromkeys(("big5", "x-x-big5", "big5-hkscs", "cn-big5"), "big5hkscs"),
    **dict.fromkeys(("utf-16", "utf-16le", "ucs-2", "unicode", "csunicode"), "utf-16-le"),
    **dict.fromkeys(("unicode-1-1-utf-8", "unicode11utf8", "x-unicode20utf8"), "utf-8"),
    **dict.fromkeys(("macintosh", "x-mac-roman", "mac"), "mac-roman"),
    "iso-8859-8-i": "iso8859-8",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-euc-jp": "euc_jp",
}
#: What a browser decodes, under Python's names. Never UTF-7, nor codecs that are no character encodings.
_KNOWN = frozenset(
    ["utf-8", "utf-16-le", "utf-16-be", "cp866", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic", "cp874", "gb18030"]
    + ["big5hkscs", "euc_jp", "iso2022_jp", "cp932", "cp949"]
    + [f"cp125{number}" for number in range(9)]
    + [f"iso8859-{number}" for number in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)]
)
_NAMES = {"utf-16-le": "utf-16le", "utf-16-be": "utf-16be", "cp932": "shift_jis", "cp949": "euc-kr", "cp866": "ibm866"}

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_PRESCAN = 4096
_META = re.compile(rb"<meta[\s/]([^>]*)", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"""([^\s=/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]*))""")
_CONTENT_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_DECLARATION = re.compile(rb"\A\s*<\?xml\s[^>]*?encoding\s*=\s*[\"']([\w.:-]+)")
_SAMPLE = 128 * 1024
_MUCH_DAMAGE = 0.01


@dataclass(frozen=True, slots=True)
class Decoded:
    """The characters of a body."""

    text: str
    #: Name of the encoding that was used, in the spelling of browsers.
    charset: str
    #: Why the text is not to be relied on; None when it is.
    problem: str | None = None


def decode(body: bytes, declared: str | None, *, markup: bool = False) -> Decoded:
    """Decode *body*; *declared* is the header's charset, and *markup* lets the document itself name one.

    Bytes that mean nothing become U+FFFD; never raises.
    """
    for bom, marked in _BOMS:
        if body.startswith(bom):
            return _decoded(body[len(bom) :], marked)
    name = codec(declared)
    if name is None and markup:
        name = _from_document(body)
    return _decoded(body, name or _detect(body))


def codec(label: str | None) -> str | None:
    """Return Python's name for an encoding label, None for one that browsers do not know."""
    if not label or len(label) > 40:
        return None
    label = label.strip().strip("\"'").lower()
    try:
        name = _BROWSER_LABELS.get(label) or codecs.lookup(label).name
    except (LookupError, ValueError):
        return None
    name = _BROWSER_LABELS.get(name, name)
    return name if name in _KNOWN else None


def _from_document(body: bytes) -> str | None:
    head = body[:_PRESCAN]
    declaration = _DECLARATION.search(head)
    label = declaration[1] if declaration else _meta_label(_COMMENT.sub(b"", head))
    name = codec(label.decode("ascii", "replace")) if label else None
    # It was read as ASCII, so it cannot be in 16-bit units.
    return "utf-8" if name in ("utf-16-le", "utf-16-be") else name


def _meta_label(head: bytes) -> bytes | None:
    """Return the first encoding that a ``<meta>`` declares, in either of its two forms."""
    for meta in _META.finditer(head):
        values = {found[1].lower(): found[2] or found[3] or found[4] for found in _ATTRIBUTE.finditer(meta[1])}
        if label := values.get(b"charset"):
            return label
        if (values.get(b"http-equiv") or b"").lower() == b"content-type":
            found = _CONTENT_CHARSET.search(values.get(b"content") or b"")
            if found:
                return found[1]
    return None


def _detect(body: bytes) -> str:
    if (wide := _unmarked_utf16(body[:1024])) is not None:
        return wide
    if _is_utf8(body):
        return "utf-8"
    from charset_normalizer import from_bytes  # noqa: PLC0415 - a costly import that most pages do not need

    guesses = from_bytes(_telling_sample(body))
    best = guesses.best()
    if best is None or any(
        guess.encoding == "cp1252" and guess.chaos <= best.chaos and guess.coherence >= best.coherence
        for guess in guesses
    ):
        return "cp1252"  # the commonest of those that fit equally well
    return codec(best.encoding) or "cp1252"


def _is_utf8(body: bytes) -> bool:
    # A body may have been cut within a character.
    try:
        codecs.getincrementaldecoder("utf-8")().decode(body)
    except UnicodeDecodeError:
        return False
    return True


def _unmarked_utf16(head: bytes) -> str | None:
    """Tell 16-bit text without a BOM by the zero half of its ASCII characters."""
    if len(head) < 8:
        return None
    half = len(head) // 2
    even, odd = head[::2].count(0), head[1::2].count(0)
    if even + odd < half * 0.4:
        return None
    return "utf-16-le" if odd > 4 * even else "utf-16-be" if even > 4 * odd else None


def _telling_sample(body: bytes) -> bytes:
    """Return a bounded part of *body* that holds bytes beyond ASCII, in which alone the encodings differ."""
    found = re.search(rb"[\x80-\xff]", body)
    start = max(0, found.start() - 1024) if found else 0
    return body[start : start + _SAMPLE]


def _decoded(body: bytes, name: str) -> Decoded:
    text = body.decode(name, "replace")
    shown = _NAMES.get(name, re.sub(r"\Acp(125\d|874)", r"windows-\1", name).replace("iso8859", "iso-8859"))
    damaged = text.count("\ufffd")
    problem = None
    if damaged > max(3, len(text) * _MUCH_DAMAGE):
        problem = f"{damaged} places of the body are not valid {shown}, so its text cannot be relied on"
    return Decoded(text, shown, problem)
