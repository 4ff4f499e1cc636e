"""Visibility: whether styles or attributes hide an element; removes invisible characters."""

import re
from collections.abc import Callable, Mapping
from itertools import islice

from sourcewright.base.text.text_cache import cached_if_short
from sourcewright.reading.css.stylesheets import may_hide, parse_declarations
from sourcewright.reading.css.values import CssColour, parse_colour, pixels
from sourcewright.reading.html.document import Node

_Style = Mapping[str, str]

_MIN_FONT_SIZE = 2.0
"""Pixels; smaller text cannot be read."""
_OFF_SCREEN = -999.0
"""Pixels; the usual offsets that move an element off the screen are at least as large."""
_HIDING_VALUES = {
    "display": "none",
    "visibility": "hidden collapse",
    "content-visibility": "hidden",
}
_OFFSET_PROPERTIES = ("left", "right", "top", "bottom", "margin-left", "margin-top", "text-indent")
_SIZE_PROPERTIES = ("height", "max-height", "width", "max-width")
_ANIMATION_PROPERTIES = (
    "transform",
    "transition",
    "animation",
    "will-change",
    "translate",
    "filter",
)
"""Properties of elements that are animated in when they are scrolled into view."""
_CLIPPED = re.compile(
    r"rect\(\s*(?:[01](?:px)?[,\s]*){4}\)|inset\(\s*(?:[5-9]\d|100)(?:\.\d+)?%"
    r"|(?:circle|ellipse)\(\s*0|polygon\(\s*0(?:px|%)?\s+0(?:px|%)?(?:\s*,\s*0(?:px|%)?\s+0(?:px|%)?)+\s*\)"
)
_SHRUNK = re.compile(r"scale(?:[xy3]d?)?\(\s*0(?:\.0+)?\s*[,)]")
_TRANSLATED = re.compile(r"translate(?:[xy]|3d)?\(([^()]{1,80})\)")
_FILTER_OPACITY_ZERO = re.compile(r"opacity\(\s*0(?:\.0+)?%?\s*\)")

INHERITED = ("font-size", "visibility", "color", "text-fill-color")
"""Inherited properties, which descendants can override."""
_KEEPS_HIDING = re.compile(
    r"[\d.]+(?:em|%)$|inherit|smaller|larger|unset|0[a-z]*$|hidden|collapse"
)


def shows_again(style: _Style, outer: _Style) -> bool:
    """Whether this style overrides the inherited properties by which `outer` hides an ancestor."""
    if _is_tiny_text(outer) and not _overrides(style.get("font-size")):
        return False
    if _has_hiding_value(outer) and not _overrides(style.get("visibility")):
        return False
    return not has_invisible_colour(outer) or _changes_colour(style, outer)


def _overrides(value: str | None) -> bool:
    return bool(value) and not _KEEPS_HIDING.match(value or "")


def _changes_colour(style: _Style, outer: _Style) -> bool:
    colours = {name: value for name, value in style.items() if name in _COLOURS}
    return bool(colours) and not has_invisible_colour({**outer, **colours})


def hides_element(style: _Style) -> bool:
    """Whether an element with this style, all in lower case, is invisible."""
    tests = {_TESTS[name] for name in style if name in _TESTS}
    return any(test(style) for test in tests)


def hides_descendants(style: _Style) -> bool:
    """Whether the style hides an element with everything in it, by what is not inherited."""
    return hides_element({name: value for name, value in style.items() if name not in INHERITED})


def _has_hiding_value(style: _Style) -> bool:
    return any(style.get(name) in values.split() for name, values in _HIDING_VALUES.items())


def _is_transparent(style: _Style) -> bool:
    opacity = pixels(style.get("opacity", "1").removesuffix("%"))
    if opacity is not None and opacity < 0.01:
        return not any(name in style for name in _ANIMATION_PROPERTIES)
    return bool(_FILTER_OPACITY_ZERO.match(style.get("filter", "")))


