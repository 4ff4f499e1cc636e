"""What the cells of a workbook show: shared texts, dates, numbers and truth."""

import re
from datetime import UTC, datetime, timedelta
from xml.etree.ElementTree import Element

from sourcewright.readers._archive import Archive, attribute, child, local

_DATES = {*range(14, 23), *range(27, 37), 45, 46, 47, *range(50, 59)}
"""Formats of dates and times that every workbook has."""
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_DATE_SIGNS = re.compile(r"[ymdhs]", re.IGNORECASE)
_EPOCHS = {False: datetime(1899, 12, 30, tzinfo=UTC), True: datetime(1904, 1, 1, tzinfo=UTC)}
_LATEST = 2_958_466
"""The serial number of the last day that a datetime has."""


class Cells:
    """Turns cells into text."""

    def __init__(self, archive: Archive, *, from_1904: bool) -> None:
        self._shared = [_texts(one) for one in archive.children("xl/sharedStrings.xml")]
        self._epoch = _EPOCHS[from_1904]
        self._dated = _dated_styles(archive)

    def text(self, cell: Element) -> str:
        """What a cell shows."""
        kind, raw = cell.get("t", "n"), _text(child(cell, "v"))
        if kind == "inlineStr":
            found = child(cell, "is")
            return "" if found is None else _texts(found)
        if kind == "s":
            known = raw.isdecimal() and int(raw) < len(self._shared)
            return self._shared[int(raw)] if known else ""
        if kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(raw, raw)
        if kind == "n" and raw:
            return self._number(raw, cell.get("s", ""))
        return raw

    def _number(self, raw: str, style: str) -> str:
        try:
            number = float(raw)
        except ValueError:
            return raw
        if style in self._dated and 0 <= number < _LATEST:
            return _moment(self._epoch, number)
        return f"{number:.15g}" if "." in raw or "e" in raw.lower() else raw


def _dated_styles(archive: Archive) -> set[str]:
    """The styles, by their places, that make a date of a number."""
    root = archive.tree("xl/styles.xml")
    own = child(root, "numFmts")
    dates = {str(number) for number in _DATES}
    for one in [] if own is None else own:
        signs = _QUOTED.sub("", attribute(one, "formatCode") or "")
        if _DATE_SIGNS.search(signs) and "0" not in signs and "#" not in signs:
            dates.add(attribute(one, "numFmtId") or "")
    formats = child(root, "cellXfs")
    styles = [] if formats is None else list(formats)
    return {str(at) for at, one in enumerate(styles) if one.get("numFmtId") in dates}


def _moment(epoch: datetime, number: float) -> str:
    moment = epoch + timedelta(seconds=round(number * 86_400))
    if number < 1:
        return f"{moment:%H:%M:%S}"
    return f"{moment:%Y-%m-%d %H:%M:%S}" if number % 1 else f"{moment:%Y-%m-%d}"


def _texts(item: Element) -> str:
    """The text of a shared string; how it sounds is no part of it."""
    if any(local(one.tag) == "rPh" for one in item):
        parts = [one for one in item if local(one.tag) != "rPh"]
        return "".join(_texts(one) if len(one) else one.text or "" for one in parts)
    return "".join(one.text or "" for one in item.iter() if local(one.tag) == "t")


def _text(element: Element | None) -> str:
    return "" if element is None else element.text or ""
