"""Dates of a page: published, as declared or shown near the headline, and modified."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from urllib.parse import unquote, urlsplit

from sourcewright.base.text.prose_dates import find_date
from sourcewright.reading.html.document import Node, first_elements
from sourcewright.reading.html.embedded_data import describes_part
from sourcewright.reading.html.metadata.date_labels import (
    is_other_date,
    is_published_date,
    published_part,
)
from sourcewright.reading.html.metadata.day_order import is_day_first
from sourcewright.reading.html.metadata.headline import TextLine
from sourcewright.reading.html.metadata.page_sources import PageSources, first_contents, text_of

_PUBLISHED_TAG_LIST = (
    "article:published_time citation_publication_date citation_date citation_online_date "
    "datepublished date dc.date dc.date.issued dcterms.created dcterms.date pubdate publishdate "
    "publish-date publication_date parsely-pub-date sailthru.date og:article:published_time "
    "article.published cxenseparse:recs:publishtime og:published_time dcterms.issued dc.issued "
    "dc.date.created dc.created article:published originalpublicationdate displaydate pdate"
)
_PUBLISHED_TAGS = _PUBLISHED_TAG_LIST.split()
_OTHER_PUBLISHED_TAG = re.compile(
    r"(?:.{0,30}[._:-])?(?:publi(?:sh|shed|cation)|pub|release|issued?|posted|created?)"
    r"[._:-]?(?:date|time|at|on)(?:[._:-].{0,20})?"
    r"|(?:.{0,30}[._:-])?date[._:-]?(?:published|issued|posted|created)"
)
_MODIFIED_TAG_LIST = (
    "article:modified_time og:updated_time datemodified last-modified dcterms.modified "
    "dc.date.modified lastmod article:modified"
)
_MODIFIED_TAGS = _MODIFIED_TAG_LIST.split()
_PUBLISHED_PROPERTIES = frozenset(
    ("datePublished", "dateCreated", "published-date", "uploadDate", "pubdate", "dc:date")
)
_DATE_CLASS = re.compile(
    r"(?<![a-zA-Z])(?:date|published|pubdate|datetime|timestamp|posted|postdate|posted[_-]?on|dateline"
    r"|submitted|fecha|datum|tarih|dato)(?![a-z])"
    r"|[a-z](?:Date|Published)(?![a-z])"
)
_MAX_MARKED, _MAX_NODES, _MAX_CHARACTERS = 20, 20_000, 200
_FULL_DATE, _YEAR = len("2020-03-09"), len("2020")
_MAX_LINE = 80
_MAX_LETTERS, _MAX_SMALL_WORDS = 48, 5
"""Letters and words in lower case in a line with a date; a line with more is a sentence."""
_DATELINE = re.compile(
    r"(?:\(|[A-Z][^()\d\u2013\u2014]{1,40},\s)([^()\u2013\u2014]{6,30}?)(?:\)|\s[\u2013\u2014-]|\s--|\u2014|\s/)"
)
"""A date in brackets, or after a place and before a dash."""
_PATH_DATE = re.compile(
    r"(?<!\d)((?:19|20)\d\d)([/-])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])(?!\d)"
)
_PATH_COMPACT = re.compile(r"(?<!\d)(20[0-3]\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)")
_PATH_MONTH = re.compile(r"/((?:19|20)\d\d)/(0[1-9]|1[0-2])(?=/|$)")

Reader = Callable[[str | None], str | None]
"""Reads a date from a text, in the language and the order of the page."""


def published_date(sources: PageSources) -> str | None:
    """When the page was published; never when it was modified."""
    read = partial(find_date, day_first=is_day_first(sources), language=sources.language)
    declared = chain(
        sources.works.texts("datePublished", "dateCreated", "uploadDate"),
        first_contents(sources.metas, _PUBLISHED_TAGS),
        _other_tags(sources),
        map(_date_value, _property_elements(sources, _PUBLISHED_PROPERTIES)),
    )
    date = _most_precise(map(read, declared))
    if sources.is_home_page:
        return date
    if date is not None:
        return _first_published(sources, date, read) or date
    visible = chain(
        _near_headline(sources),
        _dateline(sources),
        iter([_date_in_path(sources.url)]),
        _elsewhere(sources),
        _month(sources),
    )
    return _most_precise(_years_last(filter(None, map(read, visible))))


def _years_last(dates: Iterable[str]) -> Iterator[str]:
    """Dates, and then the years alone: any number near the headline may be one."""
    years: list[str] = []
    for date in dates:
        if len(date) > _YEAR:
            yield date
        else:
            years.append(date)
    yield from years


def _most_precise(values: Iterable[str | None]) -> str | None:
    """The first date; if it is only a month or a year, a later one that says more about it."""
    dates = filter(None, values)
    first = next(dates, None)
    if first is None or len(first) >= _FULL_DATE:
        return first
    return next((date for date in dates if date.startswith(f"{first}-")), first)


def _first_published(sources: PageSources, date: str, read: Reader) -> str | None:
    """The earlier date that the page shows, if the declared one is also that of the last change.

    Many sites declare the time at which the page was last generated as both.
    """
    if date != modified_date(sources):
        return None
    marked = (
        node.get("datetime") for node in sources.root.iter("time") if "pubdate" in node.attrib
    )
    visible = filter(None, map(read, chain(_near_headline(sources), islice(marked, 1))))
    first = next((one for one in visible if len(one) >= _FULL_DATE), None)
    return first if first is not None and first[:_FULL_DATE] < date[:_FULL_DATE] else None


def modified_date(sources: PageSources) -> str | None:
    """When the page was last modified, as it declares."""
    declared = chain(
        sources.works.texts("dateModified"),
        first_contents(sources.metas, _MODIFIED_TAGS),
        map(_date_value, _property_elements(sources, frozenset(["dateModified"]))),
    )
    return next((date for date in map(find_date, declared) if date), None)


def _other_tags(sources: PageSources) -> Iterator[str]:
    return (
        values[0]
        for name, values in sources.metas.items()
        if name not in _PUBLISHED_TAGS and _OTHER_PUBLISHED_TAG.fullmatch(name)
    )


def _property_elements(sources: PageSources, names: frozenset[str]) -> list[Node]:
    """The first elements that are marked up as such a date."""
    microdata = sources.marks.where("itemprop", names.__contains__)
    properties = sources.marks.where("property", lambda value: _local_name(value) in names)
    marked = first_elements([*microdata, *properties], _MAX_MARKED)
    return [node for node in marked if not (sources.is_named_aside(node) or describes_part(node))][
        :3
    ]


def _local_name(name: str) -> str:
    return name.rpartition(":")[2]


def _near_headline(sources: PageSources) -> Iterator[str | None]:
    """Dates in the lines around the headline, but for those of a change or of something else."""
    lines = sources.surroundings.lines
    for at, line in enumerate(lines):
        label = lines[at - 1].text if at and len(lines[at - 1].text) < 30 else ""
        is_short = len(line.text) <= _MAX_LINE and not sources.is_named_aside(line.node)
        text = published_part(line.text)
        if is_short and not is_other_date(f"{label} {text}", line.node):
            yield _line_date(line, text)


def _line_date(line: TextLine, text: str) -> str | None:
    """The date in a line that is hardly more than a date."""
    is_labelled = is_published_date(text)
    if text == line.text and not is_labelled and (value := _date_attribute(line.node)):
        return value
    letters = sum(map(str.isalpha, text))
    is_sentence = letters > _MAX_LETTERS or _count_small_words(text) > _MAX_SMALL_WORDS
    return None if is_sentence else text


def _dateline(sources: PageSources) -> Iterator[str]:
    """The date at the start of the first paragraph, as in `(9.3.2020) …` or `OSLO, March 9, 2020 —`."""
    paragraph = sources.surroundings.paragraph
    match = _DATELINE.match(paragraph.text) if paragraph else None
    is_sentence = match is None or _count_small_words(match[0]) > 1
    if paragraph and match and not (is_sentence or is_other_date(match[0], paragraph.node)):
        yield match[1]


def _count_small_words(text: str) -> int:
    return sum(map(str.islower, text.split()))


def _date_attribute(node: Node) -> str | None:
    """The date in an attribute of an element, where its text may be as vague as "last week"."""
    for place in islice((node, *node.iterancestors()), 3):
        for name, value in place.items():
            is_date = name in ("datetime", "title") or name.startswith(("data-", "aria-label"))
            if is_date and len(value) <= _MAX_LINE and find_date(value):
                return str(value)
    return None


def _elsewhere(sources: PageSources) -> Iterator[str | None]:
    """Dates of elements that are marked as times or dates, outside asides, cards and infoboxes."""
    all_times = islice(sources.root.iter("time"), 50)
    times = [node for node in all_times if not _is_other_time(sources, node)]
    marked = [node for node in times if "pubdate" in node.attrib]
    yield from (node.get("datetime") for node in [*marked[:3], *times[:3]])
    classed = sources.marks.where("class", _DATE_CLASS.search)
    near = (node for node in first_elements(classed, 20) if not _is_other_time(sources, node))
    yield from map(_short_text, islice(near, 5))
    yield from map(text_of, times[:5])
    yield from islice(_labelled_lines(sources), 1)


def _labelled_lines(sources: PageSources) -> Iterator[str]:
    """Short lines that say themselves when the page was published, such as those below its text."""
    for node in islice(
        sources.root.iter("p", "span", "div", "li", "em", "i", "small"), _MAX_NODES
    ):
        text = " ".join((node.text or "")[:_MAX_CHARACTERS].split())
        if (
            len(text) <= _MAX_LINE
            and is_published_date(text)
            and not _is_other_time(sources, node)
        ):
            yield text


def _is_other_time(sources: PageSources, node: Node) -> bool:
    text = (text_of(node) or "")[:_MAX_LINE]
    is_aside = sources.is_aside(node) and not sources.is_in_article_footer(node)
    # A post of a social network is embedded as a quotation, with its own date.
    is_quoted = next(node.iterancestors("blockquote"), None) is not None
    return is_aside or is_quoted or is_other_date(text, node)


def _short_text(node: Node) -> str | None:
    text = text_of(node) or ""
    return text if len(text) <= _MAX_LINE else None


def _date_value(node: Node) -> str | None:
    return node.get("datetime") or node.get("content") or text_of(node)


def _date_in_path(url: str) -> str | None:
    path = _path(url)
    match = _PATH_DATE.search(path)
    if match:
        return "-".join((match[1], match[3].zfill(2), match[4].zfill(2)))
    compact = _PATH_COMPACT.search(path)
    return "-".join(compact.groups()) if compact else None


def _month(sources: PageSources) -> Iterator[str]:
    match = _PATH_MONTH.search(_path(sources.url))
    if match:
        yield "-".join(match.groups())


def _path(url: str) -> str:
    try:
        return unquote(urlsplit(url).path[:1000])
    except ValueError:
        return ""
