"""XLSX (Excel): each sheet as a table, with cells as the workbook shows them.

Resolves shared strings, and formats dates, durations and percentages.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Literal
from xml.etree.ElementTree import Element

from sourcewright.reading.formats._archive import (
    Archive,
    attribute,
    child,
    local_name,
    relationship_id,
)
from sourcewright.reading.html.inline import absolute_url
from sourcewright.reading.markdown.writer import (
    MAX_COLUMNS,
    MAX_ROWS,
    markdown_table,
    omission_note,
)
from sourcewright.reading.readings import Reading

NumberDisplay = Literal["date", "elapsed", "share"]
"""How a number format shows a number, if not as plain digits."""
_LOOKS: dict[str, NumberDisplay] = {
    **{str(number): "date" for number in (*range(14, 23), *range(27, 37), 45, 47, *range(50, 59))},
    "46": "elapsed",
    "9": "share",
    "10": "share",
}
"""Built-in number formats, by id."""
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\[\]]*\]|(?<=s)\.0+', re.IGNORECASE)
_DATE_LETTERS = re.compile(r"[ymdhs]", re.IGNORECASE)
_EPOCHS = {False: datetime(1899, 12, 30, tzinfo=UTC), True: datetime(1904, 1, 1, tzinfo=UTC)}
_FALSE_LEAP_DAY = 60
"""With the 1900 epoch, day 60 is a 29 February that never existed; earlier days are off by one."""
_MAX_DATE = 2_958_466
"""The serial number of the last day that a datetime can represent."""
_LONGEST = 32_767
"""Maximum characters of a cell."""
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


class CellFormatter:
    """Converts cells to text."""

    def __init__(self, archive: Archive, main: str, *, from_1904: bool) -> None:
        strings = archive.part("sharedStrings", of=main, usual="xl/sharedStrings.xml")
        self._shared = [_texts(one)[:_LONGEST] for one in archive.children(strings)]
        self._epoch = _EPOCHS[from_1904]
        self._looks = _looks_of(
            archive.tree(archive.part("styles", of=main, usual="xl/styles.xml"))
        )

    def text(self, cell: Element) -> str:
        """The displayed text of a cell; its formula if no result is cached."""
        kind, raw = cell.get("t", "n"), _text(child(cell, "v"))
        if kind == "inlineStr":
            inline = child(cell, "is")
            return "" if inline is None else _texts(inline)[:_LONGEST]
        if not raw:
            formula = _text(child(cell, "f"))[:_LONGEST]
            return f"={formula}" if formula else ""
        if kind == "s":
            is_valid = raw.isdecimal() and len(raw) < 10 and int(raw) < len(self._shared)
            return self._shared[int(raw)] if is_valid else ""
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
        if look is not None and 0 <= number < _MAX_DATE:
            return _elapsed(number) if look == "elapsed" else self._moment(number)
        return f"{number:.15g}" if "." in raw or "e" in raw.lower() else raw[:_LONGEST]

    def _moment(self, number: float) -> str:
        moment = self._epoch + timedelta(seconds=round(number * 86_400))
        if number < 1:
            return f"{moment:%H:%M:%S}"
        if number < _FALSE_LEAP_DAY and self._epoch == _EPOCHS[False]:
            moment += timedelta(days=1)
        return f"{moment:%Y-%m-%d %H:%M:%S}" if number % 1 else f"{moment:%Y-%m-%d}"


def _looks_of(root: Element | None) -> dict[str, NumberDisplay]:
    """How each cell style shows a number, by style index."""
    looks = dict(_LOOKS)
    custom = child(root, "numFmts")
    for one in [] if custom is None else custom:
        look = _look_of((attribute(one, "formatCode") or "")[:500])
        if look is not None:
            looks[attribute(one, "numFmtId") or ""] = look
    formats = child(root, "cellXfs")
    styles = [] if formats is None else [one.get("numFmtId", "") for one in formats]
    return {str(at): looks[number] for at, number in enumerate(styles) if number in looks}


def _look_of(code: str) -> NumberDisplay | None:
    if _ELAPSED.search(code):
        return "elapsed"
    letters = _QUOTED.sub("", code)
    if "0" in letters or "#" in letters:
        return "share" if "%" in letters else None
    return "date" if _DATE_LETTERS.search(letters) else None


def _elapsed(number: float) -> str:
    minutes, seconds = divmod(round(number * 86_400), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def _texts(item: Element) -> str:
    """The text of a shared string, without phonetic hints."""
    parts = (one for one in item if local_name(one.tag) != "rPh")
    return "".join(_texts(one) if len(one) else _plain(one.text or "") for one in parts)


def _plain(text: str) -> str:
    """The text with `_xHHHH_` escapes decoded."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def _text(element: Element | None) -> str:
    return "" if element is None else element.text or ""


