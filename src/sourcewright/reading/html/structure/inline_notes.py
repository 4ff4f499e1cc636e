"""Footnotes in the middle of a sentence: LaTeXML's pop-ups and the sidenotes of Tufte CSS.

A style sheet shows them in the margin or on demand. Each becomes a note after the paragraph.
"""

from itertools import islice, takewhile

from sourcewright.reading.html.document import AttributeIndex, Node
from sourcewright.reading.html.inline import INLINE_TAGS
from sourcewright.reading.html.structure.footnotes import FootnoteLabels, make_note, make_reference

_LATEXML, _SIDENOTES = ("ltx_note",), ("sidenote", "marginnote")
_OWN_MARKS = frozenset(("ltx_note_mark", "ltx_tag_note", "ltx_note_type"))
_WHOLE_TAGS = ("table", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "p")
"""Elements that a note does not divide."""
_MAX_NOTES, _MAX_ELEMENTS, _MAX_TEXT = 2000, 200, 2000


def move_inline_notes(index: AttributeIndex, labels: FootnoteLabels) -> None:
    """Move notes out of the sentences that they are in, and leave references there."""
    last: dict[Node, Node] = {}
    """For each block the note that was put after it last."""
    for _, node in islice(index.with_class(_LATEXML), _MAX_NOTES):
        content, mark = _part(node, "ltx_note_content"), _part(node, "ltx_note_mark")
        if content is not None and mark is not None:
            _drop_own_marks(content)
            _move(node, make_note(labels.unique((mark.text or "").strip()), content), last)
    for number, (_, node) in enumerate(islice(index.with_class(_SIDENOTES), _MAX_NOTES), 1):
        if node.tag == "span" and _is_short(node):
            _drop_toggle(node)
            _move(node, make_note(labels.unique(str(number)), node), last)


def _names(node: Node) -> list[str]:
    return (node.get("class") or "").split() if isinstance(node.tag, str) else []


def _part(node: Node, name: str) -> Node | None:
    inner = islice(node.iterdescendants(), _MAX_ELEMENTS)
    return next((one for one in inner if name in _names(one)), None)


def _is_short(node: Node) -> bool:
    return 0 < len("".join(islice(node.itertext(), _MAX_ELEMENTS)).strip()) <= _MAX_TEXT


def _drop_own_marks(content: Node) -> None:
    for one in [*islice(content.iterchildren(), _MAX_ELEMENTS)]:
        if not _OWN_MARKS.isdisjoint(_names(one)):
            one.drop_tree()


def _drop_toggle(note: Node) -> None:
    """Drop the check box that shows a sidenote on a narrow screen, and its label."""
    for tag in ("input", "label"):
        before = note.getprevious()
        if before is not None and before.tag == tag and "margin-toggle" in _names(before):
            before.drop_tree()


def _move(node: Node, note: Node, last: dict[Node, Node]) -> None:
    """Put a note after the block that it is in, and a reference to it in its place."""
    block = _block_around(node)
    make_reference(node, note)
    before: Node = last.get(block, block)
    note.tail, before.tail = before.tail, None
    before.addnext(note)
    last[block] = note


def _block_around(node: Node) -> Node:
    """The nearest block, or the table, figure, heading or paragraph that it is part of."""
    outer = [*takewhile(lambda one: one.tag != "body", node.iterancestors())]
    whole = [one for one in outer if one.tag in _WHOLE_TAGS]
    nearest = next((one for one in outer if one.tag not in INLINE_TAGS), node)
    return whole[-1] if whole else nearest
