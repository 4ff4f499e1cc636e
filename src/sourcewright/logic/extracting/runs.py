"""Takes text apart into runs, each in one style and leading to one place."""

import re
from dataclasses import dataclass

from sourcewright.logic.cleaning import raised
from sourcewright.logic.extracting.formulas import formula_of
from sourcewright.logic.extracting.hiding import is_hidden, visible
from sourcewright.logic.extracting.parsing import Node

DROPPED_NAMES = (
    "script style template svg iframe frame frameset noembed noframes object embed applet canvas audio video source "
    "track map area select option optgroup datalist input textarea link meta base head title param "
    "progress meter dialog"
)
DROPPED = frozenset(DROPPED_NAMES.split())
INLINE_NAMES = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark math "
    "mjx-assistive-mml mjx-container nobr output q rp rt ruby s samp small span strike strong sub "
    "sup time tt u var wbr"
)
INLINE = frozenset(INLINE_NAMES.split())
STYLES = {
    **dict.fromkeys(("b", "strong"), "b"),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), "i"),
    **dict.fromkeys(("code", "kbd", "samp", "tt"), "c"),
    **dict.fromkeys(("del", "s", "strike"), "s"),
}
IMAGES = frozenset(("img", "amp-img"))
_TELLING = IMAGES | {"math", "script", "sup", "input"}
_BOTH = frozenset("bi")
_SPACES = re.compile(r"\s+")
_LATE_SOURCES = ("data-src", "data-lazy-src", "data-original", "data-lazy")
_TINY = frozenset(("0", "1", "0px", "1px"))


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


def style_in(tag: str, style: str) -> str:
    """The style of text in an element of this tag, inside text of that style."""
    own = STYLES.get(tag, style)
    if style == "c":
        return style
    return "bi" if {own, style} == _BOTH else own


def told_by(node: Node, href: str | None) -> Run | None:
    """What an element says as a whole; None where it says what is inside it."""
    if node.tag not in _TELLING:
        return None
    formula = formula_of(node)
    if formula is not None:
        return Run(formula, href, "m" if formula.startswith("$") else "")
    if node.tag in IMAGES:
        return image_run(node)
    if node.tag == "input":
        return _task(node)
    text = raised(node.text_content()) if node.tag == "sup" and not _leads_away(node) else None
    return Run(text, href) if text else None


def _task(node: Node) -> Run | None:
    """The box before a task on a list; one that can be ticked is no text but a control."""
    if node.get("type") != "checkbox" or node.get("disabled") is None:
        return None
    return Run("[ ] " if node.get("checked") is None else "[x] ", None, "m")


def _leads_away(node: Node) -> bool:
    return any(not link.get("href", "#").startswith("#") for link in node.iter("a"))


def marks_of(node: Node) -> tuple[str, str]:
    """What a browser shows before and after the text of an element."""
    if node.tag == "q":
        return "\u201c", "\u201d"
    if node.tag == "rt" and node.getparent().find("rp") is None:
        return "(", ")"
    return "", ""


def image_run(node: Node) -> Run | None:
    """What an image says in words; None where it says nothing, or is too small to be seen."""
    alt = " ".join(visible(node.get("alt") or "").split())
    if not alt or {node.get("width"), node.get("height")} & _TINY:
        return None
    return Run(alt, _source(node), "img")


def _source(image: Node) -> str:
    """Where it is; what stands there until it is loaded is not meant."""
    late = next(filter(None, map(image.get, _LATE_SOURCES)), "")
    source = late or image.get("src") or ""
    if not source or source.startswith("data:"):
        several = image.get("srcset") or image.get("data-srcset") or ""
        source = (several.split(None, 1) or [""])[0].rstrip(",")
    return source


def runs_in(node: Node, href: str | None = None, style: str = "", depth: int = 0) -> list[Run]:
    """All text inside, blocks kept apart by blanks."""
    before, after = marks_of(node)
    runs = [Run(before + spaced(node.text or ""), href, style)]
    for child in node:
        if isinstance(child.tag, str) and depth < 200:
            runs += _child_runs(child, href, style, depth + 1)
        runs.append(Run(spaced(child.tail or ""), href, style))
    return [*runs, Run(after, href, style)]


def _child_runs(child: Node, href: str | None, style: str, depth: int) -> list[Run]:
    if is_hidden(child):
        return []
    told = told_by(child, href)
    if told is not None:
        return [told]
    if child.tag in DROPPED:
        return []
    if child.tag == "a":
        href = child.get("href") or href
    inner = runs_in(child, href, style_in(child.tag, style), depth)
    return inner if child.tag in INLINE else [Run(" "), *inner, Run(" ")]