def _is_tiny_text(style: _Style) -> bool:
    """Whether the font is too small to read; percentages refer to 16 pixels."""
    value = style.get("font-size", "")
    size = pixels(value.removesuffix("%"))
    if size is not None and value.endswith("%"):
        size *= 0.16
    return size is not None and 0 <= size < _MIN_FONT_SIZE


def _is_zoomed_away(style: _Style) -> bool:
    """Whether text is too small to read by its zoom; browsers take a zoom of zero for one."""
    value = style.get("zoom", "")
    factor = pixels(value.removesuffix("%"))
    if factor is None:
        return False
    return 0 < factor * (0.16 if value.endswith("%") else 16) < _MIN_FONT_SIZE


def _is_off_screen(style: _Style) -> bool:
    translation = _TRANSLATED.search(style.get("transform", ""))
    shifts = [shift.strip() for shift in translation[1].split(",")] if translation else []
    offsets = [*(style[name] for name in _OFFSET_PROPERTIES if name in style), *shifts]
    if any((pixels(offset) or 0) <= _OFF_SCREEN for offset in offsets):
        return True
    return style.get("text-indent") == "100%" and style.get("overflow") == "hidden"


def _is_clipped(style: _Style) -> bool:
    if _CLIPPED.match(style.get("clip", "")) or _CLIPPED.match(style.get("clip-path", "")):
        return True
    if style.get("overflow") not in ("hidden", "clip"):
        return False
    # A box of zero height with padding reserves a fixed aspect ratio for its content.
    padded = any(
        (style.get(name) or "0")[0] not in "0." for name in ("padding-bottom", "padding-top")
    )
    return not padded and any(
        _is_at_most_one_pixel(style.get(side, "")) for side in _SIZE_PROPERTIES
    )


def _is_at_most_one_pixel(side: str) -> bool:
    size = pixels(side)
    return size is not None and 0 <= size <= 1


def _is_shrunk(style: _Style) -> bool:
    animated = ("transition", "animation", "will-change", "opacity")
    return bool(_SHRUNK.search(style.get("transform", ""))) and not any(
        name in style for name in animated
    )


def has_invisible_colour(style: _Style) -> bool:
    """Whether the text is transparent, or of nearly the same colour as its background."""
    if style.get("background-clip") == "text" or style.get("text-shadow", "none") != "none":
        return False
    colour = text_colour(style)
    if colour is None or style.get("color") == "inherit":
        return False
    if colour.is_transparent:
        return True
    background = background_colour(style)
    return background is not None and colour.looks_like(background)


def text_colour(style: _Style) -> CssColour | None:
    return parse_colour(style.get("text-fill-color") or style.get("color") or "")


def background_colour(style: _Style) -> CssColour | None:
    """The background's colour; None if it is not stated, or there is an image."""
    if style.get("background-image", "none") != "none":
        return None
    return parse_colour(style.get("background-color", ""))


_COLOURS = frozenset(("color", "text-fill-color", "background-color", "background-image"))
_TESTS: Mapping[str, Callable[[_Style], bool]] = {
    **dict.fromkeys(_HIDING_VALUES, _has_hiding_value),
    **dict.fromkeys(("opacity", "filter"), _is_transparent),
    "font-size": _is_tiny_text,
    "zoom": _is_zoomed_away,
    **dict.fromkeys(_OFFSET_PROPERTIES, _is_off_screen),
    **dict.fromkeys(("clip", "clip-path", "overflow"), _is_clipped),
    "transform": lambda style: _is_shrunk(style) or _is_off_screen(style),
    **dict.fromkeys(("color", "text-fill-color"), has_invisible_colour),
}
"""The test for each property; properties that hide in combination share one test."""


NEVER_HIDDEN = frozenset({"html", "body", "main"})
"""Never treated as hidden: if they are, a script shows them when it has run."""
_TEXT_PROPERTIES = frozenset(("color", "text-fill-color", "font-size", "text-indent"))
_MIN_UNREVEALED, _MAX_DESCENDANTS = 500, 300
"""Characters that hidden main content has at least; descendants that are checked."""
_MAX_DECORATION, _MAX_DECORATION_TEXTS = 80, 60
"""The most characters and text nodes that a decorative element has."""

