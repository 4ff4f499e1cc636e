"""Office charts as tables, from their cached values, diagrams as lists, and symbols."""

import re
from xml.etree.ElementTree import Element

from sourcewright.logic.markdown.writer import limit_rows, markdown_table
from sourcewright.readers.formats._archive import (
    Archive,
    attribute,
    child,
    local_name,
    relationship_id,
)

_CODE = re.compile("[0-9A-Fa-f]{1,4}")
_GREEK = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ      αβχδεφγηιϕκλμνοπθρστυϖωξψζ"
_SYMBOLS = {
    **{0x41 + at: letter for at, letter in enumerate(_GREEK)},
    **dict(zip((0xA3, 0xA5, 0xB0, 0xB1, 0xB3, 0xB4, 0xB9, 0xBB), "≤∞°±≥\u00d7≠≈", strict=True)),
}
"""Unicode characters of the font Symbol, by character code."""


def symbol_character(element: Element) -> str:
    """The Unicode character of a symbol; empty for an ornament."""
    code = attribute(element, "char") or ""
    if (attribute(element, "font") or "").lower() != "symbol" or not _CODE.fullmatch(code):
        return ""
    return _SYMBOLS.get(int(code, 16) & 0xFF, "")


FIGURES = {"chart": "id", "relIds": "dm"}
"""Elements that refer to a figure, with the attribute that holds the reference."""
_MOST_SERIES = 60


def figure_of(archive: Archive, links: dict[str, str], one: Element) -> str:
    """A chart as its title and a table, a diagram as a list; empty if it has no data."""
    name = local_name(one.tag)
    root = archive.tree(links.get(relationship_id(one, FIGURES[name]), ""))
    if root is None:
        return ""
    return _chart(root) if name == "chart" else _diagram(root)


def _chart(root: Element) -> str:
    plot = child(root, "chart", "plotArea")
    rows = [] if plot is None else list(plot.iter())
    series = [one for one in rows if local_name(one.tag) == "ser"][:_MOST_SERIES]
    title = child(root, "chart", "title")
    heading = "" if title is None else _words(title)
    kept, note = limit_rows(_rows(series))
    table = markdown_table(kept) if len(kept) > 1 else ""
    return "\n\n".join(filter(None, [heading and f"**{heading}**", table, note]))


def _rows(series: list[Element]) -> list[list[str]]:
    """A table with a row for each point and a column for each series."""
    names = [" ".join(_points(one, "tx").values()) for one in series]
    values = [_points(one, "val") or _points(one, "yVal") for one in series]
    labels: dict[int, str] = {}
    for one in series:
        labels = {**_points(one, "cat"), **_points(one, "xVal"), **labels}
    indexes = sorted({index for points in values for index in points})
    rows = [[labels.get(at, ""), *(points.get(at, "") for points in values)] for at in indexes]
    return [["", *names], *rows]


def _points(one: Element, name: str) -> dict[int, str]:
    """The cached values of one part of a series, by point index."""
    part = child(one, name)
    values: dict[int, str] = {}
    for point in [] if part is None else part.iter():
        if local_name(point.tag) == "pt":
            index = attribute(point, "idx") or ""
            cached = child(point, "v")
            if index.isdecimal() and len(index) < 8 and cached is not None:
                values[int(index)] = " ".join((cached.text or "").split())
    return values


def _diagram(root: Element) -> str:
    points = (one for one in root.iter() if local_name(one.tag) == "pt")
    words = (_words(one) for one in points)
    return "\n".join(f"- {text}" for text in words if text)


def _words(element: Element) -> str:
    texts = (one.text or "" for one in element.iter() if local_name(one.tag) == "t")
    return " ".join(" ".join(texts).split())
