"""Repeated text of a page: what is there once more for another screen width is read once."""

import re
from collections.abc import Sequence
from itertools import islice

from sourcewright.logic.html.blocks import Block, class_tokens_of
from sourcewright.logic.html.features import HEADINGS, ends_sentence
from sourcewright.logic.html.position import self_and_ancestors

_MIN_REPEATED_WORDS, _MIN_REPEATED_DENSE = 4, 12
"""Texts of at least this many words, or characters of scripts without spaces, are not repeated;
shorter ones may be intentional."""
_MIN_PARAGRAPH = 80
_MAX_DEFINITION_DISTANCE = 3
_TITLE_TAGS, _MIN_LINKED_SHARE = frozenset((*HEADINGS, "dt")), 0.9
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


def drop_repeats(blocks: Sequence[Block], selected: Sequence[bool]) -> list[bool]:
    """Drop blocks that repeat the text of an earlier kept block elsewhere on the page.

    Code and tables may repeat, and so may one text under a new heading, and definitions, such as
    those of the parameters that several functions have, and all below a new term. Text for another screen width has the
    same headings, or follows its other copy directly and is marked differently.
    """
    first: dict[str, tuple[Block, int, int]] = {}
    seen_texts: set[str] = set()
    mask: list[bool] = []
    previous: Block | None = None
    # The last heading, and the same if its text was not there before; whether all under it is
    # new too; the last heading under which the first text is new.
    heading, new_heading, is_new, under, new_section = -1, -1, True, 0, -1
    is_new_term = False
    for at, (block, keep) in enumerate(zip(blocks, selected, strict=True)):
        earlier, its_new_heading, its_heading = first.get(block.text, (None, -1, -1))
        is_repeat = (
            earlier is not None
            and _is_long_text(block)
            and not _is_entry_for(earlier, block)
            and (_is_variant(previous, block) or _is_elsewhere(earlier, block))
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
