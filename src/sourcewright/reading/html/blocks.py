"""Splits a page into blocks: stretches of text between block-level boundaries.

Content that the page's own scripts would reveal is included: streamed parts that are still
hidden, shadow DOM templates, and panels that a reader can expand.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, islice

from sourcewright.reading.html.document import Node
from sourcewright.reading.html.inline import (
    IGNORED_TAGS,
    IMAGE_TAGS,
    INLINE_TAGS,
    Run,
    collapse_white_space,
    is_apart,
    nested_style,
    replacement_run,
    shown_delimiters,
)
from sourcewright.reading.html.tables import is_data_table
from sourcewright.reading.html.visibility import (
    controlled_ids_in,
    is_hidden,
    is_panel,
    strip_invisible,
    unrevealed_content,
)

_STREAMED_ID = re.compile(r"S:[0-9a-f]{1,8}")
_MAX_STREAMED_PARTS, _MAX_ANCESTORS = 500, 300
_EXPANDABLE_WORDS = frozenset(
    {"accordion", "answer", "collapse", "expander", "faq", "pane", "tab"}
)
_CLASS_WORD = re.compile(r"[a-z]+")


def move_streamed_parts(body: Node) -> None:
    """Move streamed parts to their placeholders, as the page's own script does.

    React streams the parts of a page as they become ready: hidden, at the end of the page, each
    with the number of the template that marks where it belongs. Declarative shadow DOM templates
    become ordinary elements.
    """
    for template in [*body.iter("template")]:
        # Declarative shadow DOM: the browser renders this template as the component's content.
        if template.get("shadowrootmode") == "open":
            template.tag = "div"
    streamed = (node for node in body.iter("div") if _is_streamed_part(node))
    parts = list(islice(streamed, _MAX_STREAMED_PARTS))
    placeholders = {node.get("id"): node for node in body.iter("template")} if parts else {}
    for part in parts:
        del part.attrib["hidden"]
        placeholder = placeholders.get(f"B:{part.get('id')[2:]}")
        if placeholder is not None and _is_outside(placeholder, part):
            placeholder.addnext(part)


def _is_streamed_part(node: Node) -> bool:
    return node.get("hidden") is not None and bool(_STREAMED_ID.fullmatch(node.get("id") or ""))


def _is_outside(placeholder: Node, part: Node) -> bool:
    """Whether the placeholder is outside the part; False if it is nested too deeply to tell."""
    ancestors = list(islice(placeholder.iterancestors(), _MAX_ANCESTORS))
    return len(ancestors) < _MAX_ANCESTORS and part not in ancestors


class _ExpandableElements:
    """Hidden elements that a reader can expand: collapsed answers, tabs."""

    def __init__(self, body: Node) -> None:
        self._body = body

    @cached_property
    def _controlled_ids(self) -> frozenset[str]:
        return controlled_ids_in(self._body)

    def __contains__(self, node: Node) -> bool:
        """Whether its class names say so, or a control on the page opens it."""
        if node.get("hidden") is None and node.get("style") is None:
            return is_panel(node, frozenset())
        return not _EXPANDABLE_WORDS.isdisjoint(_class_words(node)) or is_panel(
            node, self._controlled_ids
        )


def _class_words(node: Node) -> list[str]:
    return _CLASS_WORD.findall((node.get("class") or "")[:400].lower())


_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]{2,}")
_MAX_DEPTH = 200
"""Bounds the recursion; elements nested deeper are ignored."""
_MAX_BLOCKS = 20_000
_MAX_NAMES, _MAX_TOKENS = 400, 24
_MIN_NOSCRIPT_CHARACTERS = 400


@dataclass(slots=True, eq=False)
class Container:
    """A block-level element with its ancestors, and totals over its contents."""

    tag: str
    parent: "Container | None"
    node: Node
    tokens: tuple[str, ...] = ()
    depth: int = 0
    characters: int = 0
    linked: int = 0
    blocks: int = 0
    children: int = 0
    order: int = 0
    """Its position among its parent's children, starting at one."""
    item: "Container | None" = None
    """The nearest list item around it."""


