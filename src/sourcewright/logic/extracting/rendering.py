"""Writes chosen blocks as Markdown: headings, lists, quotations, code, tables and text."""

import re
from collections.abc import Iterable, Sequence

from sourcewright.logic.extracting.blocks import Block, Place
from sourcewright.logic.extracting.inline import line_of
from sourcewright.logic.extracting.listing import fenced
from sourcewright.logic.extracting.nesting import Nesting
from sourcewright.logic.extracting.runs import Run
from sourcewright.logic.extracting.tables import table_markdown

_RANKS = {f"h{level}": level for level in range(1, 7)}
_NUMBER = re.compile(r"^(\d{1,9})(?=[.)](?:\s|$))", re.MULTILINE)
_OPENING = re.compile(r"^(?=(?:#{1,6}|[-+])(?:\s|$)|>|~~~|=+$|-+$)", re.MULTILINE)
"""What would make something else of a line of text."""
_ANCHORS = frozenset(("#", "\u00a7", "\u00b6", "\U0001f517"))
"""What stands beside a heading for a link to it."""


def markdown_of(blocks: Sequence[Block], base: str) -> str:
    """The blocks in their order, each in the lists and quotations that it stands in."""
    nesting = Nesting.of(blocks)
    written = ((_written(block, base), block.place) for block in blocks)
    return "".join(nesting.put(text, place) for text, place in written if text).strip("\n")


def _written(block: Block, base: str) -> str:
    if block.form == "pre":
        return fenced(block.node)
    if block.form == "table":
        return table_markdown(block.node, base)
    rank = _rank(block.place)
    if rank:
        line = " ".join(line_of(_without_anchors(block.runs), base).split())
        return f"{'#' * rank} {line}" if line else ""
    line = line_of(block.runs, base)
    return _OPENING.sub(r"\\", _NUMBER.sub(r"\1\\", line))


def _rank(place: Place) -> int:
    """The rank of a heading; 0 for anything else."""
    if place.node.get("role") == "heading":
        said = place.node.get("aria-level") or ""
        return int(said) if said in ("1", "2", "3", "4", "5", "6") else 2
    return _RANKS.get(place.tag, 0)


def _without_anchors(runs: Iterable[Run]) -> list[Run]:
    return [
        run
        for run in runs
        if not (run.text.strip() in _ANCHORS and (run.href or "").startswith("#"))
    ]
