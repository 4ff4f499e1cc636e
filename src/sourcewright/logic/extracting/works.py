"""What linked data says of the work that a page is, and who is named in it."""

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sourcewright.domain.readings import Embedded
from sourcewright.logic.extracting.embedding import things_in
from sourcewright.logic.linking import kinds_of, nodes_in
from sourcewright.logic.references.names import name_of

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