@dataclass(slots=True, eq=False)
class Block:
    """A stretch of text and the element that contains it."""

    place: Container
    form: str
    runs: list[Run]
    inner: tuple[str, ...] = ()
    text: str = ""
    linked: int = 0
    node: Node = None
    item: "Container | None" = None
    """The nearest list item that contains it."""
    image: bool = False
    figure: "Container | None" = None
    """The element with the image whose caption it is, if that is not a `figure`."""


@dataclass(slots=True)
class _Pass:
    """State of one pass over the page."""

    expandable: _ExpandableElements
    unrevealed: frozenset[Node]
    """These hidden elements are read all the same: a click or a script reveals them."""
    blocks: list[Block] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)
    places: list[Container] = field(default_factory=list)
    hidden: list[Node] = field(default_factory=list)
    full: bool = False


def blocks_of(body: Node) -> tuple[list[Block], list[Container], bool]:
    """The blocks in page order, their containers, and whether the block limit was reached."""
    move_streamed_parts(body)
    expandable = _ExpandableElements(body)
    walk = _walk(body, expandable)
    shown_characters = sum(len(block.text) for block in walk.blocks)
    unrevealed = unrevealed_content(walk.hidden, shown_characters)
    if unrevealed:
        walk = _walk(body, expandable, frozenset(unrevealed))
    return walk.blocks, walk.places, walk.full


def _walk(
    body: Node, expandable: _ExpandableElements, unrevealed: frozenset[Node] = frozenset()
) -> _Pass:
    walk = _Pass(expandable, unrevealed)
    root = Container("body", None, body, tokens_of(body))
    walk.places.append(root)
    _walk_children(walk, body, root, None, "")
    _flush(walk, root)
    _add_totals_to_parents(walk.places)
    return walk


def tokens_of(node: Node) -> tuple[str, ...]:
    """The words in the class, the id and the role of an element."""
    names, other = node.get("class") or "", node.get("id")
    # Most elements have a class or nothing, and classes recur.
    role = node.get("role")
    if other or role:
        names = f"{names} {other or ''} {role or ''}"
    return _tokens(names[:_MAX_NAMES])


def class_tokens_of(node: Node) -> tuple[str, ...]:
    """The words in class and role; an id is unique, and so says nothing about similar elements."""
    names, role = node.get("class") or "", node.get("role")
    return _tokens((f"{names} {role}" if role else names)[:_MAX_NAMES])


@lru_cache(maxsize=4096)
def _tokens(names: str) -> tuple[str, ...]:
    words = chain.from_iterable(map(_words_in_name, names.split()))
    return tuple(dict.fromkeys(words))[:_MAX_TOKENS]


@lru_cache(maxsize=4096)
def _words_in_name(name: str) -> list[str]:
    """The words in one class; few classes make up very many combinations."""
    return [word.lower() for word in _WORDS.findall(name) if 2 < len(word) < 18]


def _walk_children(
    walk: _Pass, node: Node, place: Container, href: str | None, style: str
) -> None:
    if text := node.text:
        _add_text(walk, text, href, style)
    for child in node:
        if isinstance(child.tag, str):
            if walk.runs and style != "c" and is_apart(child):
                _add_text(walk, " ", href, style)
            _walk_element(walk, child, place, href, style)
        if text := child.tail:
            _add_text(walk, text, href, style)


def _walk_element(walk: _Pass, node: Node, place: Container, href: str | None, style: str) -> None:
    tag = node.tag
    if walk.full or _is_ignored(node):
        return
    if is_hidden(node) and node not in walk.unrevealed and node not in walk.expandable:
        walk.hidden.append(node)
        return
    run = replacement_run(node, href, style)
    if run is not None:
        walk.runs.append(run)
    elif tag in INLINE_TAGS:
        _add_inline(walk, node, place, href, style)
    elif tag == "br":
        _add_line_break(walk, place)
    elif tag not in IMAGE_TAGS and place.depth < _MAX_DEPTH:
        _add_block_element(walk, node, place, href)


