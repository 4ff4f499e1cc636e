"""Takes text apart into runs, each in one style and leading to one place."""

import re
from dataclasses import dataclass

from sourcewright.logic.extracting.hiding import is_hidden, visible
from sourcewright.logic.extracting.parsing import Node

DROPPED_NAMES = (
    "script style template svg iframe frame frameset object embed applet canvas audio video source "
    "track map area select option optgroup datalist input textarea link meta base head title param "
    "progress meter dialog"
)
DROPPED = frozenset(DROPPED_NAMES.split())
INLINE_NAMES = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark math nobr "
    "output q rp rt ruby s samp small span strike strong sub sup time tt u var wbr"
)
INLINE = frozenset(INLINE_NAMES.split())
STYLES = {
    **dict.fromkeys(("b", "strong"), "b"),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), "i"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "c"),
    **dict.fromkeys(("del", "s", "strike"), "s"),
}
_SPACES = re.compile(r"\s+")


@dataclass(slots=True)
class Run:
    """A piece of text in one style; `href` is where it leads, `style` how it looks."""

    text: str
    href: str | None = None
    style: str = ""


def spaced(text: str) -> str:
    """The text with every stretch of blanks made one, and nothing invisible in it."""
    if text.isspace():
        return " "
    is_spaced = "  " not in text and text.isprintable()
    return visible(text if is_spaced else _SPACES.sub(" ", text))


def image_run(node: Node) -> Run | None:
    """What an image says in words; None where it says nothing."""
    alt = " ".join(visible(node.get("alt") or "").split())
    return Run(alt, node.get("src") or node.get("data-src") or "", "img") if alt else None


def runs_in(node: Node, href: str | None = None, style: str = "", depth: int = 0) -> list[Run]:
    """All text inside, blocks kept apart by blanks."""
    runs = [Run(spaced(node.text or ""), href, style)]
    for child in node:
        if isinstance(child.tag, str) and depth < 200:
            runs += _child_runs(child, href, style, depth + 1)
        runs.append(Run(spaced(child.tail or ""), href, style))
    return runs


def _child_runs(child: Node, href: str | None, style: str, depth: int) -> list[Run]:
    if child.tag in DROPPED or is_hidden(child):
        return []
    if child.tag == "img":
        image = image_run(child)
        return [image] if image else []
    if child.tag == "a":
        href = child.get("href") or href
    inner = runs_in(child, href, STYLES.get(child.tag, style), depth)
    return inner if child.tag in INLINE else [Run(" "), *inner, Run(" ")]
