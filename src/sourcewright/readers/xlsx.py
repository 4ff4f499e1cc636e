"""Workbooks: each sheet as a table under its name."""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from sourcewright.domain.readings import Reading
from sourcewright.logic.tabulating import MAX_COLUMNS, MAX_ROWS, left_out, table_of
from sourcewright.readers._archive import Archive, attribute, child, local, related
from sourcewright.readers._cells import Cells

KINDS = ("xlsx",)
_MAIN = "xl/workbook.xml"
_MAX_SHEETS = 200
_MAX_CHARACTERS = 5_000_000
_COLUMN = re.compile(r"[A-Z]{1,3}")


def read(body: bytes, *, url: str, content_type: str) -> Iterator[Reading]:
    """Sheet by sheet, in the order of the workbook."""
    del url, content_type
    archive = Archive(body)
    book, said = archive.required(_MAIN), archive.about()
    dated = attribute(child(book, "workbookPr"), "date1904") in {"1", "true"}
    cells, links = Cells(archive, from_1904=dated), archive.links(_MAIN)
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
    data = child(archive.tree(part), "sheetData")
    rows: list[list[str]] = []
    more = 0
    for row in [] if data is None else data:
        shown = _row(row, cells)
        if not any(shown):
            continue
        if len(rows) <= MAX_ROWS:
            rows.append(shown)
        else:
            more += 1
    widest = max(map(len, rows), default=0)
    note = left_out(more, max(0, widest - MAX_COLUMNS))
    table = table_of([row[:MAX_COLUMNS] for row in rows])
    return "\n\n".join(filter(None, [heading, table, note])), note is not None


def _row(row: Element, cells: Cells) -> list[str]:
    shown: list[str] = []
    for cell in row:
        if local(cell.tag) != "c":
            continue
        at = _column(cell.get("r", ""), len(shown))
        shown += [""] * (at - len(shown))
        shown.append(cells.text(cell))
    return shown


def _column(place: str, next_one: int) -> int:
    """The number of the column in `AB12`; the next one where none is given."""
    letters = _COLUMN.match(place)
    if letters is None:
        return next_one
    number = 0
    for letter in letters[0]:
        number = number * 26 + ord(letter) - ord("A") + 1
    return max(number - 1, next_one) if number <= 16_384 else next_one
