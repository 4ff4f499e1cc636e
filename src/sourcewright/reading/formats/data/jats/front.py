"""The front matter of a JATS article: title, authors, journal, dates, identifiers, keywords."""

from collections.abc import Iterator
from html import escape
from typing import NamedTuple
from xml.etree.ElementTree import Element

from sourcewright.base.text.dates import date_of, date_of_parts
from sourcewright.base.text.month_names import month_of
from sourcewright.reading.formats._archive import attribute, child, local_name
from sourcewright.reading.formats.data.jats.elements import (
    children,
    doi_link,
    element,
    name_of,
    words,
)
from sourcewright.reading.formats.data.jats.markup import Markup

_PUBLICATIONS = ("epub", "pub", "epub-ppub", "ppub", "collection", "preprint", "")
"""Kinds of date, the one on which the article itself appeared first."""
_MOST_AUTHORS = 200
_NUMBERS = ("fpage", "lpage", "elocation-id")


class Contributor(NamedTuple):
    """An author: a person, or an organisation whose name has no parts."""

    name: str
    is_organisation: bool = False


def title_of(meta: Element | None) -> str:
    """The title with its subtitle."""
    group = child(meta, "title-group")
    title, subtitle = words(child(group, "article-title")), words(child(group, "subtitle"))
    return f"{title.rstrip(':')}: {subtitle}" if subtitle else title


def journal_of(article: Element) -> str:
    """The name of the journal."""
    meta = child(article, "front", "journal-meta")
    grouped = words(child(meta, "journal-title-group", "journal-title"))
    return grouped or words(child(meta, "journal-title")) or words(child(meta, "journal-id"))


def authors_of(meta: Element | None) -> list[Contributor]:
    """The authors in their order, without editors and without the members of a group."""
    authors = [
        _contributor(one)
        for group in children(meta, "contrib-group")
        for one in children(group, "contrib")
        if one.get("contrib-type", "author") in {"author", "collab"}
    ]
    return [one for one in authors[:_MOST_AUTHORS] if one is not None and one.name]


def _contributor(contributor: Element) -> Contributor | None:
    person = _first(contributor, "name")
    if person is not None:
        return Contributor(name_of(person))
    collaboration = _first(contributor, "collab")
    if collaboration is not None:
        # The members of a group are listed inside its name.
        return Contributor(words(collaboration, without="contrib-group"), is_organisation=True)
    string = _first(contributor, "string-name")
    return None if string is None else Contributor(name_of(string) or words(string))


def published(meta: Element | None) -> str | None:
    """The date on which the article appeared, as precise as it is given."""
    dates = children(meta, "pub-date")
    by_kind = {_kind_of(one): date for one in reversed(dates) if (date := _date(one))}
    return next((by_kind[kind] for kind in _PUBLICATIONS if kind in by_kind), None)


def _kind_of(date: Element) -> str:
    return date.get("pub-type") or date.get("date-type") or ""


def _date(date: Element) -> str | None:
    iso_date = date_of((date.get("iso-8601-date") or "")[:10])
    month = words(child(date, "month"))
    parts = [
        words(child(date, "year")),
        month if month.isdecimal() else month_of(month),
        words(child(date, "day")),
    ]
    return iso_date or date_of_parts({"date-parts": [parts]})


def lines_below_title(article: Element, markup: Markup) -> str:
    """The authors, and where the article appeared, each as a paragraph."""
    meta = child(article, "front", "article-meta")
    names = ", ".join(one.name for one in authors_of(meta))
    subtitle = markup.inline(child(meta, "title-group", "subtitle"))
    place = ", ".join(filter(None, _place(article, meta)))
    links = doi_link(identifier(meta, "doi"))
    line = ". ".join(filter(None, (place, links)))
    return "".join(element("p", one) for one in (subtitle, escape(names), line))


def _place(article: Element, meta: Element | None) -> Iterator[str]:
    yield element("em", escape(journal_of(article)))
    issue = words(child(meta, "issue"))
    volume = words(child(meta, "volume"))
    yield escape(f"{volume}({issue})" if volume and issue else volume or issue)
    first, last, number = (words(child(meta, name)) for name in _NUMBERS)
    yield escape(f"{first}\u2013{last}" if last and last != first else first or number)
    yield published(meta) or ""


def identifier(meta: Element | None, kind: str) -> str:
    """The identifier of a kind, such as `doi`."""
    ids = (one for one in children(meta, "article-id") if one.get("pub-id-type") == kind)
    return next((words(one) for one in ids), "")


def abstract_title(abstract: Element) -> str:
    """What an abstract without a title is called: `Abstract`, or its kind."""
    kind = (attribute(abstract, "abstract-type") or "").replace("-", " ").strip()
    return kind.capitalize() if kind and kind not in {"summary", "main"} else "Abstract"


def keywords(meta: Element | None, markup: Markup) -> str:
    """The keywords of each group on a line."""
    return "".join(_keyword_line(one, markup) for one in children(meta, "kwd-group"))


def _keyword_line(group: Element, markup: Markup) -> str:
    title = markup.inline(child(group, "title")).rstrip(": ") or "Keywords"
    terms = [markup.inline(one) for one in group.iter() if local_name(one.tag) == "kwd"]
    return element("p", f"{title}: {', '.join(terms)}") if terms else ""


def _first(contributor: Element, name: str) -> Element | None:
    """The first element of a name; several are in alternatives, in several scripts."""
    direct = child(contributor, name)
    return child(contributor, "name-alternatives", name) if direct is None else direct
