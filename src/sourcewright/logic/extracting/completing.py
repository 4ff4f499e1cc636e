"""Completes a choice of blocks: what lies between is added, and nothing is said twice."""

from collections.abc import Sequence
from itertools import islice

from sourcewright.logic.extracting.belonging import with_belongings
from sourcewright.logic.extracting.blocks import Block
from sourcewright.logic.extracting.features import HEADINGS
from sourcewright.logic.extracting.standing import lineage

_GAP, _CLOSE = 12, 4
_PHRASE = 4
"""Words from which a text that was kept is not kept again; shorter ones may be meant twice."""


def completed(blocks: Sequence[Block], kept: list[bool]) -> list[bool]:
    """The same with what lies between, what belongs to it, and the headings above."""
    return with_belongings(blocks, _headed(blocks, _filled(blocks, kept)))


def once(blocks: Sequence[Block], kept: Sequence[bool]) -> list[bool]:
    """The same without what says elsewhere on the page what a kept block has said.

    Code and tables may repeat, and so may text under a heading that is new.
    """
    first: dict[str, Block] = {}
    known: set[str] = set()
    left, under_new = [], False
    for block, keep in zip(blocks, kept, strict=True):
        told = first.get(block.text)
        is_twin = told is not None and _is_phrase(block) and _is_elsewhere(told, block)
        left.append(keep and (under_new or not is_twin))
        if keep and told is None:
            first[block.text] = block
        under_new = block.place.tag in HEADINGS and block.text not in known
        known.add(block.text)
    return left


def _is_phrase(block: Block) -> bool:
    return not block.form and len(block.text.split(None, _PHRASE)) >= _PHRASE


def _is_elsewhere(one: Block, other: Block) -> bool:
    return one.place.parent is not other.place.parent


def _headed(blocks: Sequence[Block], kept: Sequence[bool]) -> list[bool]:
    """The same with the headings that stand right before what is kept."""
    following = [*kept[1:], False]
    return [
        keep or (after and block.place.tag in HEADINGS)
        for block, keep, after in zip(blocks, kept, following, strict=True)
    ]


def _filled(blocks: Sequence[Block], kept: list[bool]) -> list[bool]:
    """The same, with what stands between two kept neighbours in one container kept as well."""
    filled = list(kept)
    last: int | None = None
    for at, keep in enumerate(kept):
        if not keep:
            continue
        if last is not None and 1 < at - last <= _GAP and _is_gap(blocks[last : at + 1]):
            filled[last:at] = [True] * (at - last)
        last = at
    return filled


def _is_gap(blocks: Sequence[Block]) -> bool:
    """Whether the first and the last stand close together, and no list of links between them."""
    inner = blocks[1:-1]
    linked, size = sum(block.linked for block in inner), sum(len(block.text) for block in inner)
    first, last = (set(islice(lineage(end.place), 1, _CLOSE)) for end in (blocks[0], blocks[-1]))
    return 2 * linked <= size and not first.isdisjoint(last)
