"""A reading: the text and metadata of a page or a document."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Quality = Literal["complete", "partial"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """What a page says about itself for machines, as it says it."""

    json_ld: tuple[str, ...] = ()
    """Each block, verbatim, if it is JSON at all."""
    open_graph: Mapping[str, str] = field(default_factory=dict)
    """og:* and article:* with their prefixes."""
    citation: Mapping[str, str] = field(default_factory=dict)
    """Highwire's citation_* tags."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reception:
    """How readers took a post, as its site counts."""

    upvotes: int
    """Votes for it, or likes."""
    comments: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The text of a page or a document as Markdown, and what it says about itself."""

    content: str
    kind: str
    """What it is: `html`, `markdown`, `pdf`, …"""
    title: str | None = None
    author: str | None = None
    site: str | None = None
    published: str | None = None
    """As exactly as it is known: `2020`, `2020-03-09`, or a whole timestamp."""
    modified: str | None = None
    canonical: str | None = None
    language: str | None = None
    embedded: Embedded | None = None
    reception: Reception | None = None
    """Of a post, where its site's own interface was asked."""
    page_count: int | None = None
    quality: Quality = "complete"
    cut: bool = False
    """Whether a limit ended the reading before the document did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """One way of reading a page, and what came of it."""

    tier: str
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Relayed:
    """A page as somebody else read it."""

    reading: Reading
    origin: Literal["cached", "crawled"]
    """Whether they had it already, or read it for us."""
