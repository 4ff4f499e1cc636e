"""Landmarks of a page: its only `main` or `article` element, and what is outside that."""

from itertools import islice

from sourcewright.reading.html.document import Node
from sourcewright.reading.html.features import PageHints
from sourcewright.reading.html.position import is_in, self_and_ancestors
from sourcewright.reading.html.selection.body import MOST, Selection, is_signed, may_be_article
from sourcewright.reading.html.selection.debris import is_dialog

_TAGS = ("article", "main")
_MIN_MAIN_CHARACTERS = 100
_MIN_ARTICLE_SHARE = 0.5
"""Share of the long paragraphs that the only `article` of an article's page has at least."""


def outside_landmarks(page: Selection, hints: PageHints) -> set[int]:
    """Positions of kept texts, other than headlines, outside the element that has most of them."""
    for tag in _TAGS if page.paragraphs else ():
        landmark = _only_element(page.blocks[0].place.node.getroottree().getroot(), tag)
        if landmark is not None:
            outside = _outside(page, landmark)
            paragraphs = page.size(outside & {*page.paragraphs})
            if paragraphs <= (1 - _min_share(tag, hints)) * page.paragraph_characters:
                return outside
    return set()


def menus_and_dialogs(page: Selection) -> set[int]:
    """Positions of kept texts in menus and dialogs beside the only `main`, if that has text."""
    texts = [at for at, keep in enumerate(page.kept) if keep and page.blocks[at].text]
    main = _only_main(page.blocks[0].place.node.getroottree().getroot()) if texts else None
    if main is None:
        return set()
    outside = {at for at in texts if not is_in(page.blocks[at].place, (main,))}
    inside = [page.blocks[at] for at in texts if at not in outside]
    if sum(len(block.text) - block.linked for block in inside) < _MIN_MAIN_CHARACTERS:
        return set()
    return {
        at
        for at in outside
        if any(
            place.tag == "nav" or is_dialog(place.node)
            for place in self_and_ancestors(page.blocks[at].place)
        )
    }


def _only_main(root: Node) -> Node:
    mains = [*islice(root.iter("main"), 2)] or [*islice(root.iterfind(".//*[@role='main']"), 2)]
    return mains[0] if len(mains) == 1 else None


def _only_element(root: Node, tag: str) -> Node:
    """The element of this tag that contains all others of them, if there is one."""
    first = next(root.iter(tag), None)
    if first is None or sum(1 for _ in first.iter(tag)) < sum(1 for _ in root.iter(tag)):
        return None
    return first


def _outside(page: Selection, landmark: Node) -> set[int]:
    return {
        at
        for at, block in enumerate(page.blocks)
        if page.kept[at]
        and block.text
        and block.place.tag != "h1"
        and not is_in(block.place, (landmark,))
    }


def _min_share(tag: str, hints: PageHints) -> float:
    is_dated = may_be_article(hints) or is_signed(hints)
    return _MIN_ARTICLE_SHARE if tag == "article" and is_dated else MOST
