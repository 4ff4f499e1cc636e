"""Decides whether what is declared of an element keeps it from being seen."""

import re
from collections.abc import Callable, Mapping

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
