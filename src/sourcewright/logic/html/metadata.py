"""Metadata of a page: title, author, site, dates, canonical URL, language.

The sources are JSON-LD, meta tags, microdata and the visible page.
"""

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from sourcewright.domain.readings import EmbeddedMetadata
from sourcewright.logic.html.document import AttributeIndex, Node, base_url_of, first_elements
from sourcewright.logic.html.embedded_data import json_ld_objects, meta_tags
from sourcewright.logic.html.inline import absolute_url
from sourcewright.logic.html.linked_data import main_objects, type_names
from sourcewright.logic.html.visibility import strip_invisible
from sourcewright.logic.text.dates import find_date
from sourcewright.logic.text.person_names import split_name

_WORK_TYPE_LIST = (
    "article newsarticle blogposting techarticle scholarlyarticle medicalscholarlyarticle report "
    "reportagenewsarticle discussionforumposting qapage question socialmediaposting product recipe "
    "review opinionnewsarticle analysisnewsarticle"
)
_WORK_TYPES = frozenset(_WORK_TYPE_LIST.split())
_PAGE_TYPES = frozenset(("webpage", "medicalwebpage", "videoobject", "creativework"))
"""Types that may describe the page around the work rather than the work."""
_MAX_NAMES = 20

JsonLdObject = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class DescribedWorks:
    """The JSON-LD objects that describe a page's work, the most specific first."""

    things: list[JsonLdObject]
    by_id: Mapping[str, JsonLdObject]
    """All described objects by their `@id`."""
    site: str | None

    def texts(self, *fields: str) -> list[str]:
        """The text values of these fields, ordered by field, then by work."""
        values = (work.get(name) for name in fields for work in self.things)
        return [html.unescape(value) for value in values if isinstance(value, str)]

    def people(self, *fields: str) -> Iterator[str]:
        """For each work, the names in the first of these fields that has a value, joined."""
        for work in self.things:
            values = (work.get(name) for name in fields)
            names = (self._names(value) for value in values if value)
            yield join_names(next(names, []))

    def _names(self, value: Any, depth: int = 0) -> list[str]:
        if isinstance(value, list) and depth < 3:
            return [name for item in value[:_MAX_NAMES] for name in self._names(item, depth + 1)]
        name = self._name(value)
        return [name] if name else []

    def _name(self, value: Any) -> str | None:
        thing = value if isinstance(value, dict) else {"name": value}
        identifier = thing.get("@id")
        if "name" not in thing and isinstance(identifier, str):
            thing = {**self.by_id.get(identifier, {}), **thing}
        name = thing.get("name") or _given_and_family_name(thing)
        if isinstance(name, list):
            name = next(iter(name), None)
        return html.unescape(name).strip() if isinstance(name, str) else None


def join_names(names: Sequence[str]) -> str:
    """Names joined by commas, or by semicolons if a name may contain a comma."""
    unique = list(dict.fromkeys(names))[:_MAX_NAMES]
    has_commas = any("," in name or split_name(name).family is None for name in unique)
    return ("; " if has_commas else ", ").join(unique)


def described_works(embedded: EmbeddedMetadata | None) -> DescribedWorks:
    blocks = embedded.json_ld if embedded else ()
    about_page = [node for block in blocks for node in main_objects(block)]
    all_objects = json_ld_objects(embedded)
    by_id = {
        identifier: thing
        for thing in reversed(all_objects)
        if isinstance(identifier := thing.get("@id"), str) and len(thing) > 1
    }
    sites = (thing.get("name") for thing in all_objects if "website" in type_names(thing))
    site = next((name for name in sites if isinstance(name, str)), None)
    return DescribedWorks(_ranked(about_page) or _ranked(all_objects), by_id, site)


def _ranked(things: list[JsonLdObject]) -> list[JsonLdObject]:
    """Works before the pages around them; other objects are left out."""
    kinds = [(thing, type_names(thing)) for thing in things]
    pages = [thing for thing, names in kinds if names & _PAGE_TYPES and not names & _WORK_TYPES]
    return [thing for thing, names in kinds if names & _WORK_TYPES] + pages


def _given_and_family_name(thing: JsonLdObject) -> str | None:
    parts = [thing.get(name) for name in ("givenName", "familyName")]
    return " ".join(part for part in parts if isinstance(part, str)) or None


