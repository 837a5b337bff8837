"""Whether a Markdown file is a nine-section report, told without parsing it (chapter 2, bundle layout)."""

from __future__ import annotations

import codecs
import re

from evidence_lint.model.report import TITLES

ENOUGH = 5
"""Headings that make a Markdown file a report."""

_LONGEST_HEADING = 200
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
# A number in any of the usual marks, for a report whose headings were renumbered is to be judged, not missed.
# Without a number any essay with "Sources" and "Method" would be a report.
_HEADING = re.compile(r" {0,3}(?P<hashes>#{1,6}[ \t]+)?[1-9][ \t]*\\?[).:\-–][ \t]*(?P<title>.*?)[ \t]*#*[ \t]*\Z")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*\Z")
_TITLES = frozenset(title.casefold() for title in TITLES)


def is_report(data: bytes) -> bool:
    """Whether a file's bytes carry at least five of the nine contract headings, outside fences and comments.

    What hides everything after it, a fence or comment that is never closed, hides nothing from this test: rule
    ``fence-unclosed`` has to see such a report. Any encoding will do that writes English letters, since a report
    in UTF-16 is still to be told that it is not UTF-8. Linear in the length of ``data``.
    """
    text = _rough_text(data)
    folded = text.casefold()
    if sum(title in folded for title in _TITLES) < ENOUGH:
        return False
    return len(_headings(_without_comments(text))) >= ENOUGH


def _rough_text(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace").removeprefix("\ufeff")
    return data.decode("utf-8-sig", "replace")


def _without_comments(text: str) -> str:
    """Drop closed comments; one that opens inside a fence is dropped too, which is close enough."""
    kept: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[at:start])
        at = end + 3
    return "".join([*kept, text[at:]])


def _headings(text: str) -> set[str]:
    """The contract titles among the headings outside fences."""
    found: set[str] = set()
    hidden: set[str] = set()
    fence = ""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for index, line in enumerate(lines):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not mark[2].strip():
                fence = ""
                hidden.clear()
        elif mark:
            fence = mark[1]
        below = lines[index + 1] if index + 1 < len(lines) else ""
        if title := _contract_title(line, below):
            (hidden if fence else found).add(title)
    return found | hidden


def _contract_title(line: str, below: str) -> str | None:
    if len(line) > _LONGEST_HEADING:
        return None
    heading = _HEADING.match(line)
    if heading is None or not (heading["hashes"] or _UNDERLINE.match(below[:_LONGEST_HEADING])):
        return None
    title = " ".join(heading["title"].split()).casefold()
    return title if title in _TITLES else None
