"""Captions of images without a `figcaption`: an element with only an image and its text."""

from collections import Counter
from itertools import islice

from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.inline import IMAGE_TAGS
from sourcewright.reading.html.position import self_and_ancestors
from sourcewright.reading.html.selection.body import Body, Selection, text_size
from sourcewright.reading.html.selection.heads import has_date

_MAX_CAPTION, _MAX_DISTANCE = 160, 3
_MAX_LONG_CAPTION = 300
"""The most characters of a caption and its credit, between paragraphs that have no images."""
_MAX_SHARE = 0.5
"""Captions for each paragraph; with more, the text itself is beside images."""
_MAX_DATE = 40
"""Characters of a line that is hardly more than a date."""
_COLONS = (":", "\uff1a")
"""At the end of a line that introduces what follows."""
_BOX_TAGS = frozenset(("div", "span", "section", "aside", "center", "figure", "td"))
_TEXT_TAGS = frozenset(("div", "span", "p", "small"))


def mark_captions(page: Selection, body: Body) -> None:
    """Mark the blocks above and between the paragraphs of an article that are captions."""
    boxes = _ImageBoxes(page, body)
    captions = [
        (block, box)
        for block in page.blocks[: body.last]
        if (box := boxes.box_of(block)) is not None
    ]
    figures = {box for _, box in captions}
    if len(figures) > _MAX_SHARE * len(page.paragraphs):
        return
    for block, box in captions:
        block.figure = box
    for block in page.blocks[: body.last]:
        if block.image:
            near = islice(self_and_ancestors(block.place), _MAX_DISTANCE)
            block.figure = next((place for place in near if place in figures), None)


class _ImageBoxes:
    """The elements of an article that have an image and little text."""

    def __init__(self, page: Selection, body: Body) -> None:
        self._body = body
        self._around_paragraphs = _elements_of_paragraphs(page)
        self._shapes = _shapes_of_paragraphs(page, body)
        self._figures: dict[Container, bool] = {}

    def box_of(self, block: Block) -> Container | None:
        """The element with only an image and its caption, of which a block is all or a part."""
        if not block.text or block.form or block.item or block.place.tag not in _TEXT_TAGS:
            return None
        if 2 * block.linked > len(block.text) or block.text.endswith(_COLONS):
            return None
        for place in islice(self_and_ancestors(block.place), _MAX_DISTANCE):
            if place in self._body.ancestors or place.characters > _MAX_LONG_CAPTION:
                return None
            if 2 * place.linked > place.characters:
                return None
            if place.tag in _BOX_TAGS and self._is_figure(place):
                is_sure = self._is_among_paragraphs(place) or _is_single_line(place, block)
                return place if is_sure else None
        return None

    def _is_figure(self, place: Container) -> bool:
        """Whether it has an image and no date."""
        if place not in self._figures:
            has_image = next(place.node.iter(*IMAGE_TAGS), None) is not None
            # A date beside an image is that of the page, and the image that of its author.
            texts = (text.strip() for text in place.node.itertext())
            is_dated = has_image and any(
                len(text) <= _MAX_DATE and has_date(text) for text in texts
            )
            self._figures[place] = has_image and not is_dated
        return self._figures[place]

    def _is_among_paragraphs(self, place: Container) -> bool:
        """Whether it stands among paragraphs, or has a shape that no element of these has."""
        outer = islice(self_and_ancestors(place), 1, _MAX_DISTANCE)
        if not self._around_paragraphs.isdisjoint(outer):
            return True
        return (place.tag, place.tokens) not in self._shapes


def _elements_of_paragraphs(page: Selection) -> set[Container]:
    """Elements with at least half of the paragraphs directly in them."""
    counts = Counter(
        place
        for at in page.paragraphs
        for place in (page.blocks[at].place, page.blocks[at].place.parent)
        if place is not None
    )
    return {place for place, count in counts.items() if 2 * count >= len(page.paragraphs)}


def _shapes_of_paragraphs(page: Selection, body: Body) -> set[tuple[str, tuple[str, ...]]]:
    """Tags and names of the elements of the body that have paragraphs in them."""
    return {
        (place.tag, place.tokens)
        for at in page.paragraphs
        for place in self_and_ancestors(page.blocks[at].place)
        if place not in body.ancestors
    }


def _is_single_line(place: Container, block: Block) -> bool:
    """Whether an element has no text but a short caption.

    Where the paragraphs are in elements with images, a longer text is one of them.
    """
    return place.characters <= len(block.text) and text_size(block.text) <= _MAX_CAPTION
