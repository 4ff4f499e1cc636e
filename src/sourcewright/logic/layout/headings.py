"""Headings: finds them by size, weight, numbering and the document's bookmarks."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sourcewright.logic.layout.blocks import Block, is_contents_line
from sourcewright.logic.layout.lines import TextLine
from sourcewright.logic.layout.words import BOLD, CAPITALS, FIXED, ITALIC, Bookmark

_MAX_LINES, _MAX_CHARACTERS = 4, 220
_MAX_LEVEL = 6
_STRONG = BOLD | CAPITALS
_LARGER, _SLIGHTLY_LARGER, _MUCH_LARGER = 1.16, 1.04, 1.4
_FEW_WORDS = 6
"""Words of a heading that ends as a sentence does."""
_SAME_SIZE = 0.04
_TERM_DISTANCE = 2.0
_TERM_INDENT, _ONE_LINE_INDENT = 0.7, 2.1
"""Indentation of a definition below its term, in units of the font size."""
_MIN_PROSE = 0.1
"""Part of the letters that are not in a typewriter font, unless the whole document is."""
_MAX_TAGGED = 0.3
"""Part of the letters of a document that are in headings."""
_NUMBERED = re.compile(r"(?:(\d{1,2}(?:\.\d{1,2}){0,4})\.?|([IVX]{1,5}|[A-Z])\.)\s+\S")
_SENTENCE_END = re.compile(r"[.,;:]\Z")
_WORDS = re.compile(r"\w+")
_ORDINAL = re.compile(r"\d+|[ivx]+|[a-z]")


@dataclass(frozen=True, slots=True)
class Body:
    """Size and style of the running text of a document."""

    size: float
    style: int


def body_of(lines: Iterable[TextLine]) -> Body:
    """The size and style that most letters have; a manual may have more code than text."""
    letters: Counter[tuple[float, int]] = Counter()
    for line in lines:
        letters[line.size, line.style] += sum(len(word.text) for word in line.words)
    prose = Counter({one: count for one, count in letters.items() if not one[1] & FIXED})
    if prose.total() >= _MIN_PROSE * letters.total():
        letters = prose
    if not letters:
        return Body(10.0, 0)
    size, style = letters.most_common(1)[0][0]
    return Body(size, style)


def mark_headings(
    blocks: Sequence[Block],
    body: Body,
    bookmarks: Sequence[Bookmark],
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
        if level or (block not in bylines and _stands_out(block, body, blocks[at + 1 : at + 2])):
            block.kind, block.level = "heading", level
            chosen.append(block)
    _set_levels(chosen, body)


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
    is_bold = _is_strong(block) and not body.style & _STRONG
    ends_sentence = bool(_SENTENCE_END.search(text))
    if ratio >= _LARGER:
        is_title = ratio >= _MUCH_LARGER or len(text.split()) <= _FEW_WORDS
        return not ends_sentence or (len(text) < 100 and is_title)
    if ends_sentence and not _NUMBERED.match(text):
        return False
    if is_bold and ratio >= 0.9:
        is_numbered = block.kind != "item" and _NUMBERED.match(text) is not None
        return len(block.lines) <= 3 and (is_numbered or not _is_term(block, after))
    is_numbered = bool(_NUMBERED.match(text)) and len(block.lines) <= 2 and len(text) < 100
    if not is_numbered or (block.kind == "item" and not _is_italic_head(block, body, after)):
        return False
    is_distinct = text.isupper() or ratio >= _SLIGHTLY_LARGER or _is_italic(block, body)
    return is_distinct and bool(after)


def _is_italic_head(block: Block, body: Body, after: Sequence[Block]) -> bool:
    """Whether a numbered line of italics is no item, as text follows it."""
    is_alone = len(block.lines) == 1 and bool(after) and after[0].kind == "paragraph"
    return is_alone and _is_italic(block, body)


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


def _is_strong(block: Block) -> bool:
    """Whether all of it is bold, or in small capitals."""
    return all(line.style & _STRONG for line in block.lines)


def _is_italic(block: Block, body: Body) -> bool:
    return all(line.style & ITALIC for line in block.lines) and not body.style & ITALIC


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


def _set_levels(headings: Sequence[Block], body: Body) -> None:
    """Levels by size and weight, then by numbering; those from bookmarks are kept."""
    styles = sorted({_style(block, body) for block in headings}, reverse=True)
    ranks: dict[tuple[float, bool, bool], int] = {}
    rank, last = 0, None
    for style in styles:
        if last is None or not _is_same(last, style):
            rank += 1
        ranks[style] = rank
        last = style
    depths: defaultdict[int, set[int]] = defaultdict(set)
    for block in headings:
        depths[ranks[_style(block, body)]].add(_depth(block))
    offset = _bookmark_offset(headings, ranks, body)
    for block in headings:
        rank = ranks[_style(block, body)]
        numbered = {depth for depth in depths[rank] if depth}
        deeper = _depth(block) - min(numbered) if _depth(block) and numbered else 0
        level = block.level + offset if block.level else rank + deeper
        block.level = max(1, min(level, _MAX_LEVEL))


def _bookmark_offset(
    headings: Sequence[Block], ranks: Mapping[tuple[float, bool, bool], int], body: Body
) -> int:
    """1 if a larger title stands above what the bookmarks list, 0 otherwise."""
    listed = [ranks[_style(block, body)] for block in headings if block.level == 1]
    others = [ranks[_style(block, body)] for block in headings[:3] if not block.level]
    return 1 if listed and others and min(others) < min(listed) else 0


def _style(block: Block, body: Body) -> tuple[float, bool, bool]:
    return block.size, _is_strong(block), not _is_italic(block, body)


def _is_same(one: tuple[float, bool, bool], other: tuple[float, bool, bool]) -> bool:
    return abs(one[0] - other[0]) <= _SAME_SIZE * one[0] and one[1:] == other[1:]


def _depth(block: Block) -> int:
    match = _NUMBERED.match(block.text)
    if match is None:
        return 0
    return match[1].count(".") + 1 if match[1] else 1