_MAX_VALUE = 500
# The lookbehind keeps the search linear: it does not retry at each space of a long run.
_SEPARATORS = re.compile(
    r"(?<!\s)\s++[|\u2013\u2014\u00b7\u00bb-]\s++|(?:(?<!\s)\s++)?[|\u00bb]\s*+"
)
_PUBLISHED_TAG_LIST = (
    "article:published_time citation_publication_date citation_date citation_online_date "
    "datepublished date dc.date dc.date.issued dcterms.created dcterms.date pubdate publishdate "
    "publish-date publication_date parsely-pub-date sailthru.date og:article:published_time "
    "article.published cxenseparse:recs:publishtime og:published_time"
)
_PUBLISHED_TAGS = _PUBLISHED_TAG_LIST.split()
_MODIFIED_TAG_LIST = (
    "article:modified_time og:updated_time datemodified last-modified dcterms.modified "
    "dc.date.modified lastmod article:modified"
)
_MODIFIED_TAGS = _MODIFIED_TAG_LIST.split()
_AUTHOR_TAG_LIST = (
    "citation_author author parsely-author dc.creator dcterms.creator sailthru.author byl "
    "article:author article:author_name cxenseparse:author"
)
_AUTHOR_TAGS = _AUTHOR_TAG_LIST.split()
_AUTHOR_REL = re.compile(r"(?<!\S)author(?!\S)")
_AUTHOR_NAME_CLASS = re.compile(r"author-name|author__name")
_BYLINE_CLASS = re.compile(r"byline|post-author|\Aauthor\Z")
_DATE_CLASS = re.compile(r"date|published")
_BY_PREFIX = re.compile(r"^(?:(?:written|posted|published|reviewed)\s+)?by[:\s]\s*", re.IGNORECASE)
_EMAIL = re.compile(
    r"(?:(?<!\s)\s*+(?:[(<\[]\s*+)?)?[^\s()<>\[\]@]{1,64}+@[^\s()<>\[\]@]{1,255}+\s*+[)>\]]?"
)
_NOT_A_NAME = re.compile(
    r"https?://|@|^\W*$|^(?:admin|administrator|author|editor)$", re.IGNORECASE
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*")

MetaTags = Mapping[str, Sequence[str]]
"""Contents of the meta tags by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageMetadata:
    """Bibliographic metadata of a page."""

    title: str | None
    author: str | None
    site: str | None
    published: str | None
    modified: str | None
    canonical: str | None
    language: str | None


def page_metadata(
    root: Node, embedded: EmbeddedMetadata | None, url: str, marks: AttributeIndex
) -> PageMetadata:
    metas: dict[str, list[str]] = {}
    for name, content in meta_tags(root):
        metas.setdefault(name, []).append(_ENTITY.sub(lambda one: html.unescape(one[0]), content))
    works = described_works(embedded)
    site = _first_text(
        chain(
            _first_contents(metas, ["og:site_name"]),
            works.people("publisher"),
            [works.site],
            _first_contents(metas, ["application-name"]),
        )
    )
    return PageMetadata(
        title=_title(root, metas, works, site),
        author=_author(marks, metas, works),
        site=site,
        published=_published(chain(_shown_dates(root, marks), [_date_in_path(url)]), metas, works),
        modified=_modified(marks, metas, works),
        canonical=_canonical(root, metas, url),
        language=_language(root, metas, works),
    )


def _first_contents(metas: MetaTags, names: Iterable[str]) -> Iterator[str]:
    """The first value of each of these meta tags."""
    return (metas[name][0] for name in names if name in metas)


def _title(root: Node, metas: MetaTags, works: DescribedWorks, site: str | None) -> str | None:
    title_elements = (
        element
        for element in root.iter("title")
        if next(element.iterancestors("svg"), None) is None
    )
    title_text = _first_text(map(_text, title_elements))
    headings = [text for text in (_text(element) for element in root.iter("h1")) if text]
    declared = _first_text(_first_contents(metas, ("citation_title", "og:title", "twitter:title")))
    if len(headings) == 1 and headings[0] and _is_in_title(headings[0], declared or title_text):
        return headings[0]
    headline = _first_text(works.texts("headline"))
    return _without_site(declared or headline or title_text or _first_text(headings), site)


def _is_in_title(heading: str, title: str | None) -> bool:
    """Whether the page's declared title contains the heading."""
    return title is not None and heading.casefold() in title.casefold()


def _without_site(title: str | None, site: str | None) -> str | None:
    """The title without the name of the site at its end."""
    if title is None:
        return None
    parts = _SEPARATORS.split(title)
    if len(parts) < 2:
        return title
    last = parts[-1].strip()
    if (site and _is_same_name(last, site)) or len(last) < len(title) / 3:
        return title[: title.rindex(last)].rstrip(" |\u2013\u2014\u00b7\u00bb-") or title
    return title


def _is_same_name(one: str, other: str) -> bool:
    first_elements, second = (
        "".join(filter(str.isalnum, text.casefold())) for text in (one, other)
    )
    return bool(first_elements) and (first_elements in second or second in first_elements)


def _author(marks: AttributeIndex, metas: MetaTags, works: DescribedWorks) -> str | None:
    structured = works.people("author", "creator")
    tagged = (join_names(metas[name]) for name in _AUTHOR_TAGS if name in metas)
    for name in chain(structured, tagged, map(_byline_name, _byline_elements(marks))):
        clean = _EMAIL.sub("", _BY_PREFIX.sub("", _first_text([name]) or "")).strip(
            " ,|\u2022\u00b7-"
        )
        if 1 < len(clean) < _MAX_VALUE and not _NOT_A_NAME.search(clean) and not find_date(clean):
            return clean
    return None


def _byline_elements(marks: AttributeIndex) -> Iterator[Node]:
    """Elements that name the author, the most reliable first."""
    people = marks.where("itemprop", "author".__eq__)
    author_elements = {node for _, node in people}
    names = [
        (at, node)
        for at, node in (marks.where("itemprop", "name".__eq__) if people else ())
        if not author_elements.isdisjoint(node.iterancestors())
    ]
    yield from first_elements([*people, *names], 3)
    links = [entry for entry in marks.where("rel", _AUTHOR_REL.search) if entry[1].tag == "a"]
    yield from first_elements([*links, *marks.where("class", _AUTHOR_NAME_CLASS.search)], 3)
    yield from first_elements(marks.where("class", _BYLINE_CLASS.search), 3)


def _byline_name(element: Node) -> str | None:
    """The name in a byline; adjacent author links are joined."""
    siblings = element.getparent().iterchildren("a") if _is_author(element) else ()
    names = [_text(sibling) or "" for sibling in siblings if _is_author(sibling)] or [
        _text(element) or ""
    ]
    return join_names([name for name in names if len(name) < 120])


def _is_author(node: Node) -> bool:
    return node.tag == "a" and bool(_AUTHOR_REL.search(node.get("rel") or ""))


def _published(
    fallbacks: Iterable[str | None], metas: MetaTags, works: DescribedWorks
) -> str | None:
    json_ld = works.texts("datePublished", "dateCreated")
    return _first_date(chain(json_ld, _first_contents(metas, _PUBLISHED_TAGS), fallbacks))


def _modified(marks: AttributeIndex, metas: MetaTags, works: DescribedWorks) -> str | None:
    declared = chain(works.texts("dateModified"), _first_contents(metas, _MODIFIED_TAGS))
    return _first_date(chain(declared, map(_date_value, _date_elements(marks, "dateModified"))))


def _shown_dates(root: Node, marks: AttributeIndex) -> Iterator[str | None]:
    yield from map(_date_value, _date_elements(marks, "datePublished", "dateCreated"))
    times = [node for node in root.iter("time") if node.get("datetime")]
    marked = [node for node in times if "pubdate" in node.attrib]
    yield from map(_date_value, [*marked[:3], *times[:3]])
    yield from map(_text, first_elements(marks.where("class", _DATE_CLASS.search), 5))
    yield from map(_text, islice(root.iter("time"), 5))


def _date_elements(marks: AttributeIndex, *names: str) -> list[Node]:
    """The first elements that are marked up as such a date."""
    microdata = marks.where("itemprop", frozenset(names).__contains__)
    return first_elements(
        [*microdata, *marks.where("property", lambda value: names[0] in value)], 3
    )


def _date_value(node: Node) -> str | None:
    return node.get("datetime") or node.get("content") or _text(node)


def _date_in_path(url: str) -> str | None:
    match = re.search(r"/((?:19|20)\d\d)/(\d\d)/(?:(\d\d)/)?", url)
    return "-".join(part for part in match.groups() if part) if match else None


def _first_date(values: Iterable[str | None]) -> str | None:
    return next((date for date in map(find_date, values) if date), None)


def _canonical(root: Node, metas: MetaTags, url: str) -> str | None:
    links = (
        link.get("href")
        for link in root.iter("link")
        if "canonical" in (link.get("rel") or "").lower().split()
    )
    base = base_url_of(root, url)
    candidates = chain(links, _first_contents(metas, ["og:url"]))
    urls = (absolute_url(_first_text([candidate]), base) for candidate in candidates)
    return next(
        (candidate for candidate in urls if candidate and candidate.startswith("http")), None
    )


def _language(root: Node, metas: MetaTags, works: DescribedWorks) -> str | None:
    declared = chain(
        [root.get("lang"), root.get("xml:lang")],
        _first_contents(metas, ("content-language", "og:locale")),
        works.texts("inLanguage"),
    )
    matches = (_LANGUAGE.match((value or "").strip()) for value in declared)
    return next((value[0].replace("_", "-") for value in matches if value), None)


def _text(node: Node) -> str | None:
    return None if node is None else _first_text([node.text_content()])


def _first_text(values: Iterable[str | None]) -> str | None:
    for value in values:
        text = " ".join(strip_invisible(value or "").split())[:_MAX_VALUE]
        if text:
            return text
    return None
