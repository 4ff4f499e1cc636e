"""Navigation on pages in other scripts than Latin, recognised by its shape.

The classifier was learned from pages in Latin script: in others it knows neither the words of
menus nor those of text. There the paragraphs show which element holds the text, and links,
headings of links and copyright lines outside it are dropped.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import islice, takewhile

from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.features import HEADINGS
from sourcewright.reading.html.position import self_and_ancestors

_LETTERS = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
"""Characters of Chinese, Japanese and Korean, of which a text needs fewer."""
_DENSITY = 2
_SAMPLE = 6_000
_MAX_LATIN_SHARE = 0.6
_MIN_PROSE, _MIN_TEXT = 80, 400
"""Characters of a paragraph of text, and of all paragraphs of a page that has an article."""
_TEXT_SHARE, _LINK_SHARE, _BOX_LINK_SHARE = 0.8, 0.5, 0.6
_MIN_LINKS, _MAX_STEPS = 3, 6
_LIST_TAGS = frozenset({"ul", "ol", "li", "dl", "table", "tr", "td", "p"})
_MAX_COPYRIGHT = 200


def drop_navigation(blocks: Sequence[Block], selected: Sequence[bool]) -> list[bool]:
    """Keep the paragraphs, and drop links around them, on a page in another script than Latin."""
    if not is_other_script(blocks):
        return list(selected)
    prose = [_prose(block) for block in blocks]
    chosen = [size if keep else 0 for size, keep in zip(prose, selected, strict=True)]
    sizes = _sizes(blocks, chosen)
    text = _text_container(sizes, sum(chosen))
    if text is None:
        return list(selected)
    inside = [any(place is text for place in self_and_ancestors(one.place)) for one in blocks]
    mask = [
        (keep or (within and size > 0)) and not _is_navigation(block, text, sizes, within=within)
        for block, keep, within, size in zip(blocks, selected, inside, prose, strict=True)
    ]
    return _without_empty_headings(blocks, inside, mask)


def is_other_script(blocks: Sequence[Block]) -> bool:
    """Whether most letters of a page are of another script than Latin."""
    sample = "".join(block.text[:100] for block in blocks[:400])[:_SAMPLE]
    if sample.isascii():
        return False
    letters, latin = (sum(map(len, kind.findall(sample))) for kind in (_LETTERS, _LATIN))
    return latin < _MAX_LATIN_SHARE * letters


def _prose(block: Block) -> int:
    """The size of a paragraph; 0 for anything shorter, or with many links."""
    size = len(block.text) + (_DENSITY - 1) * len(_DENSE.findall(block.text))
    return size if size >= _MIN_PROSE and 3 * block.linked < len(block.text) else 0


def _sizes(blocks: Sequence[Block], prose: Sequence[int]) -> dict[Container, int]:
    """The characters of paragraphs in each element that has any."""
    sizes: dict[Container, int] = {}
    for block, size in zip(blocks, prose, strict=True):
        for place in self_and_ancestors(block.place) if size else ():
            sizes[place] = sizes.get(place, 0) + size
    return sizes


def _text_container(sizes: Mapping[Container, int], total: int) -> Container | None:
    """The innermost element with most of the paragraphs; None if there are few."""
    if total < _MIN_TEXT:
        return None
    most = [place for place, size in sizes.items() if size >= _TEXT_SHARE * total]
    return max(most, key=lambda place: place.depth)


def _is_navigation(
    block: Block, text: Container, sizes: Mapping[Container, int], *, within: bool
) -> bool:
    """Whether a block outside the text is a link or a copyright line, or one inside in a box of links.

    An element that has a paragraph is no such box, however many links are around it.
    """
    if within:
        near = islice(self_and_ancestors(block.place), _MAX_STEPS)
        return any(
            _is_box_of_links(place)
            for place in takewhile(lambda one: one is not text and one not in sizes, near)
        )
    if block.linked > _LINK_SHARE * len(block.text):
        return True
    return "\u00a9" in block.text and len(block.text) < _MAX_COPYRIGHT


def _is_box_of_links(place: Container) -> bool:
    """Whether an element around a list has three links or more, and little else."""
    return (
        place.tag not in _LIST_TAGS
        and place.blocks >= _MIN_LINKS
        and place.linked > _BOX_LINK_SHARE * place.characters
    )


def _without_empty_headings(
    blocks: Sequence[Block], inside: Sequence[bool], mask: list[bool]
) -> list[bool]:
    """Drop headings outside the text of which nothing is kept up to the next heading."""
    is_empty = True
    for at in reversed(range(len(blocks))):
        tag = blocks[at].place.tag
        if tag in HEADINGS:
            mask[at] = mask[at] and (inside[at] or not is_empty or tag == "h1")
            is_empty = True
        elif mask[at]:
            is_empty = False
    return mask
