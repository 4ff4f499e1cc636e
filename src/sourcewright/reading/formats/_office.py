r"""Office formulas as TeX (`$\frac{a+b}{c}$`), charts as tables, diagrams as lists, symbols, fonts."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from xml.etree.ElementTree import Element

from sourcewright.base.formats.tex_symbols import tex_symbol
from sourcewright.reading.formats._archive import (
    Archive,
    attribute,
    child,
    local_name,
    relationship_id,
)
from sourcewright.reading.html.inline import escape_markdown
from sourcewright.reading.html.markup import typed_script
from sourcewright.reading.markdown.writer import limit_rows, markdown_table

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


@dataclass(frozen=True, slots=True)
class TextRun:
    """A run of a paragraph: its Markdown, its emphasis, and whether it is `sup` or `sub`."""

    markdown: str
    style: str
    element: Element
    script: str = ""


_MOST_BESIDE = 4
"""So many runs before and after a script are its surroundings."""


def with_scripts(runs: Sequence[TextRun]) -> Iterator[tuple[str, str]]:
    """The emphasis and the Markdown of the runs, with scripts typed beside their base (2^k)."""
    end = 0
    for tag, group in groupby(runs, key=lambda run: run.script):
        same = [*group]
        start, end = end, end + len(same)
        text = _plain_text(same) if tag else ""
        # Marks of notes, links and code stay as they are.
        is_text = "".join(run.markdown for run in same) == escape_markdown(text)
        script = (
            typed_script(
                _plain_text(runs[max(0, start - _MOST_BESIDE) : start]),
                tag,
                text,
                _plain_text(runs[end : end + _MOST_BESIDE]),
                is_italic=any("i" in run.style for run in same),
            )
            if text and is_text
            else None
        )
        if script is None:
            yield from ((run.style, run.markdown) for run in same)
        else:
            yield same[0].style if tag == "sub" else "", escape_markdown(script)


def _plain_text(runs: Sequence[TextRun]) -> str:
    parts = chain.from_iterable(run.element.iter() for run in runs)
    return "".join(part.text or "" for part in parts if local_name(part.tag) == "t")


MONOSPACED = re.compile(
    r"courier|consolas|menlo|monaco|\bmono\b|mono$|lucida console|source code|fixed|inconsolata",
    re.IGNORECASE,
)
"""Names of the fonts that code is set in."""


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
    first, note = limit_rows(_rows(series))
    table = markdown_table(first) if len(first) > 1 else ""
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


FORMULAS = {"oMath", "oMathPara"}
_DELETED = {"del", "moveFrom"}
_HAT = "\u0302"
_ACCENTS = {
    _HAT: "hat",
    "\u0303": "tilde",
    "\u0304": "bar",
    "\u0305": "bar",
    "\u0307": "dot",
    "\u0308": "ddot",
    "\u030c": "check",
    "\u20d7": "vec",
}
_BRACES = {"{": r"\{", "}": r"\}", "": ".", "\u27e8": r"\langle", "\u27e9": r"\rangle"}
_FUNCTION_NAMES = (
    "arccos arcsin arctan cos cosh cot csc deg det dim exp gcd inf ker lg lim ln log max min sec "
    "sin sinh sup tan tanh"
)
_FUNCTIONS = frozenset(_FUNCTION_NAMES.split())
_COMMAND_END = re.compile(r"\\[A-Za-z]+$")
_OPERATORS = {"\u2211": r"\sum", "\u222b": r"\int", "\u220f": r"\prod"}
_INVISIBLE = re.compile("[\u2061-\u2064]")
_STYLED = re.compile("[\U0001d400-\U0001d7ff]+")
"""Letters in the italic, bold or script form of formulas."""
_MAX_DEPTH = 60


def formula_of(element: Element) -> str:
    """The formula in an element as TeX between dollar signs; empty if it has none."""
    parts = (
        [one for one in element if local_name(one.tag) == "oMath"]
        if local_name(element.tag) == "oMathPara"
        else [element]
    )
    sign = "$$" if local_name(element.tag) == "oMathPara" else "$"
    texts = (_tex(part, 0).strip() for part in parts)
    return " ".join(f"{sign}{text}{sign}" for text in texts if text)


def _tex(element: Element, depth: int) -> str:
    return _joined([_part(one, depth + 1) for one in element])


def _joined(parts: list[str]) -> str:
    """The parts one after the other, with a space where a command would run into a letter."""
    text = ""
    pieces: list[str] = []
    for part in parts:
        if part[:1].isalnum() and _COMMAND_END.search(text[-40:]):
            pieces.append(" ")
        pieces.append(part)
        text = part or text
    return "".join(pieces)


def _part(one: Element, depth: int) -> str:
    name = local_name(one.tag)
    if name == "t":
        return _symbols(one.text or "")
    if name.endswith("Pr") or name in _DELETED or depth > _MAX_DEPTH:
        return ""
    if name == "r" and child(one, "rPr", "nor") is not None:
        text = "".join(part.text or "" for part in one if local_name(part.tag) == "t")
        return rf"\text{{{text.replace('{', '').replace('}', '')}}}" if text.strip() else text
    write = _WRITERS.get(name)
    return _tex(one, depth) if write is None else write(one, depth)


def _symbols(text: str) -> str:
    plain = _STYLED.sub(_unstyled, _INVISIBLE.sub("", text))
    if plain.strip() in _FUNCTIONS:
        return rf"\{plain.strip()}"
    return _joined([tex_symbol(character) for character in plain])


def _unstyled(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", match[0])


def _child_tex(one: Element, name: str, depth: int) -> str:
    element = child(one, name)
    return "" if element is None else _tex(element, depth).strip()


def _fraction(one: Element, depth: int) -> str:
    return rf"\frac{{{_child_tex(one, 'num', depth)}}}{{{_child_tex(one, 'den', depth)}}}"


def _scripted(one: Element, depth: int) -> str:
    base = _child_tex(one, "e", depth)
    is_single = len(base) < 2 or re.fullmatch(r"\\[A-Za-z]+", base)
    return (base if is_single else f"{{{base}}}") + _scripts(one, depth)


def _limited(one: Element, depth: int) -> str:
    """A base with a limit below or above it."""
    base, limit = _child_tex(one, "e", depth), _child_tex(one, "lim", depth)
    is_below = local_name(one.tag) == "limLow"
    if base.removeprefix("\\") in _FUNCTIONS:
        return f"{base}{'_' if is_below else '^'}{{{limit}}}"
    return rf"\{'under' if is_below else 'over'}set{{{limit}}}{{{base}}}"


def _scripts(one: Element, depth: int) -> str:
    below, above = _child_tex(one, "sub", depth), _child_tex(one, "sup", depth)
    return (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")


def _root(one: Element, depth: int) -> str:
    degree = _child_tex(one, "deg", depth)
    return r"\sqrt" + (f"[{degree}]" if degree else "") + f"{{{_child_tex(one, 'e', depth)}}}"


def _sum(one: Element, depth: int) -> str:
    """A sum, integral or product; the default operator is the integral."""
    sign = _character(one, "naryPr", "chr", "\u222b")
    operator = _OPERATORS.get(sign) or _symbols(sign)
    return f"{operator}{_scripts(one, depth)} {_child_tex(one, 'e', depth)}"


def _fenced(one: Element, depth: int) -> str:
    parts = [_tex(part, depth) for part in one if local_name(part.tag) == "e"]
    begin, end = _character(one, "dPr", "begChr", "("), _character(one, "dPr", "endChr", ")")
    inner = _symbols(_character(one, "dPr", "sepChr", "|")).join(parts)
    return rf"\left{_BRACES.get(begin, begin)}{_gap(inner)}{inner}\right{_BRACES.get(end, end)}"


def _gap(text: str) -> str:
    return " " if text[:1].isalpha() else ""


def _function(one: Element, depth: int) -> str:
    name = _child_tex(one, "fName", depth)
    if name.isalpha() and len(name) > 1:
        name = rf"\operatorname{{{name}}}"
    return f"{name} {_child_tex(one, 'e', depth)}"


def _accented(one: Element, depth: int) -> str:
    accent = "bar"
    if local_name(one.tag) == "acc":
        accent = _ACCENTS.get(_character(one, "accPr", "chr", _HAT), "hat")
    return rf"\{accent}{{{_child_tex(one, 'e', depth)}}}"


def _matrix(one: Element, depth: int) -> str:
    """The rows of a matrix or of a system of equations."""
    is_matrix = local_name(one.tag) == "m"
    rows = [
        " & ".join(_tex(cell, depth) for cell in row) if is_matrix else _tex(row, depth)
        for row in one
        if local_name(row.tag) == ("mr" if is_matrix else "e")
    ]
    name = "matrix" if is_matrix else "aligned"
    lines = " \\\\ ".join(rows)
    return rf"\begin{{{name}}}{lines}\end{{{name}}}"


def _character(one: Element, properties: str, name: str, default: str) -> str:
    element = child(one, properties, name)
    return default if element is None else attribute(element, "val") or ""


_WRITERS: dict[str, Callable[[Element, int], str]] = {
    "f": _fraction,
    **dict.fromkeys(("sSup", "sSub", "sSubSup"), _scripted),
    **dict.fromkeys(("limLow", "limUpp"), _limited),
    "rad": _root,
    "nary": _sum,
    "d": _fenced,
    "func": _function,
    **dict.fromkeys(("acc", "bar"), _accented),
    **dict.fromkeys(("m", "eqArr"), _matrix),
}
