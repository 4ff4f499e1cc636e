"""The tables of Word documents: cells that are merged, and rows that were deleted."""

from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

from sourcewright.readers._archive import attribute, child, local
from sourcewright.readers._word import value

WRAPPERS = {"sdt", "sdtContent", "AlternateContent", "Choice", "ins", "moveTo", "customXml"}
"""What may be put around blocks, rows and cells without changing them."""
_WIDEST = 60


def rows_of(table: Element, text_of: Callable[[Element], str]) -> list[list[str]]:
    """The texts of the cells, each in its column."""
    return [
        list(_cells(row, text_of))
        for row in _unwrapped(table, "tr")
        if child(row, "trPr", "del") is None
    ]


def _cells(row: Element, text_of: Callable[[Element], str]) -> Iterator[str]:
    yield from [""] * _span(value(row, "trPr", "gridBefore") or "0")
    for cell in _unwrapped(row, "tc"):
        merged = child(cell, "tcPr", "vMerge")
        goes_on = merged is not None and attribute(merged, "val") != "restart"
        yield "" if goes_on else text_of(cell)
        yield from [""] * (_span(value(cell, "tcPr", "gridSpan")) - 1)


def _unwrapped(parent: Element, name: str) -> Iterator[Element]:
    """The elements of a name right below, also where a control is put around them."""
    for one in parent:
        if local(one.tag) == name:
            yield one
        elif local(one.tag) in WRAPPERS:
            yield from _unwrapped(one, name)


def _span(number: str) -> int:
    return min(int(number), _WIDEST) if number.isdecimal() and len(number) < 6 else 1
