"""Callouts (admonitions) of documentation: quotations that begin with "Note" or "Warning" in bold.

A title that is a line of its own looks like a label to drop, and, as a heading, like a section.
"""

import re
from itertools import islice

from lxml import html

from sourcewright.reading.html.document import AttributeIndex, Node

_TITLE_CLASS = re.compile(
    r"(?:^|[\s_-])(?:admonition|callout|alert|custom-block)[\w-]{0,20}?(?:title|heading|header)(?![a-z])",
    re.IGNORECASE,
)
"""Sphinx, MkDocs, Docusaurus, VitePress, GitHub, Quarto, Obsidian."""
_CALLOUT_NAMES = ("note", "warning", "tip", "important", "caution", "admonitionblock")
"""Callouts of DocBook and Asciidoctor, whose titles are headings or in cells of a table."""
_HEADING_TAGS = ("h2", "h3", "h4", "h5", "h6")
_MAX_TITLE, _MAX_CALLOUTS, _MAX_CELLS = 80, 500, 3
_TEXT_TAGS = frozenset(("p", "div", "td"))
_CALLOUT_TAGS = frozenset(("div", "aside", "section"))
_PARAGRAPH_TAGS = ("p", "ul", "ol", "dl", "table", "pre", "blockquote", "div", "section")
_STOPS = (":", ".", "!", "?", "\uff1a", "\u3002")


def prepare_callouts(index: AttributeIndex) -> None:
    """Move the title of each callout into its first paragraph, and make it a quotation."""
    titles = (node for _, node in index.where("class", _TITLE_CLASS.search))
    for title in [*islice(titles, _MAX_CALLOUTS)]:
        _move_title(title)
    for _, callout in islice(index.with_class(_CALLOUT_NAMES), _MAX_CALLOUTS):
        first = next(callout.iterchildren(), None)
        if first is not None and first.tag in _HEADING_TAGS:
            _move_title(first)
        elif first is not None and first.tag == "table" and len(callout) == 1:
            _unfold_table(callout, first)


def _unfold_table(callout: Node, table: Node) -> None:
    """The text in the layout table of Asciidoctor or DocBook, with the title beside its icon."""
    cells = [*islice(table.iter("td", "th"), _MAX_CELLS + 1)]
    if not 2 <= len(cells) <= _MAX_CELLS:
        return
    *others, text = cells
    images = (one for cell in others for one in cell.iter("img", "i"))
    titles = [
        *(cell.text_content().strip() for cell in others),
        *(one.get("alt") or one.get("title") or "" for one in images),
    ]
    title = next(filter(None, titles), "")
    if not title or not _lead_in(text, title):
        return
    text.tag = "div"
    callout.replace(table, text)
    callout.tag = "blockquote"


def _move_title(title: Node) -> None:
    text = " ".join(title.text_content().split())
    callout, following = title.getparent(), title.getnext()
    if following is None and callout is not None:
        callout, following = callout.getparent(), callout.getnext()
    if 0 < len(text) <= _MAX_TITLE and _lead_in(following, text):
        title.drop_tree()
        if callout.tag in _CALLOUT_TAGS:
            callout.tag = "blockquote"


def _lead_in(place: Node | None, title: str) -> bool:
    """Put a title before the text of an element's first paragraph; whether that was possible."""
    while place is not None and place.tag in _TEXT_TAGS and not (place.text or "").strip():
        first = next(place.iterchildren(), None)
        if first is None or first.tag not in _PARAGRAPH_TAGS:
            break
        place = first
    if place is None or place.tag not in _TEXT_TAGS or not title:
        return False
    strong = html.Element("strong")
    strong.text = title if title.endswith(_STOPS) else f"{title}:"
    strong.tail = f" {(place.text or '').lstrip()}"
    place.text = None
    place.insert(0, strong)
    return True
