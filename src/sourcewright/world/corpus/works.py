"""Data classes of the invented corpus, from which every site builds its own records."""

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
    """The open-access colour of its works by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """A URL where sources say that a work can be read, and what is really there."""

    url: str
    landing: str = ""
    host_type: str = "publisher"
    version: str = "publishedVersion"
    licence: str = ""
    serves: str = "paper"
    known_to: str = ""
    """The only source that lists it; empty if all sources do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """A relation between a work and a notice. On a work `doi` is the notice, on a notice the work."""

    doi: str
    kind: str
    label: str
    source: str = "publisher"
    date: Date
    record_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manuscript:
    """A preprint on arXiv: its identifier and the dates of its versions, oldest first."""

    id: str
    versions: tuple[str, ...]
    categories: tuple[str, ...]
    comment: str = ""
    journal_ref: str = ""
    withdrawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One invented work. Fields that its registration agency does not have are empty."""

    doi: str
    """With upper and lower case as registered."""
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
    """Copies that only one source lists."""
    updated_by: tuple[Update, ...] = ()
    """What the work's own record says; a notice may exist that is not listed here."""
    update_to: tuple[Update, ...] = ()
    preprint: str = ""
    published_as: str = ""
    manuscript: Manuscript | None = None
    landing: str = ""
    known_to: tuple[tuple[str, str], ...] = ()
    """By archive: the URL of a copy, or the DOI of a preprint, that only this archive lists."""
    mirrored: str = ""
    """The page layout of shadow mirrors for it; empty if they do not have it."""
    handle_url: bool = True
    """False for a registered handle without a URL value."""

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
        """The number of versions on a preprint server; the last may be a withdrawal notice."""
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
    """A date with the known precision: 2019, 2019-03 or 2019-03-05."""
    return "-".join(f"{part:02d}" for part in date)
