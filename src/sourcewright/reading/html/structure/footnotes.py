"""Footnotes of pages in Markdown's form: `[^1]` in the text, and `[^1]: …` where the note stands.

A note and the reference to it are links to each other, whatever a page calls them and in
whichever language it is written.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.document import AttributeIndex, Node
from sourcewright.reading.html.features import HEADINGS
from sourcewright.reading.html.inline import INLINE_TAGS
from sourcewright.reading.html.position import self_and_ancestors

_NOTE = "sourcewright-note"
"""Attribute of an element that is a note: its label."""
_START, _END = "\ufdd0", "\ufdd1"
"""Characters around the label of a reference, which no parsed page contains."""
_REFERENCE = re.compile(f"{_START}([\\w-]+){_END}")
_SHORT_LABEL = re.compile(r"\d{1,4}[a-z]?|[a-z]{1,3}|[ivxlc]{1,6}", re.IGNORECASE)
_LONG_LABEL = re.compile(r"[\w-]{1,20}")
_BRACKETS = " \t\r\n\xa0[](){}:.,"
_MARKS = re.compile(r"[\W\d_]*(?:[a-z][\W_]+)*[a-z]?[\W_]*", re.IGNORECASE)
"""What stands around links back: brackets, arrows, numbers and single letters."""
_OPENING, _CLOSING = re.compile(r"^\s*\[(?=\s)"), re.compile(r"^\s*(?:\]|[.):](?=\s))")
"""Brackets around the label of a note, and the sign between the label and the text."""
_NOTE_TAGS = frozenset(
    ("li", "p", "div", "aside", "blockquote", "dd", "td", "tr", "table", "span")
)
_NO_NOTE = frozenset((*HEADINGS, "nav"))
_MAX_LINKS, _MAX_STEPS, _MAX_ELEMENTS, _MAX_PIECES, _MAX_LINKS_BACK = 20_000, 3, 300, 12, 50
_MAX_NOTE = 4000
_NOTE_NAME = re.compile(r"(?:foot|end)note(?!s|-list)", re.IGNORECASE)
"""A name of the element that holds one note, in a class or in a style of Word."""


def mark_footnotes(
    body: Node, index: AttributeIndex, labels: "FootnoteLabels | None" = None
) -> None:
    """Replace references by their labels, and give each note its label as an attribute.

    Pass the same labels for all parts of a document.
    """
    links = [*islice(_links_within(body), _MAX_LINKS)]
    targets = {_fragment(link) for link in links}
    anchors = ((str(one.get("name")), one) for one in body.iter("a") if one.get("name"))
    elements = {name: one for name, one in anchors if name in targets}
    elements |= {str(one.get("id")): one for _, one in index.where("id", targets.__contains__)}
    references = _references(links, elements)
    labels = labels or FootnoteLabels()
    for note, its_links in references.items():
        reference_label = _label(its_links[0])
        label = labels.unique(reference_label)
        _drop_links_back(note, {one for link in its_links for one in _ids(link)})
        _drop_own_label(note, reference_label)
        note.set(_NOTE, label)
        if note.tag == "blockquote":
            note.tag = "div"
        for link in its_links:
            make_reference(_mark_of(link), note)


def _references(links: Sequence[Node], elements: Mapping[str, Node]) -> dict[Node, list[Node]]:
    """The notes of a page, each with the links that refer to it."""
    references: dict[Node, list[Node]] = {}
    notes, ways_back = set[str](), set[str]()
    for link in links:
        target = _fragment(link)
        # Where a note repeats its label, the link back looks as the reference does.
        is_link_back = target in ways_back and target not in notes
        note = None if is_link_back else _note_of(link, elements)
        if note is not None:
            references.setdefault(note, []).append(link)
            notes.add(target)
            ways_back |= _ids(link)
    return references


class FootnoteLabels:
    """The labels of the notes of a page or a document, each of which is there once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: Counter[str] = Counter()

    def unique(self, label: str) -> str:
        """The label, with a number if another note has it; a sign such as a dagger is none."""
        label = label if _LONG_LABEL.fullmatch(label) else "note"
        unique = label
        while unique in self._taken:
            self._numbers[label] += 1
            unique = f"{label}-{self._numbers[label] + 1}"
        self._taken.add(unique)
        return unique


def _links_within(node: Node) -> Iterator[Node]:
    return (link for link in node.iter("a") if _fragment(link))


def _fragment(link: Node) -> str:
    """The part of a page that a link leads to; of this page, if a link there leads back."""
    return str(link.get("href") or "").partition("#")[2]


def _text(node: Node) -> str:
    return "".join(islice(node.itertext(), _MAX_PIECES)).strip()


def _label(link: Node) -> str:
    """The label that a reference shows, such as `1` of `[1]`; empty if it shows something else."""
    text = _text(link)
    label = text.strip(_BRACKETS).replace(" ", "-").replace("_", "-")
    is_marked = text.startswith("[") or link.getparent().tag == "sup" or _is_declared(link)
    pattern = _LONG_LABEL if is_marked else _SHORT_LABEL
    return label if pattern.fullmatch(label) else ""


def _note_of(link: Node, elements: Mapping[str, Node]) -> Node | None:
    """The note that a link refers to, which is short and has a link back."""
    target = elements.get(_fragment(link))
    if target is None or not _label(link):
        return None
    ids, outer = _ids(link), {*islice(link.iterancestors(), _MAX_ELEMENTS)}
    if target.tag == "a" and _is_term(target.getparent()):
        target = target.getparent()
    for place in (target, *islice(target.iterancestors(), _MAX_STEPS)):
        if place in outer:
            return None
        if _leads_to(place, ids) or (place is target and _is_declared(link)):
            note = place.getnext() if _is_term(place) else _whole_note(place)
            is_note = note not in outer and _is_note(note) and not _is_label_only(note, link)
            return note if is_note else None
    return None


