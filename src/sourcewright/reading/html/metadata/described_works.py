"""The works that a page's JSON-LD describes, with their authors: people or organisations."""

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sourcewright.reading.html.embedded_data import nested_objects
from sourcewright.reading.html.linked_data import as_sequence, main_objects_in, type_names

_WORK_TYPE_LIST = (
    "article newsarticle blogposting techarticle scholarlyarticle medicalscholarlyarticle report "
    "reportagenewsarticle discussionforumposting qapage question socialmediaposting product recipe "
    "review opinionnewsarticle analysisnewsarticle howto liveblogposting advertisercontentarticle"
)
_WORK_TYPES = frozenset(_WORK_TYPE_LIST.split())
_WORK_ENDINGS = ("article", "blogposting")
"""Ends of other types of works, such as `BackgroundNewsArticle`."""
_PAGE_TYPES = frozenset(
    ("webpage", "medicalwebpage", "videoobject", "creativework", "faqpage", "itempage")
)
"""Types that may describe the page around the work rather than the work."""
_ORGANISATION_TYPES = frozenset(
    (
        *("organization", "organisation", "newsmediaorganization", "corporation", "brand", "ngo"),
        *("educationalorganization", "governmentorganization", "medicalorganization"),
        *("collegeoruniversity", "localbusiness", "onlinebusiness", "onlinestore", "project"),
        *("researchorganization", "sportsorganization", "performinggroup", "website"),
    )
)
_MAX_NAMES = 20

JsonLdObject = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NamedAuthor:
    """An author's name as the page gives it."""

    name: str
    is_organisation: bool | None = None
    """None if the page does not say whether it is a person or an organisation."""


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

    def people(self, *fields: str) -> Iterator[list[NamedAuthor]]:
        """For each work, the names in the first of these fields that has a value."""
        for work in self.things:
            values = (work.get(name) for name in fields)
            names = (self._names(value) for value in values if value)
            yield next(names, [])

    def _names(self, value: Any, depth: int = 0) -> list[NamedAuthor]:
        if isinstance(value, list) and depth < 3:
            return [name for item in value[:_MAX_NAMES] for name in self._names(item, depth + 1)]
        author = self._author(value)
        return [author] if author else []

    def _author(self, value: Any) -> NamedAuthor | None:
        thing = value if isinstance(value, dict) else {"name": value}
        identifier = thing.get("@id")
        if "name" not in thing and isinstance(identifier, str):
            thing = {**self.by_id.get(identifier, {}), **thing}
        name = thing.get("name") or _given_and_family_name(thing)
        if isinstance(name, list):
            name = next(iter(name), None)
        if not isinstance(name, str):
            return None
        return NamedAuthor(html.unescape(name).strip(), _is_organisation(type_names(thing)))


def _is_organisation(types: frozenset[str]) -> bool | None:
    if "person" in types:
        return False
    return True if types & _ORGANISATION_TYPES else None


def described_works(blocks: Sequence[Any]) -> DescribedWorks:
    """The works in the JSON-LD blocks of a page, each parsed already."""
    about_page = [node for block in blocks for node in main_objects_in(block)]
    all_objects = [thing for block in blocks for thing in nested_objects(block)]
    by_id = {
        identifier: thing
        for thing in reversed(all_objects)
        if isinstance(identifier := thing.get("@id"), str) and len(thing) > 1
    }
    return DescribedWorks(_ranked(about_page) or _ranked(all_objects), by_id, _site(all_objects))


def _site(things: Iterable[JsonLdObject]) -> str | None:
    sites = (thing.get("name") for thing in things if "website" in type_names(thing))
    names = (name for value in sites for name in as_sequence(value))
    return next((name for name in names if isinstance(name, str)), None)


def _ranked(things: list[JsonLdObject]) -> list[JsonLdObject]:
    """Works before the pages around them; other objects are left out."""
    kinds = [(thing, type_names(thing)) for thing in things]
    works = [thing for thing, names in kinds if _is_work(names)]
    pages = [thing for thing, names in kinds if names & _PAGE_TYPES and not _is_work(names)]
    return works + pages


def _is_work(types: frozenset[str]) -> bool:
    return bool(types & _WORK_TYPES) or any(name.endswith(_WORK_ENDINGS) for name in types)


def _given_and_family_name(thing: JsonLdObject) -> str | None:
    parts = [thing.get(name) for name in ("givenName", "familyName")]
    return " ".join(part for part in parts if isinstance(part, str)) or None
