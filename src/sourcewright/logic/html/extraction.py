"""Main content extraction: an HTML page as Markdown, with its metadata."""

import unicodedata
from dataclasses import asdict
from itertools import compress

from sourcewright.domain.web.readings import Reading
from sourcewright.logic.html.blocks import blocks_of
from sourcewright.logic.html.cascade import HiddenByStyles
from sourcewright.logic.html.classifier import Model, bundled_model, classify_blocks
from sourcewright.logic.html.document import (
    MAX_CHARACTERS,
    AttributeIndex,
    base_url_of,
    body_of,
    parse_html,
)
from sourcewright.logic.html.embedded_data import embedded_metadata, undisplayed_paragraphs
from sourcewright.logic.html.features import page_hints
from sourcewright.logic.html.inline import escape_markdown, inline_elements
from sourcewright.logic.html.markdown import markdown_of
from sourcewright.logic.html.metadata.page import page_metadata
from sourcewright.logic.html.missing_text import quality_of
from sourcewright.logic.html.position import is_in
from sourcewright.logic.html.repeats import drop_repeats
from sourcewright.logic.html.selection.article import drop_surroundings, with_copies
from sourcewright.logic.html.selection.debris import strip_shortcodes
from sourcewright.logic.html.selection.page_parts import drop_page_parts
from sourcewright.logic.html.structure.code_blocks import prepare_code
from sourcewright.logic.html.structure.code_tabs import label_code_tabs
from sourcewright.logic.html.structure.doxygen import prepare_doxygen
from sourcewright.logic.html.structure.figures import prepare_figures
from sourcewright.logic.html.structure.footnotes import (
    mark_footnotes,
    with_notes,
    write_references,
)
from sourcewright.logic.html.structure.grids import make_tables
from sourcewright.logic.html.structure.infoboxes import prepare_infoboxes
from sourcewright.logic.html.structure.page_links import page_links
from sourcewright.logic.html.structure.schema_things import undisplayed_things
from sourcewright.logic.html.structure.text_controls import drop_text_controls
from sourcewright.logic.html.threads.thread import prepare_thread, thread_markdown
from sourcewright.logic.html.visibility import strip_invisible


def read_html(text: str, *, url: str, model: Model | None = None) -> Reading:
    """Return the page's main content and metadata; content is empty for a page without text.

    Pass another model to evaluate pages that were not part of its training data.
    """
    root = parse_html(text)
    embedded = embedded_metadata(root)
    index = AttributeIndex(root)
    metadata = page_metadata(root, url, index)
    body = body_of(root)
    mark_footnotes(body, index)
    drop_text_controls(body)
    inline = inline_elements(root)
    hidden = HiddenByStyles(root, index, inline)
    for node in inline:
        # Style sheets were matched against its original tag; from here on it is inline text.
        node.tag = "span"
    prepare_infoboxes(body, index)
    prepare_figures(index)
    prepare_doxygen(index)
    make_tables(body, index)
    label_code_tabs(body)
    prepare_code(body, index)
    posts = prepare_thread(body, index, embedded)
    links = page_links(body)
    blocks, places, cut = blocks_of(body)
    is_signed = bool(metadata.author and metadata.published)
    hints = page_hints(root, embedded, url, is_signed=is_signed)
    classified = zip(
        blocks, classify_blocks(blocks, places, hints, model or bundled_model()), strict=True
    )
    visible = [
        keep and not hidden.holds(block) and not is_in(block.place, links)
        for block, keep in classified
    ]
    # Pages repeat content for wide and for narrow screens: read it once.
    strip_shortcodes(blocks)
    unique = drop_repeats(blocks, visible)
    parts = drop_page_parts(blocks, drop_surroundings(blocks, unique, hints), hints)
    copied = with_copies(blocks, visible, unique, parts)
    selected = with_notes(blocks, copied, hidden.holds)
    selection = list(compress(blocks, selected))
    json_ld_paragraphs = undisplayed_paragraphs(embedded, " ".join(block.text for block in blocks))
    base = base_url_of(root, url)
    thread = thread_markdown(posts, blocks, visible, base) if posts else None
    content = "\n\n".join(
        [thread or markdown_of(selection, base), *map(escape_markdown, json_ld_paragraphs)]
    )
    content = "\n\n".join([content, *undisplayed_things(embedded, content)])
    return Reading(
        content=_tidy(content),
        kind="html",
        **asdict(metadata),
        embedded=embedded,
        quality=quality_of(text, blocks, selected, index, embedded),
        cut=cut or len(text) > MAX_CHARACTERS,
    )


def _tidy(content: str) -> str:
    return strip_invisible(unicodedata.normalize("NFC", write_references(content))).strip()
