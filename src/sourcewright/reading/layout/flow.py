"""Flow of text over columns and pages: joins divided paragraphs, finds footnotes and captions."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from sourcewright.reading.layout.blocks import HYPHENS, SENTENCE_END, Block
from sourcewright.reading.layout.body import Body
from sourcewright.reading.layout.inline import first_raised, raised_labels

_LABEL = re.compile("\\d{1,3}|[a-z]|[*\u2217\u22c6\u2020\u2021\u00a7\u00b6]{1,3}")
_LABELS = (
    "(?:fig(?:ure|\\.)?|table|abb(?:ildung|\\.)?|tabelle|tab\\.|tableau|figura|tabla|tabela"
    "|scheme|box|chart|algorithm|listing|\u0440\u0438\u0441(?:\u0443\u043d\u043e\u043a|\\.)"
    "|\u0442\u0430\u0431\u043b(?:\u0438\u0446\u0430|\\.))\\s{0,3}"
    "(?:\\d{1,3}(?:\\.\\d{1,3})?[a-z]?|[IVX]{1,5}|[A-Z]\\d{0,2})"
)
CAPTION = re.compile(
    f"{_LABELS}\\s?[.:|\u2014\u2013-]|[\u56fe\u5716\u8868]\\s?\\d{{1,3}}", re.IGNORECASE
)
_LABEL_ALONE = re.compile(_LABELS, re.IGNORECASE)
_NUMBERED = re.compile(r"\d{1,3}(?:\.\d{1,2}){0,4}[.)]?(?:\s+[^\W\d_a-z]|\Z)|\d{4}\.")
"""The number of a heading or an item; a sentence may go on with a figure."""
_ITEM = re.compile(r"\(?\w{1,3}(?:\.\d{1,2}){0,4}[.)]\s|\d{1,2}(?:\.\d{1,2}){0,4}\s")
_CHAPTER = re.compile(
    "(?:chapter|appendix|part|section|kapitel|anhang|teil|chapitre|annexe|partie|cap[\u00edi]tulo"
    "|capitolo|ap[\u00e9\u00ea]ndice|hoofdstuk|rozdzia\u0142|\u0433\u043b\u0430\u0432\u0430"
    "|\u0440\u043e\u0437\u0434\u0456\u043b)\\s{1,3}(?:\\d{1,3}|[IVXLC]{1,7}|[A-Z])[.:]?"
    "|\u7b2c\\s?\\d{1,3}\\s?\u7ae0",
    re.IGNORECASE,
)
_SENTENCE_WORD = re.compile(r"[^\W\d_]{2}|[\u2e80-\u9fff]")
_MIN_NOTE_WORDS = 2
_SAME_SIZE = 0.07
_NOTE_SIZE = 0.95
_SAME_HEAD, _HEAD_PITCH, _ALIGNED, _LONGEST_HEAD = 0.03, 1.35, 2.0, 160
_LABEL_DISTANCE = 3.0
"""Distance of a caption from its label; manuscripts are double-spaced."""
_FLOATS = ("caption", "table", "note", "figure")


def mark_captions(pages: Iterable[list[Block]]) -> None:
    """Turn paragraphs that start like `Figure 3:` into captions, and `Table 1` with what it names."""
    for blocks in pages:
        rest: list[Block] = []
        for block in blocks:
            label = rest[-1] if rest else None
            if label is not None and block.kind == "paragraph" and _is_label_of(label, block):
                label.lines += block.lines
                label.kind = "caption"
                continue
            if block.kind == "paragraph" and CAPTION.match(block.lines[0].text):
                block.kind = "caption"
            rest.append(block)
        blocks[:] = rest


def _is_label_of(label: Block, block: Block) -> bool:
    """Whether a line is nothing but the label of a caption whose text is below it."""
    if label.kind != "paragraph" or not _LABEL_ALONE.fullmatch(label.text.strip()):
        return False
    return 0 < label.bottom - block.top < _LABEL_DISTANCE * block.size


def mark_notes(
    pages: Sequence[Sequence[Block]], body: Body, bylines: Collection[Block] = ()
) -> None:
    """Turn small paragraphs at the end of a column into footnotes if the page refers to them.

    Addresses of authors, which begin with raised numbers too, stay where they are.
    """
    used: set[str] = set()
    for blocks in pages:
        cited = {
            label
            for block in blocks
            if not _may_be_note(block, body)
            for label in raised_labels(block.lines)
        }
        for block, label in _notes(blocks, body):
            if label not in cited or block in bylines:
                continue
            name = label if label not in used else f"{block.page}-{label}"
            used.add(name)
            block.kind, block.marker, block.label = "note", label, name


def _may_be_note(block: Block, body: Body) -> bool:
    if block.is_entry:
        return False
    return block.kind in ("paragraph", "item") and block.size <= _NOTE_SIZE * body.size


def _notes(blocks: Sequence[Block], body: Body) -> Iterator[tuple[Block, str]]:
    for block in blocks:
        if not _may_be_note(block, body):
            continue
        label = first_raised(block.lines[0]) or block.lines[0].words[0].text.rstrip(".)")
        # Limits of a sum are small and stand below it, but say nothing.
        says = len(_SENTENCE_WORD.findall(block.text)) >= _MIN_NOTE_WORDS or "@" in block.text
        if says and _LABEL.fullmatch(label):
            yield block, label


def join_headings(pages: Sequence[list[Block]]) -> None:
    """Join the lines of a heading that was broken on purpose, and `Chapter 2` with its title."""
    for blocks in pages:
        joined: list[Block] = []
        for block in blocks:
            if joined and _is_chapter_title(joined[-1], block):
                joined[-1].lines += block.lines
                joined[-1].level = block.level
            elif joined and _is_next_line(joined[-1], block):
                joined[-1].lines += block.lines
            else:
                joined.append(block)
        blocks[:] = joined


def _is_chapter_title(heading: Block, block: Block) -> bool:
    """Whether a heading is only the number of a chapter, and its title is below it."""
    if heading.kind != "heading" or block.kind != "heading" or heading.page != block.page:
        return False
    if _CHAPTER.match(block.text) or _NUMBERED.match(block.text):
        return False
    return bool(_CHAPTER.fullmatch(heading.text.strip())) and block.top < heading.bottom


def _is_next_line(heading: Block, block: Block) -> bool:
    """Whether a heading is directly below another of the same type, with the same alignment."""
    if heading.kind != "heading" or block.kind != "heading" or _ITEM.match(block.text):
        return False
    last, line = heading.lines[-1], block.lines[0]
    if len(heading.text) + len(block.text) > _LONGEST_HEAD or last.text.endswith((".", ";", ",")):
        return False
    if abs(last.size - line.size) > _SAME_HEAD * line.size or last.style != line.style:
        return False
    left, right = abs(last.left - line.left), abs(last.right - line.right)
    middle = abs(last.left + last.right - line.left - line.right) / 2
    is_aligned = min(left, middle, right) < _ALIGNED
    return is_aligned and 0 < last.base - line.base < _HEAD_PITCH * line.size


def join_divided(pages: Sequence[list[Block]]) -> None:
    """Append the rest of a paragraph that a column or a page divided to its start."""
    open_block: Block | None = None
    for blocks in pages:
        joined: list[Block] = []
        at_start = True
        for block in blocks:
            at_start = at_start or block.starts_region
            if block.kind in _FLOATS or _is_aside(block, open_block):
                joined.append(block)
                continue
            if (block.is_rest and open_block is not None and open_block.is_entry) or (
                at_start and open_block is not None and _may_continue(open_block, block)
            ):
                _append(open_block, block)
            else:
                joined.append(block)
                open_block = block if block.kind in ("paragraph", "item") else None
            at_start = False
        blocks[:] = joined


def _is_aside(block: Block, open_block: Block | None) -> bool:
    """Whether small text, such as a copyright note, stands before the rest of a paragraph."""
    if open_block is None or open_block.kind != "paragraph" or block.kind != "paragraph":
        return False
    if block.is_entry:
        return False
    end = open_block.lines[-1].text
    is_open = end.endswith(HYPHENS) or (open_block.is_full and not SENTENCE_END.search(end))
    return is_open and block.size <= _NOTE_SIZE * open_block.size


def _may_continue(block: Block, rest: Block) -> bool:
    """Whether the start of a column goes on with a block; entries of references say so."""
    return not rest.is_entry and _continues(block, rest)


def _continues(block: Block, rest: Block) -> bool:
    if rest.kind == "item" and not rest.marker and block.kind == "item":
        # A tagged item that goes on in the next column; over pages, its text has to tell.
        if rest.page == block.last_page:
            return rest.lines[0].tag.item == block.lines[-1].tag.item
    elif rest.kind != "paragraph":
        return False
    if abs(block.size - rest.size) > _SAME_SIZE * block.size:
        return False
    end, start = block.lines[-1].text, rest.lines[0].text
    if not end or not start:
        return False
    if end.endswith(HYPHENS):
        return start[0].isalpha()
    return block.is_full and not SENTENCE_END.search(end) and not _NUMBERED.match(start)


def _append(block: Block, rest: Block) -> None:
    if rest.page != block.last_page:
        block.page_breaks[len(block.lines)] = rest.page
        block.last_page = rest.page
    block.lines += rest.lines
    block.is_full = rest.is_full
