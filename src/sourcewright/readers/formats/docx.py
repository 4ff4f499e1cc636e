"""DOCX (Word): headings, lists, tables, links and notes in document order."""

from collections.abc import Iterable, Iterator
from itertools import chain
from xml.etree.ElementTree import Element

from sourcewright.domain.readings import Reading
from sourcewright.logic.markdown.sections import unmarked
from sourcewright.logic.markdown.writer import bounded, table_of
from sourcewright.readers.formats._archive import Archive, attribute, child, local, related
from sourcewright.readers.formats._office import (
    FIGURES,
    FORMULAS,
    figure_of,
    formula_of,
    symbol_of,
)
from sourcewright.readers.formats._word import (
    FIELDS,
    WEB,
    WRAPPERS,
    Fields,
    Styles,
    goes_on,
    rows_of,
)

KINDS = ("docx",)
_PIECE = 50_000
_LONGEST_HELD = 20_000
"""Characters; each paragraph that is added to others takes as long as all of them."""
_SIGNS = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_NOTES = {"footnoteReference": "", "endnoteReference": "e"}
_NOT_TEXT = {"del", "moveFrom", "Fallback", "delText", "rPr", "pPr", "tbl", "rt", "txbxContent"}
_OFF = {"0", "false", "off"}


def read(body: bytes, *, url: str, content_type: str) -> Iterator[Reading]:
    """The text of the document, and its notes after it, in pieces that are kept one by one."""
    del url, content_type
    archive = Archive(body)
    said = archive.about()
    name = archive.part("officeDocument", usual="word/document.xml")
    writer = _Writer(archive, name)
    main = child(archive.required(name), "body")
    pieces = _pieces(chain([] if main is None else writer.blocks(main), writer.notes()))
    for at, piece in enumerate(pieces):
        yield Reading(
            content=piece if at else piece.lstrip(),
            kind="docx",
            title=said.get("title") or writer.title,
            author=said.get("author"),
            modified=said.get("modified"),
            cut=archive.cut,
        )


def _pieces(blocks: Iterable[str]) -> Iterator[str]:
    """Blocks in pieces of some length."""
    piece: list[str] = []
    length = 0
    for block in blocks:
        piece.append(block)
        length += len(block)
        if length > _PIECE:
            yield "".join(piece)
            piece, length = [], 0
    yield "".join(piece)


class _Writer:
    """Writes the blocks of a document as Markdown, each with the space before it."""

    def __init__(self, archive: Archive, main: str) -> None:
        self._archive, self._main = archive, main
        self._styles = Styles(archive, main)
        self._links = archive.links(main)
        self._in_list = False
        self._held = ""
        self._notes: list[str] = []
        self._fields = Fields()
        self.title: str | None = None

    def blocks(self, parent: Element) -> Iterator[str]:
        for one in parent:
            name = local(one.tag)
            if name == "p":
                yield from self._paragraph(one)
            elif name == "tbl":
                yield from self._let_go()
                yield from self._table(one)
            elif name in WRAPPERS:
                yield from self.blocks(one)

    def notes(self) -> Iterator[str]:
        """The notes that the text refers to, each under its mark."""
        yield from self._let_go()
        texts: dict[str, str] = {}
        for kind, prefix in (("footnotes", ""), ("endnotes", "e")):
            part = self._archive.part(kind, of=self._main, usual=f"word/{kind}.xml")
            self._links = self._archive.links(part)
            for note in self._archive.children(part):
                texts[prefix + (attribute(note, "id") or "")] = self._flat(note)
        for mark in dict.fromkeys(self._notes):
            if texts.get(mark):
                yield f"\n\n[^{mark}]: {texts[mark]}"

    def _paragraph(self, paragraph: Element) -> Iterator[str]:
        text = self._held + self._line(paragraph)
        self._held = text if goes_on(paragraph) and len(text) < _LONGEST_HELD else ""
        text = "" if self._held else text.strip()
        level, mark = self._styles.level_and_mark(paragraph) if text else (0, None)
        if level:
            self.title = self.title or " ".join(text.split())
            yield f"\n\n{'#' * level} {' '.join(text.split())}"
        elif mark:
            depth, sign = mark
            gap = "\n" if self._in_list else "\n\n"
            yield f"{gap}{'   ' * depth}{sign} {' '.join(text.split())}"
        elif text:
            yield f"\n\n{unmarked(text)}"
        self._in_list = mark is not None or (self._in_list and not text)
        for one in _apart(paragraph):
            if local(one.tag) == "txbxContent":
                yield from self.blocks(one)
            elif figure := figure_of(self._archive, self._links, one):
                yield f"\n\n{figure}"

    def _let_go(self) -> Iterator[str]:
        """End a list, and a paragraph that nothing follows."""
        text, self._held, self._in_list = self._held.strip(), "", False
        if text:
            yield f"\n\n{unmarked(text)}"

    def _table(self, table: Element) -> Iterator[str]:
        rows = rows_of(table, self._flat)
        if not any(cell for row in rows for cell in row):
            return
        if max(map(len, rows)) < 2:
            yield from (f"\n\n{unmarked(cell)}" for row in rows for cell in row if cell)
            return
        kept, note = bounded(rows)
        yield "\n\n" + table_of(kept) + (f"\n\n{note}" if note else "")

    def _flat(self, element: Element) -> str:
        """Everything inside on one line, tables in tables as well."""
        paragraphs = (one for one in element.iter() if local(one.tag) == "p")
        return " ".join(" ".join(self._line(one).split()) for one in paragraphs).strip()

    def _line(self, paragraph: Element) -> str:
        """The text of a paragraph; a field that is open at its end is closed there."""
        return self._inline(paragraph) + self._fields.end()

    def _inline(self, element: Element) -> str:
        return "".join(self._run(one) for one in element)

    def _run(self, one: Element) -> str:
        name = local(one.tag)
        if name == "t":
            return one.text or ""
        if name in _SIGNS:
            return _SIGNS[name]
        if name in _NOTES:
            self._notes.append(_NOTES[name] + (attribute(one, "id") or ""))
            return f"[^{self._notes[-1]}]"
        if name in _NOT_TEXT or (name == "r" and _is_hidden(one)):
            return ""
        if name in FORMULAS:
            return formula_of(one)
        return self._fields.take(one) if name in FIELDS else self._whole(one)

    def _whole(self, one: Element) -> str:
        """What stands inside."""
        name = local(one.tag)
        if name == "docPr":
            alt = " ".join((attribute(one, "descr") or "").split())
            return f"![{alt}]()" if alt else ""
        if name == "sym":
            return symbol_of(one)
        text = self._inline(one)
        target = self._links.get(related(one), "") if name == "hyperlink" else ""
        return f"[{text}]({target})" if target.startswith(WEB) and text.strip() else text


def _apart(element: Element) -> Iterator[Element]:
    """The boxes and figures in an element, but for those in other boxes."""
    for one in element:
        if local(one.tag) == "txbxContent" or local(one.tag) in FIGURES:
            yield one
        else:
            yield from _apart(one)


def _is_hidden(run: Element) -> bool:
    vanish = child(run, "rPr", "vanish")
    return vanish is not None and attribute(vanish, "val") not in _OFF
