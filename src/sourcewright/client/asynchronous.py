"""The asynchronous Python client: one application in this process, and a method for each job."""

import asyncio
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from sourcewright.base.errors import InvalidInput, NotConfigured
from sourcewright.client.results import (
    Audit,
    Page,
    Paper,
    Papers,
    Result,
    SearchResults,
    Verification,
    failure,
)
from sourcewright.reading.documents import read_async
from sourcewright.settings import Settings
from sourcewright.settings.process import sandbox_overrides

if TYPE_CHECKING:
    from sourcewright.wiring import Application

R = TypeVar("R", bound=Result)


class Client:
    """All jobs as methods, with the settings of the environment or those that are given.

    With `sandbox`, a simulated internet answers, and everything is kept in a temporary folder.
    """

    def __init__(
        self, *, sandbox: bool = False, settings: Mapping[str, object] | None = None
    ) -> None:
        """Nothing is opened before the first call; `settings` go before the environment.

        Raises:
            SettingsError: A setting is unknown or invalid.
        """
        overrides = dict(settings or {})
        with ExitStack() as stack:
            folder = _sandbox(stack, overrides) if sandbox else None
            loaded = Settings.from_environment(overrides=overrides, cwd=folder)
            self._stack = stack.pop_all()
        self._settings = loaded.without_links()
        self._application: Application | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Write what is queued, and close every file and connection."""
        application, self._application = self._application, None
        if application is not None:
            await application.aclose()
        await asyncio.to_thread(self._stack.close)

    def _opened(self) -> "Application":
        if self._application is None:
            from sourcewright.wiring.application import Application
            from sourcewright.wiring.machine import Machine

            self._application = Application(self._settings, Machine())
        return self._application

    async def call(self, tool: str, /, **arguments: Any) -> Result:
        """Call any tool by its name; arguments that are None are left out.

        Raises:
            NotConfigured: It is not enabled, or no source that it needs is configured.
            DoesNotExist: Every source that would know answered that there is no such thing.
            CallFailed: There is no answer, for any other reason.
        """
        return await self._call(Result, tool, arguments)

    async def _call(self, kind: type[R], tool: str, arguments: Mapping[str, Any]) -> R:
        application = self._opened()
        if tool not in application.names():
            raise NotConfigured(f"{tool} is not available: {application.reason_not_listed(tool)}")
        given = {name: value for name, value in arguments.items() if value is not None}
        answer = await application.call(tool, given)
        data, text = answer.structured, answer.text
        if answer.is_error or data.get("ok") is False:
            raise failure(data, text)
        return kind(data, text)

    async def read(self, source: str | Path | bytes, **options: Any) -> Page:
        """Read a page by its URL, or a document by its path or content, as Markdown.

        A document is read on this machine and not sent anywhere. `options` are those of
        `scrape_page` for a URL, and of `sourcewright.reading.read` for a document.
        """
        if isinstance(source, str) and "://" in source:
            return await self._call(
                Page, "scrape_page", {"mode": "full", "url": source, **options}
            )
        reading = await read_async(source, **options)
        metadata = {
            "title": reading.title,
            "author": reading.author,
            "published": reading.published,
            "language": reading.language,
            "pageCount": reading.page_count,
        }
        place = "" if isinstance(source, bytes) else str(source)
        return Page(
            {
                "url": place,
                "content": reading.content,
                "contentType": reading.kind,
                "extractionQuality": reading.quality,
                "truncated": reading.cut,
                "metadata": {name: value for name, value in metadata.items() if value is not None},
            },
            reading.content,
        )

    async def resolve(self, ref: str) -> Paper:
        """Look up a paper by its DOI, arXiv id, PubMed id or address, with its notices."""
        return await self._call(Paper, "doiget_resolve_paper", {"ref": ref})

    async def fetch(self, ref: str, *, force: bool = False) -> Paper:
        """Fetch a paper lawfully into the library, after checking that the file is this paper."""
        return await self._call(Paper, "doiget_fetch_paper", {"ref": ref, "force": force or None})

    async def verify(self, citation: str, *, claim: str | None = None) -> Verification:
        """Check one citation, field by field, with the sources that would know it."""
        arguments = {"citation": citation, "claim": claim}
        return await self._call(Verification, "verify_citation", arguments)

    async def audit(self, source: str | Path | bytes, *, offline: bool = False) -> Audit:
        """Check every reference of a file, of its content, or of a text with references.

        `offline` sends no requests: the local retraction list and earlier results decide.
        """
        from sourcewright.services.trust.file_audit import audit_file
        from sourcewright.tools._answers.citations import bibliography_audited

        if isinstance(source, str):
            source = await asyncio.to_thread(_file_or_text, source)
        trust = self._opened().services.trust
        auditor = trust.offline_auditor if offline else trust.auditor
        _, audit = await audit_file(
            trust.reference_files, auditor, source, name="text", keep=not offline
        )
        answer = bibliography_audited(audit).result()
        return Audit(answer.structured, answer.text)

    async def search(self, query: str, **options: Any) -> SearchResults:
        """Search the web; `options` are those of `web_search`."""
        return await self._call(SearchResults, "web_search", {"query": query, **options})

    async def papers(self, query: str, **options: Any) -> Papers:
        """Search the scholarly indexes; `options` are those of `academic_search`."""
        return await self._call(Papers, "academic_search", {"query": query, **options})


def _sandbox(stack: ExitStack, overrides: dict[str, object]) -> Path:
    """Start a simulated internet, add its settings, and return its temporary folder."""
    from sourcewright.world import World

    folder = stack.enter_context(TemporaryDirectory(prefix="sourcewright-sandbox-"))
    world = stack.enter_context(World())
    overrides |= sandbox_overrides(world.url, folder)
    return Path(folder)


def _file_or_text(text: str) -> Path | bytes:
    """The path, if a text names a file; else the text itself.

    Raises:
        InvalidInput: It is one word, and no file has this name.
    """
    try:
        path = Path(text)
        if path.is_file():
            return path
    except (OSError, ValueError):
        return text.encode()
    if len(text.split()) < 2:
        raise InvalidInput(f"{text!r} is neither a file nor a text with references")
    return text.encode()
