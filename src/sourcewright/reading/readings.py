"""A reading: the text and metadata of a page or a document."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Quality = Literal["complete", "partial"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedMetadata:
    """Machine-readable metadata that a page embeds, unchanged."""

    json_ld: tuple[str, ...] = ()
    """Each block verbatim, if it is valid JSON."""
    json_ld_omitted: int = 0
    """Blocks left out because there are too many, or because they are too long."""
    open_graph: Mapping[str, str] = field(default_factory=dict)
    """og:* and article:* with their prefixes."""
    citation: Mapping[str, str] = field(default_factory=dict)
    """Highwire's citation_* tags."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostStatistics:
    """Votes and comments of a post, as counted by its site."""

    upvotes: int
    """Upvotes or likes."""
    comments: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The text of a page or a document as Markdown, with its metadata."""

    content: str
    kind: str
    """The format: `html`, `markdown`, `pdf`, …"""
    title: str | None = None
    author: str | None = None
    organisations: tuple[str, ...] = ()
    """Those of the authors that are organisations, whose names have no parts."""
    site: str | None = None
    published: str | None = None
    """As precise as it is known: `2020`, `2020-03-09`, or a full timestamp."""
    modified: str | None = None
    canonical: str | None = None
    language: str | None = None
    embedded: EmbeddedMetadata | None = None
    reception: PostStatistics | None = None
    """For a post that was read through its site's own API."""
    page_count: int | None = None
    quality: Quality = "complete"
    cut: bool = False
    """Whether the text was truncated at a limit."""


class Draft(NamedTuple):
    """A piece of a document that counts only if reading does not come to its end."""

    reading: Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class OcrProgram:
    """The program that reads scanned pages, and the languages that it is asked for."""

    path: str
    version: str
    languages: tuple[str, ...]
    not_installed: tuple[str, ...] = ()
    """Languages that the operator wants and that the program does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAttempt:
    """One attempt to read a page, and its outcome."""

    tier: str
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RelayedPage:
    """A page that a third-party reader fetched and converted."""

    reading: Reading
    origin: Literal["cached", "crawled"]
    """Whether the reader had it in its cache, or fetched it for us."""
