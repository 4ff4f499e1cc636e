"""One page of a PDF: its words, whether it is a scan, and its plain text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pypdfium2

from sourcewright.reading.formats._pdfium import (
    Document,
    Page,
    TextPage,
    covered_share,
    open_layers,
)
from sourcewright.reading.formats.pdf.frame import Frame
from sourcewright.reading.formats.pdf.graphics import graphics_of
from sourcewright.reading.formats.pdf.tags import tags_of
from sourcewright.reading.formats.pdf.words import WordReader
from sourcewright.reading.layout.formulas.tall_brackets import with_tall_brackets
from sourcewright.reading.layout.letters.accents import with_accents
from sourcewright.reading.layout.letters.kashidas import without_kashidas
from sourcewright.reading.layout.lines import join_words, lines_of, segments_of
from sourcewright.reading.layout.words import MarginLine, PageWords, Rule, Word

_MAX_CHARACTERS = 100_000
"""Characters of a page whose layout is examined; a page with more is read as plain lines."""
_FEW_CHARACTERS = 300
"""As many as the stamp of a library has."""
_SCAN_SHARE = 0.5
"""Share of a page that images cover if it is a scan; a logo or a figure covers less."""
_NO_FRAME = Frame(0, 0, 0, 0)
_ERRORS = (pypdfium2.PdfiumError, UnicodeError, ValueError)


class PageReader:
    """Reads the pages of one document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._words = WordReader()
        self.image_pages: set[int] = set()
        """Numbers of pages whose text may be in an image: those with hardly any text of their own."""

    def page(self, at: int, *, is_plain: bool) -> PageWords | None:
        """A page by its number from 0, with words unless only plain text is wanted.

        None if it is damaged.
        """
        try:
            return self._read(at, is_plain=is_plain)
        except _ERRORS:
            return None

    def _read(self, at: int, *, is_plain: bool) -> PageWords:
        read = _Content()
        for page, text_page in open_layers(self.document, at):
            self._add(read, page, text_page, is_plain=is_plain)
        number, plain = at + 1, "\r\n".join(read.plain)
        if read.is_plain:
            return PageWords(number=number, width=0, height=0, plain=plain)
        if len(plain) < _FEW_CHARACTERS and read.image_share >= _SCAN_SHARE:
            self.image_pages.add(number)
        if not read.words:
            if read.image_share:
                self.image_pages.add(number)
            is_scan = read.image_share >= _SCAN_SHARE
            return PageWords(number=number, width=0, height=0, is_scan=is_scan)
        main = read.main
        width, height = read.frame.size(main)
        margin = [
            line
            for direction, words in read.words.items()
            if direction != main
            for line in _margin_lines(words, read.frame, direction, main)
        ]
        drawings, pictures, signs = read.shapes
        return PageWords(
            number=number,
            width=width,
            height=height,
            words=with_tall_brackets(with_accents(without_kashidas(read.words[main]))),
            rules=read.rules,
            drawings=drawings,
            pictures=pictures,
            signs=signs,
            margin=margin,
            plain=plain,
        )

    def _add(self, read: "_Content", page: Page, text_page: TextPage, *, is_plain: bool) -> None:
        """Add a layer: the page itself, or what is filled in over it."""
        read.plain.append(str(text_page.get_text_bounded()))
        length = sum(map(len, read.plain))
        read.is_plain = is_plain or length > _MAX_CHARACTERS
        if read.is_plain:
            return
        if len(read.plain) > 1:
            read.add(self._words.words_by_direction(text_page.raw, read.frame, {}))
            # What is filled in is text, and its boxes are no figures.
            read.rules += graphics_of(page.raw, read.frame, read.main, {})[0]
            return
        read.frame = Frame(*page.get_bbox())
        tags = tags_of(self.document, page)
        read.add(self._words.words_by_direction(text_page.raw, read.frame, tags.by_content))
        if length < _FEW_CHARACTERS:
            read.image_share = covered_share(page)
        rules, *read.shapes = graphics_of(page.raw, read.frame, read.main, tags.alternatives)
        read.rules += rules


@dataclass(slots=True)
class _Content:
    """What the layers of a page have, as far as they have been read."""

    plain: list[str] = field(default_factory=list)
    is_plain: bool = False
    """Whether the page is to be read as plain lines."""
    frame: Frame = _NO_FRAME
    words: dict[int, list[Word]] = field(default_factory=dict)
    """By direction, in the order of the file."""
    rules: list[Rule] = field(default_factory=list)
    shapes: Sequence[Any] = ((), (), ())
    """Drawings, described pictures, and small signs."""
    image_share: float = 0.0
    """Part of a page with hardly any text that images cover."""

    def add(self, words: Mapping[int, Sequence[Word]]) -> None:
        for direction, some in words.items():
            self.words.setdefault(direction, []).extend(some)

    @property
    def main(self) -> int:
        """The direction of most of the text."""
        length = {at: sum(len(word.text) for word in words) for at, words in self.words.items()}
        return max(length, key=length.__getitem__, default=0)


def _margin_lines(
    words: list[Word], frame: Frame, direction: int, main: int
) -> Iterator[MarginLine]:
    for line in lines_of(segments_of(words)):
        x, y = frame.unturned(direction, (line.left + line.right) / 2, line.base)
        left, bottom, _, _ = frame.turned(main, (x, y, x, y))
        yield MarginLine(join_words(line.words), left, bottom)
