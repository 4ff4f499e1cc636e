"""Banners above the headline of a page: offers, announcements and breadcrumbs."""

from itertools import islice

from sourcewright.reading.html.features import HEADINGS
from sourcewright.reading.html.position import self_and_ancestors
from sourcewright.reading.html.selection.body import Selection

_MAX_HEADLINES = 3
"""With more, the first `h1` is not the headline of the page."""
_NEAR = 3
"""The headline, its parent and the parent of that: a line there belongs to the headline."""
_MAX_SHARE = 0.15


def banners(page: Selection) -> set[int]:
    """Positions of kept blocks before the first `h1` and apart from it; none under a heading."""
    headlines = [
        at for at, block in enumerate(page.blocks) if block.place.tag == "h1" and block.text
    ]
    if not 0 < len(headlines) <= _MAX_HEADLINES:
        return set()
    near = frozenset(islice(self_and_ancestors(page.blocks[headlines[0]].place), _NEAR))
    above = {
        at
        for at in range(headlines[0])
        if page.kept[at]
        and page.blocks[at].text
        and near.isdisjoint(self_and_ancestors(page.blocks[at].place))
    }
    if any(page.blocks[at].place.tag in HEADINGS for at in above):
        return set()
    return page.at_most(above, _MAX_SHARE)
