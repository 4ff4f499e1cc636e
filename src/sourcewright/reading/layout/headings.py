"""Headings: finds them by size, weight, numbering and the document's bookmarks."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from sourcewright.reading.layout.blocks import STRONG, Block, is_contents_line
from sourcewright.reading.layout.body import Body
from sourcewright.reading.layout.heading_levels import (
    NUMBERED,
    Style,
    is_italic,
    is_strong,
    is_unlike,
    set_levels,
    style_of,
)
from sourcewright.reading.layout.words import Bookmark

_MAX_LINES, _MAX_CHARACTERS = 4, 220
_LARGER, _SLIGHTLY_LARGER, _MUCH_LARGER = 1.16, 1.04, 1.4
_NEXT_LINE = 1.35
"""Distance of lines without space between them, in units of the font size."""
_MIN_LETTERS = 0.75
"""Part of the characters of a heading in italics, so that it is no formula."""
_FEW_WORDS = 6
"""Words of a heading that ends as a sentence does."""
_TERM_DISTANCE = 2.0
_TERM_INDENT, _ONE_LINE_INDENT = 0.7, 2.1
"""Indentation of a definition below its term, in units of the font size."""
_MAX_TAGGED = 0.3
"""Part of the letters of a document that are in headings."""
_SENTENCE_END = re.compile(r"[.,;:]\Z")
_WORDS = re.compile(r"\w+")
_ORDINAL = re.compile(r"\d+|[ivx]+|[a-z]")


def mark_headings(
    blocks: Sequence[Block],
    body: Body,
    bookmarks: Sequence[Bookmark],
    title: Block | None = None,
    bylines: Collection[Block] = (),
) -> None:
    """Turn the blocks that are headings into headings with levels; authors below a title are none."""
    levels = _by_page(bookmarks)
    tagged = _are_tags_sane(blocks)
    chosen: list[Block] = []
    for at, block in enumerate(blocks):
        if block.kind not in ("paragraph", "item") or block.is_entry or not _is_short(block):
            continue
        level = _bookmark_level(block, levels) or (block.lines[0].tag.heading if tagged else 0)
        if level or (
            block not in bylines
            and not (at and _goes_on_small(blocks[at - 1], block, body))
            and _stands_out(block, body, blocks[at + 1 : at + 2])
        ):
            block.kind, block.level = "heading", level
            chosen.append(block)
    capitals = {
        style_of(one, body) for one in chosen if one.text.isupper() and NUMBERED.match(one.text)
    }
    for block in blocks:
        if block not in bylines and _is_like_capitals(block, capitals, body):
            block.kind = "heading"
    headings = [one for one in blocks if one.kind == "heading"]
    is_apart = title in headings and (bool(bylines) or is_unlike(title, headings, body))
    set_levels(headings, body, title if is_apart else None)


def _are_tags_sane(blocks: Iterable[Block]) -> bool:
    """Whether headings by their tags are a small part of the text; some files tag it all so."""
    letters = heading_letters = 0
    for block in blocks:
        for line in block.lines:
            letters += len(line.text)
            heading_letters += len(line.text) if line.tag.heading else 0
    return heading_letters <= _MAX_TAGGED * letters


def _is_short(block: Block) -> bool:
    return len(block.lines) <= _MAX_LINES and len(block.text) <= _MAX_CHARACTERS


def _stands_out(block: Block, body: Body, after: Sequence[Block]) -> bool:
    text = " ".join(block.text.split())
    if sum(map(str.isalpha, text)) < 2 or _has_bullet(block) or is_contents_line(block.lines[-1]):
        return False
    ratio = block.size / (body.size or 1.0)
    is_bold = is_strong(block) and not body.style & STRONG
    ends_sentence = bool(_SENTENCE_END.search(text))
    if ratio >= _LARGER:
        is_title = ratio >= _MUCH_LARGER or len(text.split()) <= _FEW_WORDS
        return not ends_sentence or (len(text) < 100 and is_title)
    if ends_sentence and not NUMBERED.match(text):
        return False
    if is_bold and ratio >= 0.9:
        is_numbered = block.kind != "item" and NUMBERED.match(text) is not None
        return len(block.lines) <= 3 and (is_numbered or not _is_term(block, after))
    return bool(after) and _is_set_apart(block, body, after)


def _is_set_apart(block: Block, body: Body, after: Sequence[Block]) -> bool:
    """Whether a line that is neither bold nor much larger is set as a heading by its other type."""
    is_short = len(block.lines) <= 2 and len(block.text) < 100
    is_larger = block.size >= _SLIGHTLY_LARGER * body.size
    is_alone = _is_italic_head(block, body, after)
    if not NUMBERED.match(block.text) or not is_short or (block.kind == "item" and not is_alone):
        return is_larger and is_alone
    return block.text.isupper() or is_larger or is_italic(block, body)


def _goes_on_small(before: Block, block: Block, body: Body) -> bool:
    """Whether a line of lower case is directly below another, such as `end` in an algorithm."""
    if block.page != before.page or not before.lines or block.size >= _LARGER * body.size:
        return False
    distance = before.bottom - block.top
    return block.text[:1].islower() and 0 < distance < _NEXT_LINE * block.size


def _is_italic_head(block: Block, body: Body, after: Sequence[Block]) -> bool:
    """Whether a line of italics is neither text nor an item, as a paragraph follows it."""
    is_alone = len(block.lines) == 1 and bool(after) and after[0].kind == "paragraph"
    text = "".join(block.text.split())
    is_text = sum(map(str.isalpha, text)) >= _MIN_LETTERS * len(text)
    return is_alone and is_text and is_italic(block, body)


def _has_bullet(block: Block) -> bool:
    return block.kind == "item" and not block.marker.strip("().").isalnum()


def _is_term(block: Block, after: Sequence[Block]) -> bool:
    """Whether a line is the term of a definition, which is indented and directly below it."""
    if not after or not after[0].lines or len(block.lines) > 1 or block.text.isupper():
        return False
    term, lines = block.lines[0], after[0].lines
    if not 0 < term.base - lines[0].base < _TERM_DISTANCE * term.size:
        return False
    indents = [(line.left - term.left) / term.size for line in lines]
    # The first line of a paragraph is indented, too.
    return min(indents) > (_TERM_INDENT if len(lines) > 1 else _ONE_LINE_INDENT)


def _by_page(bookmarks: Iterable[Bookmark]) -> Mapping[int, dict[str, int]]:
    levels: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for one in bookmarks:
        if key := _normalised(one.title):
            levels[one.page].setdefault(key, one.level)
    return levels


def _bookmark_level(block: Block, levels: Mapping[int, dict[str, int]]) -> int:
    """The level of the bookmark that has the text of the block on its page; 0 if none has."""
    here = levels.get(block.page)
    return here.get(_normalised(block.text), 0) if here else 0


def _normalised(text: str) -> str:
    """Letters and digits only; numbering at the start is not part of every bookmark."""
    words = _WORDS.findall(unicodedata.normalize("NFKC", text).casefold())
    while len(words) > 1 and _ORDINAL.fullmatch(words[0]):
        words.pop(0)
    return "".join(words)


def _is_like_capitals(block: Block, styles: Collection[Style], body: Body) -> bool:
    """Whether a line in capitals is set as numbered headings in capitals are."""
    if block.kind != "paragraph" or block.is_entry or len(block.lines) > 1:
        return False
    return block.text.isupper() and style_of(block, body) in styles
