"""Citations by the Chinese standard GB/T 7714, which marks the kind of work after its title: `[J]`."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from sourcewright.references.model import ReferenceKind, Span
from sourcewright.references.strings.body import Body
from sourcewright.references.strings.head import ReferenceHead
from sourcewright.references.strings.names import read_authors
from sourcewright.references.strings.numbers import Numbers, read_numbers

KINDS: Mapping[str, ReferenceKind] = MappingProxyType(
    {
        "J": "article",
        "M": "book",
        "C": "article",
        "G": "book",
        "D": "thesis",
        "R": "report",
        "S": "report",
        "P": "patent",
        "N": "news",
        "DB": "dataset",
        "CP": "software",
        "EB": "webpage",
    }
)
_MARK = re.compile(
    r"\s?\[(?P<kind>J|M|C|G|D|R|S|P|N|DB|CP|EB)(?:/(?:OL|CD|MT|DK))?\](?=\s?(?:[.,:/]|$))"
)
_END_OF_AUTHORS = re.compile(r"(?:(?<=[^\W\d_A-Z])|(?<=[^\W\d_]\s[^\W\d_])|(?<=[A-Z]{3}))\.")
_HOST = re.compile(r"\s?//\s?")
_PLACE = re.compile(r"[^:\d]{1,40}:\s?")
_DATES = re.compile(r"\s?(?:\(\d{4}-[\d-]{1,8}\))?\s?\[\d{4}-[\d-]{1,8}\]")
_STOP = re.compile(r"\.\s?")


def kind_by_mark(text: str) -> ReferenceKind | None:
    """The kind of work that a mark after its title names; None without one."""
    mark = _MARK.search(text)
    return KINDS[mark["kind"]] if mark else None


def read_marked(text: str, start: int) -> tuple[ReferenceHead, Body, Numbers] | None:
    """The parts of a citation in this form; None if it has another one."""
    mark = _MARK.search(text, start)
    end_of_authors = _END_OF_AUTHORS.search(text, start, mark.start()) if mark else None
    if mark is None or end_of_authors is None:
        return None
    authors = read_authors(text, start, end_of_authors.start())
    if authors is None or authors.span[1] > end_of_authors.end():
        return None
    numbers = read_numbers(text, mark.end(), has_year=False)
    head = ReferenceHead(authors=authors, year=None, year_span=None, end=end_of_authors.end())
    title = (end_of_authors.end(), mark.start())
    return head, _body(text, title, mark, numbers), numbers


def _body(text: str, title: Span, mark: re.Match[str], numbers: Numbers) -> Body:
    start, end = mark.end(), max(mark.end(), numbers.start)
    if host := _HOST.match(text, start, end):
        stop = _STOP.search(text, host.end(), end)
        venue = (host.end(), stop.start() if stop else end)
        publisher = (stop.end(), end) if stop else None
        return Body(title=title, venue=venue, publisher=publisher, is_chapter=True)
    if mark["kind"] in ("J", "N"):
        return Body(title=title, venue=(start, end))
    if dates := _DATES.search(text, start):
        end = min(end, dates.start())
    start += len(text[start:end]) - len(text[start:end].lstrip(" ."))
    place = _PLACE.match(text, start, end)
    return Body(title=title, venue=None, publisher=(place.end() if place else start, end))
