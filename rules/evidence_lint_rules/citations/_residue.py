"""What writing tools leave behind where a citation should stand (CIT114)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evidence_lint.model.location import Span
from evidence_lint.model.report import Prose

_TURN = r"turn\d{1,3}[a-z]{3,16}\d{1,3}"
_PATTERNS = (
    # A chat tool's marks: private-use characters around words like cite and turn0search1.
    r"\ue200[^\ue200\ue201\n]{0,300}\ue201",
    r":?contentReference\[oaicite:\s?\d+\](?:\{index=\d+\})?",
    r"\[?oaicite:\s?\d+\]?(?:\{index=\d+\})?",
    rf"【(?:\d+(?::\d+)?†[^】\n]{{0,200}}|(?:{_TURN}[,\s]*)+(?:†[^】\n]{{0,200}})?)】",
    r"\[cite_(?:start|end)\]|\[cite:\s?\d+(?:\s*[-,;]\s*\d+)*\]",
    rf"(?<![A-Za-z0-9_])(?:(?:cite|navlist|video|image_group)\W?)?{_TURN}(?:\W?{_TURN})*(?![A-Za-z0-9_])",
    r"\[span_\d+\]\((?:start|end)_span\)",
    "[\ue200-\ue2ff]+",
)
_RESIDUE = re.compile("|".join(f"(?:{pattern})" for pattern in _PATTERNS))
_SPANS = re.compile(r"(?:start|end)_span")


@dataclass(frozen=True, slots=True)
class Residue:
    """A leftover marker: where it stands in the source, and what a person sees of it."""

    span: Span
    shown: str


def residue_in(prose: Prose) -> Iterator[Residue]:
    """The leftover markers of running text, code aside."""
    code = iter(prose.code)
    current = next(code, None)
    for match in _RESIDUE.finditer(prose.text):
        while current is not None and current.end <= match.start():
            current = next(code, None)
        if current is not None and current.start < match.end():
            continue
        yield Residue(prose.span(*match.span()), visible(match[0]))


def is_span_link(url: str) -> bool:
    """Whether a link's destination is a tool's span mark: ``[span_0](start_span)``."""
    return _SPANS.fullmatch(url) is not None


def visible(text: str) -> str:
    """The text with private-use characters written out."""
    return re.sub("[\ue000-\uf8ff]", lambda match: f"U+{ord(match[0]):04X}", text)
