"""A citation graph as one self-contained HTML page with a drawing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import sqrt

from sourcewright.base.text.phrases import count_phrase
from sourcewright.base.text.plain import strip_invisible
from sourcewright.references.graph.neighbourhood import STATUS_TEXT, Neighbourhood, Node

WIDTH = 1120
_MARGIN = 90
_TOP = 34
_ROW = 58
_SMALLEST, _LARGEST = 9.0, 22.0
_LETTER = 6.5
"""Width of a letter of a label."""
_ROLE_TEXT = {
    "seed": "the paper",
    "citing": "cites it",
    "cited": "is cited by it",
    "both": "cites it and is cited by it",
}
_STYLE = """
:root{color-scheme:light dark;--ink:#1b2631;--soft:#5d6d7e;--line:#ccd1d1;--paper:#fff;
--seed:#8f6300;--citing:#1f6fa8;--cited:#5b696b;--both:#7d3c98;--bad:#b3261e;--warn:#8a5200}
@media(prefers-color-scheme:dark){:root{--ink:#eaecee;--soft:#aab7b8;--line:#424949;--paper:#17202a;
--bad:#ff9a8f;--warn:#f2bd62}}
body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);margin:24px auto;
max-width:1160px;padding:0 20px}h1{font-size:21px;margin:0 0 4px}p{margin:4px 0;color:var(--soft)}
.drawing{overflow-x:auto;margin:14px 0;border:1px solid var(--line);border-radius:8px}
svg{display:block;width:100%;min-width:720px;height:auto}
text{font:11px system-ui,sans-serif;fill:var(--ink);paint-order:stroke;stroke:var(--paper);
stroke-width:3px}text.number{font-weight:700;fill:#fff;stroke:none}.axis text{fill:var(--soft)}
.axis line{stroke:var(--line)}.edge{stroke:var(--soft);stroke-opacity:.45;fill:none}.tip{fill:var(--soft)}
.seed circle{fill:var(--seed)}.citing circle{fill:var(--citing)}.cited circle{fill:var(--cited)}
.both circle{fill:var(--both)}circle{stroke:var(--paper);stroke-width:1}
.retracted circle{stroke:var(--bad);stroke-width:3.5}.retracted text{fill:var(--bad);font-weight:700}
.cross{stroke:var(--bad);stroke-width:3}.partly_retracted circle,.concern circle,
.corrected circle{stroke:var(--warn);
stroke-width:3.5}a:hover circle,a:focus-visible circle{stroke:var(--ink)}
table{border-collapse:collapse;width:100%;font-size:14px}td,th{text-align:left;padding:5px 10px 5px 0;
border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}td a{color:inherit}.bad{color:var(--bad);
font-weight:700}.warn{color:var(--warn);font-weight:700}@media(max-width:32rem){
table,tbody,tr,td{display:block}thead{position:absolute;width:1px;height:1px;overflow:hidden;
clip-path:inset(50%)}tr{border-bottom:1px solid var(--line);padding:6px 0}td{border:0;padding:0}
td[data-name]:not(:empty)::before{content:attr(data-name) " ";color:var(--soft)}}.key span{display:inline-block;width:11px;
height:11px;border-radius:50%;margin:0 5px 0 14px}
"""


@dataclass(frozen=True, slots=True)
class _Spot:
    """Position of a node, and its number in the table."""

    node: Node
    number: int
    x: float
    y: float
    radius: float
    letters: int
    """How many letters of its label fit beside those of the neighbouring years."""


@dataclass(frozen=True, slots=True)
class _Column:
    """The works of one year."""

    above: list[Node]
    middle: list[Node]
    below: list[Node]


def write_page(graph: Neighbourhood) -> str:
    """The page: a drawing by year, and a table of the same works."""
    title = _text(graph.seed.title)
    counts = [sum(node.role in roles for node in graph.nodes) for roles in _SIDES]
    summary = (
        f"{count_phrase(counts[0], 'work')} that cite it, {count_phrase(counts[1], 'work')} that it "
        f"cites, according to {_text(graph.provider)}. Larger circles are cited more often."
    )
    return "".join(
        (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width,initial-scale=1">',
            _POLICY,
            f"<title>Citations of {title}</title><style>{_STYLE}</style></head><body><main>",
            f"<h1>{title}</h1><p>{_byline(graph.seed)}</p><p>{summary}</p>{_KEY}",
            *_drawing(graph),
            *_table(graph.nodes),
            "</main></body></html>\n",
        )
    )


# No script and no external resources: titles are third-party text.
_POLICY = (
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
    "style-src 'unsafe-inline'\">"
)
_ARROW = (
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="7" markerHeight="7" '
    'orient="auto"><path d="M0 0L8 4L0 8z" class="tip"/></marker></defs>'
)
_SIDES = (("citing", "both"), ("cited", "both"))
_KEY = (
    '<p class="key"><span style="background:var(--seed);margin-left:0"></span>the paper'
    '<span style="background:var(--citing)"></span>cites it'
    '<span style="background:var(--cited)"></span>is cited by it'
    '<span style="background:var(--both)"></span>both'
    '<span style="background:var(--bad)"></span>retracted'
    '<span style="background:var(--warn)"></span>partly retracted, corrected, or of concern</p>'
)


def _drawing(graph: Neighbourhood) -> Iterator[str]:
    """Years from left to right; citing works above the paper, cited works below."""
    columns = _columns(graph.nodes)
    above = max(len(column.above) for column in columns.values())
    below = max(len(column.below) for column in columns.values())
    middle = _TOP + (above + 0.5) * _ROW
    height = round(middle + (below + 0.5) * _ROW + _TOP / 2)
    spots = {spot.node.key: spot for spot in _spots(graph, columns, middle)}
    # A group and no image: the works in it are links.
    yield '<div class="drawing" role="group" aria-label="Citations by year" tabindex="0">'
    yield f'<svg viewBox="0 0 {WIDTH} {height}">{_ARROW}'
    yield from _axis(columns, height)
    for citing, cited in graph.edges:
        yield _edge(spots[citing], spots[cited])
    # Retracted works last, so that nothing covers their labels.
    for spot in sorted(spots.values(), key=lambda spot: spot.node.status == "retracted"):
        yield _circle(spot)
    yield "</svg></div>"


def _columns(nodes: Sequence[Node]) -> dict[int | None, _Column]:
    """The nodes by year, in order, the most cited nearest to the paper; no year comes first."""
    columns: dict[int | None, _Column] = {}
    for node in sorted(nodes, key=lambda node: (node.year or 0, -(node.citations or 0), node.key)):
        column = columns.setdefault(node.year, _Column([], [], []))
        sides = {"seed": column.middle, "cited": column.below}
        sides.get(node.role, column.above).append(node)
    return columns


def _places(columns: Mapping[int | None, _Column]) -> dict[int | None, float]:
    """The x of each year, at equal distances, so that no two labels overlap."""
    if len(columns) == 1:
        return dict.fromkeys(columns, WIDTH / 2)
    step = (WIDTH - 2 * _MARGIN) / (len(columns) - 1)
    return {year: _MARGIN + number * step for number, year in enumerate(columns)}


def _spots(
    graph: Neighbourhood, columns: Mapping[int | None, _Column], middle: float
) -> Iterator[_Spot]:
    most = max((node.citations or 0 for node in graph.nodes), default=0) or 1
    places, numbers = _places(columns), {node.key: n for n, node in _numbered(graph.nodes)}
    letters = round((WIDTH - 2 * _MARGIN) / max(len(columns) - 1, 1) / _LETTER)
    for year, column in columns.items():
        rows = [(node, -number) for number, node in enumerate(column.above, 1)]
        rows += [(node, number) for number, node in enumerate(column.below, 1)]
        for node, row in [*((node, 0) for node in column.middle), *rows]:
            share = sqrt((node.citations or 0) / most)
            radius = _SMALLEST + share * (_LARGEST - _SMALLEST)
            y = middle + row * _ROW
            yield _Spot(node, numbers[node.key], places[year], y, radius, letters)


def _axis(columns: Mapping[int | None, _Column], height: int) -> Iterator[str]:
    yield '<g class="axis">'
    places = {None: WIDTH / 2} if len(columns) == 1 and None in columns else _places(columns)
    if len(columns) == 1:
        places = dict.fromkeys(columns, WIDTH / 2)
    for year, x in places.items():
        yield f'<line x1="{x:.0f}" y1="{_TOP - 8}" x2="{x:.0f}" y2="{height - 8}"/>'
        label = year if year is not None else "no year"
        yield f'<text x="{x:.0f}" y="{_TOP - 16}" text-anchor="middle">{label}</text>'
    yield "</g>"


def _edge(citing: _Spot, cited: _Spot) -> str:
    """A curve with its arrow at the cited work."""
    below = 1 if cited.y > citing.y else -1
    end = cited.y - below * (cited.radius + 7)
    bend = citing.y + below * _ROW * 0.6, end - below * _ROW * 0.8
    return (
        f'<path class="edge" marker-end="url(#arrow)" d="M{citing.x:.0f} {citing.y:.0f} '
        f'C{citing.x:.0f} {bend[0]:.0f} {cited.x:.0f} {bend[1]:.0f} {cited.x:.0f} {end:.0f}"/>'
    )


def _circle(spot: _Spot) -> str:
    node, x, y, radius = spot.node, spot.x, spot.y, spot.radius
    cross = ""
    if node.status == "retracted":
        arm = radius * 0.7
        cross = (
            f'<path class="cross" d="M{x - arm:.1f} {y - arm:.1f}L{x + arm:.1f} {y + arm:.1f}'
            f'M{x + arm:.1f} {y - arm:.1f}L{x - arm:.1f} {y + arm:.1f}"/>'
        )
    shape = (
        f'<g class="{node.role} {node.status or ""}"><title>{_tooltip(node)}</title>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>{cross}'
        f'<text class="number" x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{spot.number}</text>'
        f'<text x="{x:.1f}" y="{y + radius + 12:.1f}" text-anchor="middle">{_label(spot)}</text></g>'
    )
    address = _address(node)
    return f'<a href="{address}" target="_blank" rel="noopener">{shape}</a>' if address else shape


def _label(spot: _Spot) -> str:
    """The first author's name, if there is room; a retraction is always shown."""
    if spot.node.status == "retracted":
        return "RETRACTED"
    authors = spot.node.authors
    name = authors[0].split()[-1] if authors and authors[0].split() else spot.node.title
    if len(name) > spot.letters:
        name = f"{name[: max(spot.letters - 1, 3)]}…"
    return _text(name)


def _table(nodes: Sequence[Node]) -> Iterator[str]:
    names = ("No.", "Year", "Work", "Citations", "Relation")
    head = "".join(f'<th scope="col">{name}</th>' for name in names)
    yield f"<table><thead><tr>{head}</tr></thead>"
    yield "<tbody>"
    for number, node in _numbered(nodes):
        address, title = _address(node), _text(node.title)
        linked = f'<a href="{address}" rel="noopener">{title}</a>' if address else title
        status = ""
        if node.status:
            colour = "bad" if node.status == "retracted" else "warn"
            status = f'<div class="{colour}">{STATUS_TEXT[node.status].upper()}</div>'
        citations = "" if node.citations is None else node.citations
        yield (
            f'<tr><td data-name="No.">{number}</td><td data-name="Year">{node.year or ""}</td>'
            f"<td>{status}{linked}<br><small>{_byline(node)}</small>"
            f'</td><td data-name="Citations">{citations}</td><td>{_ROLE_TEXT[node.role]}</td></tr>'
        )
    yield "</tbody></table>"


def _numbered(nodes: Sequence[Node]) -> list[tuple[int, Node]]:
    """The nodes as the table lists them: the seed, then the latest first."""
    ordered = sorted(nodes, key=lambda one: (one.role != "seed", -(one.year or 0), one.title))
    return list(enumerate(ordered, 1))


def _byline(node: Node) -> str:
    names = ", ".join(node.authors[:6]) + (" and others" if len(node.authors) > 6 else "")
    return _text(". ".join(filter(None, (names, node.venue, node.doi))))


def _tooltip(node: Node) -> str:
    parts = [node.title, node.label, node.venue or ""]
    parts += [f"cited {node.citations} times"] if node.citations is not None else []
    parts += [STATUS_TEXT[node.status].upper()] if node.status else []
    parts += [f"cited for {', '.join(node.intents)}"] if node.intents else []
    return _text("\n".join(filter(None, parts)))


def _address(node: Node) -> str:
    """The URL of a work as an attribute; empty for anything but an http or https URL."""
    url = node.url or ""
    return escape(url) if url.startswith(("https://", "http://")) else ""


def _text(text: str) -> str:
    return escape(strip_invisible(text))
