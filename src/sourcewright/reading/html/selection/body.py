"""Body of an article: the element that contains nearly all long paragraphs of a page."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, islice

from sourcewright.reading.html.blocks import Block, Container
from sourcewright.reading.html.features import HEADINGS, PageHints
from sourcewright.reading.html.position import self_and_ancestors

_SENTENCE_END = re.compile(
    r"[.!?\u061f\u06d4\u0964\u2026][\"')\]\u00bb\u201c\u201d\u2019]?(?=\s|$)|[\u3002\uff01\uff1f]"
)
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Characters of scripts that need about half as many characters for the same text."""
_LONG, _MIN_BODY, _MIN_DECLARED_BODY = 80, 600, 300
"""Characters of a long paragraph, of all long paragraphs of an article together, and the same on
a page that its metadata or its address call an article."""
_MIN_HEADLINE, _MAX_HEADLINE = 12, 220
_MAX_FIGURE_DISTANCE = 3
_FIGURE_TAGS = frozenset(("figure", "figcaption"))
_QUESTION_TAGS = frozenset((*HEADINGS, "dt", "summary", "button"))
_QUESTION_MARKS = ("?", "\uff1f", "\u061f", ";")
_MIN_QUESTIONS = 2
_MIN_SECTIONS, _MAX_SECTION_LINKS = 2, 0.1
MIN_GAP = 25
"""Blocks with text that were not kept between an article and the footer of its page."""
NEARLY_ALL, MOST = 0.9, 0.8
"""Share of all long paragraphs that the body has, on any page and on the page of an article."""
_MIN_PROSE_SHARE, _MIN_SIGNED_SHARE = 0.65, 0.8
_MIN_DECLARED_SHARE, _MIN_ANY_SHARE = 0.5, 0.7


def is_paragraph(block: Block) -> bool:
    """Whether it is a long text in sentences, and neither a caption nor mostly links."""
    size = text_size(block.text)
    if size <= _LONG or block.form or 3 * block.linked >= len(block.text):
        return False
    return (
        block.place.tag not in HEADINGS
        and bool(_SENTENCE_END.search(block.text))
        and not is_figure(block)
    )


def is_figure(block: Block) -> bool:
    near = islice(self_and_ancestors(block.place), _MAX_FIGURE_DISTANCE)
    return any(place.tag in _FIGURE_TAGS for place in near)


def is_headline_link(block: Block) -> bool:
    """Whether it is nearly all a link, with as much text as a headline."""
    size = text_size(block.text)
    return _MIN_HEADLINE <= size <= _MAX_HEADLINE and 20 * block.linked >= 17 * len(block.text)


def text_size(text: str) -> int:
    """The number of characters, those of dense scripts counted twice."""
    return len(text) if text.isascii() else len(text) + len(_DENSE.findall(text))


def may_be_article(hints: PageHints) -> bool:
    """Whether its metadata, its address or its headline are those of an article."""
    if hints.declares_other:
        return False
    return hints.declares_article or hints.has_article_url or hints.has_dated_headline


def is_signed(hints: PageHints) -> bool:
    """Whether the page has an author and a date; so have lists of articles, with little text."""
    return hints.is_signed and not hints.declares_other


@dataclass(frozen=True, eq=False)
class Body:
    """The element with nearly all long paragraphs, its ancestors, its first and last of these."""

    place: Container
    ancestors: frozenset[Container]
    first: int
    last: int


