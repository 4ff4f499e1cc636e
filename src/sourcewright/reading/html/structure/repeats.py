"""Repeated text of a page: what is there once more for another screen width is read once."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from sourcewright.reading.html.blocks import Block, Container, class_tokens_of
from sourcewright.reading.html.features import HEADINGS, ends_sentence
from sourcewright.reading.html.position import self_and_ancestors

_MIN_REPEATED_WORDS, _MIN_REPEATED_DENSE = 4, 12
"""Texts of at least this many words, or characters of scripts without spaces, are not repeated;
shorter ones may be intentional."""
_MIN_PARAGRAPH = 80
_MAX_FACT = 160
_MAX_DEFINITION_DISTANCE = 3
_TITLE_TAGS, _MIN_LINKED_SHARE = frozenset((*HEADINGS, "dt")), 0.9
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


@dataclass(frozen=True, slots=True)
class _First:
    """The first kept block with a text, and the headings that it is under."""

    block: Block
    heading: int
    new_heading: int


@dataclass(slots=True)
class _Section:
    """Where on the page a block is, and how much of its section was not there before."""

    heading: int = -1
    """The last heading."""
    new_heading: int = -1
    """The same if its text was not there before, else -1."""
    new_section: int = -1
    """The last heading under which the first text is new."""
    texts: int = 0
    """How many blocks are under the heading so far."""
    has_repeats: bool = False
    """Whether one of these repeats an earlier block."""
    is_new_term: bool = False
    """Whether the text of the last term was not there before."""

    def allows(self, block: Block, first: _First) -> bool:
        """Whether a text may be there again, because what it belongs to is new."""
        if self.new_heading not in (-1, first.new_heading):
            is_first = not self.texts
            if is_first or (not self.has_repeats and _is_paragraph(block)):
                return True
        is_new = self.is_new_term or self.new_section not in (-1, first.heading)
        return is_new and _is_definition(block)

    def enter(self, at: int, block: Block, *, is_new: bool, is_repeat: bool) -> None:
        """Go on with the next block."""
        if block.place.tag in HEADINGS:
            # One right below a new heading, such as "Types" below each function, belongs to it.
            is_below = not self.texts and self.new_heading >= 0
            self.new_heading = self.new_section = at if is_new or is_below else -1
            self.heading, self.texts, self.has_repeats = at, 0, False
        else:
            if is_new and not self.texts:
                self.new_section = self.heading
            self.texts += 1
            self.has_repeats |= is_repeat
        if block.place.tag == "dt":
            self.is_new_term = is_new


def drop_repeats(
    blocks: Sequence[Block], selected: Sequence[bool], *, in_cards: bool = False
) -> list[bool]:
    """Drop blocks that repeat the text of an earlier kept block elsewhere on the page.

    Code and tables may repeat, and so may one text under a new heading, and definitions, such as
    those of the parameters that several functions have, and all below a new term. Text for another
    screen width has the same headings, or follows its other copy directly and is marked
    differently. With `in_cards`, what cards of a list have in common, such as a size or a place,
    is also kept in each of them.
    """
    firsts: dict[str, _First] = {}
    seen_texts: set[str] = set()
    mask: list[bool] = []
    previous: Block | None = None
    section = _Section()
    new_places = _places_of_new_texts(blocks, selected) if in_cards else set()
    for at, (block, keep) in enumerate(zip(blocks, selected, strict=True)):
        first = firsts.get(block.text)
        repeated = first if first and _is_repeat(block, first.block, previous) else None
        if repeated and in_cards and _card_of(block, repeated.block) in new_places:
            repeated = None
        mask.append(keep and (repeated is None or section.allows(block, repeated)))
        if keep and first is None:
            firsts[block.text] = _First(block, section.heading, section.new_heading)
        is_new = block.text not in seen_texts
        section.enter(at, block, is_new=is_new, is_repeat=repeated is not None)
        seen_texts.add(block.text)
        previous = block if block.text else previous
    return mask


def _is_repeat(block: Block, earlier: Block, previous: Block | None) -> bool:
    """Whether a block is one that was there before, and no second text with the same words."""
    return (
        _is_long_text(block)
        and not _is_entry_for(earlier, block)
        and (_is_variant(previous, block) or _is_elsewhere(earlier, block))
    )


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
