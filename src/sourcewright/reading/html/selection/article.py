"""Article body: drops what surrounds the text of an article, recognised by its shape.

The classifier decides block by block and keeps too much around an article: bylines and dates
above it, cards of other articles and author boxes below it. What counts here is where a block is
relative to the element that contains nearly all long paragraphs, not the words in it, so that it
works in every language and with any class names.
"""

from collections.abc import Sequence

from sourcewright.reading.html.blocks import Block
from sourcewright.reading.html.features import PageHints
from sourcewright.reading.html.position import self_and_ancestors
from sourcewright.reading.html.selection.body import (
    MOST,
    NEARLY_ALL,
    Body,
    Selection,
    is_paragraph,
    may_be_article,
)
from sourcewright.reading.html.selection.boxes import boxes_in
from sourcewright.reading.html.selection.captions import mark_captions
from sourcewright.reading.html.selection.comments import comments_below
from sourcewright.reading.html.selection.debris import debris_in
from sourcewright.reading.html.selection.footers import footer_text
from sourcewright.reading.html.selection.heads import head_of, lines_above_short_text
from sourcewright.reading.html.selection.landmarks import outside_landmarks
from sourcewright.reading.html.selection.lead_ins import lead_ins
from sourcewright.reading.html.selection.lines import lines_below, lines_between
from sourcewright.reading.html.selection.runs import runs_after_text

_MAX_DROPPED = {True: 0.4, False: 0.15}
"""The most of a text, on the page of an article and on others, that is taken for surroundings."""
_MAX_LINES_DROPPED = 0.9
"""The same after an article, if there is no paragraph in it."""


def drop_surroundings(
    blocks: Sequence[Block], selected: Sequence[bool], hints: PageHints
) -> Sequence[bool]:
    """Drop kept blocks before and after the body of an article, and those that interrupt it."""
    page = Selection(blocks, selected)
    page = page.without(debris_in(page, is_article=may_be_article(hints)))
    page = page.without(outside_landmarks(page, hints))
    page = page.without(comments_below(page, hints))
    page = page.without(runs_after_text(page, hints))
    is_article = page.is_article(hints)
    if is_article:
        page = page.without(footer_text(page))
    if not page.has_body(hints) or not (is_article or page.is_prose):
        return page.without(lines_above_short_text(page, hints)).kept
    dropped = {*_after_body(page, is_article=is_article)}
    if not is_article:
        return page.without(dropped).kept
    body = page.body(MOST)
    is_declared = hints.declares_article and hints.is_signed
    dropped |= boxes_in(page, body, is_signed=is_declared)
    mark_captions(page, body)
    text = page.without({at for at, block in enumerate(blocks) if block.figure is not None})
    if text.paragraphs:
        dropped |= head_of(text, text.body(NEARLY_ALL), hints)
    page = page.without(dropped)
    page = page.without({*lines_between(page, body), *lines_below(page, body)})
    return page.without(lead_ins(page)).kept


def with_copies(
    blocks: Sequence[Block],
    visible: Sequence[bool],
    unique: Sequence[bool],
    selected: Sequence[bool],
) -> Sequence[bool]:
    """Restore repeats inside the text whose other copy, which was kept first, was dropped."""
    lost = {
        block.text
        for block, was, keep in zip(blocks, unique, selected, strict=True)
        if was and not keep and is_paragraph(block)
    }
    paragraphs = [at for at, keep in enumerate(selected) if keep and is_paragraph(blocks[at])]
    if not lost or not paragraphs:
        return selected
    restored = list(selected)
    for at in range(paragraphs[0] - 1, paragraphs[-1]) if paragraphs[0] else ():
        text = blocks[at].text
        if visible[at] and not unique[at] and text in lost:
            restored[at] = True
            lost.discard(text)
    return restored


def _after_body(page: Selection, *, is_article: bool) -> list[int]:
    """Blocks after the body and outside it; none if they are a large part of the text."""
    body = page.body(MOST if is_article else NEARLY_ALL)
    dropped = [
        at
        for branch in page.branches_after(body, is_article=is_article)
        if is_article or not _may_belong([page.blocks[at] for at in branch], body)
        for at in branch
    ]
    most = _MAX_DROPPED[is_article]
    if is_article and not any(is_paragraph(page.blocks[at]) for at in dropped):
        most = _MAX_LINES_DROPPED
    return dropped if page.size(dropped) <= most * page.characters else []


def _may_belong(blocks: Sequence[Block], body: Body) -> bool:
    """Whether blocks beside the body may be content too, on a page that may not be an article.

    They may be its images, more paragraphs, or in an element with the body's tag and names: the
    next message of a thread.
    """
    place = body.place
    if any(map(is_paragraph, blocks)) or not any(block.text for block in blocks):
        return True
    return bool(place.tokens) and any(
        (other.tag, other.tokens) == (place.tag, place.tokens)
        for block in blocks
        for other in self_and_ancestors(block.place)
    )
