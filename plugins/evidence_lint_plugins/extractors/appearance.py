"""What HTML's elements and their styles do to the text within them: whether it is seen, and where its lines break."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evidence_lint_plugins.extractors.styles import PLAIN, Look, attribute_color

Attributes = Mapping[str, str | None]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PARAGRAPHS = _names(
    "p h1 h2 h3 h4 h5 h6 blockquote pre table ul ol dl menu dir figure section article header footer nav main aside "
    "form fieldset hr details dialog listing xmp"
)
_LINES = _names(
    "address body caption center dd div dt figcaption frameset hgroup html legend li optgroup option search select "
    "summary tbody tfoot thead tr textarea"
)
_FOREIGN = _names("svg math")
_FOREIGN_NOTES = _names("title desc metadata defs")
_VERBATIM = _names("pre textarea listing xmp plaintext")
#: Elements whose text a browser does not show, or only where it cannot show the element itself.
_UNSEEN = _names("script noscript head datalist noframes noembed object audio video canvas annotation annotation-xml")
#: Elements that change what is within them by their name alone.
_TELLING = _UNSEEN | _VERBATIM | _FOREIGN | _FOREIGN_NOTES | _names("dialog foreignobject foreignObject")


@dataclass(frozen=True, slots=True)
class State:
    """What an element hands down to what stands in it."""

    hidden: bool = False
    invisible: bool = False
    sizeless: bool = False
    verbatim: bool = False
    color: str | None = None
    #: None where a style sheet that is not known here may have set another.
    background: str | None = None
    #: Letters in the colour of the ground behind them.
    same_color: bool = False
    foreign: bool = False

    @property
    def unseen(self) -> bool:
        """Text that stands here is not seen."""
        return self.hidden or self.invisible or self.sizeless or self.same_color


def inherit(tag: str, attributes: Attributes, styles: Look, inline: Look, above: State) -> State:
    """Return what holds inside an element; *inline* is the part of its *styles* that its own attribute sets."""
    if styles is PLAIN and not attributes and tag not in _TELLING:
        return above
    hidden = above.hidden or _hidden_by_markup(tag, attributes, styles, foreign=above.foreign)
    invisible = above.invisible
    if tag not in ("html", "body"):
        # A whole page that is hidden waits for its script or style sheet to show it.
        hidden = hidden or styles.vanished or styles.display == "none"
        invisible = invisible if styles.invisible is None else styles.invisible
    verbatim = tag in _VERBATIM or above.verbatim
    color, background, same = _colors(tag, attributes, styles, inline, above)
    return State(
        hidden=hidden,
        invisible=invisible,
        sizeless=above.sizeless if styles.sizeless is None else styles.sizeless,
        verbatim=verbatim if styles.verbatim is None else styles.verbatim,
        color=color,
        background=background,
        same_color=same,
        foreign=tag in _FOREIGN or (above.foreign and tag.lower() != "foreignobject"),
    )


def _colors(
    tag: str, attributes: Attributes, styles: Look, inline: Look, above: State
) -> tuple[str | None, str | None, bool]:
    """Return colour, background and whether they are one; only what attributes say is sure enough to hide text."""
    color = inline.color or attribute_color(attributes.get("color") or "")
    background = inline.background or attribute_color(attributes.get("bgcolor") or "")
    if background == "transparent":
        background = None
    set_by_sheet = (styles.color, styles.background) != (inline.color, inline.background) or tag == "a"
    same = above.same_color and not (color or background or set_by_sheet)
    # Who has a class may have a background by it.
    behind = background or (None if set_by_sheet or "class" in attributes or "id" in attributes else above.background)
    if color or background:
        same = behind is not None and (color or above.color) == behind
    return color or (None if set_by_sheet else above.color), behind, same


def _hidden_by_markup(tag: str, attributes: Attributes, styles: Look, *, foreign: bool) -> bool:
    if tag in _UNSEEN or (foreign and tag in _FOREIGN_NOTES):
        return True
    if tag == "dialog":
        return "open" not in attributes and styles.display is None
    if "hidden" in attributes and styles.display is None:
        # A browser's search shows what is hidden "until-found".
        return (attributes["hidden"] or "").lower() != "until-found"
    return False


def breaks(tag: str, display: str | None) -> int:
    """Return how an element is set off from its surroundings: 0 not at all, 1 by line ends, 2 by empty lines."""
    usual = 2 if tag in _PARAGRAPHS else 1 if tag in _LINES else 0
    if display is None or tag in ("td", "th", "tr"):
        return usual
    if display.startswith(("block", "flex", "grid", "list-item", "table", "flow-root")):
        return max(usual, 0 if display.startswith("table-cell") else 1)
    return 0 if display.startswith(("inline", "contents")) else usual
