"""Head of an article: byline, date and standfirst between its headline and its text."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from operator import itemgetter

from sourcewright.base.text.prose_dates import find_date
from sourcewright.reading.html.blocks import Block
from sourcewright.reading.html.features import HEADINGS, PageHints
from sourcewright.reading.html.position import self_and_ancestors
from sourcewright.reading.html.selection.body import (
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

_WORD = re.compile(r"\w+")
_MAX_LINE, _MAX_LEAD = 60, 400
"""The most characters of a byline or similar line, and of a standfirst."""
_MAX_DATED_LINE, _MIN_DIGITS, _MIN_DATE_DIGITS = 100, 8, 5
"""A line with so many digits may be longer: it says when a text was published and changed, or when
and by whom it was written."""
_LINES_ABOVE, _LINES_BELOW, _DAY = 4, 12, len("2020-03-09")
"""Blocks above and below a headline among which its date is."""
_MIN_TITLE_WORDS, _MOST_WORDS = 3, 0.6
"""A headline has so many words, and so many of them are in the page's title; others are a kicker."""
_MIN_SENTENCE = 70
_MAX_LIST, _MAX_DETAILS = 120, 250
"""Short lines with more characters in all are not only author and date."""
_MAX_LINES_SHARE = 0.25
"""The most of a short text that lines above it have."""
_FROM_HERE = frozenset(".!?:;,\u3002\uff01\uff1f\uff1a\u061f\u06d4\u2026")
"""Marks at the end of a sentence or of a line that introduces what follows."""


def head_of(page: Selection, body: Body, hints: PageHints) -> set[int]:
    """Positions of kept blocks above the headline, and between it and the text."""
    headline = _headline(page, body, hints)
    if headline is None:
        return set()
    return {
        *_lines_above(page, body, headline),
        *_standfirst(page, body, headline, hints),
        *_subheadings(page, body, headline),
    }


def _headline(page: Selection, body: Body, hints: PageHints) -> int | None:
    """The heading before the body with most words of the page's title, else the first `h1`.

    The only `h1` of a page may be the name of its site, and a headline may be an `h2`.
    """
    at = _titled(page.blocks[: body.first], hints)
    if at is not None:
        return at
    return next((at for at in range(body.first) if page.blocks[at].place.tag == "h1"), None)


def _titled(blocks: Sequence[Block], hints: PageHints) -> int | None:
    """The heading with most words of the page's title."""
    titles = list[tuple[int, int]]()
    for at, block in enumerate(blocks):
        if block.place.tag in HEADINGS:
            words = _words(block.text)
            common = len(words & hints.title)
            if len(words) >= _MIN_TITLE_WORDS and common >= _MOST_WORDS * len(words):
                titles.append((at, common))
    return max(titles, key=itemgetter(1))[0] if titles else None


def has_dated_headline(blocks: Sequence[Block], hints: PageHints) -> bool:
    """Whether a line beside the headline is a date, as on the pages of articles.

    A standfirst may be between them.
    """
    at = _titled(blocks, hints)
    if at is None:
        return False
    above = blocks[max(0, at - _LINES_ABOVE) : at]
    below = takewhile(
        lambda block: block.place.tag not in HEADINGS, blocks[at + 1 : at + 1 + _LINES_BELOW]
    )
    texts = [*below]
    paragraphs = [place for place, block in enumerate(texts) if is_paragraph(block)]
    beside = texts[: paragraphs[1]] if len(paragraphs) > 1 else texts
    return any(has_date(block.text) for block in (*above, *beside))


def has_date(text: str) -> bool:
    """Whether a short line has a day in it."""
    if not text or len(text) > _MAX_DATED_LINE:
        return False
    date = find_date(text)
    return date is not None and len(date) >= _DAY


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


def lines_above_short_text(page: Selection, hints: PageHints) -> set[int]:
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
    digits = sum(map(str.isdigit, block.text[:_MAX_DATED_LINE]))
    longest = _MAX_DATED_LINE if digits >= _MIN_DATE_DIGITS else _MAX_LINE
    ends_open = digits >= _MIN_DIGITS or block.text.rstrip()[-1:] not in _FROM_HERE
    return text_size(block.text) <= longest and ends_open


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
    for at in texts:
        block = page.blocks[at]
        if text_size(block.text) > _MAX_LEAD:
            continue
        is_near = len(texts) == 1 and branch_beside(block, body) is beside
        if is_near or (
            _is_description(block.text, hints)
            and not _is_beside_text(block, page.blocks[headline], body)
        ):
            yield at


def _is_beside_text(block: Block, headline: Block, body: Body) -> bool:
    """Whether a text is directly in an element that has the body and not the headline.

    The description of a page is often its first paragraph.
    """
    outer = block.place.parent
    return outer in body.ancestors and outer not in self_and_ancestors(headline.place)


def _subheadings(page: Selection, body: Body, headline: int) -> Iterator[int]:
    """Headings between the headline and the text that are a sentence: standfirsts."""
    for at in range(headline + 1, page.paragraphs[0]):
        block = page.blocks[at]
        if page.kept[at] and block.place.tag in HEADINGS and not block.linked:
            size = text_size(block.text)
            if _MIN_SENTENCE <= size <= _MAX_LEAD and branch_beside(block, body) is not None:
                yield at


def _is_description(text: str, hints: PageHints) -> bool:
    words = _words(text)
    return len(words & hints.summary) >= MOST * len(words)


def _is_lead(block: Block) -> bool:
    if block.form or block.place.tag in HEADINGS or is_figure(block):
        return False
    return bool(block.text) and not _is_detail(block)
