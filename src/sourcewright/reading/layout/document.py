"""Documents from laid-out pages: Markdown with page anchors, without running heads."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from sourcewright.base.text.page_anchors import page_anchor
from sourcewright.base.text.plain import superscript_of
from sourcewright.reading.layout.bibliography.entries import entry_lines
from sourcewright.reading.layout.bibliography.labels import with_labels
from sourcewright.reading.layout.blocks import Block
from sourcewright.reading.layout.body import Body, body_of
from sourcewright.reading.layout.edges.running_heads import without_running_heads
from sourcewright.reading.layout.flow import join_divided, join_headings, mark_captions, mark_notes
from sourcewright.reading.layout.front_matter import (
    FrontMatter,
    bylines,
    front_matter,
    title_block,
)
from sourcewright.reading.layout.headings import mark_headings
from sourcewright.reading.layout.inline import (
    MARK,
    Surroundings,
    code_text,
    inline_markdown,
    unwrap,
)
from sourcewright.reading.layout.letters.hyphens import compounds_in, join_hyphenated
from sourcewright.reading.layout.line_numbers import without_line_numbers
from sourcewright.reading.layout.lines import segments_of
from sourcewright.reading.layout.lists import indents_of, item_markdown
from sourcewright.reading.layout.regions import Region, page_regions, with_details
from sourcewright.reading.layout.tables.parts import join_tables
from sourcewright.reading.layout.words import BOLD, FIXED, ITALIC, Bookmark, PageWords
from sourcewright.reading.markdown.sections import escape_block_markers
from sourcewright.reading.markdown.writer import code_fence, markdown_table

SCAN_NOTE = "*This page is a scan without text.*"
OCR_NOTE = "*The text of this page was recognised by OCR and may have errors.*"
_TRAILING_SPACES = re.compile(r"(?<![ \t])[ \t]++$", re.MULTILINE)
_COMMENT = re.compile("<(?=!--)")
_LEADERS = re.compile(r"\s?(?:[.\u00b7\u22c5]\s?){5,}|\s?(?:\u2026\s?){4,}")
_BREAK = re.compile(f"{MARK}(\\d{{1,9}}){MARK}")


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidOut:
    """A document as Markdown."""

    pages: Sequence[str]
    """In pieces, which are joined without anything between them."""
    front: FrontMatter = field(default_factory=FrontMatter)


def lay_out(pages: Sequence[PageWords], bookmarks: Sequence[Bookmark] = ()) -> LaidOut:
    """Find headings, paragraphs, lists and the order of columns."""
    numbered = without_line_numbers(segments_of(page.words) for page in pages)
    segments = without_running_heads(
        [(page.height, with_labels(rest)) for page, rest in zip(pages, numbered, strict=True)]
    )
    regions = [page_regions(one, page) for page, one in zip(pages, segments, strict=True)]
    entries = entry_lines(region.lines for columns in regions for region in columns)
    regions = [
        [with_details(region, page.rules, entries) for region in columns]
        for page, columns in zip(pages, regions, strict=True)
    ]
    body = body_of(line for columns in regions for region in columns for line in region.lines)
    blocks = [
        [block for region in columns for block in region.blocks(page.number, entries)]
        for page, columns in zip(pages, regions, strict=True)
    ]
    mark_captions(blocks)
    every = [block for page in blocks for block in page]
    if body.style & FIXED:
        _without_code(every)
    first = next((page for page in blocks if page), [])
    title = title_block(first, body)
    authors = bylines(title, first)
    mark_headings(every, body, bookmarks, title, authors)
    join_headings(blocks)
    mark_notes(blocks, body, authors)
    front = front_matter(first, body)
    join_tables(blocks)
    join_divided(blocks)
    margins = [
        _margin_outside(page, columns) for page, columns in zip(pages, regions, strict=True)
    ]
    return LaidOut(pages=list(_written(pages, blocks, margins, body)), front=front)


def _margin_outside(page: PageWords, regions: Sequence[Region]) -> list[str]:
    """Lines in another direction that are no labels of figures."""
    labels = {line for region in regions for one in region.figures for line in one.turned}
    return [line.text for line in page.margin if line not in labels]


def plain_page(page: PageWords) -> str:
    """A page as plain lines under its anchor; empty if it has no text."""
    texts = [_plain_text(page)]
    if page.recognised:
        texts += [OCR_NOTE, *map(escape, page.recognised)]
    text = "\n\n".join(filter(None, texts))
    return f"{page_anchor(page.number)}\n\n{text}" if text else ""


def _plain_text(page: PageWords) -> str:
    text = join_hyphenated(page.plain).replace("\r\n", "\n").replace("\r", "\n")
    return escape(_TRAILING_SPACES.sub("", text).strip())


def _without_code(blocks: Iterable[Block]) -> None:
    """A document that is set in a typewriter font has no code for that reason."""
    for block in blocks:
        if block.kind == "code":
            block.kind = "paragraph"


def _written(
    pages: Sequence[PageWords],
    blocks: Sequence[Sequence[Block]],
    margins: Sequence[Sequence[str]],
    body: Body,
) -> Iterator[str]:
    writer = _Writer(body, compounds_in("\n".join(one.text for page in blocks for one in page)))
    page_numbers: set[int] = set()
    for page, page_blocks, margin in zip(pages, blocks, margins, strict=True):
        texts = list(writer.texts(page_blocks))
        texts += map(escape, margin)
        if page.recognised:
            texts += [OCR_NOTE, *map(escape, page.recognised)]
        elif not page.words:
            texts.append(SCAN_NOTE if page.is_scan else _plain_text(page))
        content = "\n\n".join(filter(None, texts))
        if content and page.number not in page_numbers:
            content = f"{page_anchor(page.number)}\n\n{content}"
        if content:
            yield f"\n\n{content}" if page_numbers else content
            page_numbers.add(page.number)
        page_numbers.update(number for one in page_blocks for number in one.page_breaks.values())


class _Writer:
    """Writes the blocks of a document as Markdown."""

    def __init__(self, body: Body, compounds: frozenset[str]) -> None:
        self._body = body
        self._compounds = compounds

    def texts(self, blocks: Sequence[Block]) -> Iterator[str]:
        """The Markdown of each block; items of one list together."""
        notes = {block.marker: block.label for block in blocks if block.kind == "note"}
        for is_list, group in groupby(blocks, key=lambda block: block.kind == "item"):
            members = list(group)
            written = [self._text(block, notes) for block in members]
            if is_list:
                indents = indents_of(members)
                yield "\n".join(
                    " " * indent + item for indent, item in zip(indents, written, strict=True)
                )
            else:
                yield from written

    def _text(self, block: Block, notes: Mapping[str, str]) -> str:
        if block.kind == "table":
            return self._table(block, notes)
        if block.kind == "figure":
            return f"*{block.marker}: {_plain_label(block.label)}*" if block.label else ""
        if block.kind == "formula":
            return "\n\n".join(map(escape, block.label.split("\n")))
        if block.kind == "code":
            return code_fence(code_text(block.lines))
        text = self._inline(block, {} if block.kind == "note" else notes)
        return _block(block, text)

    def _table(self, block: Block, notes: Mapping[str, str]) -> str:
        rows = []
        for at, row in enumerate(block.cells):
            style = self._body.style | (0 if at else BOLD)
            around = Surroundings(style=style, notes=notes)
            cells = [self._unwrapped(inline_markdown(cell, around)) for cell in row]
            if at in block.page_breaks:
                cells[0] = f"{page_anchor(block.page_breaks[at])} {cells[0]}".strip()
            rows.append(cells)
        return markdown_table(rows)

    def _unwrapped(self, text: str) -> str:
        text = _COMMENT.sub(r"\\<", unwrap(join_hyphenated(text, self._compounds)))
        # Dots that lead to a page number say nothing, and are often longer than the entry.
        return _LEADERS.sub(" \u2026 ", text)

    def _inline(self, block: Block, notes: Mapping[str, str]) -> str:
        breaks = {line: f"{MARK}{page}{MARK}" for line, page in block.page_breaks.items()}
        style = self._body.style
        if block.kind in ("heading", "caption"):
            style |= BOLD | ITALIC
        text = inline_markdown(block.lines, Surroundings(style=style, notes=notes, breaks=breaks))
        text = self._unwrapped(text)
        return _BREAK.sub(lambda match: page_anchor(int(match[1])), text).strip()


def _block(block: Block, text: str) -> str:
    match block.kind:
        case "heading":
            return f"{'#' * block.level} {text}"
        case "item":
            return item_markdown(block, text)
        case "note":
            return f"[^{block.label}]: {_without_label(block, text)}"
        case "caption":
            return f"*{text.replace('*', '')}*"
        case _:
            return escape_block_markers(text)


def _plain_label(text: str) -> str:
    """The text of a figure without marks that would end its emphasis."""
    return " ".join(_COMMENT.sub(r"\\<", text.replace("*", "")).split())


def _without_label(block: Block, text: str) -> str:
    for label in (superscript_of(block.marker), f"<sup>{block.marker}</sup>", block.marker):
        if label and text.startswith(label):
            return text[len(label) :].lstrip(".) ")
    return text


def escape(text: str) -> str:
    """Plain text as Markdown that forges neither headings nor page anchors."""
    return escape_block_markers(_COMMENT.sub(r"\\<", text))
