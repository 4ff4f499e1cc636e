"""XLSX (Excel): cells as the workbook shows them (shared strings, dates, percentages).

Workbooks: each sheet as a table under its name.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Literal
from xml.etree.ElementTree import Element

from sourcewright.domain.readings import Reading
from sourcewright.logic.markdown.writer import MAX_COLUMNS, MAX_ROWS, left_out, table_of
from sourcewright.readers.formats._archive import Archive, attribute, child, local, related

Look = Literal["date", "elapsed", "share"]
"""What a format makes of a number, where that is more than digits."""
_LOOKS: dict[str, Look] = {
    **{str(number): "date" for number in (*range(14, 23), *range(27, 37), 45, 47, *range(50, 59))},
    "46": "elapsed",
    "9": "share",
    "10": "share",
}
"""The formats that every workbook has, by their numbers."""
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\[\]]*\]|(?<=s)\.0+', re.IGNORECASE)
_DATE_SIGNS = re.compile(r"[ymdhs]", re.IGNORECASE)
_EPOCHS = {False: datetime(1899, 12, 30, tzinfo=UTC), True: datetime(1904, 1, 1, tzinfo=UTC)}
_NO_SUCH_DAY = 60
"""Workbooks that count from 1900 have a 29th of February in it; days before it are one off."""
_LATEST = 2_958_466
"""The serial number of the last day that a datetime has."""
_LONGEST = 32_767
"""Characters that a cell may have."""
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


class Cells:
    """Turns cells into text."""

    def __init__(self, archive: Archive, main: str, *, from_1904: bool) -> None:
        strings = archive.part("sharedStrings", of=main, usual="xl/sharedStrings.xml")
        self._shared = [_texts(one)[:_LONGEST] for one in archive.children(strings)]
        self._epoch = _EPOCHS[from_1904]
        self._looks = _looks_of(
            archive.tree(archive.part("styles", of=main, usual="xl/styles.xml"))
        )

    def text(self, cell: Element) -> str:
        """What a cell shows; its formula where its program has not worked that out."""
        kind, raw = cell.get("t", "n"), _text(child(cell, "v"))
        if kind == "inlineStr":
            found = child(cell, "is")
            return "" if found is None else _texts(found)[:_LONGEST]
        if not raw:
            formula = _text(child(cell, "f"))[:_LONGEST]
            return f"={formula}" if formula else ""
        if kind == "s":
            known = raw.isdecimal() and len(raw) < 10 and int(raw) < len(self._shared)
            return self._shared[int(raw)] if known else ""
        if kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(raw, raw)
        return self._number(raw, cell.get("s", "")) if kind == "n" else _plain(raw)[:_LONGEST]

    def _number(self, raw: str, style: str) -> str:
        try:
            number = float(raw)
        except ValueError:
            return raw[:_LONGEST]
        look = self._looks.get(style)
        if look == "share":
            return f"{number * 100:.15g}%"
        if look is not None and 0 <= number < _LATEST:
            return _elapsed(number) if look == "elapsed" else self._moment(number)
        return f"{number:.15g}" if "." in raw or "e" in raw.lower() else raw[:_LONGEST]

    def _moment(self, number: float) -> str:
        moment = self._epoch + timedelta(seconds=round(number * 86_400))
        if number < 1:
            return f"{moment:%H:%M:%S}"
        if number < _NO_SUCH_DAY and self._epoch == _EPOCHS[False]:
            moment += timedelta(days=1)
        return f"{moment:%Y-%m-%d %H:%M:%S}" if number % 1 else f"{moment:%Y-%m-%d}"


def _looks_of(root: Element | None) -> dict[str, Look]:
    """What the styles, by their places, make of a number."""
    looks = dict(_LOOKS)
    own = child(root, "numFmts")
    for one in [] if own is None else own:
        look = _look_of((attribute(one, "formatCode") or "")[:500])
        if look is not None:
            looks[attribute(one, "numFmtId") or ""] = look
    formats = child(root, "cellXfs")
    styles = [] if formats is None else [one.get("numFmtId", "") for one in formats]
    return {str(at): looks[number] for at, number in enumerate(styles) if number in looks}


def _look_of(code: str) -> Look | None:
    if _ELAPSED.search(code):
        return "elapsed"
    signs = _QUOTED.sub("", code)
    if "0" in signs or "#" in signs:
        return "share" if "%" in signs else None
    return "date" if _DATE_SIGNS.search(signs) else None


def _elapsed(number: float) -> str:
    minutes, seconds = divmod(round(number * 86_400), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def _texts(item: Element) -> str:
    """The text of a shared string; how it sounds is no part of it."""
    parts = (one for one in item if local(one.tag) != "rPh")
    return "".join(_texts(one) if len(one) else _plain(one.text or "") for one in parts)


def _plain(text: str) -> str:
    """The text without the way in which characters are written that XML does not have."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


def _text(element: Element | None) -> str:
    return "" if element is None else element.text or ""


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
