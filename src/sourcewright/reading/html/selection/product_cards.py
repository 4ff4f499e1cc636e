"""Product cards: other products that the page of one product recommends."""

from collections.abc import Iterator

from sourcewright.reading.html.blocks import Container
from sourcewright.reading.html.features import HEADINGS, PRICE, PageHints
from sourcewright.reading.html.inline import IMAGE_TAGS
from sourcewright.reading.html.selection.body import Selection
from sourcewright.reading.html.selection.siblings import Members, like_siblings

_MIN_CARDS, _MAX_CARD = 3, 800
_LIKE_SHAPED = 0.7
"""Share of the siblings that must be cards, and of the cards that must have links of their own."""
_MAX_SHARE = 0.9
"""The most of the text that cards have."""
_TEXT_TAGS = frozenset(("p", "tr", "td", "dd", "dt", "blockquote", "figcaption", *HEADINGS))
_NO_TARGETS = ("#", "javascript:")


def product_cards(page: Selection, hints: PageHints) -> set[int]:
    """Positions of kept blocks in cards of other products, and of the headings above them."""
    # Where more products are declared they are the content, and categories have the type of
    # products in OpenGraph.
    if not hints.has_one_product:
        return set()
    groups = like_siblings(
        page.blocks,
        range(len(page.blocks)),
        least=_MIN_CARDS,
        max_characters=_MAX_CARD,
        text_tags=_TEXT_TAGS,
    )
    cards = {
        at
        for members in groups
        if _has_kept(page, members) and _are_cards(page, members)
        for positions in members.values()
        for at in positions
        if page.kept[at]
    }
    headings = {at - 1 for at in cards if at - 1 not in cards and _is_heading(page, at - 1)}
    return page.at_most(cards | headings, _MAX_SHARE)


def _has_kept(page: Selection, members: Members) -> bool:
    return any(page.kept[at] for positions in members.values() for at in positions)


def _are_cards(page: Selection, members: Members) -> bool:
    """Whether most siblings have a price, an image and a link of their own."""
    targets = [
        target
        for place, positions in members.items()
        if (target := next(_targets(place), None)) is not None
        and any(PRICE.search(page.blocks[at].text) for at in positions)
        and next(place.node.iter(*IMAGE_TAGS), None) is not None
    ]
    return len(targets) >= _LIKE_SHAPED * len(members) and len(set(targets)) >= max(
        _MIN_CARDS, _LIKE_SHAPED * len(targets)
    )


def _targets(place: Container) -> Iterator[str]:
    """Targets of the links in an element, and of those around it inside its parent."""
    outer = None if place.parent is None else place.parent.node
    for link in place.node.iter("a"):
        if (href := link.get("href")) and not href.startswith(_NO_TARGETS):
            yield href
    for node in place.node.iterancestors():
        if node is outer:
            return
        if node.tag == "a" and node.get("href"):
            yield node.get("href")


def _is_heading(page: Selection, at: int) -> bool:
    tag = page.blocks[at].place.tag if at >= 0 and page.kept[at] else ""
    return tag in HEADINGS and tag != "h1"
