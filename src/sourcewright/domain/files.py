"""An excerpt of a PDF, and the result of checking that it is the paper that was asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

KeptStatus = Literal["confirmed", "probable", "unconfirmed"]
"""What is said of a file that is kept: the first two rest on what the file says. `unconfirmed`
is a scan without text from the work's own location, which nothing contradicts."""
FileStatus = KeptStatus | Literal["mismatch", "unusable"]
"""The last two are refused: another document, and a file that is damaged or cannot be read."""

UNCONFIRMED: KeptStatus = "unconfirmed"
KEPT_STATUSES: Mapping[str, KeptStatus] = MappingProxyType(
    {"confirmed": "confirmed", "probable": "probable", UNCONFIRMED: UNCONFIRMED}
)
"""By name, for what was stored: a metadata file may say anything, and only these are findings."""
NOT_CONFIRMED = "the file is a scan without text and could not be confirmed to be this paper"


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """What the first pages of a PDF say."""

    pages: tuple[str, ...] = ()
    """The text of the first few pages; empty strings for pages without text."""
    pictured: tuple[bool, ...] = ()
    """Whether pictures cover most of each of these pages, as they do in a scan."""
    page_count: int = 0
    title: str | None = None
    author: str | None = None
    subject: str | None = None
    keywords: str | None = None
    problem: str | None = None
    """Why it could not be read, such as a password or damage."""
    damaged: bool = False
    """Whether a part of the file is missing or broken, however much could be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCheck:
    """Whether a file is the paper, and what speaks for and against it."""

    status: FileStatus
    evidence: tuple[str, ...]
    found: str | None = None
    """What the file seems to be instead."""
    arxiv_version: int | None = None
    """The version that arXiv's stamp on the file names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedFile:
    """A file that a location gave us."""

    body: bytes
    url: str
    hops: tuple[str, ...]
