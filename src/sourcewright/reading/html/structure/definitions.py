"""Definitions: tables and lists of names and values, which are kept whole, entry by entry."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice

from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.position import self_and_ancestors
from sourcewright.reading.html.tables import is_definition_table

_MIN_KEPT_SHARE = {"table": 0.5, "dl": 0.9}
"""Share of the text beside it that must be kept."""
_MAX_STEPS = 4
_MAX_LINKED_SHARE = 0.75
"""A table with a larger share of links is navigation."""
_NAVIGATION_WORDS = frozenset({"navbox", "sidebar", "navigation", "nav", "toc", "metadata"})
_ENTRY_TAGS, _MAX_ENTRY_DISTANCE = frozenset({"dt", "dd"}), 3
_MAX_SAME_TERMS = 2


def add_definitions(blocks: Sequence[Block], selected: Sequence[bool]) -> list[bool]:
    """Add definition tables and lists of a kept text, and the rest of entries kept in part."""
    with_lists = _with_whole_lists(blocks, selected)
    entries = [_entry(block) for block in blocks]
    return _with_definitions(entries, _with_terms(blocks, entries, with_lists))


def _with_whole_lists(blocks: Sequence[Block], selected: Sequence[bool]) -> list[bool]:
    """Add the definition tables and lists of a text that is kept, unless they are navigation."""
    owners = [_definitions_of(block) for block in blocks]
    if all(keep or owner is None for owner, keep in zip(owners, selected, strict=True)):
        return list(selected)
    kept_characters: dict[Container, int] = {}
    for block, keep in zip(blocks, selected, strict=True):
        for place in self_and_ancestors(block.place) if keep else ():
            kept_characters[place] = kept_characters.get(place, 0) + len(block.text)
    described = {owner: _belongs(owner, kept_characters) for owner in owners if owner is not None}
    return [
        keep or (owner is not None and described[owner])
        for owner, keep in zip(owners, selected, strict=True)
    ]


def _definitions_of(block: Block) -> Container | None:
    """The definition table that a block is, or the definition list that it stands in.

    A list with a class or an id is usually data about a person or a product.
    """
    if block.form == "table":
        return block.place if is_definition_table(block.node) else None
    near = islice(self_and_ancestors(block.place), _MAX_STEPS)
    return next((place for place in near if place.tag == "dl" and not place.tokens), None)


def _belongs(owner: Container, kept_characters: Mapping[Container, int]) -> bool:
    """Whether most of what stands beside it, or of the list itself, is kept."""
    if owner.linked > _MAX_LINKED_SHARE * owner.characters:
        return False
    share = _MIN_KEPT_SHARE[owner.tag]
    own = owner.characters - kept_characters.get(owner, 0)
    for place in self_and_ancestors(owner):
        if not _NAVIGATION_WORDS.isdisjoint(place.tokens) or place.tag in {"nav", "footer"}:
            return False
        if place is not owner and place in kept_characters:
            return kept_characters[place] >= share * (place.characters - own)
    return False


def _with_terms(
    blocks: Sequence[Block], entries: Sequence[Container | None], selected: Sequence[bool]
) -> list[bool]:
    """Add the terms of kept definitions in a list of them: without its term none makes sense.

    A text that recurs is no term, but the name of a field in many lists, such as "Price".
    """
    selection = list(selected)
    counts = Counter(block.text for block in blocks if block.place.tag == "dt")
    defined: Container | None = None
    is_term_next = False
    for at in reversed(range(len(blocks))):
        entry = entries[at]
        if entry is None:
            continue
        if entry.tag == "dd":
            # The last definition of the entry before, or another one of this entry.
            defined = entry.parent if selection[at] or (defined and not is_term_next) else None
            is_term_next = False
        else:
            is_defined = defined is not None and defined is entry.parent
            selection[at] = selection[at] or (
                is_defined and counts[blocks[at].text] <= _MAX_SAME_TERMS
            )
            is_term_next = True
    return selection


def _entry(block: Block) -> Container | None:
    """The term or the definition in which a block is."""
    near = islice(self_and_ancestors(block.place), _MAX_ENTRY_DISTANCE)
    return next((place for place in near if place.tag in _ENTRY_TAGS), None)


def _with_definitions(entries: Sequence[Container | None], selected: Sequence[bool]) -> list[bool]:
    """Add the definitions of kept terms, such as the links below "See also", in the same list."""
    selection = list(selected)
    term: Container | None = None
    for at, entry in enumerate(entries):
        if entry is not None and entry.tag == "dt":
            term = entry.parent if selection[at] else None
        elif entry is not None:
            selection[at] = selection[at] or (term is not None and term is entry.parent)
    return selection
