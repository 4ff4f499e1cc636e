"""Completes the chosen blocks: tables, lists, figures and headings that belong to the content.

The pages that the choice was learned from tell little of figures, tables, code, quotations and
lists at the end of a text, and a page of a few lines gives it too little to judge by.

Completes a choice of blocks: what lies between is added, and nothing is said twice.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import compress, islice

from sourcewright.logic.html.blocks import Block, Place, tokens_of
from sourcewright.logic.html.features import HEADINGS
from sourcewright.logic.html.position import lineage

Names = tuple[str, ...]

_MOST = 0.95
"""How much of all else in its container must be kept."""
_LITTLE, _MOST_OF_LITTLE = 2500, 0.5
"""Characters of a small page, and how much must be kept there."""
_PARTS = frozenset({"figure", "blockquote", "details"})
_NEAR = 4
_APART = frozenset({"nav", "aside", "footer", "header", "form", "button"})
_APART_NAMES = (
    "navigation nav navbar menu breadcrumb breadcrumbs footer contentinfo sidebar complementary "
    "banner cookie cookies consent newsletter subscribe related recommended recommendations share "
    "social promo advert advertisement ads sponsored comments popup modal pagination"
)
_APART_WORDS = frozenset(_APART_NAMES.split())
_LISTS = frozenset({"ul", "ol"})


def with_belongings(blocks: Sequence[Block], kept: Sequence[bool]) -> list[bool]:
    """The same with the figures, tables, code, lists and quotations of what is kept nearly whole.

    Of a small page all is kept but what its elements or their names set apart.
    """
    is_small = _size(blocks) < _LITTLE
    most = _MOST_OF_LITTLE if is_small else _MOST
    kept = _without_apart(blocks, kept) if is_small else kept
    held = _held(blocks, kept)
    return [
        keep or ((is_small or _is_part(block)) and _belongs(block, held, most))
        for block, keep in zip(blocks, kept, strict=True)
    ]


def _size(blocks: Iterable[Block]) -> int:
    return sum(len(block.text) for block in blocks)


def _without_apart(blocks: Sequence[Block], kept: Sequence[bool]) -> Sequence[bool]:
    """The same without what names set apart; names that would take most of it tell nothing."""
    inside = [keep and not _stands_apart(block) for block, keep in zip(blocks, kept, strict=True)]
    return inside if 2 * _size(compress(blocks, inside)) > _size(compress(blocks, kept)) else kept


def _stands_apart(block: Block) -> bool:
    return any(not _APART_WORDS.isdisjoint(place.tokens) for place in lineage(block.place))


def _held(blocks: Sequence[Block], kept: Sequence[bool]) -> dict[Place, int]:
    """How much kept text each place has."""
    held: dict[Place, int] = {}
    for block, keep in zip(blocks, kept, strict=True):
        if keep and block.text:
            for place in lineage(block.place):
                held[place] = held.get(place, 0) + len(block.text)
    return held


def _is_part(block: Block) -> bool:
    if block.image or block.form or block.place.tag == "li":
        return True
    near = islice(lineage(block.place), _NEAR)
    # With a name of its own, a list of terms is a table of some person's or product's data.
    return any(place.tag in _PARTS or (place.tag == "dl" and not place.tokens) for place in near)


def _belongs(block: Block, held: Mapping[Place, int], most: float) -> bool:
    """Whether nearly all else is kept of the nearest container that has something kept."""
    own = len(block.text)
    for place in lineage(block.place):
        if place in held:
            is_link = 2 * block.linked > len(block.text) and place.tag not in _LISTS
            return not is_link and held[place] >= most * (place.characters - own)
        if _is_apart(place):
            return False
        own = place.characters
    return False


_NEARLY_WHOLE, _LEAST_TEXT = 0.8, 1000
"""How much of a container, and how many characters of it, must be kept for the rest of it."""


_TEXT_NAMES = (
    "article body chapter content copy entry markdown paragraph post prose rich section text"
)
_TEXT_WORDS = frozenset(_TEXT_NAMES.split())
"""Words in names that set nothing apart."""


def with_rest(blocks: Sequence[Block], kept: Sequence[bool]) -> list[bool]:
    """The same with the rest of each container that is kept nearly whole.

    The trees weigh where on its page a block stands, as a share of the page, and so take the last
    twentieth of a very long text for what surrounds it. What really is something else is a list of
    links, or has an element or a class around it that nothing kept has.
    """
    held = _held(blocks, kept)
    common = {_classes(place) for place in held}
    return [
        keep or (bool(block.text) and _continues(block, held, common))
        for block, keep in zip(blocks, kept, strict=True)
    ]


def _continues(block: Block, held: Mapping[Place, int], common: Collection[Names]) -> bool:
    """Whether some container is kept nearly whole, and nothing sets the block apart in it."""
    if 2 * block.linked > len(block.text):
        return False
    own = len(block.text)
    for place in lineage(block.place):
        if held.get(place, 0) >= max(_LEAST_TEXT, _NEARLY_WHOLE * (place.characters - own)):
            return True
        names = _classes(place)
        if _is_apart(place) or not (names in common or _TEXT_WORDS.issuperset(names)):
            return False
        own = own if place in held else place.characters
    return False


def _is_apart(place: Place) -> bool:
    return place.tag in _APART or not _APART_WORDS.isdisjoint(place.tokens)


def _classes(place: Place) -> Names:
    """What an element is called together with others; an id is its own alone."""
    return tokens_of(place.node, "class", "role")


_GAP, _CLOSE = 12, 4
_PHRASE = 4
"""Words from which a text that was kept is not kept again; shorter ones may be meant twice."""


def completed(blocks: Sequence[Block], kept: list[bool]) -> list[bool]:
    """The same with what lies between, what belongs to it, and the headings above."""
    return with_rest(blocks, with_belongings(blocks, _headed(blocks, _filled(blocks, kept))))


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
