"""A citation graph in the DOT language of Graphviz."""

import unicodedata
from collections.abc import Iterator
from math import sqrt

from sourcewright.references.graph.neighbourhood import STATUS_TEXT, Neighbourhood, Node

_COLOURS = {
    "retracted": "#c0392b",
    "partly_retracted": "#d68910",
    "concern": "#d68910",
    "corrected": "#d68910",
}
_FILLS = {"seed": "#f4d03f", "citing": "#aed6f1", "cited": "#d5dbdb", "both": "#d2b4de"}
_TITLE_LENGTH = 60


def write_dot(graph: Neighbourhood) -> str:
    """The graph as a file for Graphviz; an arrow points from the citing work to the cited one."""
    lines = [
        "digraph citations {",
        "  rankdir=RL;",
        '  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=10];',
        '  edge [color="#7f8c8d"];',
    ]
    numbers = {node.key: f"n{number}" for number, node in enumerate(graph.nodes)}
    lines += [f"  {numbers[node.key]} [{', '.join(_attributes(node))}];" for node in graph.nodes]
    lines += _years(graph, numbers)
    lines += [f"  {numbers[citing]} -> {numbers[cited]};" for citing, cited in graph.edges]
    return "\n".join((*lines, "}", ""))


def _attributes(node: Node) -> Iterator[str]:
    title = node.title if len(node.title) <= _TITLE_LENGTH else f"{node.title[:_TITLE_LENGTH]}…"
    mark = f"{STATUS_TEXT[node.status].upper()}: " if node.status else ""
    yield f"label={_quoted(f'{mark}{node.label}')[:-1]}\\n{_quoted(title)[1:]}"
    yield f'fillcolor="{_FILLS[node.role]}"'
    yield f"width={1 + min(sqrt(node.citations or 0), 60) / 20:.2f}"
    yield f"tooltip={_quoted(node.title)}"
    if node.url:
        yield f"URL={_quoted(node.url)}"
    if node.status:
        yield f'color="{_COLOURS[node.status]}", penwidth=3'


def _years(graph: Neighbourhood, numbers: dict[str, str]) -> Iterator[str]:
    """Works of the same year side by side."""
    years = sorted({node.year for node in graph.nodes if node.year})
    for year in years:
        same = "; ".join(numbers[node.key] for node in graph.nodes if node.year == year)
        yield f"  {{ rank=same; {same}; }}"


def _quoted(text: str) -> str:
    plain = "".join(" " if unicodedata.category(c) in ("Cc", "Cf", "Cs") else c for c in text)
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
