"""The synchronous Python client: the asynchronous one, driven from a thread of its own.

It works in a script, in a thread, and in a notebook, where an event loop is running already. The
functions open a client for one call each; many calls share connections in a `Client` of their own.
"""

import asyncio
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Any, Self, TypeVar

from sourcewright.client import asynchronous
from sourcewright.client.results import (
    Audit,
    Page,
    Paper,
    Papers,
    Result,
    SearchResults,
    Verification,
)

T = TypeVar("T")


class Client:
    """All jobs as methods that wait for their answer. Use it as a context manager, or `close` it.

    With `sandbox`, a simulated internet answers, and everything is kept in a temporary folder.
    """

    def __init__(
        self, *, sandbox: bool = False, settings: Mapping[str, object] | None = None
    ) -> None:
        """Nothing is opened before the first call; `settings` go before the environment.

        Raises:
            SettingsError: A setting is unknown or invalid.
        """
        self._client = asynchronous.Client(sandbox=sandbox, settings=settings)
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="sourcewright", daemon=True)
        self._thread.start()

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop.is_closed():
            work.close()
            raise RuntimeError("the client is closed")
        future: Future[T] = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        finally:
            future.cancel()  # for a caller that is interrupted; a finished one stays as it is

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write what is queued, and close every file and connection."""
        if self._loop.is_closed():
            return
        self._wait(self._client.aclose())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def call(self, tool: str, /, **arguments: Any) -> Result:
        """Call any tool by its name; arguments that are None are left out.

        Raises:
            NotConfigured: It is not enabled, or no source that it needs is configured.
            DoesNotExist: Every source that would know answered that there is no such thing.
            CallFailed: There is no answer, for any other reason.
        """
        return self._wait(self._client.call(tool, **arguments))

    def read(self, source: str | Path | bytes, **options: Any) -> Page:
        """Read a page by its URL, or a document by its path or content, as Markdown."""
        return self._wait(self._client.read(source, **options))

    def resolve(self, ref: str) -> Paper:
        """Look up a paper by its DOI, arXiv id, PubMed id or address, with its notices."""
        return self._wait(self._client.resolve(ref))

    def fetch(self, ref: str, *, force: bool = False) -> Paper:
        """Fetch a paper lawfully into the library, after checking that the file is this paper."""
        return self._wait(self._client.fetch(ref, force=force))

    def verify(self, citation: str, *, claim: str | None = None) -> Verification:
        """Check one citation, field by field, with the sources that would know it."""
        return self._wait(self._client.verify(citation, claim=claim))

    def audit(self, source: str | Path | bytes, *, offline: bool = False) -> Audit:
        """Check every reference of a file, of its content, or of a text with references."""
        return self._wait(self._client.audit(source, offline=offline))

    def search(self, query: str, **options: Any) -> SearchResults:
        """Search the web; `options` are those of `web_search`."""
        return self._wait(self._client.search(query, **options))

    def papers(self, query: str, **options: Any) -> Papers:
        """Search the scholarly indexes; `options` are those of `academic_search`."""
        return self._wait(self._client.papers(query, **options))


def read(source: str | Path | bytes, **options: Any) -> Page:
    """Read a page by its URL, or a document by its path or content, as Markdown.

    A document is read on this machine and not sent anywhere.
    """
    with Client() as client:
        return client.read(source, **options)


def resolve(ref: str) -> Paper:
    """Look up a paper by its DOI, arXiv id, PubMed id or address, with its notices.

    Raises:
        DoesNotExist: Every source that decides answered that there is no such paper.
        CallFailed: It could not be looked up; this says nothing about whether it exists.
    """
    with Client() as client:
        return client.resolve(ref)


def fetch(ref: str, *, force: bool = False) -> Paper:
    """Fetch a paper lawfully into the library, after checking that the file is this paper."""
    with Client() as client:
        return client.fetch(ref, force=force)


def verify(citation: str, *, claim: str | None = None) -> Verification:
    """Check one citation, field by field, with the sources that would know it."""
    with Client() as client:
        return client.verify(citation, claim=claim)


def audit(source: str | Path | bytes, *, offline: bool = False) -> Audit:
    """Check every reference of a file, of its content, or of a text with references."""
    with Client() as client:
        return client.audit(source, offline=offline)


def search(query: str, **options: Any) -> SearchResults:
    """Search the web; `options` are those of `web_search`."""
    with Client() as client:
        return client.search(query, **options)


def papers(query: str, **options: Any) -> Papers:
    """Search the scholarly indexes; `options` are those of `academic_search`."""
    with Client() as client:
        return client.papers(query, **options)
