"""One page of a PDF: its words, whether it is a scan, and its plain text."""

from collections.abc import Iterator

import pypdfium2

from sourcewright.reading.formats._pdfium import Document, Page, TextPage, covered_share, open_page
from sourcewright.reading.formats.pdf.frame import Frame
from sourcewright.reading.formats.pdf.graphics import graphics_of
from sourcewright.reading.formats.pdf.tags import tags_of
from sourcewright.reading.formats.pdf.words import WordReader
from sourcewright.reading.layout.formulas.tall_brackets import with_tall_brackets
from sourcewright.reading.layout.letters.accents import with_accents
from sourcewright.reading.layout.letters.kashidas import without_kashidas
from sourcewright.reading.layout.lines import join_words, lines_of, segments_of
from sourcewright.reading.layout.words import MarginLine, PageWords, Word

_MAX_CHARACTERS = 100_000
"""Characters of a page whose layout is examined; a page with more is read as plain lines."""
_FEW_CHARACTERS = 300
"""As many as the stamp of a library has."""
_SCAN_SHARE = 0.5
"""Share of a page that images cover if it is a scan; a logo or a figure covers less."""
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
            with open_page(self.document, at) as (page, text_page):
                return self._read(page, text_page, at + 1, is_plain=is_plain)
        except _ERRORS:
            return None

    def _read(self, page: Page, text_page: TextPage, number: int, *, is_plain: bool) -> PageWords:
        plain = str(text_page.get_text_bounded())
        frame = Frame(*page.get_bbox())
        if is_plain or len(plain) > _MAX_CHARACTERS:
            return PageWords(number=number, width=0, height=0, plain=plain)
        tags = tags_of(self.document, page)
        by_direction = self._words.words_by_direction(text_page.raw, frame, tags.by_content)
        if not by_direction:
            share = covered_share(page)
            if share:
                self.image_pages.add(number)
            return PageWords(number=number, width=0, height=0, is_scan=share >= _SCAN_SHARE)
        if len(plain) < _FEW_CHARACTERS and covered_share(page) >= _SCAN_SHARE:
            self.image_pages.add(number)
        main = max(by_direction, key=lambda one: sum(len(w.text) for w in by_direction[one]))
        width, height = frame.size(main)
        margin = [
            line
            for direction, words in by_direction.items()
            if direction != main
            for line in _margin_lines(words, frame, direction, main)
        ]
        rules, drawings, pictures, signs = graphics_of(page.raw, frame, main, tags.alternatives)
        return PageWords(
            number=number,
            width=width,
            height=height,
            words=with_tall_brackets(with_accents(without_kashidas(by_direction[main]))),
            rules=rules,
            drawings=drawings,
            pictures=pictures,
            signs=signs,
            margin=margin,
            plain=plain,
        )


def _margin_lines(
    words: list[Word], frame: Frame, direction: int, main: int
) -> Iterator[MarginLine]:
    for line in lines_of(segments_of(words)):
        x, y = frame.unturned(direction, (line.left + line.right) / 2, line.base)
        left, bottom, _, _ = frame.turned(main, (x, y, x, y))
        yield MarginLine(join_words(line.words), left, bottom)
