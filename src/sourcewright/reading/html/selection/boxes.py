"""Boxes between the paragraphs of an article: teasers of other articles, sign-up forms, asides."""

from collections.abc import Sequence

from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.features import HEADINGS
from sourcewright.reading.html.inline import IMAGE_TAGS
from sourcewright.reading.html.position import self_and_ancestors
from sourcewright.reading.html.selection.body import (
    Body,
    Selection,
    is_headline_link,
    is_paragraph,
    text_size,
)

_MAX_BOX, _MAX_FORM, _MAX_LINE = 600, 300, 40
"""The most characters of a teaser, of a form with its heading, and of a line beside a link."""
_MIN_HEADLINE = 30
"""Characters of a headline above a paragraph; a shorter link may be a name."""
_MAX_TEASER_BLOCKS, _MIN_LINKS = 5, 2
_MOSTLY_LINKED, _PARTLY_LINKED = 0.6, 0.4
_MAX_BOXES_SHARE, _MAX_CALLS_SHARE = 0.25, 0.06
"""If boxes, or calls to action, are more of the text than this, the text consists of them."""
_TEXT_TAGS = frozenset(
    (
        *("p", "li", "ul", "ol", "dl", "dd", "dt", "tr", "td", "th", "table", "blockquote"),
        *("pre", "figure", "figcaption", *HEADINGS),
    )
)
"""Elements that are text and not boxes."""


def boxes_in(page: Selection, body: Body, *, is_signed: bool) -> set[int]:
    """Positions of the blocks in boxes of the body; none if the text consists of boxes.

    Calls to action are boxes only where a page declares to be an article, with author and date.
    """
    boxes, calls = set[int](), set[int]()
    for place, positions in _containers(page, body).items():
        blocks = [page.blocks[at] for at in positions]
        texts = [block for block in blocks if block.text]
        if texts and _is_box(place, blocks, texts):
            boxes.update(positions)
        elif is_signed and len(texts) > 1 and _is_call_to_action(place, texts):
            calls.update(positions)
    return page.at_most(boxes, _MAX_BOXES_SHARE) | page.at_most(calls, _MAX_CALLS_SHARE)


def _containers(page: Selection, body: Body) -> dict[Container, list[int]]:
    """The positions of all blocks in each small element between the body's paragraphs."""
    containers: dict[Container, list[int]] = {}
    for at in range(body.first, body.last + 1):
        for place in self_and_ancestors(page.blocks[at].place):
            if place in body.ancestors or place.characters > _MAX_BOX:
                break
            if place.tag not in _TEXT_TAGS:
                containers.setdefault(place, []).append(at)
    return containers


def _is_box(place: Container, blocks: Sequence[Block], texts: Sequence[Block]) -> bool:
    if any(block.form for block in texts):
        return False
    if place.tag == "aside" and place.characters <= _MAX_FORM:
        return not any(block.item or is_paragraph(block) for block in texts)
    if _has_form(place):
        return True
    return len(texts) > 1 and (_is_link_list(place, texts) or _is_teaser(place, blocks, texts))


def _is_link_list(place: Container, texts: Sequence[Block]) -> bool:
    if sum(map(is_headline_link, texts)) >= _MIN_LINKS:
        return place.linked > _MOSTLY_LINKED * place.characters
    return texts[0].place.tag in HEADINGS and all(map(_begins_with_link, texts[1:]))


def _begins_with_link(block: Block) -> bool:
    """Whether it is a headline link with its author or date behind it."""
    first = next((run for run in block.runs if run.text.strip()), None)
    if first is None or not first.href:
        return False
    return block.linked >= _PARTLY_LINKED * len(block.text)


def _is_teaser(place: Container, blocks: Sequence[Block], texts: Sequence[Block]) -> bool:
    """Whether it is one headline link with an image, a summary or a short line."""
    if len(texts) > _MAX_TEASER_BLOCKS or not is_headline_link(texts[0]):
        return False
    if any(map(is_headline_link, texts[2:])):
        return False
    if texts[0].place.tag in HEADINGS or any(block.image for block in blocks):
        return True
    if text_size(texts[0].text) < _MIN_HEADLINE and any(map(is_paragraph, texts)):
        return False  # a comment, with the name of its author above it
    has_image = next(place.node.iter(*IMAGE_TAGS), None) is not None
    return has_image or all(text_size(block.text) <= _MAX_LINE for block in texts[1:])


def _is_call_to_action(place: Container, texts: Sequence[Block]) -> bool:
    """Whether it is a short text with a link or a button of a few words below it."""
    *above, last = texts
    return (
        len(texts) <= _MAX_TEASER_BLOCKS
        and place.characters <= _MAX_FORM
        and text_size(last.text) <= _MAX_LINE
        and (last.linked >= len(last.text) or last.place.tag == "button")
        and not any(block.linked or block.item or block.form for block in above)
    )


def _has_form(place: Container) -> bool:
    """Whether it is a form with its heading; the fields themselves may have no text."""
    return place.characters <= _MAX_FORM and next(place.node.iter("form"), None) is not None
