"""Citations by the Russian standard GOST, which repeats all authors after the title.

`Lee A. A title / A. Lee, B. Berg // Journal. 2015. Vol. 6. P. 3-9`.
"""

import re

from sourcewright.references.strings.body import Body, read_body
from sourcewright.references.strings.head import ReferenceHead, read_head
from sourcewright.references.strings.names import read_authors
from sourcewright.references.strings.numbers import Numbers, read_numbers

_RESPONSIBILITY = re.compile(r"\s/\s(?P<names>[^/]{3,2000}?)\s//\s")


def read_gost(text: str, start: int) -> tuple[ReferenceHead, Body, Numbers] | None:
    """The parts of a citation in this form; None if it has another one."""
    repeated = _RESPONSIBILITY.search(text, start)
    authors = read_authors(text, *repeated.span("names")) if repeated else None
    if repeated is None or authors is None:
        return None
    head = read_head(text, start)
    numbers = read_numbers(text, repeated.end(), has_year=head.year is not None)
    body = read_body(text, head, None, numbers)
    title = (head.end, repeated.start())
    head = ReferenceHead(authors=authors, year=head.year, year_span=head.year_span, end=head.end)
    return head, Body(title=title, venue=body.venue, publisher=body.publisher), numbers
