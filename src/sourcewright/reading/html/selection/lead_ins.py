"""Lead-ins: headings and short lines above links that were dropped, such as "Related articles:"."""

from itertools import islice

from sourcewright.reading.html.blocks import Block
from sourcewright.reading.html.features import HEADINGS
from sourcewright.reading.html.selection.body import Selection, text_size

_MAX_LINE = 80
_COLONS = (":", "\uff1a", "\u2026")
_NEXT = 3
"""Blocks below a lead-in that show what it introduced."""


def lead_ins(page: Selection) -> set[int]:
    """Positions of kept lead-ins below the text of which nothing that they introduce is kept."""
    dropped: set[int] = set()
    below: list[int] = []
    """The blocks that are not kept, right below the position, the nearest last."""
    next_kept: int | None = None
    first = page.paragraphs[-1] + 1 if page.paragraphs else len(page.blocks)
    for at in reversed(range(first, len(page.blocks))):
        block = page.blocks[at]
        if not block.text:
            continue
        if page.kept[at] and not (
            _is_lead_in(block) and _introduces_nothing(page, below, next_kept)
        ):
            below, next_kept = [], at
            continue
        if page.kept[at]:
            dropped.add(at)
        below.append(at)
    return dropped


def _is_lead_in(block: Block) -> bool:
    if block.form or block.place.tag == "h1" or text_size(block.text) > _MAX_LINE:
        return False
    return block.place.tag in HEADINGS or block.text.rstrip().endswith(_COLONS)


def _introduces_nothing(page: Selection, below: list[int], next_kept: int | None) -> bool:
    """Whether mostly links were dropped below it, and then comes a heading or nothing."""
    if not below:
        return False
    nearest = [page.blocks[at] for at in islice(reversed(below), _NEXT)]
    linked, size = (
        sum(block.linked for block in nearest),
        sum(len(block.text) for block in nearest),
    )
    ends = next_kept is None or page.blocks[next_kept].place.tag in HEADINGS
    return ends and 2 * linked > size
