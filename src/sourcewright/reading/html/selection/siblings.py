"""Like-shaped siblings: elements of the same tag and names in one parent, such as cards in a list."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.position import self_and_ancestors

Members = Mapping[Container, Sequence[int]]
"""Elements of the same tag and names in one parent, and the positions of their blocks."""


def like_siblings(
    blocks: Sequence[Block],
    positions: Iterable[int],
    *,
    least: int,
    max_characters: int,
    text_tags: Collection[str],
    unnamed_tags: Collection[str] = (),
) -> list[Members]:
    """At least so many siblings around these blocks, none with more text, none a text by its tag."""
    groups: dict[tuple[Container, str, tuple[str, ...]], dict[Container, list[int]]] = {}
    for at in positions:
        for place in self_and_ancestors(blocks[at].place):
            if place.parent is None or place.characters > max_characters:
                break
            if place.tag not in text_tags:
                names = () if place.tag in unnamed_tags else place.tokens
                key = (place.parent, place.tag, names)
                groups.setdefault(key, {}).setdefault(place, []).append(at)
    return [members for members in groups.values() if len(members) >= least]
