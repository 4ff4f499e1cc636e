"""Ports for pages and documents: fetching, reading, rendering, and OCR of scanned pages."""

from contextlib import AbstractContextManager
from typing import Protocol

from sourcewright.base.errors import NotConfigured, ResearchError, Unavailable
from sourcewright.base.pages import (
    BROWSER,
    BrowserIsolation,
    FetchedDocument,
    FetchedFile,
    FetchedPage,
    FetchMode,
)
from sourcewright.reading.excerpts import Excerpt
from sourcewright.reading.readings import OcrProgram, Reading


class ReadsPdfs(Protocol):
    """Reads the first pages of a PDF, outside the server process."""

    async def excerpt(self, body: bytes) -> Excerpt:
        """Never raises because of the file's content: `problem` says why a file is unreadable.

        Raises ReaderUnavailable if no file can be read at all.
        """
        ...


class FetchesFiles(Protocol):
    """Fetches a PDF from a URL that a source returned."""

    async def fetch_pdf(self, url: str) -> FetchedFile:
        """Raises Denied if our rules refuse, and UpstreamError if the download fails."""
        ...


class FetchesPages(Protocol):
    """Fetches a web page that a user requested."""

    async def fetch_page(self, url: str) -> FetchedPage:
        """Raises Denied if our rules refuse, and UpstreamError if there is no response.

        A response without a page, such as a 403, is returned as the page's `problem`.
        """
        ...


class VisitsPages(Protocol):
    """Fetches any page or document on the web."""

    def check(self, url: str) -> None:
        """Raises Denied for a URL that our rules refuse, InvalidInput for an invalid URL."""
        ...

    def holding_bodies(self) -> AbstractContextManager[None]:
        """Count large pages that are fetched inside against their limit until the block ends."""
        ...

    async def visit(
        self, url: str, mode: FetchMode, *, most_bytes: int | None = None
    ) -> FetchedDocument:
        """Fetch a URL, up to a maximum size.

        Raises:
            InvalidInput: The URL is invalid.
            Denied: Our rules refuse.
            NotFound: There is no such page.
            UpstreamError: The request failed.
        """
        ...


class ReadsDocuments(Protocol):
    """Converts a document to text, outside the server process."""

    async def read(self, visit: FetchedDocument) -> Reading:
        """Raises BadAnswer, with the reason, for a document that cannot be read."""
        ...


class RecognisesText(Protocol):
    """Knows which program reads scanned pages."""

    async def examine(self) -> OcrProgram:
        """The program and its languages.

        Raises:
            NotConfigured: There is none; the message says what to do about it.
            Unavailable: It does not work.
        """
        ...


class RendersPages(Protocol):
    """Renders pages in a browser without network access of its own."""

    async def render(
        self, url: str, *, served: FetchedDocument | None = None, patient: bool = False
    ) -> FetchedDocument:
        """Return a page after its scripts have run, as UTF-8 HTML.

        Args:
            url: The URL of the page.
            served: The response for this URL, if it was fetched already.
            patient: Whether the page is known to render slowly.

        Raises:
            Denied: Our rules refuse the page itself; refused subresources are left out.
            NotFound: There is no such page.
            Unavailable: With source `browser`: it could not be started, or it crashed.
            UpstreamError: The page could not be fetched.
        """
        ...

    async def examine(self) -> BrowserIsolation:
        """Start the browser and report how it is isolated.

        Raises:
            NotConfigured: There is no browser; the message says what to do about it.
            Unavailable: It could not be started.
        """
        ...

    async def aclose(self) -> None: ...


class NoBrowser:
    """For a machine without browser, or with the browser disabled: every call raises."""

    def __init__(self, why: str, *, broken: bool = False) -> None:
        self.why = why
        self.broken = broken
        """Whether a browser is expected, so that its absence is a failure and not a choice."""

    async def render(
        self, _url: str, /, *, served: FetchedDocument | None = None, patient: bool = False
    ) -> FetchedDocument:
        del served, patient
        raise self._error()

    async def examine(self) -> BrowserIsolation:
        raise self._error()

    def _error(self) -> ResearchError:
        if self.broken:
            return Unavailable(BROWSER, self.why)
        return NotConfigured(self.why, setting="CHROME_PATH")

    async def aclose(self) -> None:
        """Do nothing: there is nothing to close."""
