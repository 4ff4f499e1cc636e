"""Boxes between the paragraphs of an article: teasers of other articles, sign-up forms, labels."""

from collections.abc import Iterator, Sequence

from sourcewright.logic.html.blocks import Block, Container
from sourcewright.logic.html.features import HEADINGS, ends_sentence
from sourcewright.logic.html.position import self_and_ancestors
from sourcewright.logic.html.selection.body import (
    Body,
    Selection,
    is_headline_link,
    is_paragraph,
    text_size,
)

_MAX_BOX, _MAX_FORM = 600, 300
"""The most characters of a teaser, and of a form with its heading."""
_MAX_TEASER_BLOCKS, _MIN_LINKS = 5, 2
_MOSTLY_LINKED = 0.6
_MAX_BOXES_SHARE = 0.25
"""If boxes are more of the text than this, they are what the text consists of."""
_MAX_TEASERS = 4
"""More links between paragraphs are a list with comments."""
_MAX_LABEL = 20
_MAX_LINK_LABEL, _MIN_LINKED, _MAX_LINKED = 30, 20, 200
_LABEL_MARKS = (":", "\uff1a", "|", "\u00bb", "\u203a")
_LABEL_TAGS = frozenset(("div", "span", "section", "aside"))
_TEXT_TAGS = frozenset(
    (
        *(
            "p",
            "li",
            "ul",
            "ol",
            "dl",
            "dd",
            "dt",
            "tr",
            "td",
            "th",
            "table",
            "blockquote",
            "pre",
        ),
        *("figure", "figcaption", *HEADINGS),
    )
)
"""Elements that are text and not boxes."""


def boxes_in(page: Selection, body: Body) -> set[int]:
    """Positions of the blocks in boxes of the body; none if the text consists of boxes."""
    dropped = {
        at
        for place, positions in _containers(page, body).items()
        if _is_box(place, [page.blocks[at] for at in positions])
        for at in positions
    }
    if page.size(dropped) > _MAX_BOXES_SHARE * page.characters:
        dropped = set()
    return dropped | set(_between_paragraphs(page, body))


def _containers(page: Selection, body: Body) -> dict[Container, list[int]]:
    """The positions of all blocks in each small element between the body's paragraphs."""
    containers: dict[Container, list[int]] = {}
    for at in range(body.first, body.last + 1):
        for place in self_and_ancestors(page.blocks[at].place):
            if place in body.ancestors or place.characters > _MAX_BOX:
                break
            if place.tag not in _TEXT_TAGS:
                containers.setdefault(place, []).append(at)
    return containers


def _is_box(place: Container, blocks: Sequence[Block]) -> bool:
    texts = [block for block in blocks if block.text]
    if len(texts) < _MIN_LINKS or any(block.form for block in texts):
        return False
    return _is_link_list(place, texts) or _is_teaser(blocks, texts) or _is_form(place, texts)


def _is_link_list(place: Container, texts: Sequence[Block]) -> bool:
    links = sum(map(is_headline_link, texts))
    return links >= _MIN_LINKS and place.linked > _MOSTLY_LINKED * place.characters


def _is_teaser(blocks: Sequence[Block], texts: Sequence[Block]) -> bool:
    """Whether it is one headline link with an image or a summary."""
    if len(texts) > _MAX_TEASER_BLOCKS or not is_headline_link(texts[0]):
        return False
    if any(map(is_headline_link, texts[2:])):
        return False
    return texts[0].place.tag in HEADINGS or any(block.image for block in blocks)


def _is_form(place: Container, texts: Sequence[Block]) -> bool:
    return place.characters <= _MAX_FORM and any(
        outer.tag == "form"
        for block in texts
        for outer in self_and_ancestors(block.place)
        if outer.depth > place.depth
    )


def _between_paragraphs(page: Selection, body: Body) -> Iterator[int]:
    """Links to other articles, and labels, that stand alone between two paragraphs."""
    places = [
        at for at in range(body.first, body.last + 1) if page.kept[at] and page.blocks[at].text
    ]
    alone = [
        at
        for before, at, after in zip(places, places[1:], places[2:], strict=False)
        if _is_text(page.blocks[before]) and _continues_text(page.blocks[after])
    ]
    teasers = [at for at in alone if _is_lone_link(page.blocks[at])]
    if len(teasers) <= _MAX_TEASERS:
        yield from teasers
    yield from (at for at in alone if _is_label(page.blocks[at], body))


def _is_text(block: Block) -> bool:
    return is_paragraph(block) or (block.place.tag == "p" and ends_sentence(block.text))


def _continues_text(block: Block) -> bool:
    return block.place.tag in HEADINGS or _is_text(block)


def _is_lone_link(block: Block) -> bool:
    if block.item is not None or block.place.tag in HEADINGS:
        return False
    return is_headline_link(block) or _is_labelled_link(block)


def _is_labelled_link(block: Block) -> bool:
    """Whether it is a short label with a colon and a link: "Related: …"."""
    runs = [run for run in block.runs if run.text.strip()]
    links = [run for run in runs if run.href]
    labels = "".join(run.text for run in runs[: len(runs) - len(links)]).strip()
    return (
        bool(links)
        and all(run.href for run in runs[-len(links) :])
        and labels.endswith(_LABEL_MARKS)
        and text_size(labels) <= _MAX_LINK_LABEL
        and _MIN_LINKED <= block.linked <= _MAX_LINKED
    )


def _is_label(block: Block, body: Body) -> bool:
    """Whether it is a word in an element of its own, such as the mark of an advertisement."""
    place = block.place
    return (
        text_size(block.text) <= _MAX_LABEL
        and place.tag in _LABEL_TAGS
        and place is not body.place
        and place.blocks == 1
        and block.text.replace(" ", "").isalpha()
    )
