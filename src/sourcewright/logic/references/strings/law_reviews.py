"""Citations of law reviews (Bluebook): `Ann Lee & Bo Berg, A Title, 79 Harv. L. Rev. 12 (1966)`."""

import re

from sourcewright.logic.references.field_values import author_from_text
from sourcewright.logic.references.strings.body import Body
from sourcewright.logic.references.strings.head import ReferenceHead
from sourcewright.logic.references.strings.names import AuthorList, is_full_name
from sourcewright.logic.references.strings.numbers import Numbers

_PLACE = re.compile(
    r",\s(?P<volume>\d{1,4})\s(?P<venue>[^\W\d_a-z][^\d,;]{1,120}?)\s(?P<pages>[A-Za-z]?\d{1,7})"
    r"(?:,\s\d{1,6}(?:[-\u2013]\d{1,6})?)?\s\((?:[^\W\d_]{3,9}\.?\s)?(?P<year>(?:1[5-9]|20)\d\d)\)"
    r"[\s.;,]{0,40}$"
)
"""Volume, journal, first page and year at the end, in this order."""
_SEPARATOR = re.compile(r",\s(?:(?:&|and)\s)?|\s(?:&|and)\s")
_LAST = re.compile(r"&|and")
_MOST_AUTHORS = 20


def read_law_review(text: str, start: int) -> tuple[ReferenceHead, Body, Numbers] | None:
    """The parts of a citation in this form; None if it has another one."""
    place = _PLACE.search(text, start)
    authors = _leading_names(text, start, place.start()) if place else None
    if place is None or authors is None:
        return None
    end = authors.span[1]
    if not text[end : place.start()].strip(" ,."):
        return None
    names = ("volume", "pages", "year")
    return (
        ReferenceHead(authors=authors, year=None, year_span=None, end=end),
        Body(title=(end, place.start()), venue=place.span("venue")),
        Numbers(
            start=place.start("volume"),
            end=place.end(),
            values={name: place[name] for name in names},
            spans={name: place.span(name) for name in names},
        ),
    )


def _leading_names(text: str, start: int, limit: int) -> AuthorList | None:
    """The full names at the beginning, up to the one after `&`, or else the first."""
    ends: list[int] = []
    position, is_last = start, False
    while len(ends) < _MOST_AUTHORS and not is_last:
        separator = _SEPARATOR.search(text, position, limit)
        end = separator.start() if separator else limit
        if not is_full_name(text[position:end]):
            break
        ends.append(end)
        is_last = len(ends) > 1 and _LAST.search(text, ends[-2], position) is not None
        if separator is None:
            break
        position = separator.end()
    if not is_last:
        # Without `&`, what looks like a second name may be the title.
        ends = ends[:1]
    if not ends:
        return None
    names = _SEPARATOR.split(text[start : ends[-1]])
    authors = tuple(author_from_text(name) for name in names)
    return AuthorList(span=(start, ends[-1]), authors=authors)
