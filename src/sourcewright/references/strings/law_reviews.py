"""Citations of law reviews, by Bluebook and by OSCOLA.

`Ann Lee & Bo Berg, A Title, 79 Harv. L. Rev. 12 (1966)`;
`Ann Lee and Bo Berg, \u2018A Title\u2019 (1966) 79(2) Modern Law Review 12`.
"""

import re

from sourcewright.references.field_values import author_from_text
from sourcewright.references.model import Span
from sourcewright.references.strings.body import Body
from sourcewright.references.strings.head import ReferenceHead
from sourcewright.references.strings.names import AuthorList, is_full_name, read_authors
from sourcewright.references.strings.numbers import Numbers

_VENUE_AND_PAGE = (
    r"(?P<venue>[^\W\d_a-z][^\d,;]{1,120}?)\s(?P<pages>[A-Za-z]?\d{1,7})"
    r"(?:,\s\d{1,6}(?:[-\u2013]\d{1,6})?)?"
)
_YEAR = r"(?P<year>(?:1[5-9]|20)\d\d)"
_PLACE = re.compile(
    rf",\s(?P<volume>\d{{1,4}})\s{_VENUE_AND_PAGE}"
    rf"\s\((?:[^\W\d_]{{3,9}}\.?\s)?{_YEAR}\)[\s.;,]{{0,40}}$"
)
"""Volume, journal, first page and year at the end, in this order."""
_QUOTED_AND_PLACE = re.compile(
    r",\s(?P<title>[\u2018'\u201c\"][^\r\n]{3,500}?[\u2019'\u201d\"])\s"
    rf"[\[(]{_YEAR}[\])]\s(?:(?P<volume>\d{{1,4}})(?:\s?\((?P<issue>[^()]{{1,20}})\))?\s)?"
    rf"{_VENUE_AND_PAGE}[\s.;,]{{0,40}}$"
)
"""A title in quotation marks, the year, then volume, journal and first page."""
_SEPARATOR = re.compile(r",\s(?:(?:&|and)\s)?|\s(?:&|and)\s")
_LAST = re.compile(r"&|and")
_ET_AL = re.compile(r"\set al\.?$")
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
    return _parts(authors, (end, place.start()), place)


def read_quoted_law_review(text: str, start: int) -> tuple[ReferenceHead, Body, Numbers] | None:
    """The parts of a citation by OSCOLA; None if it has another form."""
    place = _QUOTED_AND_PLACE.search(text, start)
    authors = read_authors(text, start, place.start()) if place else None
    return _parts(authors, place.span("title"), place) if place and authors else None


def _parts(
    authors: AuthorList, title: Span, place: re.Match[str]
) -> tuple[ReferenceHead, Body, Numbers]:
    names = [name for name in ("volume", "issue", "pages", "year") if place.groupdict().get(name)]
    return (
        ReferenceHead(authors=authors, year=None, year_span=None, end=authors.span[1]),
        Body(title=title, venue=place.span("venue")),
        Numbers(
            start=place.start("venue"),
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
    listed = text[start : ends[-1]]
    names = _SEPARATOR.split(_ET_AL.sub("", listed))
    authors = tuple(author_from_text(name) for name in names)
    truncated = _ET_AL.search(listed) is not None
    return AuthorList(span=(start, ends[-1]), authors=authors, truncated=truncated)
