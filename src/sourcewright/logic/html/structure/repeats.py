"""Repeated text of a page: what is there once more for another screen width is read once."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice, takewhile

from sourcewright.logic.html.blocks import Block, Container, class_tokens_of
from sourcewright.logic.html.features import HEADINGS, ends_sentence
from sourcewright.logic.html.position import self_and_ancestors

_MIN_REPEATED_WORDS, _MIN_REPEATED_DENSE = 4, 12
"""Texts of at least this many words, or characters of scripts without spaces, are not repeated;
shorter ones may be intentional."""
_MIN_PARAGRAPH = 80
_MAX_FACT = 160
_MAX_DEFINITION_DISTANCE = 3
_TITLE_TAGS, _MIN_LINKED_SHARE = frozenset((*HEADINGS, "dt")), 0.9
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


def drop_repeats(
    blocks: Sequence[Block], selected: Sequence[bool], *, in_cards: bool = False
) -> list[bool]:
    """Drop blocks that repeat the text of an earlier kept block elsewhere on the page.

    Code and tables may repeat, and so may one text under a new heading, and definitions, such as
    those of the parameters that several functions have, and all below a new term. Text for another screen width has the
    same headings, or follows its other copy directly and is marked differently. With `in_cards`,
    what cards of a list have in common, such as a size or a place, is also kept in each of them.
    """
    first: dict[str, tuple[Block, int, int]] = {}
    seen_texts: set[str] = set()
    mask: list[bool] = []
    previous: Block | None = None
    # The last heading, and the same if its text was not there before; whether all under it is
    # new too; the last heading under which the first text is new.
    heading, new_heading, is_new, under, new_section = -1, -1, True, 0, -1
    is_new_term = False
    new_places = _places_of_new_texts(blocks, selected) if in_cards else set()
    for at, (block, keep) in enumerate(zip(blocks, selected, strict=True)):
        earlier, its_new_heading, its_heading = first.get(block.text, (None, -1, -1))
        is_repeat = (
            earlier is not None
            and _is_long_text(block)
            and not _is_entry_for(earlier, block)
            and (_is_variant(previous, block) or _is_elsewhere(earlier, block))
            and not (in_cards and _card_of(block, earlier) in new_places)
        )
        may_repeat = (
            not is_repeat
            or (
                new_heading not in (-1, its_new_heading)
                and (not under or (is_new and _is_paragraph(block)))
            )
            or ((new_section not in (-1, its_heading) or is_new_term) and _is_definition(block))
        )
        mask.append(keep and may_repeat)
        if keep and earlier is None:
            first[block.text] = (block, new_heading, heading)
        is_seen = block.text in seen_texts
        if block.place.tag in HEADINGS:
            # One right below a new heading, such as "Types" below each function, belongs to it.
            is_below = not under and new_heading >= 0
            heading, is_new, under = at, True, 0
            new_heading = -1 if is_seen and not is_below else at
            new_section = new_heading
        else:
            new_section = heading if not under and not is_seen else new_section
            is_new, under = is_new and not is_repeat, under + 1
        is_new_term = not is_seen if block.place.tag == "dt" else is_new_term
        seen_texts.add(block.text)
        previous = block if block.text else previous
    return mask


def _places_of_new_texts(blocks: Sequence[Block], selected: Sequence[bool]) -> set[Container]:
    """The elements with a kept text that no earlier block has."""
    seen: set[str] = set()
    places: set[Container] = set()
    for block, keep in zip(blocks, selected, strict=True):
        if keep and block.text not in seen:
            seen.add(block.text)
            places.update(_outside(places, block))
    return places


def _outside(places: Collection[Container], block: Block) -> Iterator[Container]:
    """The elements around a block up to the first of these."""
    return takewhile(lambda place: place not in places, self_and_ancestors(block.place))


def _card_of(block: Block, earlier: Block) -> Container | None:
    """The element around a block that has a sibling of the same names around the earlier one.

    None for headings and links: if they recur, so does the whole card. None for lists of words.
    """
    text = block.text
    is_fact = len(text) <= _MAX_FACT or ends_sentence(text)
    if block.place.tag in HEADINGS or 2 * block.linked > len(text) or not is_fact:
        return None
    around, around_other = ({*self_and_ancestors(one.place)} for one in (block, earlier))
    card = [*_outside(around_other, block)][-1:]
    other = [*_outside(around, earlier)][-1:]
    is_like = card and other and (card[0].tag, card[0].tokens) == (other[0].tag, other[0].tokens)
    return card[0] if is_like else None


def _is_paragraph(block: Block) -> bool:
    """Whether it is a long text in sentences, and no list of words."""
    text = block.text
    is_sentence = ends_sentence(text) or text.endswith(":")
    return block.place.tag == "p" and len(text) >= _MIN_PARAGRAPH and is_sentence


def _is_long_text(block: Block) -> bool:
    if block.form:
        return False
    words = len(block.text.split(None, _MIN_REPEATED_WORDS))
    return words >= _MIN_REPEATED_WORDS or (
        not block.text.isascii() and len(_DENSE.findall(block.text)) >= _MIN_REPEATED_DENSE
    )


def _is_entry_for(earlier: Block, block: Block) -> bool:
    """Whether it is a title, and the earlier text the link to it in a table of contents."""
    links = (run.href for run in block.runs if run.href and run.text.strip())
    is_title = block.place.tag in _TITLE_TAGS and all(href.startswith("#") for href in links)
    return is_title and earlier.linked >= _MIN_LINKED_SHARE * len(earlier.text)


def _is_elsewhere(one: Block, other: Block) -> bool:
    return one.place.parent is not other.place.parent


def _is_variant(previous: Block | None, block: Block) -> bool:
    """Whether a block has the text of the one before it under other names, as for two widths."""
    return (
        previous is not None
        and previous.text == block.text
        and class_tokens_of(previous.place.node) != class_tokens_of(block.place.node)
    )


def _is_definition(block: Block) -> bool:
    near = islice(self_and_ancestors(block.place), _MAX_DEFINITION_DISTANCE)
    return any(place.tag == "dd" for place in near)
