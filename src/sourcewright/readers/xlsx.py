"""Workbooks: each sheet as a table under its name."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from sourcewright.domain.readings import Reading
from sourcewright.logic.tabulating import MAX_COLUMNS, MAX_ROWS, left_out, table_of
from sourcewright.readers._archive import Archive, attribute, child, local, related
from sourcewright.readers._cells import Cells

KINDS = ("xlsx",)
_MAX_SHEETS = 200
_MAX_CHARACTERS = 5_000_000
_FILLINGS = frozenset(("v", "is", "f"))
_COLUMN = re.compile(r"[A-Z]{1,3}")


def read(body: bytes, *, url: str, content_type: str) -> Iterator[Reading]:
    """Sheet by sheet, in the order of the workbook."""
    del url, content_type
    archive = Archive(body)
    main = archive.part("officeDocument", usual="xl/workbook.xml")
    book, said = archive.required(main), archive.about()
    dated = attribute(child(book, "workbookPr"), "date1904") in {"1", "true"}
    cells, links = Cells(archive, main, from_1904=dated), archive.links(main)
    sheets = list(_sheets(book))
    length = 0
    for at, sheet in enumerate(sheets[:_MAX_SHEETS]):
        text, cut = _sheet(archive, cells, sheet, links.get(related(sheet), ""))
        length += len(text)
        yield Reading(
            content=("\n\n" if at else "") + text,
            kind="xlsx",
            title=said.get("title"),
            author=said.get("author"),
            modified=said.get("modified"),
            cut=cut or archive.cut or len(sheets) > _MAX_SHEETS or length > _MAX_CHARACTERS,
        )
        if length > _MAX_CHARACTERS:
            return


def _sheets(book: Element) -> Iterator[Element]:
    found = child(book, "sheets")
    yield from [] if found is None else found


def _sheet(archive: Archive, cells: Cells, sheet: Element, part: str) -> tuple[str, bool]:
    hidden = " (hidden)" if sheet.get("state") in {"hidden", "veryHidden"} else ""
    heading = f"## {' '.join(sheet.get('name', '').split())}{hidden}"
    found, more, cut = archive.first(part, "row", most=MAX_ROWS + 1, fillings=_FILLINGS)
    rows: list[list[str]] = []
    widest = length = 0
    for row in found:
        shown, width = _row(row, cells)
        if length > _MAX_CHARACTERS:
            more += width > 0
        elif any(shown):
            rows.append(shown)
            length += sum(map(len, shown))
        widest = max(widest, width)
    note = left_out(more, max(0, widest - MAX_COLUMNS), at_least=cut)
    return "\n\n".join(filter(None, [heading, table_of(rows), note])), note is not None


def _row(row: Element, cells: Cells) -> tuple[list[str], int]:
    """As many cells of a row as are shown, and how many columns it takes."""
    shown: list[str] = []
    at, width = -1, 0
    for cell in row:
        if local(cell.tag) != "c":
            continue
        at = _column(cell.get("r", ""), at + 1)
        text = cells.text(cell)
        if text:
            width = at + 1
            shown += [*[""] * (at - len(shown)), text] if at < MAX_COLUMNS else []
    return shown, width


def _column(place: str, next_one: int) -> int:
    """The number of the column in `AB12`; the next one where none is given."""
    letters = _COLUMN.match(place)
    if letters is None:
        return next_one
    number = 0
    for letter in letters[0]:
        number = number * 26 + ord(letter) - ord("A") + 1
    return max(number - 1, next_one) if number <= 16_384 else next_one
