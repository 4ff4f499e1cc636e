"""Offers of a subscription: what asks a reader to pay or to sign in to read on."""

from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.features import PageHints
from sourcewright.reading.html.missing_text import asks_to_subscribe
from sourcewright.reading.html.position import is_in, self_and_ancestors
from sourcewright.reading.html.selection.body import Selection, may_be_article

_MAX_SHARE = 0.5


def subscription_offers(page: Selection, hints: PageHints) -> set[int]:
    """Positions of the kept blocks in elements with such a request, below the first paragraph."""
    if not (may_be_article(hints) and page.paragraphs):
        return set()
    first = page.paragraphs[0]
    around = frozenset(self_and_ancestors(page.blocks[first].place))
    below = [at for at in range(first + 1, len(page.blocks)) if page.kept[at]]
    requests = [at for at in below if asks_to_subscribe([page.blocks[at].text])]
    boxes = {_box(page.blocks[at], around).node for at in requests}
    inside = {at for at in below if is_in(page.blocks[at].place, boxes)}
    return page.at_most(inside | {*requests}, _MAX_SHARE)


def _box(block: Block, around: frozenset[Container]) -> Container:
    """The outermost element around a block that does not contain the first paragraph."""
    outside = [place for place in self_and_ancestors(block.place) if place not in around]
    return outside[-1] if outside else block.place
