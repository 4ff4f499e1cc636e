"""Knows what a reader of a page does not see: hidden elements and invisible characters."""

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice

from sourcewright.logic.extracting.covering import INHERITED, hides, shows_again
from sourcewright.logic.extracting.parsing import Node
from sourcewright.logic.extracting.styling import declared_in

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