KINDS = ("xlsx",)
_MAX_SHEETS, _MAX_COMMENTS, _MAX_LINKS = 200, 1000, 1000
_MAX_CHARACTERS = 5_000_000
_FILLINGS = frozenset(("v", "is", "f"))
_COLUMN = re.compile(r"[A-Z]{1,3}")


def read(body: bytes, *, url: str, content_type: str) -> Iterator[Reading]:
    """Read sheet by sheet, in workbook order."""
    del url, content_type
    archive = Archive(body)
    main = archive.part("officeDocument", usual="xl/workbook.xml")
    book, properties = archive.required(main), archive.properties()
    is_1904 = attribute(child(book, "workbookPr"), "date1904") in {"1", "true"}
    cells, links = CellFormatter(archive, main, from_1904=is_1904), archive.links(main)
    sheets = list(_sheets(book))
    length = 0
    for at, sheet in enumerate(sheets[:_MAX_SHEETS]):
        text, cut = _sheet(archive, cells, sheet, links.get(relationship_id(sheet), ""))
        length += len(text)
        yield Reading(
            content=("\n\n" if at else "") + text,
            kind="xlsx",
            title=properties.get("title"),
            author=properties.get("author"),
            modified=properties.get("modified"),
            cut=cut or archive.cut or len(sheets) > _MAX_SHEETS or length > _MAX_CHARACTERS,
        )
        if length > _MAX_CHARACTERS:
            return


def _sheets(book: Element) -> Iterator[Element]:
    element = child(book, "sheets")
    yield from [] if element is None else element


def _sheet(archive: Archive, cells: CellFormatter, sheet: Element, part: str) -> tuple[str, bool]:
    hidden = " (hidden)" if sheet.get("state") in {"hidden", "veryHidden"} else ""
    heading = f"## {' '.join(sheet.get('name', '').split())}{hidden}"
    elements, more, cut = archive.first(part, "row", most=MAX_ROWS + 1, fillings=_FILLINGS)
    rows: list[list[str]] = []
    widest = length = 0
    for row in elements:
        values, width = _row(row, cells)
        if length > _MAX_CHARACTERS:
            more += width > 0
        elif any(values):
            rows.append(values)
            length += sum(map(len, values))
        widest = max(widest, width)
    note = omission_note(more, max(0, widest - MAX_COLUMNS), at_least=cut)
    parts = [heading, markdown_table(rows), note, _links(archive, part), _comments(archive, part)]
    return "\n\n".join(filter(None, parts)), note is not None


def _links(archive: Archive, sheet: str) -> str:
    """The web addresses that cells link to, each with the cell."""
    targets = {key: absolute_url(link, "") for key, link in archive.links(sheet).items()}
    if not any(targets.values()):
        return ""
    groups, _, _ = archive.first(sheet, "hyperlinks", most=1, fillings=frozenset(("hyperlink",)))
    cells = [
        (one.get("ref", ""), targets.get(relationship_id(one)))
        for group in groups
        for one in group
    ]
    lines = [f"- {cell}: {target}" for cell, target in cells[:_MAX_LINKS] if target]
    return "\n".join(lines)


def _comments(archive: Archive, sheet: str) -> str:
    """The comments on cells, each with the cell and its author."""
    root = archive.tree(archive.part("comments", of=sheet))
    names = child(root, "authors")
    authors = [_text(one).strip() for one in names] if names is not None else []
    comments = child(root, "commentList")
    lines = []
    for one in [] if comments is None else comments[:_MAX_COMMENTS]:
        text = child(one, "text")
        words = "" if text is None else " ".join(_texts(text).split())
        number = one.get("authorId", "")
        is_known = number.isdecimal() and len(number) < 6 and int(number) < len(authors)
        author = authors[int(number)] if is_known else ""
        by = f"Comment by {author}" if author else "Comment"
        lines.append(f"- {one.get('ref', '')}: {by}: {words}" if words else "")
    return "\n".join(filter(None, lines))


def _row(row: Element, cells: CellFormatter) -> tuple[list[str], int]:
    """The cells of a row up to the column limit, and the number of columns it uses."""
    values: list[str] = []
    at, width = -1, 0
    for cell in row:
        if local_name(cell.tag) != "c":
            continue
        at = _column(cell.get("r", ""), at + 1)
        text = cells.text(cell)
        if text:
            width = at + 1
            values += [*[""] * (at - len(values)), text] if at < MAX_COLUMNS else []
    return values, width


def _column(reference: str, next_column: int) -> int:
    """The column index of a reference such as `AB12`; `next_column` if it has none."""
    letters = _COLUMN.match(reference)
    if letters is None:
        return next_column
    number = 0
    for letter in letters[0]:
        number = number * 26 + ord(letter) - ord("A") + 1
    return max(number - 1, next_column) if number <= 16_384 else next_column
