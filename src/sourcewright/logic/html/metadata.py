"""Metadata of a page: title, author, site, dates, canonical URL, language.

What linked data says of the work that a page is, and who is named in it.
"""

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from sourcewright.domain.readings import Embedded
from sourcewright.logic.html.document import Marks, Node, base_of, first
from sourcewright.logic.html.embedded_data import metas_of, things_in
from sourcewright.logic.html.inline import address_of
from sourcewright.logic.html.linked_data import kinds_of, nodes_in
from sourcewright.logic.html.visibility import visible
from sourcewright.logic.text.dates import date_in
from sourcewright.logic.text.person_names import name_of

_OWN_NAMES = (
    "article newsarticle blogposting techarticle scholarlyarticle medicalscholarlyarticle report "
    "reportagenewsarticle discussionforumposting qapage question socialmediaposting product recipe "
    "review opinionnewsarticle analysisnewsarticle"
)
_OWN = frozenset(_OWN_NAMES.split())
_AROUND = frozenset(("webpage", "medicalwebpage", "videoobject", "creativework"))
"""What may describe the page around the work rather than the work."""
_MOST_PEOPLE = 20

Thing = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Works:
    """The descriptions of what a page is about, the most telling first."""

    things: list[Thing]
    known: Mapping[str, Thing]
    """Everything that is described, by the name that others call it."""
    site: str | None

    def said(self, *fields: str) -> list[str]:
        """The texts of these fields, by field and by work."""
        values = (work.get(name) for name in fields for work in self.things)
        return [html.unescape(value) for value in values if isinstance(value, str)]

    def people(self, *fields: str) -> Iterator[str]:
        """The names in these fields, of each work together."""
        for work in self.things:
            values = (work.get(name) for name in fields)
            names = (self._names(value) for value in values if value)
            yield together(next(names, []))

    def _names(self, value: Any, depth: int = 0) -> list[str]:
        if isinstance(value, list) and depth < 3:
            return [name for one in value[:_MOST_PEOPLE] for name in self._names(one, depth + 1)]
        name = self._name(value)
        return [name] if name else []

    def _name(self, value: Any) -> str | None:
        thing = value if isinstance(value, dict) else {"name": value}
        called = thing.get("@id")
        if "name" not in thing and isinstance(called, str):
            thing = {**self.known.get(called, {}), **thing}
        said = thing.get("name") or _in_parts(thing)
        if isinstance(said, list):
            said = next(iter(said), None)
        return html.unescape(said).strip() if isinstance(said, str) else None


def together(names: Sequence[str]) -> str:
    """Several names in one line, kept apart by what cannot be a part of one of them."""
    each = list(dict.fromkeys(names))[:_MOST_PEOPLE]
    whole = any("," in name or name_of(name).family is None for name in each)
    return ("; " if whole else ", ").join(each)


def works_in(embedded: Embedded | None) -> Works:
    blocks = embedded.json_ld if embedded else ()
    about = [node for block in blocks for node in nodes_in(block)]
    everything = things_in(embedded)
    known = {
        called: thing
        for thing in reversed(everything)
        if isinstance(called := thing.get("@id"), str) and len(thing) > 1
    }
    sites = (thing.get("name") for thing in everything if "website" in kinds_of(thing))
    site = next((name for name in sites if isinstance(name, str)), None)
    return Works(_ranked(about) or _ranked(everything), known, site)


def _ranked(things: list[Thing]) -> list[Thing]:
    """Works before the pages around them; those that are neither are left out."""
    kinds = [(thing, kinds_of(thing)) for thing in things]
    around = [thing for thing, names in kinds if names & _AROUND and not names & _OWN]
    return [thing for thing, names in kinds if names & _OWN] + around


def _in_parts(thing: Thing) -> str | None:
    parts = [thing.get(name) for name in ("givenName", "familyName")]
    return " ".join(part for part in parts if isinstance(part, str)) or None


