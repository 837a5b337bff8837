"""Elements of HTML that a reader does not see: what stands in them cites nothing (chapter 1, "Citations")."""

from __future__ import annotations

import re

_MOST_OPEN = 60
_VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)")
_HIDDEN_TAG = re.compile(
    r"""<(?:script|style|template|noscript)\b|<[a-z][^>]*?\s(?:hidden(?=[\s=/>])"""
    r"""|style\s*=\s*["']?[^"'>]*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)))""",
    re.IGNORECASE,
)


def _hides(tag: str) -> bool:
    """Whether an opening tag hides what it holds from a reader."""
    return _HIDDEN_TAG.match(tag[:2000]) is not None


def track(unseen: list[str], tag: str) -> None:
    """Keep ``unseen``, the open elements from the outermost hidden one on, with each ``tag`` of the text."""
    match = _NAME.match(tag)
    name = match.group(1).lower() if match else ""
    if not name or name in _VOID or tag.endswith("/>"):
        return
    if tag.startswith("</"):
        if name in unseen:
            del unseen[len(unseen) - 1 - unseen[::-1].index(name) :]
    elif (unseen and len(unseen) < _MOST_OPEN) or _hides(tag):
        unseen.append(name)
