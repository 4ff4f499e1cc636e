"""Visibility: do declared styles or attributes hide an element? Invisible characters.

Knows what a reader of a page does not see: hidden elements and invisible characters.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import islice

from sourcewright.logic.html.document import Node
from sourcewright.logic.html.stylesheets import declared_in

_Style = Mapping[str, str]

_LENGTH = re.compile(r"(-?)\s*(\d{0,9}(?:\.\d{1,9})?)(px|r?em|ex|ch|pt|%|v[wh]|)")
_POINTS = {"": 1.0, "px": 1.0, "pt": 1.33, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0}
_OF_SCREEN = {"vw": 13.66, "vh": 7.68}
_LEAST_TYPE = 2.0
_OUTSIDE = -999.0
_GONE = {
    "display": "none",
    "visibility": "hidden collapse",
    "content-visibility": "hidden",
    "zoom": "0 0%",
}
_PLACES = ("left", "right", "top", "bottom", "margin-left", "margin-top", "text-indent")
_SIDES = ("height", "max-height", "width", "max-width")
_COMING = ("transform", "transition", "animation", "will-change", "translate", "filter")
"""What is said of elements that appear when they come into sight."""
_CUT = re.compile(
    r"rect\(\s*(?:[01](?:px)?[,\s]*){4}\)|inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%"
    r"|(?:circle|ellipse)\(\s*0|polygon\(\s*0(?:px|%)?\s+0(?:px|%)?(?:\s*,\s*0(?:px|%)?\s+0(?:px|%)?)+\s*\)"
)
_SHRUNK = re.compile(r"scale(?:[xy3]d?)?\(\s*0(?:\.0+)?\s*[,)]")
_MOVED = re.compile(r"translate(?:[xy]|3d)?\(([^()]{1,80})\)")
_FADED = re.compile(r"opacity\(\s*0(?:\.0+)?%?\s*\)")
_CLEAR = re.compile(
    r"transparent|(?:rgb|hsl)a?\((?:[^(),/]{1,20},){3}\s*0(?:\.0+)?%?\s*\)"
    r"|(?:rgb|hsl)a?\([^(),/]{1,60}/\s*0(?:\.0+)?%?\s*\)|#[0-9a-f]{3}0|#[0-9a-f]{6}00"
)
_COLOURS = {"white": "#ffffff", "black": "#000000"}
_THREE = re.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])")
_RGB = re.compile(
    r"rgba?\(\s*(\d{1,3})[,\s]+(\d{1,3})[,\s]+(\d{1,3})\s*(?:[,/]\s*1(?:\.0+)?\s*)?\)"
)


INHERITED = ("font-size", "visibility")
"""What elements inside can take back."""
_TAKEN = re.compile(r"[\d.]+(?:em|%)$|inherit|smaller|larger|unset|0[a-z]*$|hidden|collapse")


def shows_again(style: _Style) -> bool:
    """Whether an element with this style is seen inside one that hides by what is inherited."""
    values = (style.get(name) for name in INHERITED)
    return any(value and not _TAKEN.match(value) for value in values)


def hides(style: _Style) -> bool:
    """Whether an element with this style, all in lower case, is not seen."""
    tests = {_TESTS[name] for name in style if name in _TESTS}
    return any(test(style) for test in tests)


def _is_gone(style: _Style) -> bool:
    return any(style.get(name) in values.split() for name, values in _GONE.items())


def _is_faint(style: _Style) -> bool:
    opacity = re.fullmatch(r"(\d{0,4}(?:\.\d{1,9})?)%?", style.get("opacity", "1"))
    if opacity and opacity[1] and float(opacity[1]) < 0.01:
        return not any(name in style for name in _COMING)
    return bool(_FADED.match(style.get("filter", "")))


def _is_minute(style: _Style) -> bool:
    """Too small to be read; a percentage is one of what the text would be otherwise."""
    given = style.get("font-size", "")
    share = re.fullmatch(r"(\d{1,3}(?:\.\d{1,9})?)%", given)
    size = float(share[1]) * 0.16 if share else _length(given)
    return size is not None and 0 <= size < _LEAST_TYPE


def _is_outside(style: _Style) -> bool:
    moved = _MOVED.search(style.get("transform", ""))
    steps = [step.strip() for step in moved[1].split(",")] if moved else []
    places = [*(style[name] for name in _PLACES if name in style), *steps]
    if any(place.startswith("-") and (_length(place) or 0) <= _OUTSIDE for place in places):
        return True
    return style.get("text-indent") == "100%" and style.get("overflow") == "hidden"


def _is_cut_off(style: _Style) -> bool:
    if _CUT.match(style.get("clip", "")) or _CUT.match(style.get("clip-path", "")):
        return True
    if style.get("overflow") not in ("hidden", "clip"):
        return False
    # A box without a height that is padded holds something of a fixed shape.
    padded = any(
        (style.get(name) or "0")[0] not in "0." for name in ("padding-bottom", "padding-top")
    )
    return not padded and any(_is_nothing(style.get(side, "")) for side in _SIDES)


def _is_nothing(side: str) -> bool:
    size = _length(side)
    return size is not None and 0 <= size <= 1


def _is_shrunk(style: _Style) -> bool:
    coming = ("transition", "animation", "will-change", "opacity")
    return bool(_SHRUNK.search(style.get("transform", ""))) and not any(
        name in style for name in coming
    )


def _is_clear(style: _Style) -> bool:
    """Whether the text has no colour, or that of what is behind it."""
    if style.get("background-clip") == "text":
        return False
    colour = style.get("text-fill-color") or style.get("color") or ""
    if _CLEAR.fullmatch(colour):
        return True
    behind = style.get("background-color") or style.get("background") or ""
    return bool(colour) and _colour(colour) == _colour(behind)


def _colour(said: str) -> str:
    three, parts = _THREE.fullmatch(said), _RGB.fullmatch(said)
    if three:
        return "#" + "".join(2 * digit for digit in three.groups())
    if parts:
        return "#" + "".join(f"{min(int(part), 255):02x}" for part in parts.groups())
    return _COLOURS.get(said, said)


def _length(said: str) -> float | None:
    """Pixels, on a screen of the usual size; None for a share of something else."""
    found = _LENGTH.fullmatch(said)
    unit = found[3] if found else "%"
    scale = _POINTS.get(unit) or _OF_SCREEN.get(unit)
    if found is None or scale is None or not found[2]:
        return None
    return float(found[2]) * scale * (-1 if found[1] else 1)


_TESTS: Mapping[str, Callable[[_Style], bool]] = {
    **dict.fromkeys(_GONE, _is_gone),
    **dict.fromkeys(("opacity", "filter"), _is_faint),
    "font-size": _is_minute,
    **dict.fromkeys(_PLACES, _is_outside),
    **dict.fromkeys(("clip", "clip-path", "overflow"), _is_cut_off),
    "transform": lambda style: _is_shrunk(style) or _is_outside(style),
    **dict.fromkeys(("color", "text-fill-color"), _is_clear),
}
"""What each property may do to an element; those that hide together are asked about once."""


_NEVER = frozenset({"html", "body", "main"})
"""Hidden until a script runs; whoever reads the page sees them."""
_OF_TEXT = frozenset(("color", "text-fill-color", "font-size", "text-indent"))
_LEAST, _MOST_INSIDE = 500, 300
_DECORATION, _FEW = 80, 60
"""Characters and pieces of text that an ornament has at most."""

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffc"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    # Joiners stay in the scripts that need them to be spelt, and between pictures.
    "|(?<![\u0600-\u0dff\u1000-\u109f\u1780-\u18af\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])[\u200c\u200d]"
    "|(?<![#*0-9\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff])[\ufe0e\ufe0f]"
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f]|[\ud800-\udfff]"
)


def visible(text: str) -> str:
    """The text without characters that show nothing."""
    return text if text.isascii() and text.isprintable() else INVISIBLE.sub("", text)


def is_hidden(node: Node) -> bool:
    """Whether the element says of itself that it is not shown."""
    if node.tag in _NEVER:
        return False
    hidden = node.get("hidden")
    if (hidden is not None and hidden != "until-found") or node.get("popover") is not None:
        return True
    if (node.get("aria-hidden") or "").strip().lower() == "true" and _is_unread(node):
        return True
    style = node.get("style")
    if style is None or not _hides(style):
        return False
    return not (_is_of_text(style) if node.tag == "img" else _is_taken_back(node, style))


@lru_cache(maxsize=4096)
def _declared(style: str) -> Mapping[str, str]:
    return declared_in(style)[0]


@lru_cache(maxsize=4096)
def _hides(style: str) -> bool:
    return hides(_declared(style))


def _is_of_text(style: str) -> bool:
    """Whether only letters would be hidden by it."""
    declared = _declared(style).items()
    return not hides({name: value for name, value in declared if name not in _OF_TEXT})


def _is_taken_back(node: Node, style: str) -> bool:
    """Whether only what is inherited hides it, and something inside has its own way again."""
    lasting = {name: value for name, value in _declared(style).items() if name not in INHERITED}
    return not hides(lasting) and any(
        shows_again(_declared(one.get("style")))
        for one in islice(node.iterdescendants(), _MOST_INSIDE)
        if one.get("style")
    )


def formula_before(node: Node) -> Node | None:
    """The formula that stands right before an element, and is its twin for screen readers."""
    before = node.getprevious()
    if before is None or not isinstance(before.tag, str):
        return None
    return next(before.iter("math"), None)


def _is_unread(node: Node) -> bool:
    """Whether what screen readers leave out says nothing, or what was said before."""
    if formula_before(node) is None:
        return _decorative(node)
    return not (node.tag == "img" and is_hidden(node.getprevious()))


def _decorative(node: Node) -> bool:
    """Icons and twins; a slide that is out of sight holds more than that."""
    texts = list(islice(node.itertext(), _FEW))
    return len(texts) < _FEW and sum(len(text.strip()) for text in texts) <= _DECORATION


def expandable(body: Node) -> list[Node]:
    """Hidden elements that some control on the page opens: folded answers, tabs."""
    opened = opened_in(body)
    panels = body.xpath("//*[@id and (@hidden or @style)] | //*[@role='tabpanel']")
    return [one for one in panels if is_panel(one, opened)]


def opened_in(body: Node) -> frozenset[str]:
    """The ids of what the controls of a page open."""
    return frozenset(name for given in body.xpath("//@aria-controls") for name in given.split())


def is_panel(node: Node, opened: frozenset[str]) -> bool:
    return node.get("id") in opened or node.get("role") == "tabpanel"


def waiting_in(hidden: list[Node], shown: int) -> list[Node]:
    """Those that hold more text than all that is shown: the page itself, before its script ran."""
    return [node for node in hidden if _size(node) > max(shown, _LEAST)]


def _size(node: Node) -> int:
    parts = node.iter("p", "li", "h1", "h2", "h3", "h4", "td", "span", "a", "div")
    texts = ((part.text or "") + (part.tail or "") for part in islice(parts, 20_000))
    return sum(len(" ".join(text.split())) for text in texts)
