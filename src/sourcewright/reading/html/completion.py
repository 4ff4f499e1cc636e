"""Completes the classifier's selection: adds tables, lists, figures and headings.

The training pages have few figures, tables, code blocks, quotations and lists at the end of a
text, and a page of a few lines gives the classifier too few features. Blocks between two
selected ones are added as well.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import compress, islice

from sourcewright.reading.html.blocks import Block, Container, class_tokens_of
from sourcewright.reading.html.features import HEADINGS
from sourcewright.reading.html.position import chain_of, self_and_ancestors

_MIN_KEPT_SHARE = 0.95
"""Share of the rest of its container that must be kept for a block to be added."""
_MIN_KEPT_SHARE_CODE = 0.5
"""The same for code, which is hardly ever boilerplate."""
_SMALL_PAGE, _MIN_KEPT_SHARE_SMALL = 2500, 0.5
"""A page with fewer characters is small, and needs only this share."""
_PART_TAGS = frozenset({"figure", "blockquote", "details"})
_MAX_PART_DISTANCE = 4
_BOILERPLATE_TAGS = frozenset({"nav", "aside", "footer", "header", "form", "button"})
_BOILERPLATE_NAMES = (
    "navigation nav navbar menu breadcrumb breadcrumbs footer contentinfo sidebar complementary "
    "banner cookie cookies consent newsletter subscribe related recommended recommendations share "
    "social promo advert advertisement ads sponsored comments popup modal pagination"
)
_BOILERPLATE_WORDS = frozenset(_BOILERPLATE_NAMES.split())
_LISTS = frozenset({"ul", "ol"})


def add_related_blocks(blocks: Sequence[Block], selected: Sequence[bool]) -> list[bool]:
    """Add figures, tables, code, lists and quotations of containers that are kept almost entirely.

    On a small page everything is kept but for elements that are navigation or the like, by their
    tags or names.
    """
    is_small = _size(blocks) < _SMALL_PAGE
    min_share = _MIN_KEPT_SHARE_SMALL if is_small else _MIN_KEPT_SHARE
    selected = _without_boilerplate(blocks, selected) if is_small else selected
    kept_characters = _kept_characters(blocks, selected)
    return [
        keep
        or (
            (is_small or _is_part(block))
            and _belongs(
                block,
                kept_characters,
                _MIN_KEPT_SHARE_CODE if block.form == "pre" else min_share,
            )
        )
        for block, keep in zip(blocks, selected, strict=True)
    ]


def _size(blocks: Iterable[Block]) -> int:
    return sum(len(block.text) for block in blocks)


def _without_boilerplate(blocks: Sequence[Block], selected: Sequence[bool]) -> Sequence[bool]:
    """Drop blocks that names mark as boilerplate, unless that would drop most of the text."""
    remaining = [
        keep and not _is_named_boilerplate(block)
        for block, keep in zip(blocks, selected, strict=True)
    ]
    return (
        remaining
        if 2 * _size(compress(blocks, remaining)) > _size(compress(blocks, selected))
        else selected
    )


def _is_named_boilerplate(block: Block) -> bool:
    return any(
        not _BOILERPLATE_WORDS.isdisjoint(place.tokens)
        for place in self_and_ancestors(block.place)
    )


def _kept_characters(blocks: Sequence[Block], selected: Sequence[bool]) -> dict[Container, int]:
    """The number of kept characters in each container."""
    own: dict[Container, int] = {}
    for block in compress(blocks, selected):
        if block.text:
            own[block.place] = own.get(block.place, 0) + len(block.text)
    totals: dict[Container, int] = {}
    for place, characters in own.items():
        for container in chain_of(place):
            totals[container] = totals.get(container, 0) + characters
    return totals


def _is_part(block: Block) -> bool:
    if block.image or block.form or block.place.tag == "li":
        return True
    near = islice(self_and_ancestors(block.place), _MAX_PART_DISTANCE)
    # A `dl` with a class or id is usually a data sheet of a person or a product.
    return any(
        place.tag in _PART_TAGS or (place.tag == "dl" and not place.tokens) for place in near
    )


def _belongs(block: Block, kept_characters: Mapping[Container, int], min_share: float) -> bool:
    """Whether almost all the rest of the nearest container with kept text is kept."""
    own_characters = len(block.text)
    for place in self_and_ancestors(block.place):
        if place in kept_characters:
            is_link = 2 * block.linked > len(block.text) and place.tag not in _LISTS
            return not is_link and kept_characters[place] >= min_share * (
                place.characters - own_characters
            )
        if _is_boilerplate(place):
            return False
        own_characters = place.characters
    return False


_ALMOST_ALL, _MIN_TEXT = 0.8, 1000
"""Share and number of characters of a container that must be kept for its rest to be added."""


_TEXT_NAMES = (
    "article body chapter content copy entry markdown paragraph post prose rich section text"
)
_TEXT_WORDS = frozenset(_TEXT_NAMES.split())
"""Words in class names that are usual for main text."""


def add_rest_of_containers(blocks: Sequence[Block], selected: Sequence[bool]) -> list[bool]:
    """Add the rest of each container that is kept almost entirely.

    The classifier uses the relative position of a block on its page, and so takes the last
    twentieth of a very long text for boilerplate. Real boilerplate is a list of links, or has an
    enclosing element or class that no kept block has.
    """
    page = _KeptContainers(blocks, selected)
    return [
        keep or (bool(block.text) and page.is_continued_by(block))
        for block, keep in zip(blocks, selected, strict=True)
    ]


def _is_outside_text(block: Block) -> bool:
    """Whether a block is a link, or in an element that is boilerplate by its tag or names."""
    return 2 * block.linked > len(block.text) or any(
        map(_is_boilerplate, self_and_ancestors(block.place))
    )


class _KeptContainers:
    """The kept characters of each container of a page, and the names of these containers."""

    def __init__(self, blocks: Sequence[Block], selected: Sequence[bool]) -> None:
        self._blocks = blocks
        self._characters = _kept_characters(blocks, selected)

    @cached_property
    def _common_names(self) -> frozenset[tuple[str, ...]]:
        return frozenset(class_tokens_of(place.node) for place in self._characters)

    @cached_property
    def _text_size(self) -> int:
        """The characters of the whole page without links and boilerplate."""
        return _size(block for block in self._blocks if not _is_outside_text(block))

    def is_continued_by(self, block: Block) -> bool:
        """Whether a container is kept almost entirely and nothing marks the block as boilerplate."""
        if 2 * block.linked > len(block.text):
            return False
        own_characters = len(block.text)
        for place in self_and_ancestors(block.place):
            # What surrounds a text that has no element of its own is not part of it.
            is_bare = place.tag == "body" and place in (block.place, block.place.parent)
            whole = self._text_size if is_bare else place.characters
            characters = self._characters.get(place, 0)
            if characters >= max(_MIN_TEXT, _ALMOST_ALL * (whole - own_characters)):
                return True
            if _is_boilerplate(place) or not self._has_usual_names(place):
                return False
            own_characters = own_characters if characters else place.characters
        return False

    def _has_usual_names(self, place: Container) -> bool:
        """Whether a container has the names of a kept one, or those of main text."""
        if place in self._characters:
            return True
        names = class_tokens_of(place.node)
        return names in self._common_names or _TEXT_WORDS.issuperset(names)


def _is_boilerplate(place: Container) -> bool:
    return place.tag in _BOILERPLATE_TAGS or not _BOILERPLATE_WORDS.isdisjoint(place.tokens)


_MAX_GAP, _MAX_GAP_DISTANCE = 12, 4


def complete_selection(blocks: Sequence[Block], selected: list[bool]) -> list[bool]:
    """Add blocks in gaps, related blocks, headings above what is kept, and tables below them."""
    with_headings = _with_headings(blocks, _with_gaps_filled(blocks, selected))
    completed = add_rest_of_containers(blocks, add_related_blocks(blocks, with_headings))
    return _with_tables_of_sections(blocks, completed)


def _with_headings(blocks: Sequence[Block], selected: Sequence[bool]) -> list[bool]:
    """Add headings that come right before a kept block."""
    following = [*selected[1:], False]
    return [
        keep or (after and block.place.tag in HEADINGS)
        for block, keep, after in zip(blocks, selected, following, strict=True)
    ]


def _with_tables_of_sections(blocks: Sequence[Block], selected: Sequence[bool]) -> list[bool]:
    """Add the tables below a kept heading that has nothing else: they are what it announces.

    A list of the functions of a library is a table of links, as navigation may be.
    """
    selection = list(selected)
    tables: list[int] = []
    is_empty = True
    for at in reversed(range(len(blocks))):
        block = blocks[at]
        if block.place.tag in HEADINGS:
            for table in tables if selection[at] and is_empty else ():
                selection[table] = True
            tables, is_empty = [], True
        elif selection[at]:
            is_empty = False
        elif block.form == "table" and not any(
            map(_is_boilerplate, self_and_ancestors(block.place))
        ):
            tables.append(at)
    return selection


def _with_gaps_filled(blocks: Sequence[Block], selected: list[bool]) -> list[bool]:
    """Add short gaps between two kept blocks that are close in the tree."""
    filled = list(selected)
    last: int | None = None
    for at, keep in enumerate(selected):
        if not keep:
            continue
        if last is not None and 1 < at - last <= _MAX_GAP and _is_gap(blocks[last : at + 1]):
            filled[last:at] = [True] * (at - last)
        last = at
    return filled


def _is_gap(blocks: Sequence[Block]) -> bool:
    """Whether the first and last block share a near ancestor, with no list of links between."""
    inner = blocks[1:-1]
    linked, size = sum(block.linked for block in inner), sum(len(block.text) for block in inner)
    first, last = (
        set(islice(self_and_ancestors(end.place), 1, _MAX_GAP_DISTANCE))
        for end in (blocks[0], blocks[-1])
    )
    return 2 * linked <= size and not first.isdisjoint(last)
