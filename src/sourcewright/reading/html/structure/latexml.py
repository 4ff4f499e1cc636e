"""LaTeXML's pages, such as those of arXiv: equations, listings, labels of lists, citations."""

import re
from collections.abc import Sequence
from itertools import islice

from sourcewright.reading.html.document import AttributeIndex, Node
from sourcewright.reading.html.features import HEADINGS

_MAX_CELLS = 200
_DISPLAY_STYLE = re.compile(r"\\displaystyle(?![A-Za-z])\s*")
_LANGUAGE = re.compile(r"\bltx_lst_language_([\w+#-]{1,20})")
_LINE, _MAX_LINES = "ltx_listingline", 5000
_COUNTED = re.compile(r"\W|\d{1,4}\.")
"""Labels that a list item of Markdown has anyway: a bullet, or a number."""


def prepare_latexml(index: AttributeIndex) -> None:
    """Write equations as lines, listings as code, list labels as text, and citations upright."""
    changes = {
        "ltx_cite": _make_upright,
        "ltx_listing": _join_lines,
        "ltx_font_bold": _mark_font,
        "ltx_font_typewriter": _mark_font,
        "ltx_tag_item": _join_label,
        "ltx_eqn_row": _make_line,
    }
    for name, change in changes.items():
        for _, node in index.with_class((name,)):
            change(node)


def _make_upright(cite: Node) -> None:
    cite.tag = "span"


def _mark_font(text: Node) -> None:
    """Mark bold text and code; a heading is bold anyway."""
    if text.tag == "span" and next(text.iterancestors(*HEADINGS), None) is None:
        text.tag = "b" if "ltx_font_bold" in text.get("class") else "code"


def _join_lines(listing: Node) -> None:
    """Make code a `pre`, and an algorithm, which has formulas, a paragraph with line breaks."""
    lines = [*islice((one for one in listing if _LINE in (one.get("class") or "")), _MAX_LINES)]
    if listing.tag != "div" or not lines:
        return
    language = _LANGUAGE.search(listing.get("class") or "")
    for part in [one for one in listing if "ltx_listing_data" in (one.get("class") or "")]:
        part.drop_tree()
    for line in lines:
        for label in [one for one in line if "ltx_tag_listingline" in (one.get("class") or "")]:
            label.drop_tree()
    if language or "ltx_lstlisting" in (listing.get("class") or ""):
        listing.tag = "pre"
        listing.set("data-language", language[1] if language else "")
        _trim_code(listing, lines)
        return
    listing.tag = "p"
    for line in lines:
        line.tag, line.tail = "span", ""
        line.append(line.makeelement("br"))


def _trim_code(listing: Node, lines: Sequence[Node]) -> None:
    """Take the line breaks of the source, which are not those of the code, out of a listing."""
    listing.text = ""
    for line in lines:
        line.text, line.tail = (line.text or "").strip("\n"), ""
        if len(line):
            line[-1].tail = (line[-1].tail or "").rstrip("\n")


def _join_label(label: Node) -> None:
    """Drop the label of a list item, or write one such as "(a)" at the start of its text."""
    text = (label.text or "").strip()
    parent, paragraph = label.getparent(), label.getnext()
    if parent is None or parent.tag != "li" or len(label):
        return
    for _ in range(2):
        if paragraph is not None and paragraph.tag == "div" and len(paragraph):
            paragraph = paragraph[0]
    if _COUNTED.fullmatch(text):
        label.drop_tree()
    elif paragraph is not None and paragraph.tag == "p":
        paragraph.text = f"{text} {paragraph.text or ''}"
        label.drop_tree()


def _make_line(row: Node) -> None:
    """Make the row of an equation a paragraph, in which its parts are one formula."""
    if row.tag != "tr":
        return
    for outer in islice(row.iterancestors(), 2):
        outer.tag = "div" if outer.tag in {"table", "tbody", "thead"} else outer.tag
    row.tag = "p"
    cells = [*islice((cell for cell in row if cell.tag in {"td", "th"}), _MAX_CELLS)]
    parts = [part for cell in cells for part in cell if part.tag == "math"]
    for cell in cells:
        cell.tag, cell.tail = "span", cell.tail or " "
    sources = [_DISPLAY_STYLE.sub("", part.get("alttext") or "") for part in parts]
    if parts:
        parts[0].set("display", "block")
    if parts and all(sources):
        parts[0].set("alttext", "".join(sources))
        for part in parts[1:]:
            parts[0].extend([*part])
            part.drop_tree()
