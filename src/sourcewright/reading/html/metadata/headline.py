"""The short lines around a page's headline, where bylines and dates are displayed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, takewhile

from lxml import etree

from sourcewright.reading.html.document import Node, body_of

_MAX_BEFORE, _MAX_AFTER, _MAX_LINES = 12, 40, 60
"""Lines before and after the headline, and up to the first paragraph."""
_LONG_LINE = 160
"""A text of this length is a paragraph."""
_MAX_STANDFIRSTS = 1
"""Paragraphs between the headline and its byline."""
_MAX_ELEMENTS, _MAX_DEPTH = 5_000, 8
_HEADINGS = ("h1", "h2", "h3")
_MAX_HEADINGS = 200
_MIN_SHARE = 0.4
"""Share of the title that a heading must have to be the headline."""
_MIN_WORDS = 3
_SKIPPED_TAGS = frozenset(
    (
        *("script", "style", "noscript", "template", "svg", "select", "textarea", "iframe"),
        *("nav", "button"),
    )
)


@dataclass(frozen=True, slots=True)
class TextLine:
    """A run of text and the element that holds it."""

    text: str
    node: Node


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The lines of text before and after the headline; none if the page has no headline."""

    before: list[TextLine] = field(default_factory=list)
    after: list[TextLine] = field(default_factory=list)
    places: frozenset[Node] = frozenset()
    """The elements that contain the headline."""
    paragraph: TextLine | None = None
    """The first paragraph after the headline."""

    @property
    def lines(self) -> list[TextLine]:
        """The lines after the headline, then those before it, the nearest first."""
        return [*self.after, *reversed(self.before)]


def surroundings_of(root: Node, title: str | None) -> Surroundings:
    """The lines around the headline, up to the first long paragraph or the next heading."""
    folded_title = _folded(title or "")
    headline = _headline(root, folded_title)
    if headline is None:
        return Surroundings()
    path = _path(headline)
    before = [*islice(_lines_before(path), _MAX_BEFORE)]
    after = [*_lines_after(_following(path), folded_title)]
    main_heading = _only_main_heading(root)
    if main_heading is not None and main_heading is not headline:
        after += islice(_lines_after(_following(_path(main_heading)), folded_title), _MAX_BEFORE)
    paragraphs = (line for line in islice(_following(path), _MAX_LINES) if is_paragraph(line))
    places = frozenset((headline, *headline.iterancestors()))
    return Surroundings(before[::-1], after, places, next(paragraphs, None))


def is_paragraph(line: TextLine) -> bool:
    return len(line.text) >= _LONG_LINE


def _path(node: Node) -> list[Node]:
    """The element and those that contain it, up to the body."""
    return [node, *takewhile(lambda one: one.tag != "body", node.iterancestors())]


def _only_main_heading(root: Node) -> Node | None:
    """The only `h1`: its words may differ so much from the title that a later heading has more."""
    headings = [*islice(root.iter("h1"), 2)]
    return headings[0] if len(headings) == 1 else None


def _lines_before(path: Sequence[Node]) -> Iterator[TextLine]:
    """The lines before an element, the nearest first; `path` leads from it to the body."""
    for place in path:
        for sibling in place.itersiblings(preceding=True):
            yield from reversed([*islice(_lines(sibling), _MAX_ELEMENTS)])


def _following(path: Sequence[Node]) -> Iterator[TextLine]:
    """The lines after an element; `path` leads from it to the body."""
    for place in path:
        if text := _clean(place.tail):
            yield TextLine(text, place.getparent())
        for sibling in place.itersiblings():
            yield from _lines(sibling)


def _lines_after(lines: Iterable[TextLine], folded_title: str) -> Iterator[TextLine]:
    count = standfirsts = 0
    for line in lines:
        if _folded(line.text) in folded_title:
            continue
        if is_paragraph(line):
            standfirsts += 1
            continue
        if standfirsts > _MAX_STANDFIRSTS or count == _MAX_AFTER:
            return
        count += 1
        yield line
        if any(node.tag in _HEADINGS for node in islice(_upwards(line.node), _MAX_DEPTH)):
            return


def _upwards(node: Node) -> Iterator[Node]:
    yield node
    yield from node.iterancestors()


def _headline(root: Node, folded_title: str) -> Node | None:
    """The heading that has the title; else another element that has it or says it, or the first `h1`."""
    headings = [*islice(root.iter(*_HEADINGS), _MAX_HEADINGS)]
    headings.sort(key=lambda node: str(node.tag))
    same = (node for node in headings if _is_title(_folded(node.text_content()), folded_title))
    others = (
        node
        for node in body_of(root).iter("*")
        if node.text
        and len(folded_title) <= len(node.text) < _LONG_LINE
        and _folded(node.text) == folded_title
    )
    similar = (
        node for node in headings if _is_similar(_folded(node.text_content()), folded_title)
    )
    firsts = (node for node in headings if node.tag == "h1" and _folded(node.text_content()))
    return next(chain(same, others if folded_title else (), similar, firsts), None)


def _is_similar(text: str, folded_title: str) -> bool:
    """Whether a heading has half of its words in common with the title, which is often reworded."""
    words = set(text.split())
    return len(words) >= _MIN_WORDS and 2 * len(words.intersection(folded_title.split())) >= len(
        words
    )


def _is_title(text: str, folded_title: str) -> bool:
    """Whether a heading is the title, or most of it."""
    return text == folded_title or (
        text in folded_title and len(text) > len(folded_title) * _MIN_SHARE
    )


def _folded(text: str) -> str:
    return " ".join(text[:500].casefold().split())


def _lines(element: Node) -> Iterator[TextLine]:
    """The texts in and right after an element, in order."""
    skipped: Node | None = None
    for count, (event, node) in enumerate(etree.iterwalk(element, events=("start", "end"))):
        if count > _MAX_ELEMENTS:
            return
        if event == "start":
            if skipped is None and node.tag in _SKIPPED_TAGS:
                skipped = node
            elif skipped is None and (text := _clean(node.text)):
                yield TextLine(text, node)
            continue
        skipped = None if node is skipped else skipped
        if skipped is None and (text := _clean(node.tail)):
            yield TextLine(text, node.getparent())


def _clean(text: str | None) -> str:
    return " ".join(text[:2000].split()) if text else ""
