"""Repeated labels: "Compare" or "Add to cart" in every card of a list, and copies of a line.

They are recognised by recurrence, not by their words.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise

from sourcewright.reading.html.blocks import Block
from sourcewright.reading.html.features import HEADINGS
from sourcewright.reading.html.position import self_and_ancestors
from sourcewright.reading.html.selection.body import Selection, text_size
from sourcewright.reading.html.selection.siblings import Members, like_siblings

_MIN_CARDS, _MAX_CARD, _MAX_MEAN = 5, 1500, 400
"""Cards in a list, the most characters of one, and of all in the mean."""
_IN_EVERY_CARD = 0.8
"""Share of the cards that have a label; what only some have, such as a brand, tells them apart."""
_MAX_LABEL, _MAX_VALUE = 40, 60
_MAX_SHARE, _MAX_COPIES_SHARE = 0.25, 0.3
_MIN_COPY = 6
_NAME_ENDS = (":", "\uff1a")
_NAME_TAGS = frozenset(("dt", "th", *HEADINGS))
"""Elements with the name of a value, which recurs with other values."""
_TEXT_TAGS = frozenset(("p", *HEADINGS))
_BUTTON_TAGS = frozenset(("button", "label"))
_BUTTON_DISTANCE = 3


def repeated_labels(page: Selection) -> set[int]:
    """Positions of kept short texts that nearly every card of a list has."""
    counts = Counter(
        block.text
        for block, keep in zip(page.blocks, page.kept, strict=True)
        if keep and _may_be_label(block)
    )
    labels = {text for text, count in counts.items() if count >= _MIN_CARDS}
    if not labels:
        return set()
    groups = like_siblings(
        page.blocks,
        (at for at, block in enumerate(page.blocks) if block.text),
        least=_MIN_CARDS,
        max_characters=_MAX_CARD,
        text_tags=_TEXT_TAGS,
    )
    dropped = {at for members in groups for at in _labels_of(page, members, labels)}
    return page.at_most(dropped, _MAX_SHARE)


def _may_be_label(block: Block) -> bool:
    text = block.text
    return (
        0 < len(text) <= _MAX_LABEL
        and not block.form
        and not text.endswith(_NAME_ENDS)
        and not any(map(str.isdigit, text))
    )


def _labels_of(page: Selection, members: Members, labels: set[str]) -> Iterator[int]:
    """The positions of the labels that nearly every one of these siblings has."""
    cards = sum(len(positions) > 1 for positions in members.values())
    characters = sum(place.characters for place in members)
    if cards < _MIN_CARDS or characters > _MAX_MEAN * len(members):
        return
    for positions in _first_positions(page, members, labels).values():
        names = sum(_is_name(page.blocks, at) for at in positions)
        if len(positions) >= max(_MIN_CARDS, _IN_EVERY_CARD * cards) and 2 * names <= len(
            positions
        ):
            text = page.blocks[positions[0]].text
            inside = (at for card in members.values() for at in card)
            yield from (at for at in inside if page.kept[at] and page.blocks[at].text == text)


def _first_positions(
    page: Selection, members: Members, labels: set[str]
) -> Mapping[str, Sequence[int]]:
    """For each label its first position in each sibling of which something is kept."""
    firsts: dict[str, list[int]] = {}
    for positions in members.values():
        if any(page.kept[at] for at in positions):
            texts = {page.blocks[at].text: at for at in reversed(positions)}
            for text in labels & texts.keys():
                firsts.setdefault(text, []).append(texts[text])
    return firsts


def _is_name(blocks: Sequence[Block], at: int) -> bool:
    """Whether it is the name of a value: by its tag, or because a short text is beside it."""
    block = blocks[at]
    if block.place.tag in _NAME_TAGS:
        return True
    value = next((other for other in blocks[at + 1 : at + 3] if other.text), None)
    return (
        value is not None
        and value.place.parent is block.place.parent
        and len(value.text) < _MAX_VALUE
        and value.text != block.text
        and not _is_button(block)
    )


def _is_button(block: Block) -> bool:
    near = islice(self_and_ancestors(block.place), _BUTTON_DISTANCE)
    return any(place.tag in _BUTTON_TAGS or place.node.get("role") == "button" for place in near)


def copied_lines(page: Selection) -> set[int]:
    """Positions of short kept texts that directly follow their copy, for another screen width.

    Equal items of a list or a table stay.
    """
    places = [at for at, keep in enumerate(page.kept) if keep and page.blocks[at].text]
    copies = {
        after
        for before, after in pairwise(places)
        if _is_copy(page.blocks[before], page.blocks[after])
    }
    return page.at_most(copies, _MAX_COPIES_SHARE)


def _is_copy(block: Block, other: Block) -> bool:
    if block.text != other.text or block.form or text_size(block.text) < _MIN_COPY:
        return False
    if block.place.parent is other.place.parent and block.place.tag == other.place.tag:
        return False
    return not any(map(str.isdigit, block.text))
