"""Figures with a caption: each image as Markdown, and on the next line the caption in italics.

The form is always the same, so that a reader can drop images together with their captions.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.document import AttributeIndex, Node
from sourcewright.reading.html.inline import (
    IMAGE_TAGS,
    Run,
    escape_markdown,
    image_address,
    image_text,
    is_pixel,
    markdown_line,
)
from sourcewright.reading.html.position import self_and_ancestors
from sourcewright.reading.html.visibility import is_hidden

_MAX_DISTANCE = 8
"""Steps from a block up to its figure."""
_MAX_IMAGES = 20
_OTHER_TAGS = ("blockquote", "h1", "h2", "h3", "h4", "h5", "h6")
"""Elements that a figure with an image and its caption does not have."""
_UNMARKED = frozenset(("b", "i", "bi", "s"))
"""Styles that a caption loses, because it is in italics as a whole."""


_FIGURE_NAMES, _TITLE_NAMES = ("imageblock", "figure"), frozenset(("title", "caption"))
_MAX_ELEMENTS = 60


def prepare_figures(index: AttributeIndex) -> None:
    """Turn an image and its title in `div`s, as of Asciidoctor and DocBook, into a figure."""
    for _, node in index.with_class(_FIGURE_NAMES):
        inner = [*islice(node.iterdescendants(), _MAX_ELEMENTS + 1)]
        images = [one for one in inner if one.tag in IMAGE_TAGS]
        titles = [one for one in inner if _TITLE_NAMES & {*(one.get("class") or "").split()}]
        is_simple = len(inner) <= _MAX_ELEMENTS and len(images) == len(titles) == 1
        if node.tag == "div" and is_simple:
            node.tag, titles[0].tag = "figure", "figcaption"


@dataclass(slots=True)
class Figures:
    """The captioned figures of one page."""

    _captioned: dict[Container, bool] = field(default_factory=dict)
    _written: set[Container] = field(default_factory=set)

    def figure_of(self, block: Block) -> Container | None:
        """The figure whose caption or image a block is; None for anything else in a figure."""
        if block.figure is not None:
            return block.figure
        in_caption = block.image
        for place in islice(self_and_ancestors(block.place), _MAX_DISTANCE):
            in_caption = in_caption or place.tag == "figcaption"
            if place.tag == "figure":
                return place if in_caption and self._has_caption(place) else None
        return None

    def _has_caption(self, figure: Container) -> bool:
        """Whether it has a caption; a quotation with its author, or a card, is left as it is."""
        if figure not in self._captioned:
            caption = next(figure.node.iter("figcaption"), None)
            other = next(figure.node.iter(*_OTHER_TAGS), None)
            is_linked = 2 * figure.linked > figure.characters
            self._captioned[figure] = caption is not None and other is None and not is_linked
        return self._captioned[figure]

    def markdown(self, figure: Container, blocks: Sequence[Block], base: str) -> str:
        """The images of a figure, and those of its blocks that are text as its caption."""
        images = [] if figure in self._written else _images(figure.node, base)
        self._written.add(figure)
        caption = _caption([block for block in blocks if not block.image], base)
        return "\n".join([*images, *([f"*{caption}*"] if caption else [])])


def _images(figure: Node, base: str) -> list[str]:
    """The images of a figure, without those of figures inside it, and each only once."""
    texts: dict[str, str] = {}
    own = (node for node in figure.iter(*IMAGE_TAGS) if _is_own(node, figure))
    for node in islice(own, _MAX_IMAGES):
        text = escape_markdown(image_text(node))
        address = image_address(node, base)
        if address:
            texts[address] = texts.get(address) or text
        elif text and not base:
            # An image in a document: it has no address of its own.
            return [f"![{text}]()"]
    return [f"![{text}]({address})" for address, text in texts.items()]


def _is_own(image: Node, figure: Node) -> bool:
    nearest = next(image.iterancestors("figure"), None) if figure.tag == "figure" else figure
    return nearest is figure and not is_pixel(image) and not is_hidden(image)


def _caption(blocks: Iterable[Block], base: str) -> str:
    runs = [
        Run(" ") if run.style == "n" else Run(run.text, run.href, _plain_style(run))
        for block in blocks
        for run in (*block.runs, Run(" "))
        if run.style != "img"
    ]
    return markdown_line(runs, base)


def _plain_style(run: Run) -> str:
    return "" if run.style in _UNMARKED else run.style
