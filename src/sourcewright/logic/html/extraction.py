"""Main content extraction: an HTML page as Markdown, with its metadata."""

import unicodedata

from sourcewright.domain.readings import Reading
from sourcewright.logic.html.blocks import blocks_of
from sourcewright.logic.html.cascade import Unseen
from sourcewright.logic.html.classifier import Model, chosen, shipped
from sourcewright.logic.html.completion import once
from sourcewright.logic.html.document import MAX_CHARACTERS, Marks, base_of, body_of, parsed
from sourcewright.logic.html.embedded_data import embedded_in, unshown
from sourcewright.logic.html.features import said_by
from sourcewright.logic.html.inline import escaped, inline_elements
from sourcewright.logic.html.markdown import markdown_of
from sourcewright.logic.html.metadata import description_of
from sourcewright.logic.html.visibility import INVISIBLE


def read_html(text: str, *, url: str, model: Model | None = None) -> Reading:
    """Return the page's main content and metadata; content is empty for a page without text.

    Pass another model to evaluate pages that were not part of its training data.
    """
    root = parsed(text)
    embedded = embedded_in(root)
    index = Marks(root)
    metadata = description_of(root, embedded, url, index)
    inline = inline_elements(root)
    hidden = Unseen(root, index, inline)
    for node in inline:
        # Style sheets were matched against its original tag; from here on it is inline text.
        node.tag = "span"
    blocks, places, cut = blocks_of(body_of(root))
    hints = said_by(root, embedded, url)
    classified = zip(blocks, chosen(blocks, places, hints, model or shipped()), strict=True)
    visible = [keep and not hidden.holds(block) for block, keep in classified]
    # Pages repeat content for wide and for narrow screens: read it once.
    kept = [block for block, keep in zip(blocks, once(blocks, visible), strict=True) if keep]
    json_ld_paragraphs = unshown(embedded, " ".join(block.text for block in blocks))
    content = "\n\n".join(
        [markdown_of(kept, base_of(root, url)), *map(escaped, json_ld_paragraphs)]
    )
    return Reading(
        content=_tidy(content),
        kind="html",
        title=metadata.title,
        author=metadata.author,
        site=metadata.site,
        published=metadata.published,
        modified=metadata.modified,
        canonical=metadata.canonical,
        language=metadata.language,
        embedded=embedded,
        cut=cut or len(text) > MAX_CHARACTERS,
    )


def _tidy(content: str) -> str:
    return INVISIBLE.sub("", unicodedata.normalize("NFC", content)).strip()
