"""Runs of like-shaped elements around a text: cards of other articles, comments."""

import re
from collections.abc import Sequence
from itertools import accumulate

from sourcewright.reading.html.blocks import Block
from sourcewright.reading.html.features import HEADINGS, PageHints
from sourcewright.reading.html.position import self_and_ancestors
from sourcewright.reading.html.selection.body import (
    MOST,
    Body,
    Selection,
    branch_beside,
    is_headline_link,
    is_signed,
    may_be_article,
    text_size,
)
from sourcewright.reading.html.selection.siblings import Members, like_siblings

_MAX_MEMBER, _MIN_MEMBERS, _MIN_LINKS = 1500, 2, 3
_LIKE_SHAPED = 0.8
"""Share of the elements that must have the shape of a card or a comment."""
_MAX_LINE, _MIN_DIGITS, _MIN_DATE_DIGITS = 60, 2, 5
"""The most characters of a dated line, the fewest digits of one above a text, and below it."""
_SECTION_NUMBER = re.compile(r"(?:\d{1,3}\.)+(?:\d{1,3})?\s")
"""The number of a section in its heading, which is no date."""
_LIMITS = {True: (250, 0.9), False: (400, 0.75)}
"""Characters that the text itself has at least, and share of all characters that runs have at
most, on a page that declares to be an article, and on others."""
_MOST_TEXT = 0.85
"""Share of the text that precedes a run in another element."""
_MAX_CARDS_SHARE = 0.4
"""The same share of cards on a page that only has a date, as a list of articles may."""
_MIN_TITLE = 30
"""Characters of a headline that are more than those of a name."""
_ITEM_TAGS = frozenset(("li", "article"))
"""Elements whose names may differ within a run: every second one, or that of an author."""
_TEXT_TAGS = frozenset(
    ("p", "tr", "td", "dd", "dt", "ul", "ol", "blockquote", "figcaption", *HEADINGS)
)


def runs_after_text(page: Selection, hints: PageHints) -> set[int]:
    """Positions of the blocks in runs after the last long paragraph that is in none of them.

    Below comments may be paragraphs of a footer, outside the element with the text.
    """
    if not (may_be_article(hints) or is_signed(hints)):
        return set()
    siblings = like_siblings(
        page.blocks,
        (at for at, block in enumerate(page.blocks) if block.text or page.kept[at]),
        least=_MIN_MEMBERS,
        max_characters=_MAX_MEMBER,
        text_tags=_TEXT_TAGS,
        unnamed_tags=_ITEM_TAGS,
    )
    runs = [members for members in siblings if _is_run(page, members)]
    inside = {at for members in runs for at in _all(members) if page.kept[at]}
    text = [at for at in page.paragraphs if at not in inside]
    least, most = _LIMITS[hints.declares_article]
    if page.size(text) < least:
        return set()
    links = [members for members in siblings if _are_links(page, members)]
    body = page.without({*page.paragraphs} - {*text}).body(MOST)
    cards = {
        at for members in (*runs, *links) if _are_cards(page, members) for at in _all(members)
    }
    dropped = {at for at in inside if at > (text[-1] if at in cards else body.last)}
    dropped |= _beside_body(page, text, body, [*runs, *links])
    is_list = not (hints.declares_article or hints.has_article_url) and (
        page.size(dropped & cards) > _MAX_CARDS_SHARE * page.characters
    )
    if is_list or page.size(dropped) > most * page.characters:
        return set()
    return dropped | _headings_before(page, dropped)


def _beside_body(
    page: Selection, text: Sequence[int], body: Body, runs: Sequence[Members]
) -> set[int]:
    """Positions in runs below nearly all of the text and outside its element.

    Below them may be a few more paragraphs, about comments or about the site.
    """
    sizes = list(accumulate(text_size(page.blocks[at].text) for at in text))
    last = next(at for at, size in zip(text, sizes, strict=True) if size >= _MOST_TEXT * sizes[-1])
    below = [
        _all(members)
        for members in runs
        if min(min(positions) for positions in members.values()) > last
    ]
    return {
        at
        for inside in below
        if all(branch_beside(page.blocks[at], body) is not None for at in inside)
        for at in inside
        if page.kept[at]
    }


def _is_run(page: Selection, members: Members) -> bool:
    alike = sum(
        _is_card_or_comment([page.blocks[at] for at in positions])
        for positions in members.values()
    )
    return alike >= _LIKE_SHAPED * len(members)


def _are_cards(page: Selection, members: Members) -> bool:
    """Whether there are headlines of other pages in them; a shorter link may be a name."""
    texts = [page.blocks[at] for at in _all(members)]
    return any(is_headline_link(block) and text_size(block.text) >= _MIN_TITLE for block in texts)


def _all(members: Members) -> list[int]:
    return [at for positions in members.values() for at in positions]


def _are_links(page: Selection, members: Members) -> bool:
    """Whether each is a headline link and nothing else; in the text itself these are sources."""
    texts = [page.blocks[at] for at in _all(members)]
    return len(texts) >= max(_MIN_LINKS, len(members)) and all(map(is_headline_link, texts))


def _is_card_or_comment(blocks: Sequence[Block]) -> bool:
    """Whether it begins with a headline link, or has a line with a date above its text."""
    texts = [block for block in blocks if block.text]
    if len(texts) < 2 or any(block.form for block in texts) or all(map(_is_quoted, texts)):
        return False
    return (
        is_headline_link(texts[0])
        or any(map(_is_dated_line, texts[:2]))
        or any(_is_dated_line(block, _MIN_DATE_DIGITS) for block in texts[-2:])
    )


def _is_quoted(block: Block) -> bool:
    """Whether it is in a quotation, as posts of others are that an article shows."""
    return any(place.tag == "blockquote" for place in self_and_ancestors(block.place))


def _is_dated_line(block: Block, least: int = _MIN_DIGITS) -> bool:
    if block.place.tag in HEADINGS and _SECTION_NUMBER.match(block.text):
        return False
    digits = sum(character.isdigit() for character in block.text[:_MAX_LINE])
    return text_size(block.text) <= _MAX_LINE and digits >= least


def _headings_before(page: Selection, dropped: set[int]) -> set[int]:
    """The headings right above the first blocks of runs."""
    return {
        at - 1
        for at in dropped
        if at - 1 not in dropped and at and page.blocks[at - 1].place.tag in HEADINGS
    }
