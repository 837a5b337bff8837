"""What inline styles and simple style sheets say about whether text is seen and where its lines break.

Only what a page itself carries is known here: linked style sheets are not fetched. Where a style could show the text
after all (another width, a hover, a target), the text counts as shown: an honest excerpt must not be called hidden.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

Declarations = dict[str, tuple[str, bool]]
"""Value and importance of each property, in lower case."""

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_DECLARATION = re.compile(r"([\w-]+)\s*:\s*([^;]+)")
_LENGTH = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(px|r?em|%|pt|cm|in|vw|vh|ch|ex|)\Z")
_STATES = re.compile(r":(?:hover|focus(?:-within|-visible)?|active|target|checked|visited|open|popover-open)\b")
_PSEUDO_ELEMENT = re.compile(r"::|:(?:before|after|first-l)")
_KEY = re.compile(r"([.#]?)(-?[A-Za-z_][\w-]*)")
_CLASSES = re.compile(r"[.\[:]")
_TAGS = re.compile(r"(?:\A|[\s>+~])[A-Za-z]")
_LOOK_PROPERTIES = re.compile(
    r"display|visibility|opacity|margin|overflow|font-size|text-indent|position|clip|color|background|white-space|transform|height|width"
)

_SHOWN_ELSEWHERE = re.compile(r"(?:screen|all|min-|max-|width|orientation|prefers|hover|pointer)")
_FAR = 900.0
"""Pixels off the screen from which nobody sees the text."""

_MOST_SHEET_CHARACTERS = 1_000_000
_MOST_RULES = 4_000
_LONGEST_SELECTOR = 500
_MOST_MATCHES = 50_000
_MOST_LOOKS = 1_000_000
_WHITE_SPACE = {"pre": True, "pre-wrap": True, "break-spaces": True, "normal": False, "nowrap": False}


@dataclass(frozen=True, slots=True)
class Look:
    """What the styles of one element say; None where they say nothing."""

    display: str | None = None
    #: Not ``visible``; a descendant may be made visible again.
    invisible: bool | None = None
    #: The text has no size; a descendant may have one again.
    sizeless: bool | None = None
    #: The element and all within it cannot be seen: transparent, clipped away, off the screen.
    vanished: bool = False
    #: White space is kept.
    verbatim: bool | None = None
    color: str | None = None
    background: str | None = None


PLAIN = Look()


@lru_cache(maxsize=2048)
def declarations(css: str) -> Declarations:
    """Return the properties of a declaration block; a later one replaces an earlier one unless that is important."""
    found: Declarations = {}
    for match in _DECLARATION.finditer(_COMMENT.sub(" ", css).lower()):
        value = match[2].strip()
        important = value.endswith("important") and "!" in value
        if important:
            value = value[: value.rindex("!")].strip()
        if important or match[1] not in found or not found[match[1]][1]:
            found[match[1]] = (value, important)
    return found


def look(style: Declarations) -> Look:
    """Judge the combined declarations of one element."""
    if not style:
        return PLAIN
    value = {name: pair[0] for name, pair in style.items()}
    visibility = value.get("visibility")
    size = _length(value.get("font-size", ""))
    return Look(
        display=value.get("display"),
        invisible=visibility in ("hidden", "collapse") if visibility in ("hidden", "collapse", "visible") else None,
        sizeless=None if "font-size" not in value else size is not None and size < 1,
        vanished=_transparent(value) or _off_screen(value) or _clipped(value),
        verbatim=_WHITE_SPACE.get(value.get("white-space", "")),
        color=_color(value.get("color", "")),
        background=_color(value.get("background-color") or value.get("background", "")),
    )


def _transparent(value: dict[str, str]) -> bool:
    if _color(value.get("color", "")) == "transparent" and not _paints_text(value):
        return True
    opacity = _length(value.get("opacity", ""))
    # Transparent text that is set to move or to change is about to be faded in.
    moving = any(name.startswith(("transition", "animation", "transform", "will-change")) for name in value)
    return opacity is not None and opacity <= 0.01 and not moving


def _paints_text(value: dict[str, str]) -> bool:
    """Transparent letters that show a background in their shape."""
    return "text" in (value.get("background-clip"), value.get("-webkit-background-clip"))


def _off_screen(value: dict[str, str]) -> bool:
    if (indent := _length(value.get("text-indent", ""))) is not None and indent <= -_FAR:
        return True
    sides = ["margin-left", "margin-top"]
    if value.get("position") in ("absolute", "fixed", "relative"):
        sides += ["left", "top", "right", "bottom"]
    offsets = (_length(value.get(side, "")) for side in sides)
    if any(offset is not None and offset <= -_FAR for offset in offsets):
        return True
    return value.get("transform", "").replace(" ", "") in ("scale(0)", "scale(0,0)")


def _clipped(value: dict[str, str]) -> bool:
    positioned = value.get("position") in ("absolute", "fixed")
    rectangle = re.fullmatch(r"rect\(([^)]*)\)", value.get("clip", ""))
    if positioned and rectangle and len({_length(side) for side in re.split(r"[\s,]+", rectangle[1].strip())}) == 1:
        return True
    if value.get("clip-path", "") in ("inset(50%)", "inset(100%)", "circle(0)"):
        return True
    if value.get("content-visibility") == "hidden":
        return True
    # Padding makes room again (for a film, mostly), and a transition will open what is closed.
    opens = any(name.startswith(("transition", "padding")) for name in value)
    if opens or not value.get("overflow", "").startswith(("hidden", "clip")):
        return False
    sizes = [_length(value.get(name, "")) for name in ("width", "height")]
    tiny = [size for size in sizes if size is not None and size <= 1]
    flat = _length(value.get("max-height", "")) == 0 or 0 in sizes
    return flat or len(tiny) == 2


def _length(text: str) -> float | None:
    """Return a length in about pixels; None when *text* is none."""
    match = _LENGTH.match(text)
    if match is None:
        return None
    return float(match[1]) * {"em": 16.0, "rem": 16.0, "vw": 10.0, "vh": 10.0, "%": 10.0}.get(match[2], 1.0)


_NAMED = {"white": "#ffffff", "black": "#000000", "red": "#ff0000", "yellow": "#ffff00", "blue": "#0000ff"}


def _color(text: str) -> str | None:
    """Return a colour in one spelling, None when it is not a plain one."""
    text = text.strip()
    if not text:
        return None
    if text == "transparent" or re.fullmatch(r"(?:rgb|hsl)a\(.*[,/]\s*0?\.?0+%?\s*\)", text):
        return "transparent"
    if match := re.fullmatch(r"#([0-9a-f]{3})", text):
        return "#" + "".join(digit * 2 for digit in match[1])
    if match := re.fullmatch(r"rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)", text):
        return "#" + "".join(f"{min(int(part), 255):02x}" for part in match.groups())
    return _NAMED.get(text, text if re.fullmatch(r"#[0-9a-f]{6}|[a-z]{3,20}", text) else None)


def attribute_color(text: str) -> str | None:
    """Return the colour of an old ``bgcolor`` or ``color`` attribute."""
    return _color(text.strip().lower())


def shows(name: str, value: str) -> bool:
    """Tell whether a declaration makes text seen, or at least does not hide it."""
    judged = look({name: (value, False)})
    return not (judged.display == "none" or judged.invisible or judged.sizeless or judged.vanished)


@dataclass(frozen=True, slots=True)
class _Rule:
    selector: str
    #: Importance aside: (ids, classes, tags) and then the place in the sheet.
    rank: tuple[int, int, int, int]
    style: Declarations


@dataclass(slots=True)
class Sheet:
    """The style rules that a page carries in its ``<style>`` elements, found by the last name of their selector."""

    _rules: dict[str, list[_Rule]] = field(default_factory=dict[str, list[_Rule]])
    _count: int = 0
    _matches_left: int = _MOST_MATCHES
    _looks_left: int = _MOST_LOOKS
    _room: int = _MOST_SHEET_CHARACTERS

    def add(self, css: str, media: str = "") -> None:
        """Read a style sheet; what is beyond the bounds is left out, so its text counts as shown."""
        css = css[: self._room]
        self._room -= len(css)
        if not media or not media.strip() or _SHOWN_ELSEWHERE.search(media.lower()):
            conditional = bool(media.strip()) and media.strip().lower() not in ("all", "screen")
            for selectors, body, inner in _blocks(_COMMENT.sub(" ", css), conditional=conditional):
                if self._count >= _MOST_RULES:
                    return
                if _LOOK_PROPERTIES.search(body):
                    self._add_rule(selectors, declarations(body.strip()), conditional=inner)

    def _add_rule(self, selectors: str, style: Declarations, *, conditional: bool) -> None:
        for one in selectors.split(",") if "(" not in selectors else [selectors]:
            selector = one.strip()
            bare = _STATES.sub("", selector)
            if not bare or _PSEUDO_ELEMENT.search(selector):
                continue
            # A rule that holds only sometimes may show what another hides, but hides nothing itself.
            kept = style
            if conditional or bare != selector:
                if look(style).vanished:
                    continue
                kept = {name: pair for name, pair in style.items() if shows(name, pair[0])}
            keys = _KEY.findall(re.split(r"[\s>+~]+", bare.strip())[-1].split(":")[0].split("[")[0])
            if kept and keys:
                self._count += 1
                rank = (bare.count("#"), len(_CLASSES.findall(selector)), len(_TAGS.findall(bare)), self._count)
                kind, name = max(keys, key=lambda key: (key[0] == "#", key[0] == "."))
                self._rules.setdefault(kind + (name if kind else name.lower()), []).append(_Rule(bare, rank, kept))

    def style(self, keys: list[str], matches: Callable[[str], bool]) -> Declarations:
        """Return the winning declarations for an element with these *keys* (``tag``, ``.class``, ``#id``)."""
        combined: Declarations = {}
        found = [rule for key in keys for rule in self._rules.get(key, ())] if self._looks_left > 0 else []
        if not found:
            return combined
        self._looks_left -= len(found)
        for rule in sorted(found, key=lambda rule: rule.rank):
            if rule.selector in keys or self._allowed(rule.selector, matches):
                combine(combined, rule.style)
        return combined

    def _allowed(self, selector: str, matches: Callable[[str], bool]) -> bool:
        """Try a selector on an element, as long as the page has not made that cost too much."""
        self._matches_left -= 1
        return self._matches_left > 0 and len(selector) < _LONGEST_SELECTOR and matches(selector)

    def __bool__(self) -> bool:
        return self._count > 0


def combine(base: Declarations, over: Declarations) -> None:
    """Lay declarations over weaker ones, in place."""
    for name, pair in over.items():
        if pair[1] or name not in base or not base[name][1]:
            base[name] = pair


def _blocks(css: str, *, conditional: bool) -> Iterator[tuple[str, str, bool]]:
    """Yield selector list, declarations and whether it holds only sometimes, for each rule of a sheet."""
    groups: list[tuple[bool, bool]] = []  # for each open at-rule: is it read, does it hold only sometimes
    position = 0
    for match in re.finditer(r"[{}]", css):
        if match.start() < position:
            continue
        if match[0] == "}":
            if groups:
                groups.pop()
            position = match.end()
            continue
        prelude = css[position : match.start()].rpartition(";")[2].strip()
        position = match.end()
        read, sometimes = groups[-1] if groups else (True, conditional)
        if prelude.startswith("@"):
            name = prelude.lower()
            plain = name.startswith("@layer") or name.rstrip() in ("@media screen", "@media all")
            entered = name.startswith(("@media", "@supports", "@layer", "@container"))
            shown = entered and not name.startswith(("@media print", "@media speech"))
            groups.append((read and shown, sometimes or not plain))
            continue
        end = css.find("}", position)
        body = css[position : end if end >= 0 else len(css)]
        position = end + 1 if end >= 0 else len(css)
        if read:
            yield prelude, body, sometimes
