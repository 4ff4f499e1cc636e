"""Finds title, author, site, dates, canonical address and language of a page."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from sourcewright.domain.readings import Embedded
from sourcewright.logic.dating import date_of, instant_of
from sourcewright.logic.extracting.embedding import metas_of, things_in
from sourcewright.logic.extracting.hiding import visible
from sourcewright.logic.extracting.inline import address_of
from sourcewright.logic.extracting.parsing import Node

_LONGEST = 500
_SEPARATORS = re.compile(r"\s+[|\u2013\u2014\u00b7\u00bb-]\s+|\s*[|\u00bb]\s*")
_WORKS_NAMES = (
    "article newsarticle blogposting techarticle scholarlyarticle report reportagenewsarticle "
    "discussionforumposting qapage question socialmediaposting webpage product recipe review "
    "medicalwebpage opinionnewsarticle analysisnewsarticle videoobject creativework"
)
_WORKS = frozenset(_WORKS_NAMES.split())
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
_BYLINES = (
    "//*[@itemprop='author']//*[@itemprop='name'] | //*[@itemprop='author']",
    "//a[@rel='author'] | //*[contains(@class,'author-name') or contains(@class,'author__name')]",
    "//*[contains(@class,'byline') or contains(@class,'post-author') or @class='author']",
)
_TIMES = "//*[@itemprop='datePublished'] | //time[@datetime]"
_DATED = "//time | //*[contains(@class,'date') or contains(@class,'published')]"
_BY = re.compile(r"^(?:(?:written|posted|published|reviewed)\s+)?by[:\s]\s*", re.IGNORECASE)
_NO_NAME = re.compile(r"https?://|@|^\W*$|^(?:admin|administrator|author|editor)$", re.IGNORECASE)
_MONTHS_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTHS = _MONTHS_NAMES.split()
_WRITTEN = re.compile(
    r"\b(?:([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?|(\d{1,2})(?:st|nd|rd|th)?\s+([a-z]{3,9})\.?,?)"
    r"\s+((?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_SLASHED = re.compile(r"\b((?:19|20)\d\d)[/.](\d{1,2})(?:[/.](\d{1,2}))?\b")


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


def description_of(root: Node, embedded: Embedded | None, url: str) -> Description:
    metas: dict[str, str] = {}
    for name, content in metas_of(root):
        metas.setdefault(name, content)
    works = _works(embedded)
    site = _first([metas.get("og:site_name"), *(_name(work.get("publisher")) for work in works)])
    return Description(
        title=_title(root, metas, works, site),
        author=_author(root, metas, works),
        site=site,
        published=_published(root, metas, works, url),
        modified=_first_date([*_said(works, "dateModified"), *map(metas.get, _MODIFIED)]),
        canonical=_canonical(root, metas, url),
        language=_language(root, metas),
    )


def _works(embedded: Embedded | None) -> list[Mapping[str, Any]]:
    """Descriptions of what the page is about, before those of all else."""
    return [thing for thing in things_in(embedded) if _types(thing) & _WORKS]


def _types(thing: Mapping[str, Any]) -> set[str]:
    said = thing.get("@type")
    return {
        one.lower() for one in (said if isinstance(said, list) else [said]) if isinstance(one, str)
    }


def _title(
    root: Node, metas: Mapping[str, str], works: list[Mapping[str, Any]], site: str | None
) -> str | None:
    head = _first([_text(root.find("head/title")), _text(root.find(".//title"))])
    headings = [text for text in (_text(one) for one in root.iter("h1")) if text]
    told = _first([metas.get("citation_title"), metas.get("og:title"), metas.get("twitter:title")])
    if len(headings) == 1 and headings[0] and _agrees(headings[0], told or head):
        return headings[0]
    headline = _first(_said(works, "headline"))
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


def _author(root: Node, metas: Mapping[str, str], works: list[Mapping[str, Any]]) -> str | None:
    told = [_names(work.get("author") or work.get("creator")) for work in works]
    # Looking through the whole page is slow, and most pages have said it before.
    bylines = (_text(found) for path in _BYLINES for found in root.xpath(path)[:3])
    for name in chain(told, map(metas.get, _AUTHORS), bylines):
        clean = _BY.sub("", name or "").strip(" ,|\u2022\u00b7-")
        if 1 < len(clean) < 120 and not _NO_NAME.search(clean):
            return clean
    return None


def _names(value: Any) -> str | None:
    people = value if isinstance(value, list) else [value]
    return ", ".join(dict.fromkeys(name for name in map(_name, people[:20]) if name)) or None


def _name(value: Any) -> str | None:
    said = value.get("name") if isinstance(value, dict) else value
    if isinstance(said, list):
        said = next(iter(said), None)
    return _first([said]) if isinstance(said, str) else None


def _published(
    root: Node, metas: Mapping[str, str], works: list[Mapping[str, Any]], url: str
) -> str | None:
    return _first_date(
        chain(
            _said(works, "datePublished"),
            _said(works, "dateCreated"),
            map(metas.get, _PUBLISHED),
            _shown_dates(root),
            [_dated_path(url)],
        )
    )


def _shown_dates(root: Node) -> Iterator[str | None]:
    for found in root.xpath(_TIMES)[:3]:
        yield found.get("datetime") or found.get("content")
    for found in root.xpath(_DATED)[:5]:
        yield _text(found)


def _dated_path(url: str) -> str | None:
    found = re.search(r"/((?:19|20)\d\d)/(\d\d)/(?:(\d\d)/)?", url)
    return "-".join(part for part in found.groups() if part) if found else None


def _said(works: Iterable[Mapping[str, Any]], name: str) -> list[str]:
    return [value for work in works if isinstance(value := work.get(name), str)]


def _first_date(values: Iterable[str | None]) -> str | None:
    return next((date for date in map(_date, values) if date), None)


def _date(value: str | None) -> str | None:
    text = (value or "").strip()[:80]
    return instant_of(text) or _slashed(text) or _written(text)


def _slashed(text: str) -> str | None:
    found = _SLASHED.search(text)
    if not found:
        return None
    return date_of("-".join(part.zfill(2) for part in found.groups() if part))


def _written(text: str) -> str | None:
    found = _WRITTEN.search(text)
    if not found:
        return None
    month = (found[1] or found[4])[:3].lower()
    if month not in _MONTHS:
        return None
    return date_of(f"{found[5]}-{_MONTHS.index(month) + 1:02d}-{int(found[2] or found[3]):02d}")


def _canonical(root: Node, metas: Mapping[str, str], url: str) -> str | None:
    links = (link.get("href") for link in root.iter("link") if link.get("rel") == "canonical")
    return address_of(_first([*links, metas.get("og:url")]), url)


def _language(root: Node, metas: Mapping[str, str]) -> str | None:
    said = root.get("lang") or root.get("xml:lang") or metas.get("og:locale") or ""
    found = re.match(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*", said.strip())
    return found[0].replace("_", "-") if found else None


def _text(node: Node) -> str | None:
    return None if node is None else _first([node.text_content()])


def _first(values: Iterable[str | None]) -> str | None:
    for value in values:
        text = " ".join(visible(value or "").split())[:_LONGEST]
        if text:
            return text
    return None
