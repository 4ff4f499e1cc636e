"""The body of a citation string: title, venue and publisher between the head and the numbers."""

import re
from dataclasses import dataclass, replace

from sourcewright.references.model import Span
from sourcewright.references.strings.head import EDGES, ReferenceHead
from sourcewright.references.strings.numbers import Numbers
from sourcewright.references.strings.sentences import is_boundary

_IN = re.compile(
    r"(?:^|(?<=[.,;?!\u201d\"]\s))(?:[Ii]n(?:\s?:\s?|\s)|(?:En|Em|Dans)\s?:\s|(?<=[\u00bb\u201d\"][.,]\s)(?:En|Em|Dans)\s)(?=[^\W\d_a-z]|\d|the\s)"
)
_IN_AFTER_PAGES = re.compile(r"[.,]?\s[Ii]n\s(?=[^\W\d_a-z]|the\s)")
"""After `Pp. 12-15`, as sociology writes it."""
_SLASHES = re.compile(r"\s//\s")
"""Between a title and its journal or book, in the style of GOST."""
_EDITORS_IN = re.compile(
    r"^(?:[^()]{0,300}?\((?:[Ee]ds?|[Hh]rsg)\.?\)[,.:]?\s|(?:[Ee]ds?\.|[Ee]dited by)\s[^.]{1,80}?(?:[A-Z]\.\s?[^.]{1,60}){0,6}\.\s)"
)
_PUBLISHER = re.compile(
    r"\b(?:[Pp]ress|Publish(?:ers?|ing)|Verlag|Books|Springer|Wiley|Elsevier|Routledge|McGraw|Academic|Presses|Editions?|Inc|Ltd|GmbH|House|Sons|Pearson|Sage|SAGE|Addison|Prentice|Birkh\u00e4user|Kluwer|Macmillan|Apress|CRC|Chapman|Palgrave|Emerald|Hall|Thieme|Karger|Brill|Gruyter|MDPI|AG|BV|Universit\w+)\b"
)
_PLACE = re.compile(r"[\s.,]{0,4}[^\W\d_a-z][^\d:;/]{1,60}:\s(?=[^\W\d_a-z][^:;]{0,100};\s{0,2}$)")
"""A place before a publisher: `Geneva: WHO; 2016`."""
_PLACE_AND_NAME = re.compile(r"\s{0,2}[^\W\d_a-z][^\d:;]{1,60}:\s[^\W\d_a-z]")
_SOCIETY = re.compile(r"ACM|IEEE|OECD|WHO|Zenodo|Figshare|Dryad")
"""Publishers whose name has no word of publishers."""
_YEAR_AFTER_WORD = re.compile(r"\w\s$")
_STATUS = re.compile(
    r"[.,;]\s\(?(?:advance (?:online )?(?:publication|access)|(?:published )?online (?:ahead of print|first|early)"
    r"|(?:e-?pub )?ahead of print|epub|early view|first online|in press|forthcoming|to appear|accepted)\)?[\s.,;]*+$",
    re.IGNORECASE,
)
"""How far an article is published, after the name of its journal."""
_EDITED_BY = re.compile(r",\s(?:edited by|[Ee]ds?\.)\s[^\d]{0,300}$")
_SERIES = re.compile(r"\s{0,3}(?:Ser(?:ies|\.)|Part|Sect(?:ion|\.)|[A-Z](?=[,:.]\s))")


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The positions of title, venue and publisher; None if missing."""

    title: Span | None
    venue: Span | None
    publisher: Span | None = None
    is_chapter: bool = False


def read_body(text: str, head: ReferenceHead, quote: Span | None, numbers: Numbers) -> Body:
    if status := _STATUS.search(text[head.end : numbers.start]):
        numbers = replace(numbers, start=head.end + status.start())
    if quote is not None:
        return _after_title(text, quote, quote[1], numbers)
    if head.title_span is not None:
        return _after_title(text, head.title_span, head.end, numbers)
    start, end = head.end, max(head.end, numbers.start)
    if slashes := _SLASHES.search(text, start, end):
        return _after_title(text, (start, slashes.start()), slashes.end(), numbers)
    if in_container := _in_container(text, (start, end), numbers):
        return in_container
    boundaries = _boundaries(text, start, end)
    if not boundaries:
        return _single_segment(text, (start, end), head, numbers)
    return _title_and_venue(text, (start, end), boundaries, numbers)


def _in_container(text: str, span: Span, numbers: Numbers) -> Body | None:
    """A title and the book or proceedings after `In`; None without that."""
    container = _IN.search(text, *span)
    if container is None:
        return None
    if container.start() > span[0] + 2:
        return _after_title(text, (span[0], container.start()), container.start(), numbers)
    if text[span[0] : container.start()].strip() == ",":
        # `B. Huang, in Proceedings of ... (Press, 2018)`: physics omits the title.
        return Body(title=None, venue=_up_to_publisher(text, (container.end(), span[1])))
    return None


def _up_to_publisher(text: str, span: Span) -> Span:
    """The name of a book or of proceedings, without the publisher in the last brackets."""
    bracket = text.rfind(" (", *span)
    return (span[0], bracket if bracket > 0 else span[1])


def _boundaries(text: str, start: int, end: int) -> list[int]:
    """The ends of sentences between authors and numbers, except the last."""
    content_end = start + len(text[start:end].rstrip(EDGES))
    return [
        index
        for index in range(start, content_end)
        if text[index] in ".?!"
        and is_boundary(text, index, start)
        and text[start:index].strip(EDGES)
    ]


def _title_and_venue(text: str, span: Span, boundaries: list[int], numbers: Numbers) -> Body:
    split = boundaries[-1]
    if len(boundaries) > 1 and _SERIES.match(text, split + 1):
        split = boundaries[-2]
    is_place = "volume" not in numbers.values and _PLACE_AND_NAME.match(text, split + 1, span[1])
    if len(boundaries) > 1 and (is_place or _is_publisher(text[split + 1 : span[1]])):
        body = Body(
            title=(span[0], boundaries[-2] + 1),
            venue=(boundaries[-2] + 1, split),
            publisher=(split + 1, span[1]),
        )
        return (
            body
            if numbers.has_place
            else Body(title=(span[0], split), venue=None, publisher=(split + 1, span[1]))
        )
    return _after_title(text, (span[0], split + 1), split + 1, numbers)


def _after_title(text: str, title: Span, start: int, numbers: Numbers) -> Body:
    """The venue, or the publisher of a book, between the title and the numbers."""
    end = max(start, numbers.start)
    container = _IN.match(
        text, start + (len(text[start:end]) - len(text[start:end].lstrip(EDGES)))
    )
    start = container.end() if container else start
    if editors := _EDITORS_IN.match(text[start:end].lstrip(" .,")):
        start += len(text[start:end]) - len(text[start:end].lstrip(" .,")) + editors.end()
    if edited := _EDITED_BY.search(text[start:end]):
        end = start + edited.start()
    if container is not None and (boundaries := _boundaries(text, start, end)):
        publisher = (boundaries[0] + 1, end)
        end = boundaries[0]
        return Body(
            title=title,
            venue=_without_place(text, (start, end)),
            publisher=publisher,
            is_chapter=True,
        )
    comma = text.rfind(", ", start, end)
    if comma > start and "volume" not in numbers.values:
        last = comma if text[comma + 1 : end].strip(EDGES) else text.rfind(", ", start, comma)
        if last > start and _is_publisher(text[last:end]):
            return _with_publisher(text, title, (start, last, end))
    venue = _without_place(text, (start, end)) if container else (start, end)
    if not text[start:end].strip(EDGES) and not container:
        return _after_numbers(text, title, numbers)
    is_book = container is None and not numbers.has_place
    if is_book and (publisher_alone := _publisher_alone(text, (start, end))):
        return Body(title=title, venue=None, publisher=publisher_alone)
    return Body(title=title, venue=venue, is_chapter=container is not None)


def _after_numbers(text: str, title: Span, numbers: Numbers) -> Body:
    """The book that contains the pages, or the publisher, after the numbers."""
    rest = (numbers.end, len(text))
    if host := _IN_AFTER_PAGES.match(text, numbers.end):
        stop = next(iter(_boundaries(text, host.end(), len(text))), len(text))
        return Body(title=title, venue=(host.end(), stop), is_chapter=True)
    is_publisher = _is_publisher(text[slice(*rest)])
    return Body(title=title, venue=None, publisher=rest if is_publisher else None)


def _publisher_alone(text: str, span: Span) -> Span | None:
    """The publisher after the title of a book, without the place before it."""
    if place := _PLACE.match(text[slice(*span)]):
        return span[0] + place.end(), span[1]
    is_society = _SOCIETY.fullmatch(text[slice(*span)].strip(EDGES)) is not None
    return span if is_society or _is_publisher(text[slice(*span)]) else None


def _with_publisher(text: str, title: Span, limits: tuple[int, int, int]) -> Body:
    """A venue and the publisher after its last comma, or a place and the publisher after it."""
    start, comma, end = limits
    colon = text.find(": ", comma, end)
    if colon > 0:
        # A place before the publisher: `New York, NY, USA: Wiley`.
        return Body(title=title, venue=None, publisher=(colon + 1, end))
    return Body(title=title, venue=(start, comma), publisher=(comma, end))


def _without_place(text: str, span: Span) -> Span:
    """The name of a conference up to its acronym in brackets, without the place after it."""
    closing = text.find("), ", *span)
    return span if closing < 0 else (span[0], closing + 1)


def _single_segment(text: str, span: Span, head: ReferenceHead, numbers: Numbers) -> Body:
    """One text between authors and numbers: a title, or the venue in styles without titles."""
    authors = head.authors
    no_titles = authors is not None and (
        (authors.initials_first and text[span[0] : span[0] + 1] == ",") or authors.semicolons
    )
    # Only a style without titles has no punctuation before the year.
    no_titles = no_titles or (
        authors is not None and _YEAR_AFTER_WORD.search(text, *span) is not None
    )
    rest = text[numbers.end :]
    if text[span[0] : span[0] + 1] == ":":
        if numbers.has_place and (body := _title_before_comma(text, span)):
            return body
        publisher = (numbers.end, len(text)) if _is_publisher(rest) else None
        return Body(title=span, venue=None, publisher=publisher)
    if (
        head.year is None
        and numbers.values
        and (no_titles or (numbers.has_place and authors is not None and authors.has_initials))
    ):
        return _title_before_comma(text, span) or Body(title=None, venue=span)
    comma = text.rfind(", ", *span)
    if numbers.has_place and comma > span[0] and _begins_name(text[comma + 2 : comma + 3]):
        return Body(title=(span[0], comma), venue=(comma + 1, span[1]))
    if numbers.has_place and _has_comma_after_year(text, head):
        return Body(title=None, venue=span)
    return Body(title=span, venue=None)


def _begins_name(character: str) -> bool:
    """Whether the name of a journal may begin so: with a capital, or in a script without case."""
    return character.isupper() or _is_ideographic(character)


def _is_ideographic(text: str) -> bool:
    return text[:1] >= "\u2e80"


def _has_comma_after_year(text: str, head: ReferenceHead) -> bool:
    """Whether the authors are followed by `, 2001, `, as in astronomy, which omits titles."""
    return (
        head.year_span is not None and text[slice(head.year_span[1], head.year_span[1] + 1)] == ","
    )


def _title_before_comma(text: str, span: Span) -> Body | None:
    """A title that only a comma separates from its journal, as in some physics styles."""
    span = (span[0], span[0] + len(text[slice(*span)].rstrip(EDGES)))
    comma = text.rfind(", ", *span)
    if comma < 0 or not _begins_name(text[comma + 2 : comma + 3]):
        return None
    title, venue = text[span[0] : comma].strip(EDGES), text[comma + 2 : span[1]].strip(EDGES)
    if _is_publisher(venue):
        return Body(title=(span[0], comma), venue=None, publisher=(comma + 1, span[1]))
    is_venue = len(venue.split()) <= 4 or "." in venue
    return (
        Body(title=(span[0], comma), venue=(comma + 1, span[1]))
        if is_venue and (len(title.split()) > 2 or _is_ideographic(title))
        else None
    )


def _is_publisher(text: str) -> bool:
    return len(text) < 120 and _PUBLISHER.search(text) is not None
