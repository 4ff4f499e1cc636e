"""Word documents: headings, lists, tables, links and notes, in the order of the document."""

from collections import Counter
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from sourcewright.domain.readings import Reading
from sourcewright.logic.tabulating import bounded, table_of
from sourcewright.readers._archive import Archive, attribute, child, local, related
from sourcewright.readers._word import Styles, value

KINDS = ("docx",)
_MAIN = "word/document.xml"
_SIGNS = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_NOTES = {"footnoteReference": "", "endnoteReference": "e"}
_NOT_TEXT = {"del", "moveFrom", "Fallback", "instrText", "delText", "rPr", "pPr", "tbl"}
_WRAPPERS = {"sdt", "sdtContent", "AlternateContent", "Choice", "ins", "moveTo", "customXml"}
_FRACTIONS = {"f": ("num", "den", "/"), "sSup": ("e", "sup", "^"), "sSub": ("e", "sub", "_")}
_OFF = {"0", "false", "off"}


def read(body: bytes, *, url: str, content_type: str) -> Reading:
    """The text of the document, and its notes after it."""
    del url, content_type
    archive = Archive(body)
    said = archive.about()
    writer = _Writer(archive)
    main = child(archive.required(_MAIN), "body")
    blocks = [] if main is None else list(writer.blocks(main))
    return Reading(
        content="".join([*blocks, *writer.notes(archive)]).strip(),
        kind="docx",
        title=said.get("title") or writer.title,
        author=said.get("author"),
        modified=said.get("modified"),
        cut=archive.cut,
    )


class _Writer:
    """Writes the blocks of a document as Markdown, each with the space before it."""

    def __init__(self, archive: Archive) -> None:
        self._styles = Styles(archive)
        self._links = archive.links(_MAIN)
        self._counts: Counter[tuple[str, int]] = Counter()
        self._in_list = False
        self._notes: list[str] = []
        self.title: str | None = None

    def blocks(self, parent: Element) -> Iterator[str]:
        for one in parent:
            name = local(one.tag)
            if name == "p":
                yield from self._paragraph(one)
            elif name == "tbl":
                self._in_list = False
                yield from self._table(one)
            elif name in _WRAPPERS:
                yield from self.blocks(one)

    def notes(self, archive: Archive) -> Iterator[str]:
        """The notes that the text refers to, each under its mark."""
        texts: dict[str, str] = {}
        for part, prefix in (("footnotes", ""), ("endnotes", "e")):
            for note in archive.children(f"word/{part}.xml"):
                texts[prefix + (attribute(note, "id") or "")] = self._flat(note)
        for mark in dict.fromkeys(self._notes):
            if texts.get(mark):
                yield f"\n\n[^{mark}]: {texts[mark]}"

    def _paragraph(self, paragraph: Element) -> Iterator[str]:
        text = self._inline(paragraph).strip()
        level, item = self._styles.level_of(paragraph), self._styles.item_of(paragraph)
        if level and text:
            self.title = self.title or " ".join(text.split())
            self._in_list = False
            yield f"\n\n{'#' * level} {' '.join(text.split())}"
        elif item and text:
            number, depth, numbered = item
            line = self._item(text, number, depth, numbered=numbered)
            yield ("\n" if self._in_list else "\n\n") + line
            self._in_list = True
        elif text:
            self._in_list = False
            yield f"\n\n{text}"
        for box in paragraph.iter():
            # A box is given a second time for old programs, without the wrapper of its kind.
            if local(box.tag) == "Choice":
                yield from self._boxes(box)

    def _boxes(self, choice: Element) -> Iterator[str]:
        for box in choice.iter():
            if local(box.tag) == "txbxContent":
                yield from self.blocks(box)

    def _item(self, text: str, number: str, depth: int, *, numbered: bool) -> str:
        self._counts[number, depth] += 1
        for deeper in range(depth + 1, 10):
            self._counts[number, deeper] = 0
        mark = f"{self._counts[number, depth]}." if numbered else "-"
        return f"{'   ' * depth}{mark} {' '.join(text.split())}"

    def _table(self, table: Element) -> Iterator[str]:
        rows = [self._row(row) for row in _unwrapped(table, "tr")]
        if not any(cell for row in rows for cell in row):
            return
        if max(map(len, rows)) < 2:
            yield from (f"\n\n{cell}" for row in rows for cell in row if cell)
            return
        kept, note = bounded(rows)
        yield "\n\n" + table_of(kept) + (f"\n\n{note}" if note else "")

    def _row(self, row: Element) -> list[str]:
        cells: list[str] = []
        for cell in _unwrapped(row, "tc"):
            merged = child(cell, "tcPr", "vMerge")
            goes_on = merged is not None and attribute(merged, "val") != "restart"
            cells.append("" if goes_on else self._flat(cell))
            span = value(cell, "tcPr", "gridSpan")
            cells += [""] * (min(int(span), 60) - 1 if span.isdecimal() else 0)
        return cells

    def _flat(self, element: Element) -> str:
        """Everything inside on one line, tables in tables as well."""
        paragraphs = (one for one in element.iter() if local(one.tag) == "p")
        return " ".join(" ".join(self._inline(one).split()) for one in paragraphs).strip()

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
        if name in _FRACTIONS:
            return self._formula(one, *_FRACTIONS[name])
        return self._whole(one, name)

    def _whole(self, one: Element, name: str) -> str:
        """What stands inside; nothing of a box, which is a block of its own."""
        if name == "txbxContent":
            return ""
        if name == "docPr":
            alt = " ".join((attribute(one, "descr") or "").split())
            return f"![{alt}]()" if alt else ""
        text = self._inline(one)
        target = self._links.get(related(one), "") if name == "hyperlink" else ""
        if target.startswith(("http://", "https://", "mailto:")) and text.strip():
            return f"[{text}]({target})"
        return text

    def _formula(self, one: Element, first: str, second: str, sign: str) -> str:
        parts = (child(one, first), child(one, second))
        above, below = ("" if part is None else self._inline(part) for part in parts)
        return sign.join(part if len(part) < 2 else f"({part})" for part in (above, below))


def _unwrapped(parent: Element, name: str) -> Iterator[Element]:
    """The elements of a name right below, also where a control is put around them."""
    for one in parent:
        if local(one.tag) == name:
            yield one
        elif local(one.tag) in _WRAPPERS:
            yield from _unwrapped(one, name)


def _is_hidden(run: Element) -> bool:
    vanish = child(run, "rPr", "vanish")
    return vanish is not None and attribute(vanish, "val") not in _OFF
