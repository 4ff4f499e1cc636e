"""Article body: drops what surrounds the text of an article, recognised by its shape.

The classifier decides block by block and keeps too much around an article: bylines and dates
above it, cards of other articles and author boxes below it. What counts here is where a block is
relative to the element that contains nearly all long paragraphs, not the words in it, so that it
works in every language and with any class names.
"""

import re
from collections.abc import Iterator, Sequence

from sourcewright.logic.html.blocks import Block
from sourcewright.logic.html.features import HEADINGS, PageHints
from sourcewright.logic.html.position import self_and_ancestors
from sourcewright.logic.html.selection.body import (
    MOST,
    NEARLY_ALL,
    Body,
    Selection,
    branch_beside,
    is_figure,
    is_paragraph,
    may_be_article,
    text_size,
)
from sourcewright.logic.html.selection.boxes import boxes_in
from sourcewright.logic.html.selection.captions import mark_captions
from sourcewright.logic.html.selection.debris import debris_in
from sourcewright.logic.html.selection.footers import footer_text
from sourcewright.logic.html.selection.runs import runs_after_text

_WORD = re.compile(r"\w+")
_MAX_LINE, _MAX_LEAD = 60, 400
"""The most characters of a byline or similar line, and of a standfirst."""
_MAX_DATED_LINE, _MIN_DIGITS = 100, 8
"""A line with so many digits may be longer: it says when a text was published and changed."""
_MIN_TITLE_WORDS = 3
_MAX_LIST, _MAX_DETAILS = 120, 250
"""Short lines with more characters in all are not only author and date."""
_MAX_LINES_SHARE = 0.25
"""The most of a short text that lines above it have."""
_FROM_HERE = frozenset(".!?:;,\u3002\uff01\uff1f\uff1a\u061f\u06d4\u2026")
"""Marks at the end of a sentence or of a line that introduces what follows."""
_MAX_DROPPED = {True: 0.4, False: 0.15}
"""The most of a text, on the page of an article and on others, that is taken for surroundings."""


def drop_surroundings(
    blocks: Sequence[Block], selected: Sequence[bool], hints: PageHints
) -> Sequence[bool]:
    """Drop kept blocks before and after the body of an article, and those that interrupt it."""
    page = Selection(blocks, selected)
    page = page.without(debris_in(page, is_article=may_be_article(hints)))
    page = page.without(runs_after_text(page, hints))
    is_article = page.is_article(hints)
    if is_article:
        page = page.without(footer_text(page))
    if not page.has_body or not (is_article or page.is_prose):
        return page.without(_lines_above_short_text(page, hints)).kept
    dropped = {*_after_body(page, is_article=is_article)}
    if is_article:
        body = page.body(NEARLY_ALL)
        headline = _headline(page, body, hints)
        if headline is not None:
            dropped |= {*_lines_above(page, body, headline)}
            dropped |= {*_standfirst(page, body, headline, hints)}
        dropped |= boxes_in(page, page.body(MOST))
        mark_captions(page, page.body(MOST))
    return page.without(dropped).kept


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
        for branch in page.branches_after(body)
        if is_article or not _may_belong([page.blocks[at] for at in branch], body)
        for at in branch
    ]
    return dropped if page.size(dropped) <= _MAX_DROPPED[is_article] * page.characters else []


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


def _headline(page: Selection, body: Body, hints: PageHints) -> int | None:
    """The heading before the body with most words of the page's title, else the first `h1`.

    The only `h1` of a page may be the name of its site, and a headline may be an `h2`.
    """
    headings = [at for at in range(body.first) if page.blocks[at].place.tag in HEADINGS]
    words = {at: _words(page.blocks[at].text) for at in headings}
    titles = [
        at
        for at in headings
        if len(words[at]) >= _MIN_TITLE_WORDS
        and len(words[at] & hints.title) >= MOST * len(words[at])
    ]
    if titles:
        return max(titles, key=lambda at: len(words[at]))
    return next((at for at in headings if page.blocks[at].place.tag == "h1"), None)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def _lines_above(page: Selection, body: Body, headline: int) -> Iterator[int]:
    """Everything before the headline, and short lines between it and the body; not its figures."""
    above = [at for at in range(body.first) if page.kept[at] and not is_figure(page.blocks[at])]
    yield from (at for at in above if at < headline)
    first = page.paragraphs[0]
    details = [
        at
        for at in above
        if at > headline
        and _is_detail(page.blocks[at])
        and (at < first or branch_beside(page.blocks[at], body))
    ]
    if page.size(details) <= _MAX_DETAILS:
        yield from details


def _lines_above_short_text(page: Selection, hints: PageHints) -> set[int]:
    """The same on the page of an article that has few or short paragraphs."""
    if not (may_be_article(hints) and page.paragraphs):
        return set()
    body = page.body(NEARLY_ALL)
    headline = _headline(page, body, hints)
    lines = set() if headline is None else {*_lines_above(page, body, headline)}
    return page.at_most(lines, _MAX_LINES_SHARE)


def _is_detail(block: Block) -> bool:
    """Whether a line above an article has the shape of a byline, date or share button."""
    if not block.text or block.form or block.place.tag in HEADINGS:
        return False
    items = block.item.parent if block.item is not None else None
    if items is not None and items.characters > _MAX_LIST:
        return False  # a summary of the article
    is_dated = sum(map(str.isdigit, block.text[:_MAX_DATED_LINE])) >= _MIN_DIGITS
    longest = _MAX_DATED_LINE if is_dated else _MAX_LINE
    return text_size(block.text) <= longest and block.text.rstrip()[-1:] not in _FROM_HERE


def _standfirst(page: Selection, body: Body, headline: int, hints: PageHints) -> Iterator[int]:
    """The one text outside the body that is beside the headline, or is the page's description."""
    beside = branch_beside(page.blocks[headline], body)
    if beside is None:
        return
    texts = [
        at
        for at in range(headline + 1, body.first)
        if page.kept[at] and _is_lead(page.blocks[at]) and branch_beside(page.blocks[at], body)
    ]
    if len(texts) != 1 or text_size(page.blocks[texts[0]].text) > _MAX_LEAD:
        return
    block = page.blocks[texts[0]]
    if branch_beside(block, body) is beside or _is_description(block.text, hints):
        yield texts[0]


def _is_description(text: str, hints: PageHints) -> bool:
    words = _words(text)
    return len(words & hints.summary) >= MOST * len(words)


def _is_lead(block: Block) -> bool:
    if block.form or block.place.tag in HEADINGS or is_figure(block):
        return False
    return bool(block.text) and not _is_detail(block)
