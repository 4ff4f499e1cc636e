"""What charts and diagrams in office documents say: the numbers behind them, and their words."""

from xml.etree.ElementTree import Element

from sourcewright.logic.tabulating import bounded, table_of
from sourcewright.readers._archive import Archive, attribute, child, local, related

FIGURES = {"chart": "id", "relIds": "dm"}
"""What refers to the part of a figure, and by which of its ids."""
_MOST_SERIES = 60


def figure_of(archive: Archive, links: dict[str, str], one: Element) -> str:
    """A chart as its title and a table, a diagram as a list; empty where nothing is kept."""
    name = local(one.tag)
    root = archive.tree(links.get(related(one, FIGURES[name]), ""))
    if root is None:
        return ""
    return _chart(root) if name == "chart" else _diagram(root)


def _chart(root: Element) -> str:
    plot = child(root, "chart", "plotArea")
    rows = [] if plot is None else list(plot.iter())
    series = [one for one in rows if local(one.tag) == "ser"][:_MOST_SERIES]
    title = child(root, "chart", "title")
    heading = "" if title is None else _words(title)
    kept, note = bounded(_rows(series))
    table = table_of(kept) if len(kept) > 1 else ""
    return "\n\n".join(filter(None, [heading and f"**{heading}**", table, note]))


def _rows(series: list[Element]) -> list[list[str]]:
    """A row for each point of the series, a column for each of them."""
    names = [" ".join(_points(one, "tx").values()) for one in series]
    values = [_points(one, "val") or _points(one, "yVal") for one in series]
    labels: dict[int, str] = {}
    for one in series:
        labels = {**_points(one, "cat"), **_points(one, "xVal"), **labels}
    places = sorted({place for points in values for place in points})
    rows = [[labels.get(at, ""), *(points.get(at, "") for points in values)] for at in places]
    return [["", *names], *rows]


def _points(one: Element, name: str) -> dict[int, str]:
    """The values that were kept of a part of a series, by their places."""
    part = child(one, name)
    found: dict[int, str] = {}
    for point in [] if part is None else part.iter():
        if local(point.tag) == "pt":
            place = attribute(point, "idx") or ""
            shown = child(point, "v")
            if place.isdecimal() and len(place) < 8 and shown is not None:
                found[int(place)] = " ".join((shown.text or "").split())
    return found


def _diagram(root: Element) -> str:
    points = (one for one in root.iter() if local(one.tag) == "pt")
    words = (_words(one) for one in points)
    return "\n".join(f"- {said}" for said in words if said)


def _words(element: Element) -> str:
    texts = (one.text or "" for one in element.iter() if local(one.tag) == "t")
    return " ".join(" ".join(texts).split())