_LONGEST = 500
# Looking back keeps a search from trying each blank of a long run anew.
_SEPARATORS = re.compile(
    r"(?<!\s)\s++[|\u2013\u2014\u00b7\u00bb-]\s++|(?:(?<!\s)\s++)?[|\u00bb]\s*+"
)
_PUBLISHED_NAMES = (
    "article:published_time citation_publication_date citation_date citation_online_date "
    "datepublished date dc.date dc.date.issued dcterms.created dcterms.date pubdate publishdate "
    "publish-date publication_date parsely-pub-date sailthru.date og:article:published_time "
    "article.published cxenseparse:recs:publishtime og:published_time"
)
_PUBLISHED = _PUBLISHED_NAMES.split()
_MODIFIED_NAMES = (
    "article:modified_time og:updated_time datemodified last-modified dcterms.modified "
    "dc.date.modified lastmod article:modified"
)
_MODIFIED = _MODIFIED_NAMES.split()
_AUTHORS_NAMES = (
    "citation_author author parsely-author dc.creator dcterms.creator sailthru.author byl "
    "article:author article:author_name cxenseparse:author"
)
_AUTHORS = _AUTHORS_NAMES.split()
_AUTHOR = re.compile(r"(?<!\S)author(?!\S)")
_AUTHOR_NAME = re.compile(r"author-name|author__name")
_BYLINE = re.compile(r"byline|post-author|\Aauthor\Z")
_DATED = re.compile(r"date|published")
_BY = re.compile(r"^(?:(?:written|posted|published|reviewed)\s+)?by[:\s]\s*", re.IGNORECASE)
_MAIL = re.compile(
    r"(?:(?<!\s)\s*+(?:[(<\[]\s*+)?)?[^\s()<>\[\]@]{1,64}+@[^\s()<>\[\]@]{1,255}+\s*+[)>\]]?"
)
_NO_NAME = re.compile(r"https?://|@|^\W*$|^(?:admin|administrator|author|editor)$", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")

Metas = Mapping[str, Sequence[str]]
"""What the meta tags say, by their names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What a page says of itself, for people."""

    title: str | None
    author: str | None
    site: str | None
    published: str | None
    modified: str | None
    canonical: str | None
    language: str | None


def description_of(root: Node, embedded: Embedded | None, url: str, marks: Marks) -> Description:
    metas: dict[str, list[str]] = {}
    for name, content in metas_of(root):
        metas.setdefault(name, []).append(_ENTITY.sub(lambda one: html.unescape(one[0]), content))
    works = works_in(embedded)
    site = _first(
        chain(
            _told(metas, ["og:site_name"]),
            works.people("publisher"),
            [works.site],
            _told(metas, ["application-name"]),
        )
    )
    return Description(
        title=_title(root, metas, works, site),
        author=_author(marks, metas, works),
        site=site,
        published=_published(chain(_shown_dates(root, marks), [_dated_path(url)]), metas, works),
        modified=_modified(marks, metas, works),
        canonical=_canonical(root, metas, url),
        language=_language(root, metas, works),
    )


def _told(metas: Metas, names: Iterable[str]) -> Iterator[str]:
    """The first value of each of these tags."""
    return (metas[name][0] for name in names if name in metas)


def _title(root: Node, metas: Metas, works: Works, site: str | None) -> str | None:
    heads = (one for one in root.iter("title") if next(one.iterancestors("svg"), None) is None)
    head = _first(map(_text, heads))
    headings = [text for text in (_text(one) for one in root.iter("h1")) if text]
    told = _first(_told(metas, ("citation_title", "og:title", "twitter:title")))
    if len(headings) == 1 and headings[0] and _agrees(headings[0], told or head):
        return headings[0]
    headline = _first(works.said("headline"))
    return _without_site(told or headline or head or _first(headings), site)


def _agrees(heading: str, title: str | None) -> bool:
    """Whether the only heading of its rank is what the page calls itself, or part of that."""
    return title is not None and heading.casefold() in title.casefold()


def _without_site(title: str | None, site: str | None) -> str | None:
    """The title without the name of the site at its end."""
    if title is None:
        return None
    parts = _SEPARATORS.split(title)
    if len(parts) < 2:
        return title
    last = parts[-1].strip()
    if (site and _alike(last, site)) or len(last) < len(title) / 3:
        return title[: title.rindex(last)].rstrip(" |\u2013\u2014\u00b7\u00bb-") or title
    return title


def _alike(one: str, other: str) -> bool:
    first, second = ("".join(filter(str.isalnum, text.casefold())) for text in (one, other))
    return bool(first) and (first in second or second in first)


def _author(marks: Marks, metas: Metas, works: Works) -> str | None:
    told = works.people("author", "creator")
    tagged = (together(metas[name]) for name in _AUTHORS if name in metas)
    for name in chain(told, tagged, map(_byline, _bylines(marks))):
        clean = _MAIL.sub("", _BY.sub("", _first([name]) or "")).strip(" ,|\u2022\u00b7-")
        if 1 < len(clean) < _LONGEST and not _NO_NAME.search(clean) and not date_in(clean):
            return clean
    return None


def _bylines(marks: Marks) -> Iterator[Node]:
    """Where a page shows who wrote it, the surest places first."""
    people = marks.where("itemprop", "author".__eq__)
    inside = {node for _, node in people}
    names = [
        (at, node)
        for at, node in (marks.where("itemprop", "name".__eq__) if people else ())
        if not inside.isdisjoint(node.iterancestors())
    ]
    yield from first([*people, *names], 3)
    links = [one for one in marks.where("rel", _AUTHOR.search) if one[1].tag == "a"]
    yield from first([*links, *marks.where("class", _AUTHOR_NAME.search)], 3)
    yield from first(marks.where("class", _BYLINE.search), 3)


def _byline(found: Node) -> str | None:
    """The name there; authors that are linked side by side are named together."""
    beside = found.getparent().iterchildren("a") if _is_author(found) else ()
    names = [_text(one) or "" for one in beside if _is_author(one)] or [_text(found) or ""]
    return together([name for name in names if len(name) < 120])


def _is_author(node: Node) -> bool:
    return node.tag == "a" and bool(_AUTHOR.search(node.get("rel") or ""))


def _published(shown: Iterable[str | None], metas: Metas, works: Works) -> str | None:
    said = works.said("datePublished", "dateCreated")
    return _first_date(chain(said, _told(metas, _PUBLISHED), shown))


def _modified(marks: Marks, metas: Metas, works: Works) -> str | None:
    said = chain(works.said("dateModified"), _told(metas, _MODIFIED))
    return _first_date(chain(said, map(_stamp, _stamped(marks, "dateModified"))))


def _shown_dates(root: Node, marks: Marks) -> Iterator[str | None]:
    yield from map(_stamp, _stamped(marks, "datePublished", "dateCreated"))
    times = [node for node in root.iter("time") if node.get("datetime")]
    told = [node for node in times if "pubdate" in node.attrib]
    yield from map(_stamp, [*told[:3], *times[:3]])
    yield from map(_text, first(marks.where("class", _DATED.search), 5))
    yield from map(_text, islice(root.iter("time"), 5))


def _stamped(marks: Marks, *names: str) -> list[Node]:
    """The first elements that are said to hold such a date."""
    said = marks.where("itemprop", frozenset(names).__contains__)
    return first([*said, *marks.where("property", lambda value: names[0] in value)], 3)


def _stamp(node: Node) -> str | None:
    return node.get("datetime") or node.get("content") or _text(node)


def _dated_path(url: str) -> str | None:
    found = re.search(r"/((?:19|20)\d\d)/(\d\d)/(?:(\d\d)/)?", url)
    return "-".join(part for part in found.groups() if part) if found else None


def _first_date(values: Iterable[str | None]) -> str | None:
    return next((date for date in map(date_in, values) if date), None)


def _canonical(root: Node, metas: Metas, url: str) -> str | None:
    links = (
        link.get("href")
        for link in root.iter("link")
        if "canonical" in (link.get("rel") or "").lower().split()
    )
    base = base_of(root, url)
    told = chain(links, _told(metas, ["og:url"]))
    addresses = (address_of(_first([one]), base) for one in told)
    return next((one for one in addresses if one and one.startswith("http")), None)


def _language(root: Node, metas: Metas, works: Works) -> str | None:
    said = chain(
        [root.get("lang"), root.get("xml:lang")],
        _told(metas, ("content-language", "og:locale")),
        works.said("inLanguage"),
    )
    found = (_LANGUAGE.match((one or "").strip()) for one in said)
    return next((one[0].replace("_", "-") for one in found if one), None)


def _text(node: Node) -> str | None:
    return None if node is None else _first([node.text_content()])


def _first(values: Iterable[str | None]) -> str | None:
    for value in values:
        text = " ".join(visible(value or "").split())[:_LONGEST]
        if text:
            return text
    return None
