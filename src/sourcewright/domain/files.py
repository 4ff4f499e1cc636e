"""An excerpt of a PDF, and the result of checking that it is the paper that was asked for."""

from dataclasses import dataclass
from typing import Literal

FileStatus = Literal["confirmed", "probable", "mismatch", "unreadable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """What the first pages of a PDF say."""

    pages: tuple[str, ...] = ()
    """The text of the first few pages; empty strings for pages without text."""
    page_count: int = 0
    title: str | None = None
    author: str | None = None
    subject: str | None = None
    keywords: str | None = None
    problem: str | None = None
    """Why it could not be read, such as a password or damage."""


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
