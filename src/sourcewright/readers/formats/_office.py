"""Office formulas and charts as plain text: `x^2`, `(a+b)/c`, `∑_(i=1)^n x`.

What charts and diagrams in office documents say: the numbers behind them, and their words.
"""

import re
from collections.abc import Callable
from xml.etree.ElementTree import Element

from sourcewright.logic.markdown.writer import bounded, table_of
from sourcewright.readers.formats._archive import Archive, attribute, child, local, related

FORMULAS = {"oMath", "oMathPara"}
_DELETED = {"del", "moveFrom"}
_HAT, _BAR = "\u0302", "\u0305"

_CODE = re.compile("[0-9A-Fa-f]{1,4}")
_GREEK = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ      αβχδεφγηιϕκλμνοπθρστυϖωξψζ"
_SYMBOLS = {
    **{0x41 + at: letter for at, letter in enumerate(_GREEK)},
    **dict(zip((0xA3, 0xA5, 0xB0, 0xB1, 0xB3, 0xB4, 0xB9, 0xBB), "≤∞°±≥\u00d7≠≈", strict=True)),
}
"""What the characters of the font Symbol look like, by their numbers."""


def formula_of(element: Element) -> str:
    """The formula inside an element."""
    return "".join(_part(one) for one in element)


def symbol_of(element: Element) -> str:
    """The character that a symbol of a font looks like; nothing for an ornament."""
    code = attribute(element, "char") or ""
    if (attribute(element, "font") or "").lower() != "symbol" or not _CODE.fullmatch(code):
        return ""
    return _SYMBOLS.get(int(code, 16) & 0xFF, "")


def _part(one: Element) -> str:
    name = local(one.tag)
    if name == "t":
        return one.text or ""
    if name.endswith("Pr") or name in _DELETED:
        return ""
    write = _FORMS.get(name)
    return formula_of(one) if write is None else write(one)


def _inside(one: Element, name: str) -> str:
    found = child(one, name)
    return "" if found is None else formula_of(found)


def _group(text: str) -> str:
    return text if len(text) < 2 else f"({text})"


def _fraction(one: Element) -> str:
    return f"{_group(_inside(one, 'num'))}/{_group(_inside(one, 'den'))}"


def _scripted(one: Element) -> str:
    return _group(_inside(one, "e")) + _scripts(one)


def _scripts(one: Element) -> str:
    """What stands below and above."""
    below = _inside(one, "sub") or _inside(one, "lim") * (local(one.tag) == "limLow")
    above = _inside(one, "sup") or _inside(one, "lim") * (local(one.tag) == "limUpp")
    return (f"_{_group(below)}" if below else "") + (f"^{_group(above)}" if above else "")


def _root(one: Element) -> str:
    degree = _inside(one, "deg")
    return "√" + (f"[{degree}]" if degree else "") + f"({_inside(one, 'e')})"


def _sum(one: Element) -> str:
    """A sum, an integral, a product; it is an integral where nothing else is said."""
    return f"{_sign(one, 'naryPr', 'chr', '∫')}{_scripts(one)} {_inside(one, 'e')}"


def _fenced(one: Element) -> str:
    parts = [formula_of(part) for part in one if local(part.tag) == "e"]
    begin, end = _sign(one, "dPr", "begChr", "("), _sign(one, "dPr", "endChr", ")")
    return begin + _sign(one, "dPr", "sepChr", "|").join(parts) + end


def _called(one: Element) -> str:
    return f"{_inside(one, 'fName')} {_inside(one, 'e')}"


def _accented(one: Element) -> str:
    name = local(one.tag)
    return _inside(one, "e") + (_BAR if name == "bar" else _sign(one, "accPr", "chr", _HAT))


def _lines(one: Element) -> str:
    """The rows of a matrix or of a system of equations."""
    rows = [
        ", ".join(formula_of(cell) for cell in row) if local(row.tag) == "mr" else formula_of(row)
        for row in one
        if local(row.tag) in {"mr", "e"}
    ]
    return "; ".join(rows)


def _sign(one: Element, properties: str, name: str, otherwise: str) -> str:
    found = child(one, properties, name)
    return otherwise if found is None else attribute(found, "val") or ""


_FORMS: dict[str, Callable[[Element], str]] = {
    "f": _fraction,
    **dict.fromkeys(("sSup", "sSub", "sSubSup", "limLow", "limUpp"), _scripted),
    "rad": _root,
    "nary": _sum,
    "d": _fenced,
    "func": _called,
    **dict.fromkeys(("acc", "bar"), _accented),
    **dict.fromkeys(("m", "eqArr"), _lines),
}


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
