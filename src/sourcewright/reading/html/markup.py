"""Builds HTML of a document's text, which is then written as Markdown, with footnote labels."""

from collections.abc import Iterable

from lxml import html

from sourcewright.reading.html.blocks import blocks_of
from sourcewright.reading.html.document import Node
from sourcewright.reading.html.markdown import markdown_of
from sourcewright.reading.html.notation.exponents import SCRIPT_TAGS, script_text
from sourcewright.reading.html.visibility import strip_invisible

_LABEL_START, _LABEL_END = "\ue000", "\ue001"
"""Private characters around the label of a note, replaced after Markdown was escaped."""
_PRIVATE = str.maketrans("", "", "\ue000\ue001\ufffe\uffff")


def new_body() -> Node:
    """An empty body, to which elements are added."""
    return html.Element("body")


def append_element(parent: Node, tag: str) -> Node:
    node = html.Element(tag)
    parent.append(node)
    return node


def append_text(node: Node, text: str | None) -> None:
    """Add text of the document to an element, without characters that XML does not allow."""
    _append(node, strip_invisible(text or "").translate(_PRIVATE))


def append_run(parent: Node, tags: Iterable[str]) -> Node:
    """The innermost element for a run of text; adjacent runs above or below the line share one."""
    node = parent
    for tag in sorted(tags, key=lambda tag: tag not in SCRIPT_TAGS):
        last = node[-1] if len(node) else None
        is_same = last is not None and last.tag == tag in SCRIPT_TAGS and not last.tail
        node = last if is_same else append_element(node, tag)
    return node


def typed_script(before: str, tag: str, text: str, after: str, *, is_italic: bool) -> str | None:
    """A superscript or subscript as it is typed between two texts; None if as plain text."""
    line = append_element(new_body(), "p")
    append_text(line, before)
    node = append_element(line, tag)
    append_text(append_element(node, "i") if is_italic else node, text)
    append_text(line, after)
    return script_text(node)


def append_code(parent: Node, line: str) -> None:
    """Add a line to the code block at the end of an element, or begin one."""
    last = parent[-1] if len(parent) else None
    if last is not None and last.tag == "pre":
        append_text(append_element(last, "div"), line or "\u00a0")
    else:
        append_text(append_element(append_element(parent, "pre"), "div"), line)


def append_label(node: Node, label: str) -> None:
    """Add the label of a note, which must consist of letters and digits."""
    _append(node, f"{_LABEL_START}{label}{_LABEL_END}")


def _append(node: Node, text: str) -> None:
    if len(node):
        node[-1].tail = (node[-1].tail or "") + text
    elif text:
        node.text = (node.text or "") + text


def body_markdown(body: Node) -> tuple[str, bool]:
    """The Markdown of the elements in a body, and whether a limit cut it."""
    blocks, _, is_cut = blocks_of(body)
    text = markdown_of(blocks, "")
    return text.replace(_LABEL_START, "[^").replace(_LABEL_END, "]"), is_cut
