"""Page parts that are no content on any kind of page: cards of other products, filters, banners.

The classifier decides block by block, and keeps much of what surrounds products, lists and
services. These parts are recognised by their shape; each has a largest share of the text, so that
a page that consists of them keeps them.
"""

from collections.abc import Sequence

from sourcewright.reading.html.blocks import Block
from sourcewright.reading.html.features import PageHints
from sourcewright.reading.html.selection.banners import banners
from sourcewright.reading.html.selection.body import Selection
from sourcewright.reading.html.selection.controls import filter_options, small_forms
from sourcewright.reading.html.selection.debris import image_urls
from sourcewright.reading.html.selection.landmarks import menus_and_dialogs
from sourcewright.reading.html.selection.product_cards import product_cards
from sourcewright.reading.html.selection.repeated_labels import copied_lines, repeated_labels


def drop_page_parts(
    blocks: Sequence[Block], selected: Sequence[bool], hints: PageHints
) -> Sequence[bool]:
    """Drop kept blocks of these parts, one kind of part after the other."""
    page = Selection(blocks, selected)
    page = page.without(product_cards(page, hints))
    for part in (
        menus_and_dialogs,
        banners,
        repeated_labels,
        small_forms,
        filter_options,
        image_urls,
        copied_lines,
    ):
        page = page.without(part(page))
    return page.kept
