"""Splits a page into blocks: stretches of text between block-level boundaries.

Opens what a reader of the page would see: parts that arrive late, answers that unfold.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from sourcewright.logic.html.document import Node
from sourcewright.logic.html.inline import (
    DROPPED,
    IMAGES,
    INLINE,
    Run,
    marks_of,
    spaced,
    style_in,
    told_by,
)
from sourcewright.logic.html.tables import is_data_table
from sourcewright.logic.html.visibility import expandable, is_hidden, visible, waiting_in

_LATE = re.compile(r"S:[0-9a-f]{1,8}")
_PARTS, _DEEP = 500, 300
_FOLDS = frozenset({"accordion", "answer", "collapse", "expander", "faq", "pane", "tab"})
_NAME = re.compile(r"[a-z]+")


def settle(body: Node) -> None:
    """Moves what the server sent late to the place kept for it, as the page's own script does.

    React sends the parts of a page as they are ready: hidden, at the end, each with the number
    of a template that stands where it belongs.
    """
    for shadow in [*body.iter("template")]:
        # What a component shows stands in a template that the browser takes for its inside.
        if shadow.get("shadowrootmode") == "open":
            shadow.tag = "div"
    late = (node for node in body.iter("div") if _is_late(node))
    parts = list(islice(late, _PARTS))
    gaps = {gap.get("id"): gap for gap in body.iter("template")} if parts else {}
    for part in parts:
        del part.attrib["hidden"]
        gap = gaps.get(f"B:{part.get('id')[2:]}")
        if gap is not None and _is_apart(gap, part):
            gap.addnext(part)


def _is_late(node: Node) -> bool:
    return node.get("hidden") is not None and bool(_LATE.fullmatch(node.get("id") or ""))


def _is_apart(gap: Node, part: Node) -> bool:
    """Whether the one does not stand inside the other, as far as we look."""
    above = list(islice(gap.iterancestors(), _DEEP))
    return len(above) < _DEEP and part not in above


def folded(body: Node) -> list[Node]:
    """Hidden elements whose names say that a reader opens them."""
    hidden = body.xpath(".//*[@class and (@hidden or @style)]")
    return [one for one in hidden if not _FOLDS.isdisjoint(_names(one))]


def _names(node: Node) -> list[str]:
    return _NAME.findall(node.get("class")[:400].lower())


_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]{2,}")
_MAX_DEPTH = 200
_MAX_BLOCKS = 20_000
_MAX_TOKENS = 24
_PLEA = 400


@dataclass(slots=True, eq=False)
class Place:
    """An element with what stands above it, and sums over what stands inside."""

    tag: str
    parent: "Place | None"
    node: Node
    tokens: tuple[str, ...] = ()
    depth: int = 0
    characters: int = 0
    linked: int = 0
    blocks: int = 0
    children: int = 0
    order: int = 0
    """Which of its parent's children it is, from one."""
    score: float = 0.0


@dataclass(slots=True, eq=False)
class Block:
    """A stretch of text in its place."""

    place: Place
    form: str
    runs: list[Run]
    inner: tuple[str, ...] = ()
    text: str = ""
    linked: int = 0
    node: Node = None
    item: "Place | None" = None
    """The list item that it stands in."""
    image: bool = False


@dataclass(slots=True)
class _Walk:
    """What is known while the page is walked through."""

    blocks: list[Block] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    hidden: list[Node] = field(default_factory=list)
    shown: frozenset[Node] = frozenset()
    """What hides only until it is asked for, or until a script runs."""
    full: bool = False


def blocks_of(body: Node) -> tuple[list[Block], list[Place], bool]:
    """The blocks in their order, the places that hold them, and whether a limit cut them off."""
    settle(body)
    shown = frozenset([*expandable(body), *folded(body)])
    walk = _walked(body, shown)
    held = sum(len(block.text) for block in walk.blocks)
    waiting = waiting_in(walk.hidden, held)
    if waiting:
        walk = _walked(body, shown | frozenset(waiting))
    return walk.blocks, walk.places, walk.full


def _walked(body: Node, shown: frozenset[Node]) -> _Walk:
    walk = _Walk(shown=shown)
    root = Place("body", None, body, tokens_of(body))
    walk.places.append(root)
    _inside(walk, body, root, None, "")
    _flush(walk, root)
    return walk


