"""Footnotes of pages in Markdown's form: `[^1]` in the text, and `[^1]: …` where the note stands.

A note and the reference to it are links to each other, whatever a page calls them and in
whichever language it is written.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from sourcewright.logic.html.blocks import Block, Container
from sourcewright.logic.html.document import AttributeIndex, Node
from sourcewright.logic.html.inline import INLINE_TAGS
from sourcewright.logic.html.position import self_and_ancestors

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
_NOTE_TAGS = frozenset(("li", "p", "div", "aside", "dd", "td", "tr", "table", "span"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_NO_NOTE = _HEADINGS | {"nav"}
_MAX_LINKS, _MAX_STEPS, _MAX_ELEMENTS, _MAX_PIECES, _MAX_LINKS_BACK = 20_000, 3, 300, 12, 50
_MAX_NOTE = 4000


def mark_footnotes(
    body: Node, index: AttributeIndex, labels: "FootnoteLabels | None" = None
) -> None:
    """Replace references by their labels, and give each note its label as an attribute.

    Pass the same labels for all parts of a document.
    """
    links = [*islice(_links_within(body), _MAX_LINKS)]
    targets = {_fragment(link) for link in links}
    elements = {str(one.get("id")): one for _, one in index.where("id", targets.__contains__)}
    references: dict[Node, list[Node]] = {}
    for link in links:
        note = _note_of(link, elements)
        if note is not None:
            references.setdefault(note, []).append(link)
    labels = labels or FootnoteLabels()
    for note, its_links in references.items():
        label = labels.unique(_label(its_links[0]))
        _drop_links_back(note, {one for link in its_links for one in _ids(link)})
        note.set(_NOTE, label)
        for link in its_links:
            _replace(link, label)


class FootnoteLabels:
    """The labels of the notes of a page or a document, each of which is there once."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: Counter[str] = Counter()

    def unique(self, label: str) -> str:
        """The label, with a number if another note has it already."""
        unique = label
        while unique in self._taken:
            self._numbers[label] += 1
            unique = f"{label}-{self._numbers[label] + 1}"
        self._taken.add(unique)
        return unique


def _links_within(node: Node) -> Iterator[Node]:
    return (link for link in node.iter("a") if (link.get("href") or "").startswith("#"))


def _fragment(link: Node) -> str:
    return str(link.get("href"))[1:]


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
            note = place.getnext() if _is_term(place) else place
            return note if _is_note(note) else None
    return None


def _is_term(place: Node) -> bool:
    """Whether it has the label of a note alone, and the text of the note follows it."""
    is_heading = place.tag in _HEADINGS and bool(_MARKS.fullmatch(_text(place)))
    return place.tag == "dt" or is_heading


def _is_declared(link: Node) -> bool:
    """Whether the page says that a link is the reference to a note, which then needs no way back."""
    return "doc-noteref" in (link.get("role") or "") or "noteref" in (link.get("epub:type") or "")


def _ids(link: Node) -> set[str]:
    """The ids by which a note can lead back to a reference: its own, and those close to it."""
    near = (link, *islice(link.iterancestors(), _MAX_STEPS), *islice(link, 2))
    return {str(one.get("id")) for one in near if one.get("id")}


def _leads_to(place: Node, ids: set[str]) -> bool:
    links = (one for one in islice(place.iter(), _MAX_ELEMENTS) if one.tag == "a")
    return any((link.get("href") or "")[:1] == "#" and _fragment(link) in ids for link in links)


def _is_note(note: Node | None) -> bool:
    if note is None or note.tag not in _NOTE_TAGS or note.get(_NOTE) is not None:
        return False
    inner = [*islice(note.iter(), _MAX_ELEMENTS + 1)]
    size = sum(len(one.text or "") + len(one.tail or "") for one in inner)
    has_heading = any(one.tag in _NO_NOTE for one in inner)
    return len(inner) <= _MAX_ELEMENTS and size <= _MAX_NOTE and not has_heading


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


def _replace(link: Node, label: str) -> None:
    """Replace a reference, with the element that raises it or has its brackets, by its label."""
    mark, label_text = link, _text(link).strip(_BRACKETS)
    for outer in islice(link.iterancestors(), _MAX_STEPS):
        if outer.tag not in INLINE_TAGS or _text(outer).strip(_BRACKETS) != label_text:
            break
        mark = outer
    for child in [*mark]:
        mark.remove(child)
    mark.tag, mark.text = "span", f"{_START}{label}{_END}"
    mark.attrib.clear()


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
