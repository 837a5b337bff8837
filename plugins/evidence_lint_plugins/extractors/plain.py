"""The text of plain text, Markdown and JSON, whose source a reader sees as it is.

An excerpt may have been copied from the source or from a rendering of it, so where the two differ both stand in the
text: the source first, what it says when rendered after it.
"""

from __future__ import annotations

import re

from evidence_lint.model.capture import Extraction

_NEWLINE = re.compile(r"\r\n?")
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_SIMPLE = {'"': '"', "\\": "\\", "/": "/", "b": " ", "f": "\n", "n": "\n", "r": "\n", "t": "\t"}
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_RENDERED_AT_MOST = 2_000_000


def extract_text(text: str) -> Extraction:
    """Read plain text: line ends apart, as it is."""
    return Extraction(_NEWLINE.sub("\n", text), extractor="plain text")


def extract_json(text: str) -> Extraction:
    """Read JSON (or lines of it) without insisting that it be valid."""
    source = _NEWLINE.sub("\n", text)
    return Extraction(_with_reading(source, unescape_json(source)), extractor="JSON text")


def extract_markdown(text: str) -> Extraction:
    """Read Markdown; raw HTML in it is read as a page's."""
    source = _NEWLINE.sub("\n", text)
    if len(source) > _RENDERED_AT_MOST:
        return Extraction(source, extractor="Markdown source")
    from markdown_it import MarkdownIt  # noqa: PLC0415 - few pages need it

    from evidence_lint_plugins.extractors.html import extract_html  # noqa: PLC0415

    rendered = extract_html(MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(source))
    reading = _with_reading(source, rendered.text)
    return Extraction(reading, title=_first_heading(source), extractor="Markdown source and rendering")


def unescape_json(text: str) -> str:
    """Return *text* with the escapes of JSON strings resolved in place."""
    if "\\" not in text:
        return text
    plain = _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else _SIMPLE[found[2]], text)
    plain = _PAIR.sub(lambda found: found[0].encode("utf-16", "surrogatepass").decode("utf-16"), plain)
    return without_surrogates(plain)


def without_surrogates(text: str) -> str:
    """Return *text* with halves of characters, which no file can hold, replaced."""
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace") if _holds_surrogate(text) else text


def _holds_surrogate(text: str) -> bool:
    return not text.isascii() and re.search("[\ud800-\udfff]", text) is not None


def _with_reading(source: str, reading: str) -> str:
    return source if not reading or reading.split() == source.split() else f"{source}\n\n{reading}"


def _first_heading(source: str) -> str | None:
    found = re.search(r"(?m)^#{1,6}[ \t]+(.+?)[ \t#]*$", source)
    return found[1] if found else None