def tokens_of(node: Node, *attributes: str) -> tuple[str, ...]:
    """The words in the names that an element was given, in these attributes or in all."""
    given = (node.get(name) or "" for name in attributes or ("class", "id", "role"))
    names = " ".join(given)
    return () if names.isspace() or not names else _tokens(names[:400])


@lru_cache(maxsize=4096)
def _tokens(names: str) -> tuple[str, ...]:
    words = [word.lower() for word in _WORDS.findall(names)]
    return tuple(dict.fromkeys(word for word in words if 2 < len(word) < 18))[:_MAX_TOKENS]


def _inside(walk: _Walk, node: Node, place: Place, href: str | None, style: str) -> None:
    _write(walk, node.text, href, style)
    for child in node:
        if isinstance(child.tag, str):
            _enter(walk, child, place, href, style)
        _write(walk, child.tail, href, style)


def _enter(walk: _Walk, node: Node, place: Place, href: str | None, style: str) -> None:
    tag = node.tag
    if walk.full or _is_idle(node):
        return
    if is_hidden(node) and node not in walk.shown:
        walk.hidden.append(node)
        return
    told = told_by(node, href)
    if told is not None:
        walk.runs.append(told)
    elif tag in INLINE:
        _inline(walk, node, place, href, style)
    elif tag == "br":
        _break(walk, place)
    elif tag not in IMAGES and place.depth < _MAX_DEPTH:
        _block(walk, node, place, href)


def _is_idle(node: Node) -> bool:
    """Whether nobody sees it, or only who has no scripts, and then a picture or a plea."""
    if node.tag == "noscript":
        return len(node.text_content()) < _PLEA
    return node.tag in DROPPED and told_by(node, None) is None


def _inline(walk: _Walk, node: Node, place: Place, href: str | None, style: str) -> None:
    if not walk.runs:
        walk.inner.extend(tokens_of(node))
        walk.inner.append(f"<{node.tag}>")
    if node.tag == "a":
        href = node.get("href") or href
    style = style_in(node.tag, style)
    before, after = marks_of(node)
    _write(walk, before, href, style)
    _inside(walk, node, place, href, style)
    _write(walk, after, href, style)


def _block(walk: _Walk, node: Node, place: Place, href: str | None) -> None:
    _flush(walk, place)
    tokens = tokens_of(node)
    here = Place(node.tag, place, node, tokens, place.depth + 1)
    place.children += 1
    here.order = place.children
    walk.places.append(here)
    if node.tag == "pre" or (node.tag == "table" and is_data_table(node)):
        _whole(walk, node, here)
        return
    _inside(walk, node, here, href, "")
    _flush(walk, here)


def _whole(walk: _Walk, node: Node, place: Place) -> None:
    """A table of data or preformatted text is kept or dropped as one."""
    text = visible(" ".join(node.itertext()))
    linked = sum(len(link.text_content()) for link in node.iter("a"))
    if text.strip():
        form = "pre" if node.tag == "pre" else "table"
        _add(walk, Block(place, form, [], (), " ".join(text.split()), linked, node))


def _write(walk: _Walk, text: str | None, href: str | None, style: str) -> None:
    if text:
        text = spaced(text)
        if text != " " or walk.runs:
            walk.runs.append(Run(text, href, style))


def _break(walk: _Walk, place: Place) -> None:
    if walk.runs and walk.runs[-1].style == "n":
        _flush(walk, place)
    elif walk.runs:
        walk.runs.append(Run("\n", None, "n"))


def _flush(walk: _Walk, place: Place) -> None:
    runs, inner = walk.runs, tuple(walk.inner)
    if not runs:
        walk.inner.clear()
        return
    walk.runs, walk.inner = [], []
    words = [run for run in runs if run.style != "img"]
    text = " ".join("".join(run.text for run in words).split())
    images = len(words) < len(runs)
    if text or images:
        linked = sum(len(run.text.strip()) for run in words if run.href)
        _add(walk, Block(place, "", runs, inner, text, linked, image=images and not text))


def _add(walk: _Walk, block: Block) -> None:
    walk.blocks.append(block)
    walk.full = len(walk.blocks) >= _MAX_BLOCKS
    place: Place | None = block.place
    while place is not None:
        place.characters += len(block.text)
        place.linked += block.linked
        place.blocks += 1
        if place.tag == "li" and block.item is None:
            block.item = place
        place = place.parent
