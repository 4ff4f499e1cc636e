"""Recognises a scan: pictures of pages on which there is no text to compare."""

import re

from rapidfuzz import fuzz

from sourcewright.domain.files import Excerpt
from sourcewright.logic.file_check.pages import Leaf
from sourcewright.logic.file_check.titles import Title
from sourcewright.logic.text.unicode import folded

_DELIVERY = re.compile(
    r"(?:this (?:content|article|document|copy) (?:was |is )?)?(?:down ?loaded|delivered|printed|"
    r"retrieved|accessed|provided|scanned|digiti[sz]ed|supplied) (?:from|by|at|on|to|for|via)\b.*"
    r"|(?:access|copy) provided by\b.*|(?:copyright|c) .{0,80}[0-9]{4}"
    r"|all rights reserved|(?:https?|www)\b.*|(?:page )?[0-9ivx]{1,6}"
    r"|[0-9]{1,2} [a-z]{3,9} [0-9]{4}"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b.{0,40}[0-9]{4}.{0,20}"
)
"""What those who serve or scan a file put on its pages, each on a line of its own."""
_BY_MACHINES = re.compile(
    r"\b(?:scan\w*|xerox|kmbt\w*|img\w*|image\w*|document\w*|print\w*|job|copy|adobe|acrobat|file|"
    r"page|pages|microsoft|word|untitled|converter|pdf)\b"
)
"""Words of the names that scanners and programs give to files, which are no titles."""
_LEAST_TITLE = 20
OTHER_TITLE = 50.0
"""Per cent that a description's title shares with the work's; below, it is another work's."""
_RANGE = re.compile(r"\s*([0-9]{1,6})\s*[-\u2013\u2014]+\s*([0-9]{1,6})\s*")
_PAGES_ADDED = 10
SEVERAL_PAGES = 3
PAGE_TEXT = 9_000
"""Letters and digits; a single page with more is a whole article on a large sheet."""


def is_scan(excerpt: Excerpt, leaves: tuple[Leaf, ...]) -> bool:
    """Whether the first page is a picture, and no page has text but that of its delivery."""
    pictured = excerpt.pictured[:1] == (True,)
    return pictured and all(_DELIVERY.fullmatch(line) for leaf in leaves for line in leaf.plain)


def other_title(excerpt: Excerpt, title: Title) -> str | None:
    """The title of another work in the PDF's own description; None where it names none."""
    stated = folded((excerpt.title or "")[:600])
    if len(stated.replace(" ", "")) < _LEAST_TITLE or not title.letters:
        return None
    if _BY_MACHINES.search(stated) or len(stated.split()) < 3:
        return None
    return excerpt.title if fuzz.token_set_ratio(stated, title.words) < OTHER_TITLE else None


def pages_of(stated: str | None) -> int | None:
    """How many pages a record's range such as "123-130" or "123-30" has; None where it says none."""
    found = _RANGE.fullmatch((stated or "")[:40])
    if not found:
        return None
    first, last = found[1], found[2]
    whole = int(last) if len(last) >= len(first) else int(first[: len(first) - len(last)] + last)
    return whole - int(first) + 1 if whole >= int(first) else None


def has_other_length(excerpt: Excerpt, stated: str | None) -> bool:
    """Whether a scan has far fewer or far more pages than the record says that the work has."""
    pages = pages_of(stated)
    if pages is None:
        return False
    # Two pages may be on one sheet, and a cover or the ends of other articles may be added.
    return not pages / 2 <= excerpt.page_count <= pages + _PAGES_ADDED


def is_first_page_alone(excerpt: Excerpt, stated: str | None, letters: int) -> bool:
    """Whether a file has one page where the record has several, as previews and cover sheets do."""
    pages = pages_of(stated)
    several = pages is not None and pages >= SEVERAL_PAGES
    return several and excerpt.page_count == 1 and letters <= PAGE_TEXT
