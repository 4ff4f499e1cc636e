"""Main content extraction: an HTML page as Markdown, with its metadata."""

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import asdict
from itertools import compress
from typing import NamedTuple

from sourcewright.reading.html.blocks import Block, Container, blocks_of
from sourcewright.reading.html.cascade import HiddenByStyles
from sourcewright.reading.html.classifier import Model, bundled_model, classify_blocks
from sourcewright.reading.html.document import (
    MAX_CHARACTERS,
    AttributeIndex,
    Node,
    base_url_of,
    body_of,
    parse_html,
)
from sourcewright.reading.html.embedded_data import embedded_metadata, undisplayed_paragraphs
from sourcewright.reading.html.features import PageHints, page_hints
from sourcewright.reading.html.inline import escape_markdown, inline_elements
from sourcewright.reading.html.markdown import markdown_of
from sourcewright.reading.html.metadata.page import PageMetadata, page_metadata
from sourcewright.reading.html.missing_text import quality_of
from sourcewright.reading.html.position import is_in
from sourcewright.reading.html.selection.article import drop_surroundings, with_copies
from sourcewright.reading.html.selection.body import Selection
from sourcewright.reading.html.selection.debris import strip_shortcodes
from sourcewright.reading.html.selection.heads import has_dated_headline
from sourcewright.reading.html.selection.offers import subscription_offers
from sourcewright.reading.html.selection.page_parts import drop_page_parts
from sourcewright.reading.html.structure.footnotes import with_notes, write_references
from sourcewright.reading.html.structure.page_links import page_links
from sourcewright.reading.html.structure.preparation import prepare_structure, prepare_text
from sourcewright.reading.html.structure.repeats import drop_repeats
from sourcewright.reading.html.structure.schema_things import undisplayed_things
from sourcewright.reading.html.structure.scripts import is_other_script
from sourcewright.reading.html.threads.posts import Post
from sourcewright.reading.html.threads.thread import prepare_thread, thread_markdown
from sourcewright.reading.html.visibility import strip_invisible
from sourcewright.reading.readings import EmbeddedMetadata, Reading


class PreparedPage(NamedTuple):
    """A page as it is when its blocks are classified, for the reader and for the training."""

    metadata: PageMetadata
    embedded: EmbeddedMetadata | None
    attributes: AttributeIndex
    hidden: HiddenByStyles
    posts: Sequence[Post]
    links: Collection[Node]
    """Pagers and tables of contents."""
    blocks: list[Block]
    places: list[Container]
    hints: PageHints
    base: str
    cut: bool


def prepare_page(text: str, url: str) -> PreparedPage:
    """Parse a page, prepare its structure, and split it into blocks."""
    root = parse_html(text)
    embedded = embedded_metadata(root)
    index = AttributeIndex(root)
    metadata = page_metadata(root, url, index)
    body = body_of(root)
    prepare_text(body, index)
    inline = inline_elements(root)
    hidden = HiddenByStyles(root, index, inline)
    for node in inline:
        # Style sheets were matched against its original tag; from here on it is inline text.
        node.tag = "span"
    prepare_structure(body, index)
    posts = prepare_thread(body, index, embedded)
    links = page_links(body, url)
    blocks, places, cut = blocks_of(body)
    # In other scripts than Latin, news pages name their source and seldom an author.
    is_signed = bool(metadata.published and (metadata.author or is_other_script(blocks)))
    hints = page_hints(root, embedded, url, is_signed=is_signed)
    is_dated = bool(metadata.published) and has_dated_headline(blocks, hints)
    hints = hints._replace(has_dated_headline=is_dated)
    base = base_url_of(root, url)
    is_cut = cut or len(text) > MAX_CHARACTERS
    return PreparedPage(
        metadata, embedded, index, hidden, posts, links, blocks, places, hints, base, is_cut
    )


def read_html(text: str, *, url: str, model: Model | None = None) -> Reading:
    """Return the page's main content and metadata; content is empty for a page without text.

    Pass another model to evaluate pages that were not part of its training data.
    """
    page = prepare_page(text, url)
    blocks, hidden, posts = page.blocks, page.hidden, page.posts
    classified = classify_blocks(blocks, page.places, page.hints, model or bundled_model())
    visible = [
        keep and not hidden.holds(block) and not is_in(block.place, page.links)
        for block, keep in zip(blocks, classified, strict=True)
    ]
    strip_shortcodes(blocks)
    thread = thread_markdown(posts, blocks, visible, page.base) if posts else None
    has_thread = thread is not None
    selected = with_notes(
        blocks, _main_text(blocks, visible, page.hints, has_posts=has_thread), hidden.holds
    )
    quality = quality_of(text, blocks, selected, page.attributes, page.embedded, page.hints)
    selection = Selection(blocks, selected)
    if quality == "partial":
        selection = selection.without(subscription_offers(selection, page.hints))
    markdown = thread or markdown_of([*compress(blocks, selection.kept)], page.base)
    return Reading(
        content=_tidy(_with_undisplayed(markdown, blocks, page.embedded)),
        kind="html",
        **asdict(page.metadata),
        embedded=page.embedded,
        quality=quality,
        cut=page.cut,
    )


def _with_undisplayed(
    markdown: str, blocks: Sequence[Block], embedded: EmbeddedMetadata | None
) -> str:
    """The text, and what is only in the data of the page: paragraphs, and steps of recipes."""
    displayed = " ".join(block.text for block in blocks)
    paragraphs = map(escape_markdown, undisplayed_paragraphs(embedded, displayed))
    content = "\n\n".join([markdown, *paragraphs])
    return "\n\n".join([content, *undisplayed_things(embedded, content)])


def _main_text(
    blocks: Sequence[Block], visible: Sequence[bool], hints: PageHints, *, has_posts: bool
) -> Sequence[bool]:
    """The visible blocks without what surrounds the text of the page."""
    # Pages repeat content for wide and for narrow screens: read it once. Posts repeat signatures
    # and quotations, and products their variants.
    has_cards = not (has_posts or hints.declares_other)
    unique = drop_repeats(blocks, visible, in_cards=has_cards)
    parts = drop_page_parts(blocks, drop_surroundings(blocks, unique, hints), hints)
    return with_copies(blocks, visible, unique, parts)


def _tidy(content: str) -> str:
    return strip_invisible(unicodedata.normalize("NFC", write_references(content))).strip()
