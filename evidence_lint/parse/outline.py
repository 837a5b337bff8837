"""The report cut into its parts: blocks before section 8, the index read by line, blocks after it (chapter 1)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evidence_lint.model.report import HeadingMatch
from evidence_lint.parse.blocks import Document, Node
from evidence_lint.parse.headings import Candidate, Matched, candidate, contract_number, match_sections
from evidence_lint.parse.index import IndexReader, IndexScan, exact_numbers
from evidence_lint.parse.verbatim import RecordTexts

_MOST_INDEXES = 4
_LONGEST_FRONT_MATTER = 200
_YAML = re.compile(r"\s*(?:#|-\s|[\w\"'][^:\n]{0,80}:(?:\s|$))")
_NUMBERED_HEADING = re.compile(r"#{1,6}\s*\d{1,2}\s*[).]")


@dataclass(slots=True)
class Outline:
    """All blocks outside section 8 in order, the scans of section 8, and the headings that open sections."""

    document: Document
    roots: list[Node] = field(default_factory=list[Node])
    scans: list[IndexScan] = field(default_factory=list[IndexScan])
    candidates: list[Candidate] = field(default_factory=list[Candidate])
    matched: list[Matched] = field(default_factory=list[Matched])

    def nodes(self, first: int, last: int) -> list[Node]:
        """The blocks that begin in rows ``first`` to ``last`` (exclusive)."""
        return [node for node in self.roots if first <= node.first < last]


def front_matter_end(rows: Sequence[str]) -> int:
    """The row after YAML front matter, 0 without any. Two thematic breaks around a report are none."""
    if not rows or rows[0].rstrip() != "---":
        return 0
    for index in range(1, min(len(rows), _LONGEST_FRONT_MATTER)):
        row = rows[index].rstrip()
        if row in {"---", "..."}:
            return index + 1
        if _NUMBERED_HEADING.match(row) or (index == 1 and not _YAML.match(row)):
            return 0
    return 0


def read_outline(document: Document, evidence: Mapping[str, Sequence[str]]) -> Outline:
    """Parse the blocks, with the texts of ``evidence`` consumed verbatim in section 8."""
    outline = Outline(document)
    texts = RecordTexts(evidence)
    row = front_matter_end(document.lines.rows)
    total = len(document.lines)
    while row < total:
        row = _part(outline, texts, row, total)
    outline.matched = match_sections(outline.candidates)
    return outline


def _part(outline: Outline, texts: RecordTexts, first: int, total: int) -> int:
    """Parse from row ``first`` up to the end of the next section 8; returns the row after it."""
    document = outline.document
    known: dict[str, Any] = document.env["references"]
    document.env["references"] = {}
    roots = document.parse(first, total)
    fresh: dict[str, Any] = document.env["references"]
    document.env["references"] = {**fresh, **known}
    candidates = [candidate(document, node) for node in roots if node.kind == "heading"]
    opening = _index_heading(outline, candidates)
    if opening is None:
        outline.roots.extend(roots)
        outline.candidates.extend(candidates)
        return total
    outline.roots.extend(node for node in roots if node.first <= opening.row)
    outline.candidates.extend(one for one in candidates if one.row <= opening.row)
    scan = _scan(outline, opening, texts)
    outline.scans.append(scan)
    document.env["references"] = {**_outside(fresh, first, opening.row, scan), **known}
    return scan.end


def _index_heading(outline: Outline, candidates: Sequence[Candidate]) -> Candidate | None:
    if len(outline.scans) >= _MOST_INDEXES:
        return None
    if outline.scans:
        exact = (one for one in candidates if contract_number(one.exact) == 8)
        return next(exact, None)
    matched = match_sections([*outline.candidates, *candidates])
    places = [one for one in matched if one.number == 8]
    best = [one for one in places if one.match is HeadingMatch.EXACT] or places
    return best[0].candidate if best else None


def _scan(outline: Outline, opening: Candidate, texts: RecordTexts) -> IndexScan:
    """Read section 8; once more when a heading that seemed to follow it stood in a record's text."""
    lines = outline.document.lines
    before = {one.number for one in match_sections(outline.candidates)} | {8}
    known: set[int] | None = None
    scan = IndexScan(opening.body_row, opening.body_row)
    for _ in range(2):
        after = exact_numbers(lines, opening.body_row, scan.hidden)
        if after == known:
            break
        known = after
        scan = IndexReader(lines, opening.body_row, texts, set(range(1, 10)) - before - after).run()
    return scan


def _outside(references: Mapping[str, Any], base: int, heading: int, scan: IndexScan) -> dict[str, Any]:
    """The link definitions that do not stand in a record's text: numbers in section 8 are its entries instead."""
    kept: dict[str, Any] = {}
    for label, reference in references.items():
        row = base + reference.get("map", [0])[0]
        if row < heading or (row < scan.end and not label.isdigit()):
            kept[label] = reference
    return kept
