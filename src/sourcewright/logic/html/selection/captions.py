"""Captions of images that are not in a `figure`: an element with only an image and its text."""

from itertools import islice

from sourcewright.logic.html.blocks import Block, Container
from sourcewright.logic.html.inline import IMAGE_TAGS
from sourcewright.logic.html.position import self_and_ancestors
from sourcewright.logic.html.selection.body import Body, Selection, text_size

_MAX_CAPTION, _MAX_DISTANCE = 160, 3
_MAX_SHARE = 0.34
"""Captions for each paragraph; with more, the text itself is beside images."""
_BOX_TAGS = frozenset(("div", "span", "section", "aside", "center"))
_TEXT_TAGS = frozenset(("div", "span", "p", "small"))


def mark_captions(page: Selection, body: Body) -> None:
    """Mark the blocks between the paragraphs of an article that are the caption of an image."""
    captions = [
        (block, box)
        for block in page.blocks[body.first : body.last]
        if (box := _image_box(block, body)) is not None
    ]
    if len(captions) > _MAX_SHARE * len(page.paragraphs):
        return
    for block, box in captions:
        block.figure = box
    boxes = {box for _, box in captions}
    for block in page.blocks[body.first : body.last]:
        if block.image:
            near = islice(self_and_ancestors(block.place), _MAX_DISTANCE)
            block.figure = next((place for place in near if place in boxes), None)


def _image_box(block: Block, body: Body) -> Container | None:
    """The element whose only text a block is, if there is also an image in it."""
    if not block.text or block.form or block.item or block.place.tag not in _TEXT_TAGS:
        return None
    if text_size(block.text) > _MAX_CAPTION or 2 * block.linked > len(block.text):
        return None
    for distance, place in enumerate(self_and_ancestors(block.place)):
        if place in body.ancestors or place.characters > len(block.text):
            return None
        if distance >= _MAX_DISTANCE:
            return None
        if place.tag in _BOX_TAGS and next(place.node.iter(*IMAGE_TAGS), None) is not None:
            return place
    return None
