"""Citations in prose, as language models write them: `"A title" by Ann Lee, published in Sea (2019)`."""

import re

from sourcewright.references.strings.body import Body
from sourcewright.references.strings.head import ReferenceHead
from sourcewright.references.strings.names import read_authors
from sourcewright.references.strings.numbers import Numbers, read_numbers

_BYLINE = re.compile(
    r"(?P<title>[\"\u201c][^\"\u201c\u201d\r\n]{3,500}[\"\u201d]),?\s{1,3}by\s"
    r"(?P<names>[^\d\"\u201c\u201d()]{3,500}?)(?:\s[-\u2013\u2014]\s|[.,]?\s(?=\(|published\s|in\s))"
    r"(?:published\s)?(?:in\s)?"
)


def read_byline(text: str, start: int) -> tuple[ReferenceHead, Body, Numbers] | None:
    """The parts of a citation in this form; None if it has another one."""
    byline = _BYLINE.match(text, start)
    authors = read_authors(text, *byline.span("names")) if byline else None
    if byline is None or authors is None:
        return None
    numbers = read_numbers(text, byline.end(), has_year=False)
    return (
        ReferenceHead(authors=authors, year=None, year_span=None, end=byline.end()),
        Body(title=byline.span("title"), venue=(byline.end(), max(byline.end(), numbers.start))),
        numbers,
    )