INVISIBLE_CHARACTERS = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff9-\ufffc"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    # Zero-width joiners stay in scripts whose spelling needs them, and between emoji.
    "|(?<![\u0600-\u0dff\u1000-\u109f\u1780-\u18af\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])[\u200c\u200d]"
    "|(?<![#*0-9\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff])[\ufe0e\ufe0f]"
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f]|[\ud800-\udfff]"
)

_MAYBE_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff9-\ufffc\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""All characters that the pattern above removes somewhere; searched more quickly than it."""


def strip_invisible(text: str) -> str:
    """The text without invisible characters."""
    if (text.isascii() and text.isprintable()) or not _MAYBE_INVISIBLE.search(text):
        return text
    return INVISIBLE_CHARACTERS.sub("", text)


def is_hidden(node: Node) -> bool:
    """Whether the element's own attributes hide it."""
    hidden, popover, style = node.get("hidden"), node.get("popover"), node.get("style")
    aria_hidden = node.get("aria-hidden")
    if hidden is popover is style is aria_hidden is None or node.tag in NEVER_HIDDEN:
        return False
    if (hidden is not None and hidden != "until-found") or popover is not None:
        return True
    if (aria_hidden or "").strip().lower() == "true" and _adds_nothing(node):
        return True
    if style is None or not _hides(style):
        return False
    if node.tag == "img":
        return hides_image(inline_style(style))
    return not _is_overridden_inside(node, style)


@cached_if_short
def inline_style(style: str) -> Mapping[str, str]:
    """The declarations of a `style` attribute."""
    return parse_declarations(style).values


@cached_if_short
def _hides(style: str) -> bool:
    return may_hide(style) and hides_element(inline_style(style))


def hides_image(style: _Style) -> bool:
    """Whether the style hides an image, and not only text."""
    return hides_element(
        {name: value for name, value in style.items() if name not in _TEXT_PROPERTIES}
    )


def _is_overridden_inside(node: Node, style: str) -> bool:
    """Whether only inherited properties hide it, and a descendant overrides them."""
    outer = inline_style(style)
    return not hides_descendants(outer) and any(
        shows_again(inline_style(descendant.get("style")), outer)
        for descendant in islice(node.iterdescendants(), _MAX_DESCENDANTS)
        if descendant.get("style")
    )


def formula_before(node: Node) -> Node | None:
    """The formula right before an element, given for screen readers beside the drawn one."""
    previous = node.getprevious()
    if previous is None or not isinstance(previous.tag, str):
        return None
    return next(previous.iter("math"), None)


def _adds_nothing(node: Node) -> bool:
    """Whether an `aria-hidden` element is decorative, or repeats the formula before it."""
    if formula_before(node) is None:
        return _is_decorative(node)
    return not (node.tag == "img" and is_hidden(node.getprevious()))


def _is_decorative(node: Node) -> bool:
    """Whether it has as little text as an icon or a copy; a carousel slide has more."""
    texts = list(islice(node.itertext(), _MAX_DECORATION_TEXTS))
    return (
        len(texts) < _MAX_DECORATION_TEXTS
        and sum(len(text.strip()) for text in texts) <= _MAX_DECORATION
    )


def controlled_ids_in(body: Node) -> frozenset[str]:
    """The ids in `aria-controls` of the page's controls."""
    return frozenset(name for value in body.xpath("//@aria-controls") for name in value.split())


def is_panel(node: Node, opened: frozenset[str]) -> bool:
    return node.get("id") in opened or node.get("role") == "tabpanel"


def unrevealed_content(hidden: list[Node], characters: int) -> list[Node]:
    """Elements with more text than all that is shown: content that a script will reveal."""
    return [node for node in hidden if _text_length(node) > max(characters, _MIN_UNREVEALED)]


def _text_length(node: Node) -> int:
    parts = node.iter("p", "li", "h1", "h2", "h3", "h4", "td", "span", "a", "div")
    texts = ((part.text or "") + (part.tail or "") for part in islice(parts, 20_000))
    return sum(len(" ".join(text.split())) for text in texts)
