"""The application: tools, resources, and the services that CLI commands use directly."""

from collections.abc import Collection, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from sourcewright import manifest
from sourcewright.domain.calls import Progress
from sourcewright.domain.descriptions import list_with_descriptions
from sourcewright.logic.text.redaction import Masker
from sourcewright.settings import Settings
from sourcewright.stores.logs import audit, provenance
from sourcewright.tools import LazyTools
from sourcewright.tools._pipeline import Pipeline
from sourcewright.tools._results import ToolResult
from sourcewright.wiring.services import Services

if TYPE_CHECKING:
    # Imported for type checking only; each part is imported where it is built.
    from sourcewright.domain.ports import ReadsDocuments, ReadsPdfs, RendersPages
    from sourcewright.services.instance.doctor import Finding
    from sourcewright.services.instance.resources import Resources
    from sourcewright.services.library.catalogue import Library
    from sourcewright.services.library.curation import LibraryEditor
    from sourcewright.services.library.export import Exporter
    from sourcewright.services.papers.paper_tools import DownloadService
    from sourcewright.services.providers import Source


class Application:
    """Facade of the tools and of everything that they need."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.services = Services(settings)
        self._pipeline = Pipeline(
            specs=LazyTools(manifest.names(settings.toolsets)),
            research=self.services,
            auditor=self.services.auditor,
            clock=self.services.clock,
            observer=self.services.observer,
            mask=Masker(settings.secrets()),
            meta={"sandbox": True} if settings.sandbox else {},
        )

    def names(self) -> Collection[str]:
        """Return the names of the enabled tools."""
        return self._pipeline.specs.keys()

    def listing(self) -> Sequence[Mapping[str, Any]]:
        """Return the enabled tools in the format of `tools/list`."""
        return list_with_descriptions(spec.listing() for spec in self._pipeline.specs.values())

    async def call(
        self, name: str, arguments: object, *, progress: Progress | None = None
    ) -> ToolResult:
        return await self._pipeline.call(name, arguments, progress=progress)

    def interrupted(self, name: str, arguments: object) -> ToolResult:
        """Return the error for a call that was cancelled because the server shuts down."""
        return self._pipeline.interrupted(name, arguments)

    def views(self) -> "Resources":
        """Return the MCP resources."""
        return self.services.views

    def sources(self) -> "tuple[Source, ...]":
        return tuple(self.services.sources)

    def engines(self) -> "tuple[Source, ...]":
        """Return the search engines, configured or not."""
        return tuple(self.services.looker.searcher.engines.sources())

    def site_readers(self) -> "tuple[Source, ...]":
        """Return the site-specific readers, enabled or not."""
        from sourcewright.wiring import reading

        return tuple(reading.site_readers(self._settings, self.services))

    def browser(self) -> "RendersPages":
        """Return the renderer for pages that need JavaScript."""
        return self.services.browser

    def pdf_reader(self) -> "ReadsPdfs":
        """Return the reader of papers' first pages, which runs in subprocesses."""
        return self.services.reader

    def document_reader(self) -> "ReadsDocuments":
        """Return the reader of pages and documents, which runs in subprocesses."""
        return self.services.documents

    def keeper(self) -> "Library":
        """Return the library, for commands without a tool."""
        return self.services.keeper

    def curator(self) -> "LibraryEditor":
        """Return the editor of the library; only users may use it, never a tool."""
        return self.services.curator

    def exporter(self) -> "Exporter":
        """Return the exporter, for commands that export more than one tool call may."""
        return self.services.exporter

    def downloads(self) -> "DownloadService":
        """Return the download service, for commands with more papers than one tool call may have."""
        return self.services.downloads

    def examine(self) -> "list[Finding]":
        """Check the files of this installation: library, state folder, logs, catalogues."""
        from sourcewright.services.instance.doctor import (
            examine_files,
            examine_folder,
            examine_library,
            examine_log,
        )

        settings, looker = self._settings, self.services.looker
        return [
            examine_library(settings.store_root, settings.store_root_origin),
            examine_folder("state folder", settings.state_dir, "XDG_STATE_HOME"),
            examine_log("provenance log", settings.log_path, provenance.verify),
            examine_log("audit log", settings.audit_output_path, audit.verify),
            *examine_files("lenses", looker.lenses.flaws, "CUSTOM_LENSES_PATH"),
            *examine_files("reputation", looker.reputations.flaws, "SOURCEWRIGHT_REPUTATION_PATH"),
        ]

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
        await self.services.aclose()