def _whole_note(place: Node) -> Node:
    """The block around the label of a note, and all paragraphs of a note that begins with it."""
    for outer in islice(place.iterancestors(), _MAX_STEPS):
        if place.tag not in INLINE_TAGS:
            break
        place = outer
    box = place.getparent()
    is_first = place.tag == "p" and box is not None and box.tag == "div" and box[0] is place
    return box if is_first and _NOTE_NAME.search(_names(box)) else place


def _names(node: Node) -> str:
    return " ".join(filter(None, map(node.get, ("class", "style"))))


def _is_term(place: Node) -> bool:
    """Whether it has the label of a note alone, and the text of the note follows it."""
    is_heading = place.tag in HEADINGS and bool(_MARKS.fullmatch(_text(place)))
    return place.tag == "dt" or is_heading


def _is_declared(link: Node) -> bool:
    """Whether the page says that a link is the reference to a note, which then needs no way back."""
    return "doc-noteref" in (link.get("role") or "") or "noteref" in (link.get("epub:type") or "")


def _ids(link: Node) -> set[str]:
    """The ids by which a note can lead back to a reference: its own, and those close to it."""
    near = [link, *islice(link.iterancestors(), _MAX_STEPS), *islice(link, 2)]
    before = link.getprevious()
    if before is not None and before.tag == "a" and not len(before) and not before.tail:
        near.append(before)
    names = (link.get("name"), *(one.get("id") for one in near))
    return {str(name) for name in names if name}


def _leads_to(place: Node, ids: set[str]) -> bool:
    links = (one for one in islice(place.iter(), _MAX_ELEMENTS) if one.tag == "a")
    return any(_fragment(link) in ids for link in links)


def _is_note(note: Node | None) -> bool:
    if note is None or note.tag not in _NOTE_TAGS or note.get(_NOTE) is not None:
        return False
    inner = [*islice(note.iter(), _MAX_ELEMENTS + 1)]
    size = sum(len(one.text or "") + len(one.tail or "") for one in inner)
    has_heading = any(one.tag in _NO_NOTE for one in inner)
    return len(inner) <= _MAX_ELEMENTS and size <= _MAX_NOTE and not has_heading


def _is_label_only(note: Node, link: Node) -> bool:
    """Whether there is nothing but the text of the reference: an entry of a table of contents."""
    return _text(note).strip(_BRACKETS) == _text(link).strip(_BRACKETS)


def _drop_links_back(note: Node, ids: set[str]) -> None:
    """Drop links from a note to its references, with the marks around them, and its own label."""
    term = note.getprevious()
    if term is not None and _is_term(term) and _leads_to(term, ids):
        term.getparent().remove(term)
    back = [link for link in _links_within(note) if _fragment(link) in ids]
    for link in back[:_MAX_LINKS_BACK]:
        mark = link
        for outer in islice(link.iterancestors(), _MAX_STEPS):
            around = _text(outer).replace(_text(link), "", 1)
            if outer is note or not _MARKS.fullmatch(around):
                break
            mark = outer
        if mark.getparent() is not None:
            mark.tail = _CLOSING.sub("", mark.tail or "")
            mark.drop_tree()
    # The bracket that was before the label begins the note.
    note.text = _OPENING.sub("", note.text or "")


def _drop_own_label(note: Node, label: str) -> None:
    """Drop the raised label that a note begins with, if it is no link back."""
    first = next(
        (one for one in islice(note.iter(), _MAX_STEPS) if (one.text or "").strip()), note
    )
    if first.tag == "sup" and first is not note and _text(first).strip(_BRACKETS) == label:
        first.tail = _CLOSING.sub("", first.tail or "").lstrip()
        first.drop_tree()


def _mark_of(link: Node) -> Node:
    """A reference, or the element that raises it or has its brackets."""
    mark, label_text = link, _text(link).strip(_BRACKETS)
    for outer in islice(link.iterancestors(), _MAX_STEPS):
        if outer.tag not in INLINE_TAGS or _text(outer).strip(_BRACKETS) != label_text:
            break
        mark = outer
    return mark


def make_reference(mark: Node, note: Node) -> None:
    """Make an element the reference to a note."""
    for child in [*mark]:
        mark.remove(child)
    mark.attrib.clear()
    mark.tag, mark.text = "span", f"{_START}{note.get(_NOTE)}{_END}"


def make_note(label: str, content: Node) -> Node:
    """A paragraph that is the note with this label, with all that is in an element."""
    note = content.makeelement("p")
    note.text = content.text
    note.extend([*content])
    note.set(_NOTE, label)
    return note


def with_notes(
    blocks: Sequence[Block], selected: Sequence[bool], is_hidden: Callable[[Block], bool]
) -> list[bool]:
    """Add the notes that a kept text refers to."""
    texts = (block.text for block, keep in zip(blocks, selected, strict=True) if keep)
    labels = {label for text in texts if _START in text for label in _REFERENCE.findall(text)}
    return [
        keep or (bool(labels) and _label_around(block) in labels and not is_hidden(block))
        for block, keep in zip(blocks, selected, strict=True)
    ]


def _label_around(block: Block) -> str | None:
    return next(filter(None, map(note_label, self_and_ancestors(block.place))), None)


def note_label(place: Container) -> str | None:
    """The label of the note that an element is."""
    label = place.node.get(_NOTE)
    return label if label and _LONG_LABEL.fullmatch(label) else None


def write_references(markdown: str) -> str:
    """The text with the references as Markdown has them."""
    return _REFERENCE.sub(r"[^\1]", markdown) if _START in markdown else markdown