@dataclass(eq=False)
class Selection:
    """The blocks of a page, which of them are kept, and the long paragraphs among these."""

    blocks: Sequence[Block]
    kept: Sequence[bool]

    def without(self, dropped: Collection[int]) -> "Selection":
        """The same blocks, with these dropped as well."""
        if not dropped:
            return self
        return Selection(
            self.blocks,
            [keep and at not in dropped for at, keep in enumerate(self.kept)],
        )

    def at_most(self, dropped: set[int], share: float) -> set[int]:
        """These positions, or none if they have more than this share of the text."""
        return dropped if self.size(dropped) <= share * self.characters else set()

    def size(self, positions: Iterable[int]) -> int:
        """The characters of the kept blocks at these positions."""
        return sum(text_size(self.blocks[at].text) for at in positions if self.kept[at])

    @cached_property
    def paragraphs(self) -> list[int]:
        return [
            at
            for at, (block, keep) in enumerate(zip(self.blocks, self.kept, strict=True))
            if keep and is_paragraph(block)
        ]

    @cached_property
    def _sizes(self) -> dict[Container, int]:
        """The characters of the long paragraphs in each container."""
        sizes: dict[Container, int] = {}
        for at in self.paragraphs:
            size = text_size(self.blocks[at].text)
            for place in self_and_ancestors(self.blocks[at].place):
                sizes[place] = sizes.get(place, 0) + size
        return sizes

    @cached_property
    def paragraph_characters(self) -> int:
        return sum(text_size(self.blocks[at].text) for at in self.paragraphs)

    @cached_property
    def characters(self) -> int:
        """The characters of all kept blocks."""
        return sum(text_size(block.text) for block in compress(self.blocks, self.kept))

    @property
    def _paragraph_share(self) -> float:
        return self.paragraph_characters / (self.characters or 1)

    def has_body(self, hints: PageHints) -> bool:
        least = _MIN_DECLARED_BODY if may_be_article(hints) else _MIN_BODY
        return self.paragraph_characters >= least

    @property
    def is_prose(self) -> bool:
        """Whether most of the text is in long paragraphs."""
        return self._paragraph_share >= _MIN_ANY_SHARE

    def is_article(self, hints: PageHints) -> bool:
        """Whether its metadata, or its address or headline and its text, are those of an article."""
        if not may_be_article(hints):
            return is_signed(hints) and self._reaches(_MIN_SIGNED_SHARE, hints)
        least = _MIN_DECLARED_SHARE if hints.declares_article else _MIN_PROSE_SHARE
        return self._reaches(least, hints)

    def _reaches(self, share: float, hints: PageHints) -> bool:
        """Whether long paragraphs are more than this share of the text, or of their element's.

        Around a short article there may be more text than in it.
        """
        if self._paragraph_share > share:
            return True
        if not self.has_body(hints):
            return False
        place = self.body(MOST).place
        inside = sum(
            text_size(block.text)
            for block in compress(self.blocks, self.kept)
            if place in self_and_ancestors(block.place)
        )
        return self._sizes[place] > share * inside

    def body(self, share: float) -> Body:
        """The deepest element with this share of the long paragraphs."""
        least = share * self.paragraph_characters
        place = max(
            (place for place, size in self._sizes.items() if size >= least),
            key=lambda place: place.depth,
        )
        inside = [
            at for at in self.paragraphs if place in self_and_ancestors(self.blocks[at].place)
        ]
        return Body(place, frozenset(self_and_ancestors(place)), inside[0], inside[-1])

    def branches_after(self, body: Body, *, is_article: bool) -> Iterator[list[int]]:
        """The kept blocks after the body, by their outermost element beside it.

        Tables that are not mostly links, code, questions with answers, and further sections
        continue the text and are left out, unless they are far below an article.
        """
        branches: dict[Container, list[int]] = {}
        for at in range(body.last + 1, len(self.blocks)):
            if self.kept[at]:
                branch = branch_beside(self.blocks[at], body)
                if branch is not None:
                    branches.setdefault(branch, []).append(at)
        for positions in branches.values():
            is_apart = is_article and self._is_far(positions[0])
            if is_apart or not _continues([self.blocks[at] for at in positions]):
                yield positions

    def _is_far(self, position: int) -> bool:
        """Whether much that is not kept separates a block from the kept one before it."""
        above = (at for at in reversed(range(position)) if self.blocks[at].text)
        return not any(self.kept[at] for at in islice(above, MIN_GAP))


def branch_beside(block: Block, body: Body) -> Container | None:
    """The outermost element around a block that does not contain the body; None inside the body."""
    outermost: Container | None = None
    for place in self_and_ancestors(block.place):
        if place is body.place:
            return None
        if place in body.ancestors:
            break
        outermost = place
    # Text directly in an element around the body has no element of its own.
    return outermost or block.place


def _continues(blocks: Sequence[Block]) -> bool:
    if any(map(_is_table_or_code, blocks)) or _has_sections(blocks):
        return True
    questions = [
        block
        for block in blocks
        if block.place.tag in _QUESTION_TAGS and block.text.rstrip().endswith(_QUESTION_MARKS)
    ]
    return len(questions) >= _MIN_QUESTIONS


def _is_table_or_code(block: Block) -> bool:
    """Whether it is code, or a table; one of links lists other pages."""
    return block.form == "pre" or (block.form == "table" and 2 * block.linked <= len(block.text))


def _has_sections(blocks: Sequence[Block]) -> bool:
    """Whether there are headings that are no links above long paragraphs, several of each."""
    headings = [block for block in blocks if block.place.tag in HEADINGS and not block.linked]
    if len(headings) < _MIN_SECTIONS or sum(map(is_paragraph, blocks)) < _MIN_SECTIONS:
        return False
    linked, size = sum(block.linked for block in blocks), sum(len(block.text) for block in blocks)
    return linked <= _MAX_SECTION_LINKS * size
