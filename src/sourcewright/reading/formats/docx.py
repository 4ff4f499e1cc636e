"""DOCX (Word): headings, lists, tables, links, emphasis, code, notes and comments, in order."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from xml.etree.ElementTree import Element

from sourcewright.reading.formats._archive import (
    Archive,
    attribute,
    child,
    local_name,
    relationship_id,
)
from sourcewright.reading.formats._office import (
    FIGURES,
    FORMULAS,
    TextRun,
    figure_of,
    formula_of,
    symbol_character,
    with_scripts,
)
from sourcewright.reading.formats._word import (
    FIELD_ELEMENTS,
    WRAPPERS,
    FieldLinks,
    ParagraphStyles,
    continues_in_next,
    emphasis_of,
    emphasised,
    rows_of,
    script_tag,
    without_emphasis,
)
from sourcewright.reading.html.inline import absolute_url, escape_markdown
from sourcewright.reading.markdown.sections import displayed_text
from sourcewright.reading.markdown.writer import (
    code_fence,
    escape_line_starts,
    limit_rows,
    markdown_table,
)
from sourcewright.reading.readings import Reading

KINDS = ("docx",)
_PIECE = 50_000
_MAX_CONTINUED = 20_000
"""Limit in characters: joining continued paragraphs takes quadratic time."""
_REPLACEMENTS = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_NOTES = {"footnoteReference": "", "endnoteReference": "e", "commentReference": "c"}
_SKIPPED = {"del", "moveFrom", "Fallback", "delText", "rPr", "pPr", "tbl", "rt", "txbxContent"}
_FALSE_VALUES = {"0", "false", "off"}
_IMAGE = re.compile(r"!\[[^\]]*\]\(\)")


def read(body: bytes, *, url: str, content_type: str) -> Iterator[Reading]:
    """The text of the document, then its notes, in pieces."""
    del url, content_type
    archive = Archive(body)
    properties = archive.properties()
    name = archive.part("officeDocument", usual="word/document.xml")
    writer = _Writer(archive, name)
    main = child(archive.required(name), "body")
    pieces = _pieces(chain([] if main is None else writer.blocks(main), writer.notes()))
    for at, piece in enumerate(pieces):
        yield Reading(
            content=piece if at else piece.lstrip(),
            kind="docx",
            title=properties.get("title") or writer.title,
            author=properties.get("author"),
            modified=properties.get("modified"),
            cut=archive.cut,
        )


def _pieces(blocks: Iterable[str]) -> Iterator[str]:
    """Blocks joined into pieces of about 50,000 characters."""
    piece: list[str] = []
    length = 0
    for block in blocks:
        piece.append(block)
        length += len(block)
        if length > _PIECE:
            yield "".join(piece)
            piece, length = [], 0
    yield "".join(piece)


class _NoteLabels:
    """The labels of the notes that a text refers to."""

    def __init__(self) -> None:
        self.by_key: dict[str, str] = {}
        """By kind and id."""
        self._counts: Counter[str] = Counter()

    def label(self, prefix: str, key: str) -> str:
        """The label of a note: the number that Word shows, whatever its id is."""
        if prefix + key not in self.by_key:
            self._counts[prefix] += 1
        return self.by_key.setdefault(prefix + key, f"{prefix}{self._counts[prefix]}")


class _Writer:
    """Converts the blocks of a document to Markdown, each with its leading newlines."""

    def __init__(self, archive: Archive, main: str) -> None:
        self._archive, self._main = archive, main
        self._styles = ParagraphStyles(archive, main)
        self._links = archive.links(main)
        self._in_list = False
        self._continued = ""
        self._labels = _NoteLabels()
        self._fields = FieldLinks()
        self._code: list[str] = []
        self._is_in_code = False
        self._last = ""
        """What the last paragraph with text was: `image`, or the role of its style."""
        self.title: str | None = None

    def blocks(self, parent: Element) -> Iterator[str]:
        for one in parent:
            name = local_name(one.tag)
            if name == "p":
                yield from self._paragraph(one)
            elif name == "tbl":
                yield from self._flush()
                yield from self._table(one)
            elif name in WRAPPERS:
                yield from self.blocks(one)

    def notes(self) -> Iterator[str]:
        """The notes that the text refers to, each with its footnote label."""
        yield from self._flush()
        texts: dict[str, str] = {}
        for kind, prefix in (("footnotes", ""), ("endnotes", "e"), ("comments", "c")):
            part = self._archive.part(kind, of=self._main, usual=f"word/{kind}.xml")
            self._links = self._archive.links(part)
            for note in self._archive.children(part):
                author = attribute(note, "author") if kind == "comments" else None
                text = self._single_line(note)
                key = prefix + (attribute(note, "id") or "")
                texts[key] = f"Comment by {author}: {text}" if author and text else text
        for key, label in self._labels.by_key.items():
            if texts.get(key):
                yield f"\n\n[^{label}]: {texts[key]}"

    def _paragraph(self, paragraph: Element) -> Iterator[str]:
        if not self._continued and self._styles.is_code(paragraph):
            self._code.append(self._code_line(paragraph))
            return
        yield from self._end_code()
        text = self._continued + self._line(paragraph)
        self._continued = (
            text if continues_in_next(paragraph) and len(text) < _MAX_CONTINUED else ""
        )
        text = "" if self._continued else text.strip()
        level, mark = self._styles.level_and_mark(paragraph) if text else (0, None)
        if level:
            line = " ".join(without_emphasis(text).split())
            self.title = self.title or displayed_text(line)
            yield f"\n\n{'#' * level} {line}"
        elif text:
            role = self._styles.role(paragraph)
            yield (
                _item(text, *mark, is_first=not self._in_list)
                if mark
                else _plain(text, role, self._last)
            )
        self._last = self._kind(paragraph, text)
        self._in_list = mark is not None or (self._in_list and not text)
        for one in _boxes_and_figures(paragraph):
            if local_name(one.tag) == "txbxContent":
                yield from self.blocks(one)
            elif figure := figure_of(self._archive, self._links, one):
                yield f"\n\n{figure}"

    def _kind(self, paragraph: Element, text: str) -> str:
        """What a paragraph was for the next one; one without text changes nothing."""
        if not text:
            return self._last
        return "image" if _IMAGE.fullmatch(text) else self._styles.role(paragraph)

    def _code_line(self, paragraph: Element) -> str:
        """A line of code with its indentation, which may be tabs."""
        self._is_in_code = True
        text = self._line(paragraph).replace("\u00a0", " ").rstrip()
        self._is_in_code = False
        return text

    def _end_code(self) -> Iterator[str]:
        """Emit the lines of code before this paragraph as one block."""
        code, self._code = "\n".join(self._code).strip("\n"), []
        if code.strip():
            self._in_list = False
            yield f"\n\n{code_fence(code)}"

    def _flush(self) -> Iterator[str]:
        """End the current list and code, and emit a pending continued paragraph."""
        yield from self._end_code()
        text, self._continued, self._in_list = self._continued.strip(), "", False
        if text:
            yield f"\n\n{escape_line_starts(text)}"

    def _table(self, table: Element) -> Iterator[str]:
        rows = rows_of(table, self._single_line)
        if not any(cell for row in rows for cell in row):
            return
        if max(map(len, rows)) < 2:
            yield from (f"\n\n{escape_line_starts(cell)}" for row in rows for cell in row if cell)
            return
        first, note = limit_rows(rows)
        yield "\n\n" + markdown_table(first) + (f"\n\n{note}" if note else "")

    def _single_line(self, element: Element) -> str:
        """All paragraphs inside an element on one line, including nested tables."""
        paragraphs = (one for one in element.iter() if local_name(one.tag) == "p")
        return " ".join(" ".join(self._line(one).split()) for one in paragraphs).strip()

    def _line(self, paragraph: Element) -> str:
        """The text of a paragraph; fields that are still open are closed."""
        return self._inline(paragraph) + self._fields.end()

    def _inline(self, element: Element) -> str:
        if self._is_in_code:
            return "".join(self._run(one) for one in element)
        return emphasised(with_scripts([*map(self._text_run, element)]))

    def _text_run(self, run: Element) -> TextRun:
        """A run with its Markdown, which is not escaped in code."""
        style = emphasis_of(run)
        self._is_in_code = style == "c"
        text = self._run(run)
        self._is_in_code = False
        return TextRun(text, style, run, script_tag(run))

    def _run(self, one: Element) -> str:
        name = local_name(one.tag)
        if name == "t":
            return (one.text or "") if self._is_in_code else escape_markdown(one.text or "")
        if name in _REPLACEMENTS:
            return "\t" if name == "tab" and self._is_in_code else _REPLACEMENTS[name]
        if name in _NOTES:
            return f"[^{self._labels.label(_NOTES[name], attribute(one, 'id') or '')}]"
        if name in _SKIPPED or (name == "r" and _is_hidden(one)):
            return ""
        if name in FORMULAS:
            return formula_of(one)
        return self._fields.take(one) if name in FIELD_ELEMENTS else self._container(one)

    def _container(self, one: Element) -> str:
        """The text of an image description, symbol, hyperlink or other container."""
        name = local_name(one.tag)
        if name == "docPr":
            alt = " ".join((attribute(one, "descr") or "").split())
            return f"![{escape_markdown(alt)}]()" if alt else ""
        if name == "sym":
            return symbol_character(one)
        text = self._inline(one)
        link = self._links.get(relationship_id(one), "") if name == "hyperlink" else ""
        target = absolute_url(link, "")
        return f"[{text}]({target})" if target and text.strip() else text


def _item(text: str, depth: int, marker: str, *, is_first: bool) -> str:
    """An item of a list; one without a marker is a paragraph of the item before."""
    line = escape_line_starts(" ".join(text.split()))
    if not marker:
        return f"\n\n{'   ' * (depth + 1)}{line}"
    gap = "\n\n" if is_first else "\n"
    return f"{gap}{'   ' * depth}{marker} {line}"


def _plain(text: str, role: str, last: str) -> str:
    """A paragraph, a quotation, or a caption, which stands in italics below its image."""
    if role == "caption" and last == "image" and "*" not in text:
        return f"\n*{' '.join(text.split())}*"
    text = escape_line_starts(text)
    if role != "quote":
        return f"\n\n{text}"
    lines = "\n".join(f"> {line}" for line in text.split("\n"))
    return f"\n>\n{lines}" if last == "quote" else f"\n\n{lines}"


def _boxes_and_figures(element: Element) -> Iterator[Element]:
    """Text boxes and figures in an element, not those nested in other boxes."""
    for one in element:
        if local_name(one.tag) == "txbxContent" or local_name(one.tag) in FIGURES:
            yield one
        else:
            yield from _boxes_and_figures(one)


def _is_hidden(run: Element) -> bool:
    vanish = child(run, "rPr", "vanish")
    return vanish is not None and attribute(vanish, "val") not in _FALSE_VALUES
