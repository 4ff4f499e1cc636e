"""Article body: drops what surrounds the text of an article, recognised by its shape.

The classifier decides block by block and keeps too much around an article: bylines and dates
above it, cards of other articles and author boxes below it. What counts here is where a block is
relative to the element that contains nearly all long paragraphs, not the words in it, so that it
works in every language and with any class names.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, islice

from sourcewright.logic.html.blocks import Block, Container
from sourcewright.logic.html.features import HEADINGS, PageHints
from sourcewright.logic.html.position import self_and_ancestors

_SENTENCE_END = re.compile(
    r"[.!?\u061f\u06d4\u0964\u2026][\"')\]\u00bb\u201c\u201d\u2019]?(?=\s|$)|[\u3002\uff01\uff1f]"
)
_WORD = re.compile(r"\w+")
_DENSE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Characters of scripts that need about half as many characters for the same text."""
_LONG, _MIN_BODY = 80, 600
"""Characters of a long paragraph, and of all long paragraphs of an article together."""
_FIGURE_TAGS = frozenset(("figure", "figcaption"))
_QUESTION_TAGS = frozenset((*HEADINGS, "dt", "summary", "button"))
_QUESTION_MARKS = ("?", "\uff1f", "\u061f", ";")
_MIN_QUESTIONS = 2
_MAX_LINE, _MAX_LEAD = 60, 400
"""The most characters of a byline or similar line, and of a standfirst."""
_MAX_LIST, _MAX_DETAILS = 120, 250
"""Short lines with more characters in all are not only author and date."""
_FROM_HERE = frozenset(".!?:;,\u3002\uff01\uff1f\uff1a\u061f\u06d4\u2026")
"""Marks at the end of a sentence or of a line that introduces what follows."""
_NEARLY_ALL, _MOST = 0.9, 0.8
"""Share of all long paragraphs that the body has, on any page and on the page of an article."""
_MAX_DROPPED = {True: 0.4, False: 0.15}
"""The most of a text, on the page of an article and on others, that is taken for surroundings."""
_MIN_PROSE_SHARE, _MIN_SLUG_HYPHENS = 0.65, 4
_MIN_DECLARED_SHARE, _MIN_ANY_SHARE = 0.5, 0.7


def drop_surroundings(
    blocks: Sequence[Block], kept: Sequence[bool], hints: PageHints
) -> list[bool]:
    """Drop kept blocks before and after the body of an article."""
    page = _Page(blocks, list(kept))
    is_article = page.is_article(hints)
    if page.paragraph_characters < _MIN_BODY or not (is_article or page.is_prose):
        return page.kept
    dropped = set(_after_body(page, is_article=is_article))
    if is_article:
        dropped |= {*_lines_above(page), *_standfirst(page, page.body(_NEARLY_ALL), hints)}
    return [keep and at not in dropped for at, keep in enumerate(page.kept)]


def is_paragraph(block: Block) -> bool:
    """Whether it is a long text in sentences, and neither a caption nor mostly links."""
    size = text_size(block.text)
    if size <= _LONG or block.form or 3 * block.linked >= len(block.text):
        return False
    near = islice(self_and_ancestors(block.place), 3)
    return block.place.tag not in HEADINGS and (
        bool(_SENTENCE_END.search(block.text))
        and all(place.tag not in _FIGURE_TAGS for place in near)
    )


def text_size(text: str) -> int:
    """The number of characters, those of dense scripts counted twice."""
    return len(text) if text.isascii() else len(text) + len(_DENSE.findall(text))


@dataclass(frozen=True, eq=False)
class _Body:
    """The element with nearly all long paragraphs, its ancestors, its first and last of these."""

    place: Container
    ancestors: frozenset[Container]
    first: int
    last: int


