"""What a finding states, and the downgrade that it tells (chapter 1, section 4)."""

from __future__ import annotations

import re

from evidence_lint.model.location import Span
from evidence_lint.model.report import Prose
from evidence_lint.parse.labels import Head
from evidence_lint.parse.rendered import Builder, Rendered

_DOWNGRADE = re.compile(r"(?:^|(?<=[\s.;(]))downgrade[ds]?(?:\s+reasons?)?\s*[:：]\s*", re.IGNORECASE)


def downgrade_at(body: Rendered, start: int) -> int:
    """Where the downgrade begins, or the end of the text."""
    match = _DOWNGRADE.search(body.text, start)
    return match.start() if match else len(body.text)


def statement_of(body: Rendered, head: Head) -> tuple[Prose, str, Span | None]:
    """The prose of a finding and its downgrade, which runs to the end of its block."""
    start = min(head.statement, len(body.text))
    match = _DOWNGRADE.search(body.text, start)
    while match and any(a <= match.start() < b for a, b in body.code):
        match = _DOWNGRADE.search(body.text, match.end())
    out = Builder()
    cuts = [head.cut] if head.cut and head.cut[0] >= start else []
    reason, reason_span = "", None
    if match:
        end = body.text.find("\n", match.end())
        if end < 0 or not body.text[match.end() : end].strip():
            end = len(body.text)
        reason = " ".join(body.text[match.end() : end].split())
        reason_span = body.span(match.start(), max(match.end(), len(body.text[:end].rstrip())))
        cuts.append((match.start(), end))
    at = start
    for cut_start, cut_end in sorted(cuts):
        if cut_start >= at:
            out.append(body.slice(at, cut_start))
            at = cut_end
    out.append(body.slice(at, len(body.text)))
    return out.done().strip().prose(), reason, reason_span
