"""The excerpt of a PDF: text and metadata of its first pages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Text and metadata of the first pages of a PDF."""

    pages: tuple[str, ...] = ()
    """The text of the first few pages; empty strings for pages without text."""
    has_image: tuple[bool, ...] = ()
    """Whether images cover most of each of these pages, as in a scan."""
    page_sizes: tuple[tuple[float, float], ...] = ()
    """The width and height of each of these pages, in points."""
    page_count: int = 0
    title: str | None = None
    subject: str | None = None
    keywords: str | None = None
    problem: str | None = None
    """Why it could not be read, such as a password or damage; None if it could."""
    damaged: bool = False
    """Whether part of the file is missing or corrupt, however much could be read."""