@dataclass(eq=False)
class _Page:
    """The blocks of a page, which of them are kept, and the long paragraphs among these."""

    blocks: Sequence[Block]
    kept: list[bool]

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
            for place in self_and_ancestors(self.blocks[at].place):
                sizes[place] = sizes.get(place, 0) + text_size(self.blocks[at].text)
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

    @property
    def is_prose(self) -> bool:
        return self._paragraph_share >= _MIN_ANY_SHARE

    def is_article(self, hints: PageHints) -> bool:
        """Whether the page's metadata, or its address and its text, are those of an article."""
        if hints.declares_other:
            return False
        if hints.declares_article:
            return self._paragraph_share > _MIN_DECLARED_SHARE
        return self._paragraph_share > _MIN_PROSE_SHARE and hints.slug_hyphens >= _MIN_SLUG_HYPHENS

    def body(self, share: float) -> _Body:
        """The deepest element with this share of the long paragraphs."""
        least = share * self.paragraph_characters
        place = max(
            (place for place, size in self._sizes.items() if size >= least),
            key=lambda place: place.depth,
        )
        inside = [
            at for at in self.paragraphs if place in self_and_ancestors(self.blocks[at].place)
        ]
        return _Body(place, frozenset(self_and_ancestors(place)), inside[0], inside[-1])

    def branches_after(self, body: _Body) -> Iterator[list[int]]:
        """The kept blocks after the body, by their outermost element beside it.

        Tables and code, and questions with their answers, continue the text and are left out.
        """
        branches: dict[Container, list[int]] = {}
        for at in range(body.last + 1, len(self.blocks)):
            if self.kept[at]:
                branch = _branch(self.blocks[at], body)
                if branch is not None:
                    branches.setdefault(branch, []).append(at)
        for positions in branches.values():
            if not _continues([self.blocks[at] for at in positions]):
                yield positions


def _after_body(page: _Page, *, is_article: bool) -> list[int]:
    """Blocks after the body and outside it; none if they are a large part of the text."""
    body = page.body(_MOST if is_article else _NEARLY_ALL)
    dropped = [
        at
        for branch in page.branches_after(body)
        if is_article or not _may_belong([page.blocks[at] for at in branch], body)
        for at in branch
    ]
    size = sum(text_size(page.blocks[at].text) for at in dropped)
    return dropped if size <= _MAX_DROPPED[is_article] * page.characters else []


def _branch(block: Block, body: _Body) -> Container | None:
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


def _may_belong(blocks: Sequence[Block], body: _Body) -> bool:
    """Whether blocks beside the body may be content too, on a page that may not be an article.

    They may be its images, more paragraphs, or in an element with the body's tag and names: the
    next message of a thread.
    """
    place = body.place
    if any(map(is_paragraph, blocks)) or not any(block.text for block in blocks):
        return True
    return bool(place.tokens) and any(
        (other.tag, other.tokens) == (place.tag, place.tokens)
        for block in blocks
        for other in self_and_ancestors(block.place)
    )


def _continues(blocks: Sequence[Block]) -> bool:
    if any(block.form for block in blocks):
        return True
    questions = [
        block
        for block in blocks
        if block.place.tag in _QUESTION_TAGS and block.text.rstrip().endswith(_QUESTION_MARKS)
    ]
    return len(questions) >= _MIN_QUESTIONS


def _headline(page: _Page, before: int) -> int | None:
    return next((at for at in range(before) if page.blocks[at].place.tag == "h1"), None)


def _lines_above(page: _Page) -> Iterator[int]:
    """Everything before the headline, and short lines between it and the first paragraph."""
    first = page.paragraphs[0]
    headline = _headline(page, first)
    if headline is None:
        return
    yield from (at for at in range(headline) if page.kept[at])
    details = [
        at for at in range(headline + 1, first) if page.kept[at] and _is_detail(page.blocks[at])
    ]
    if sum(len(page.blocks[at].text) for at in details) <= _MAX_DETAILS:
        yield from details


def _is_detail(block: Block) -> bool:
    """Whether a line above an article has the shape of a byline, date or share button."""
    if not block.text or block.form or block.place.tag in HEADINGS:
        return False
    items = block.item.parent if block.item is not None else None
    if items is not None and items.characters > _MAX_LIST:
        return False  # a summary of the article
    return text_size(block.text) <= _MAX_LINE and block.text.rstrip()[-1:] not in _FROM_HERE


def _standfirst(page: _Page, body: _Body, hints: PageHints) -> Iterator[int]:
    """The one text outside the body that is beside the headline, or is the page's description."""
    headline = _headline(page, body.first)
    beside = _branch(page.blocks[headline], body) if headline is not None else None
    if headline is None or beside is None:
        return
    texts = [
        at
        for at in range(headline + 1, body.first)
        if page.kept[at] and _is_lead(page.blocks[at]) and _branch(page.blocks[at], body)
    ]
    if len(texts) != 1 or text_size(page.blocks[texts[0]].text) > _MAX_LEAD:
        return
    block = page.blocks[texts[0]]
    if _branch(block, body) is beside or _is_description(block.text, hints):
        yield texts[0]


def _is_description(text: str, hints: PageHints) -> bool:
    words = set(_WORD.findall(text.lower()))
    return len(words & hints.summary) >= _MOST * len(words)


def _is_lead(block: Block) -> bool:
    return text_size(block.text) > _MAX_LINE and not block.form and block.place.tag not in HEADINGS