def _is_ignored(node: Node) -> bool:
    """Whether it has no text to read: ignored tags, and a short `noscript` fallback.

    A short fallback is a tracking pixel or a request to enable JavaScript.
    """
    tag = node.tag
    if tag == "noscript":
        return len(node.text_content()) < _MIN_NOSCRIPT_CHARACTERS
    return tag in IGNORED_TAGS and replacement_run(node, None) is None


def _add_inline(walk: _Pass, node: Node, place: Container, href: str | None, style: str) -> None:
    tag = node.tag
    if not walk.runs:
        walk.inner.extend(tokens_of(node))
        walk.inner.append(f"<{tag}>")
    if tag == "a":
        href = node.get("href") or href
    style = nested_style(tag, style)
    before, after = shown_delimiters(node)
    if before:
        _add_text(walk, before, href, style)
    _walk_children(walk, node, place, href, style)
    if after:
        _add_text(walk, after, href, style)


def _add_block_element(walk: _Pass, node: Node, place: Container, href: str | None) -> None:
    _flush(walk, place)
    tag = node.tag
    container = Container(tag, place, node, tokens_of(node), place.depth + 1)
    place.children += 1
    container.order = place.children
    container.item = _item(place)
    walk.places.append(container)
    if tag == "pre" or (tag == "table" and is_data_table(node)):
        _add_whole(walk, node, container)
        return
    _walk_children(walk, node, container, href, "")
    _flush(walk, container)


def _add_whole(walk: _Pass, node: Node, place: Container) -> None:
    """Add a data table or preformatted text as one block, kept or dropped as a whole."""
    text = strip_invisible(" ".join(node.itertext()))
    linked = sum(len(link.text_content()) for link in node.iter("a"))
    if text.strip():
        form = "pre" if node.tag == "pre" else "table"
        _add_block(walk, Block(place, form, [], (), " ".join(text.split()), linked, node))


def _add_text(walk: _Pass, text: str, href: str | None, style: str) -> None:
    text = collapse_white_space(text)
    if text != " " or walk.runs:
        walk.runs.append(Run(text, href, style))


def _add_line_break(walk: _Pass, place: Container) -> None:
    if walk.runs and walk.runs[-1].style == "n":
        _flush(walk, place)
    elif walk.runs:
        walk.runs.append(Run("\n", None, "n"))


def _flush(walk: _Pass, place: Container) -> None:
    runs, inner = walk.runs, walk.inner
    if not runs:
        inner.clear()
        return
    walk.runs, walk.inner = [], []
    words = [run for run in runs if run.style != "img"]
    text = " ".join("".join(run.text for run in words).split())
    images = len(words) < len(runs)
    if text or images:
        linked = sum(len(run.text.strip()) for run in words if run.href)
        _add_block(
            walk, Block(place, "", runs, tuple(inner), text, linked, image=images and not text)
        )


def _add_block(walk: _Pass, block: Block) -> None:
    walk.blocks.append(block)
    walk.full = len(walk.blocks) >= _MAX_BLOCKS
    place = block.place
    place.characters += len(block.text)
    place.linked += block.linked
    place.blocks += 1
    block.item = _item(place)


def _item(place: Container) -> Container | None:
    """The nearest list item: the element itself, or one around it."""
    return place if place.tag == "li" else place.item


def _add_totals_to_parents(places: Sequence[Container]) -> None:
    """Add the totals of each element to its parent, which comes before it."""
    for place in reversed(places):
        parent = place.parent
        if parent is not None:
            parent.characters += place.characters
            parent.linked += place.linked
            parent.blocks += place.blocks
