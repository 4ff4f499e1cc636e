"""Bylines that a page shows: elements marked as the author, and lines near the headline."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from urllib.parse import urlsplit

from sourcewright.reading.html.document import Node
from sourcewright.reading.html.metadata.bylines import (
    is_byline_line,
    is_person_name,
    names_in,
    without_prefix,
)
from sourcewright.reading.html.metadata.headline import TextLine
from sourcewright.reading.html.metadata.page_sources import PageSources, first_text

_AUTHOR_REL = re.compile(r"(?<!\S)author(?!\S)")
_NAME_CLASS = re.compile(
    r"(?:author|byline)[_-]{0,2}(?:full)?name|(?<![\w-])(?:url\s+fn|fn\s+n)(?![\w-])|(?<![\w-])username(?![\w-])"
    r"|item--type-author(?![\w-])",
    re.IGNORECASE,
)
_BYLINE_CLASS = re.compile(
    r"byline|(?:post|article|blog|entry|story|text|news|meta|header)[_-]{1,2}(?:author|user(?![_-]*(?:menu|nav|drop))|writer)"
    r"|(?<![\w-])author(?:s|[_-]{1,2}(?:title|link|info|details?|block|box|meta))?(?![\w-])"
    r"|(?<![a-z])(?:posted|written)[_-]?by|(?<![a-z])by-(?:div|author)|[a-z]_?Author(?:s|Name)?_",
    re.IGNORECASE,
)
_CLASS_WORDS = ("author", "byline", "user", "writer", "posted", "written", "fn", "by-")
"""One of these is in each class that the patterns match: a quick test before them."""
_AUTHOR_PATH_LIST = (
    "author authors autor autoren auteur auteurs autore autores autori writer writers contributor "
    "contributors people staff profile profiles journalist journalists reporter reporters by "
    "team our-team experts columnist columnists redakcja skribent forfatter avtor"
)
_AUTHOR_PATHS = frozenset(_AUTHOR_PATH_LIST.split())
_MAX_ELEMENTS, _MAX_SEGMENTS, _MAX_NAMES = 3, 12, 20
_MAX_LABEL = 20

Entries = list[tuple[int, Node]]


@dataclass(frozen=True, slots=True)
class Byline:
    """Names in a byline."""

    names: list[str]
    is_sure: bool
    """Whether the element is for names alone, or the names have the shape of a person's."""


def shown_bylines(sources: PageSources) -> Iterator[Byline]:
    """The bylines of the page; the most reliable first, those in asides last."""
    if sources.is_home_page:
        return
    groups = [(_name_entries(sources), True), (_byline_entries(sources), False)]
    asides = {node for entries, _ in groups for _, node in entries if sources.is_aside(node)}
    for entries, is_sure in groups:
        yield from _bylines((node for _, node in entries if node not in asides), is_sure=is_sure)
    if names := _line_names(sources.surroundings.lines):
        yield Byline(names, is_sure=True)
    for entries, is_sure in groups:
        yield from _bylines((node for _, node in entries if node in asides), is_sure=is_sure)


def _name_entries(sources: PageSources) -> Entries:
    """Elements that hold an author's name, in page order."""
    marks = sources.marks
    links = (entry for entry in marks.where("rel", _AUTHOR_REL.search) if entry[1].tag == "a")
    return _ordered(
        [
            *marks.where("itemprop", "author".__eq__),
            *links,
            *marks.where("class", partial(_has_class, _NAME_CLASS)),
        ]
    )


def _byline_entries(sources: PageSources) -> Entries:
    """Elements that hold a byline, in page order."""
    return _ordered(sources.marks.where("class", partial(_has_class, _BYLINE_CLASS)))


def _has_class(pattern: re.Pattern[str], value: str) -> bool:
    lower = value.lower()
    return any(word in lower for word in _CLASS_WORDS) and bool(pattern.search(value))


def _ordered(entries: Entries) -> Entries:
    elements = (entry for entry in entries if entry[1].tag != "meta")
    return sorted(elements, key=lambda entry: entry[0])


def _bylines(nodes: Iterable[Node], *, is_sure: bool) -> Iterator[Byline]:
    for node in islice(nodes, _MAX_ELEMENTS):
        if names := _names(node):
            yield Byline(names, is_sure or all(map(is_person_name, names)))


def _names(element: Node) -> list[str]:
    """The names in a marked element; those of adjacent author links with them."""
    if element.get("itemprop") == "author":
        inner = element.xpath("descendant-or-self::*[@itemprop='name']")[:1]
        element = inner[0] if inner else element
    if content := element.get("content"):
        return names_in([_one_line(content)], is_marked=True)
    if _is_author_link(element):
        links = [node for node in element.getparent().iterchildren("a") if _is_author_link(node)]
        texts = [_one_line(node.text_content()) for node in links[:_MAX_NAMES]]
        return [name for text in texts for name in names_in([text], is_marked=True)]
    return _segment_names(element)


def _segment_names(element: Node) -> list[str]:
    segments = [*islice(filter(None, map(_one_line, element.itertext())), _MAX_SEGMENTS)]
    links = (_one_line(node.text_content()) for node in islice(element.iter("a"), 3))
    # The name of a user, which need not look like one, is a link at the start.
    user = next((text for text in links if text), None)
    if user is not None and user in segments[:1]:
        return names_in(segments[:1], is_marked=True) or names_in(segments)
    return names_in(segments) or names_in(segments[:3], is_marked=True)


def _one_line(text: str) -> str:
    return first_text([text[:1000]]) or ""


def _is_author_link(node: Node) -> bool:
    return node.tag == "a" and bool(_AUTHOR_REL.search(node.get("rel") or ""))


def _line_names(lines: Sequence[TextLine]) -> list[str]:
    """The names in the first line near the headline that has the shape of a byline."""
    for at, line in enumerate(lines):
        names = _prefixed_names(lines[at : at + 4]) if is_byline_line(line.text) else []
        if not names and _is_author_page(line.node):
            names = names_in([line.text])
        if names:
            return names
    return []


def _prefixed_names(lines: Sequence[TextLine]) -> list[str]:
    """The names after "By", in the same line or in the next ones."""
    first = lines[0].text
    names = names_in([without_prefix(first)])
    following = [line.text for line in lines[1:]] if len(first) < _MAX_LABEL else []
    return names or names_in(following)


def _is_author_page(node: Node) -> bool:
    """Whether an element is, or is in, a link to the page of a person."""
    link = next((one for one in (node, *node.iterancestors()) if one.tag == "a"), None)
    try:
        path = urlsplit(link.get("href") or "").path if link is not None else ""
    except ValueError:
        return False
    # The segment of a person follows: `/authors` alone is a list of them.
    return not _AUTHOR_PATHS.isdisjoint(path.lower().strip("/").split("/")[:-1])
