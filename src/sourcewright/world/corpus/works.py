"""The nouns of the invented corpus. Every site prints its own record from these."""

import html
import re
from dataclasses import dataclass

Date = tuple[int, ...]
"""Year, month, day, as far as known; empty when nothing is."""

_TAG = re.compile(r"</?[A-Za-z][^<>]*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """A person, or an organisation when only `name` is set."""

    given: str = ""
    family: str = ""
    name: str = ""
    orcid: str = ""
    affiliation: str = ""

    @property
    def full_name(self) -> str:
        return self.name or f"{self.given} {self.family}".strip()

    @property
    def sort_name(self) -> str:
        return self.name or ", ".join(part for part in (self.family, self.given) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Journal:
    """Where works appear, or the repository that holds them."""

    key: str
    name: str
    short: str = ""
    issn: tuple[str, ...] = ()
    publisher: str
    prefix: str
    host: str
    member: str = "0"
    oa: str = "closed"
    """The colour that its works have unless they say otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """An address where sources say that a work can be read, and what is really there."""

    url: str
    landing: str = ""
    host_type: str = "publisher"
    version: str = "publishedVersion"
    licence: str = ""
    serves: str = "paper"
    known_to: str = ""
    """The only source that knows of it; empty when it is no secret."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """That one record changes another. On a work `doi` is the notice, on a notice the work."""

    doi: str
    kind: str
    label: str
    source: str = "publisher"
    date: Date
    record_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manuscript:
    """What arXiv holds: an identifier and the dates of its versions, oldest first."""

    id: str
    versions: tuple[str, ...]
    categories: tuple[str, ...]
    comment: str = ""
    journal_ref: str = ""
    withdrawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One invented work. Empty fields are ones that its agency does not know."""

    doi: str
    """In the case in which it was registered."""
    agency: str = "crossref"
    type: str = "journal-article"
    title: str = ""
    """With whatever markup the publisher left in it."""
    subtitle: str = ""
    authors: tuple[Author, ...] = ()
    date: Date = ()
    date_field: str = "published-online"
    journal: Journal
    volume: str = ""
    issue: str = ""
    pages: str = ""
    abstract: str = ""
    """Plain paragraphs."""
    licence: str = ""
    oa: str = "closed"
    locations: tuple[Location, ...] = ()
    elsewhere: tuple[Location, ...] = ()
    """Copies that one source alone knows of."""
    updated_by: tuple[Update, ...] = ()
    """What the work's own record says; a notice may exist that is not listed here."""
    update_to: tuple[Update, ...] = ()
    preprint: str = ""
    published_as: str = ""
    manuscript: Manuscript | None = None
    landing: str = ""
    known_to: tuple[tuple[str, str], ...] = ()
    """What only one archive knows, by its name: where a copy is, or the DOI of a preprint."""
    mirrored: str = ""
    """How shadow mirrors show it; empty where they do not have it."""
    handle_url: bool = True
    """False for a handle that is registered and has no URL value."""

    @property
    def key(self) -> str:
        return self.doi.lower()

    @property
    def slug(self) -> str:
        return re.sub(r"[^a-z0-9]+", "-", self.key).strip("-")

    @property
    def year(self) -> int | None:
        return self.date[0] if self.date else None

    @property
    def revisions(self) -> int:
        """How many versions a preprint server holds; the last may only say that it is gone."""
        return 1 + len(self.title) % 3 + bool(self.updated_by)

    def link_in(self, archive: str) -> str:
        """The URL or DOI that only this archive has for the work; empty if it has none."""
        return dict(self.known_to).get(archive, "")

    @property
    def plain_title(self) -> str:
        """The title as a reader sees it."""
        return plain(self.title)


def plain(markup: str) -> str:
    """Text without tags and entities, also where they were encoded twice."""
    text = html.unescape(_TAG.sub("", markup))
    return " ".join(html.unescape(_TAG.sub("", text)).split())


def iso(date: Date) -> str:
    """A date as far as known: 2019, 2019-03 or 2019-03-05."""
    return "-".join(f"{part:02d}" for part in date)
