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
    """The page's content and description; a page without text has empty content.

    Another model than the shipped one measures how a page is read that was not learned from.
    """
    root = parsed(text)
    embedded = embedded_in(root)
    marks = Marks(root)
    about = description_of(root, embedded, url, marks)
    inline = inline_elements(root)
    unseen = Unseen(root, marks, inline)
    for node in inline:
        # Style sheets have been matched by its own name; from here on it is text.
        node.tag = "span"
    blocks, places, cut = blocks_of(body_of(root))
    said = said_by(root, embedded, url)
    wanted = zip(blocks, chosen(blocks, places, said, model or shipped()), strict=True)
    seen = [keep and not unseen.holds(block) for block, keep in wanted]
    # What stands on a page twice, for wide screens and for narrow ones, is read once.
    kept = [block for block, keep in zip(blocks, once(blocks, seen), strict=True) if keep]
    spoken = unshown(embedded, " ".join(block.text for block in blocks))
    content = "\n\n".join([markdown_of(kept, base_of(root, url)), *map(escaped, spoken)])
    return Reading(
        content=_tidy(content),
        kind="html",
        title=about.title,
        author=about.author,
        site=about.site,
        published=about.published,
        modified=about.modified,
        canonical=about.canonical,
        language=about.language,
        embedded=embedded,
        cut=cut or len(text) > MAX_CHARACTERS,
    )


def _tidy(content: str) -> str:
    return INVISIBLE.sub("", unicodedata.normalize("NFC", content)).strip()
