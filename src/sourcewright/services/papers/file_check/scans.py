"""Recognises a scan: page images without text that could be compared."""

import re

from rapidfuzz import fuzz

from sourcewright.base.text.unicode import fold_text
from sourcewright.reading.excerpts import Excerpt
from sourcewright.services.papers.file_check.pages import PageText
from sourcewright.services.papers.file_check.record_titles import PreparedTitle

_ADDED_BY_HOST = re.compile(
    r"(?:this (?:content|article|document|copy) (?:was |is )?)?(?:down ?loaded|delivered|printed|"
    r"retrieved|accessed|provided|scanned|digiti[sz]ed|supplied) (?:from|by|at|on|to|for|via)\b.*"
    r"|(?:access|copy) provided by\b.*|(?:copyright|c) .{0,80}[0-9]{4}"
    r"|all rights reserved|(?:https?|www)\b.*|(?:page )?[0-9ivx]{1,6}"
    r"|[0-9]{1,2} [a-z]{3,9} [0-9]{4}"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b.{0,40}[0-9]{4}.{0,20}"
)
"""Lines that a host or a scanner adds to the pages: download notes, copyright, page numbers."""
_GENERATED_NAME = re.compile(
    r"\b(?:scan\w*|xerox|kmbt\w*|img\w*|image\w*|document\w*|print\w*|job|copy|adobe|acrobat|file|"
    r"page|pages|microsoft|word|untitled|converter|pdf)\b"
)
"""Words in file names that scanners and programs generate; such a metadata title is no title."""
_MIN_TITLE_LETTERS = 20
MIN_METADATA_TITLE_SIMILARITY = 50.0
"""Per cent similarity; a metadata title below it belongs to another work."""
_PAGE_RANGE = re.compile(r"\s*([0-9]{1,6})\s*[-\u2013\u2014]+\s*([0-9]{1,6})\s*")
_MAX_ADDED_PAGES = 10
_MOST_TIMES, _MOST_ADDED_PAGES = 4, 40
"""A manuscript has double spacing, figures on pages of their own and perhaps its supplement at the
end: three times the pages of the printed article. A thesis has a hundred pages more."""
SEVERAL_PAGES = 3
MIN_LETTERS_PER_PAGE = 250
"""Letters and digits before the reference list, for each page of the record. A page of a paper has
2,000; a printed web page with title, abstract and references has a tenth of its paper."""
MAX_SINGLE_PAGE_LETTERS = 9_000
"""Letters and digits; a single page with more text is a whole article on a large sheet."""


def is_scan(excerpt: Excerpt, pages: tuple[PageText, ...]) -> bool:
    """Whether the first page is an image, and the only text is what a host or scanner added."""
    has_image = excerpt.has_image[:1] == (True,)
    return has_image and all(
        _ADDED_BY_HOST.fullmatch(line) for page in pages for line in page.plain
    )


def other_title(excerpt: Excerpt, title: PreparedTitle) -> str | None:
    """Return the title in the PDF metadata if it belongs to another work, else None."""
    declared = fold_text((excerpt.title or "")[:600])
    if len(declared.replace(" ", "")) < _MIN_TITLE_LETTERS or not title.letters:
        return None
    if _GENERATED_NAME.search(declared) or len(declared.split()) < 3:
        return None
    return (
        excerpt.title
        if fuzz.token_set_ratio(declared, title.words) < MIN_METADATA_TITLE_SIMILARITY
        else None
    )


def page_count_of_range(pages: str | None) -> int | None:
    """Return the number of pages in a range such as "123-130" or "123-30"; None if it is no range."""
    match = _PAGE_RANGE.fullmatch((pages or "")[:40])
    if not match:
        return None
    first, last = match[1], match[2]
    last_page = (
        int(last) if len(last) >= len(first) else int(first[: len(first) - len(last)] + last)
    )
    return last_page - int(first) + 1 if last_page >= int(first) else None


def has_different_length(excerpt: Excerpt, pages: str | None) -> bool:
    """Whether a scan has far fewer or far more pages than the record states."""
    expected = page_count_of_range(pages)
    if expected is None:
        return False
    # A scan may show two pages per sheet, and may add a cover or parts of adjacent articles.
    return not expected / 2 <= excerpt.page_count <= expected + _MAX_ADDED_PAGES


def has_many_more_pages(excerpt: Excerpt, pages: str | None, *, is_signed: bool) -> bool:
    """Whether a file has many more pages than the record lists, as a thesis or a whole book has.

    `is_signed` says that most authors are named: a thesis has one.
    """
    expected = page_count_of_range(pages)
    if expected is None:
        return False
    most_added = _MOST_ADDED_PAGES if is_signed else _MOST_ADDED_PAGES // 2
    return excerpt.page_count > max(_MOST_TIMES * expected, expected + most_added)


def is_first_page_only(excerpt: Excerpt, pages: str | None, letters: int) -> bool:
    """Whether a file has one page but the record several, as with previews and cover sheets."""
    expected = page_count_of_range(pages)
    several = expected is not None and expected >= SEVERAL_PAGES
    return several and excerpt.page_count == 1 and letters <= MAX_SINGLE_PAGE_LETTERS


def has_part_of_text(excerpt: Excerpt, pages: str | None, letters: int) -> bool:
    """Whether a file has far less text than the pages that the record lists, as a web page does."""
    expected = page_count_of_range(pages)
    is_read = excerpt.page_count == len(excerpt.pages) and not any(excerpt.has_image)
    return is_read and bool(expected) and 0 < letters < MIN_LETTERS_PER_PAGE * (expected or 0)
