"""The application: the tools, and what front ends do besides calling them."""

from collections.abc import Collection, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from sourcewright import manifest
from sourcewright.domain.calls import Progress
from sourcewright.domain.descriptions import listed_together
from sourcewright.logic.text.redaction import Masker
from sourcewright.settings import Settings
from sourcewright.stores.logs import audit, provenance
from sourcewright.tools import Toolbox
from sourcewright.tools._pipeline import Pipeline
from sourcewright.tools._results import ToolResult
from sourcewright.wiring.services import Services

if TYPE_CHECKING:
    # Named for the types alone; the parts are imported where they are built.
    from sourcewright.domain.ports import ReadsDocuments, ReadsPdfs, RendersPages
    from sourcewright.services.instance.doctor import Finding
    from sourcewright.services.instance.resources import Views
    from sourcewright.services.library.catalogue import Keeper
    from sourcewright.services.library.curation import Curator
    from sourcewright.services.library.export import Exporter
    from sourcewright.services.papers.paper_tools import Downloads
    from sourcewright.services.providers import Source


class Application:
    """The tools, and everything below them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.services = Services(settings)
        self._pipeline = Pipeline(
            specs=Toolbox(manifest.names(settings.toolsets)),
            research=self.services,
            auditor=self.services.auditor,
            clock=self.services.clock,
            observer=self.services.observer,
            mask=Masker(settings.secrets()),
            meta={"sandbox": True} if settings.sandbox else {},
        )

    def names(self) -> Collection[str]:
        """Each tool that may be called, by name."""
        return self._pipeline.specs.keys()

    def listing(self) -> Sequence[Mapping[str, Any]]:
        """Each tool that may be called, as `tools/list` carries it."""
        return listed_together(spec.listing() for spec in self._pipeline.specs.values())

    async def call(
        self, name: str, arguments: object, *, progress: Progress | None = None
    ) -> ToolResult:
        return await self._pipeline.call(name, arguments, progress=progress)

    def interrupted(self, name: str, arguments: object) -> ToolResult:
        """The answer to a call that was ended because the server has to leave."""
        return self._pipeline.interrupted(name, arguments)

    def views(self) -> "Views":
        """What clients may read as resources."""
        return self.services.views

    def sources(self) -> "tuple[Source, ...]":
        return tuple(self.services.sources)

    def engines(self) -> "tuple[Source, ...]":
        """The search engines, configured or not."""
        return tuple(self.services.looker.searcher.engines.sources())

    def site_readers(self) -> "tuple[Source, ...]":
        """The readers of particular sites, turned on or not."""
        from sourcewright.wiring import reading

        return tuple(reading.site_readers(self._settings, self.services))

    def browser(self) -> "RendersPages":
        """What shows pages that build themselves."""
        return self.services.browser

    def pdf_reader(self) -> "ReadsPdfs":
        """What reads the first pages of papers, in processes of its own."""
        return self.services.reader

    def document_reader(self) -> "ReadsDocuments":
        """What reads pages and documents, in processes of its own."""
        return self.services.documents

    def keeper(self) -> "Keeper":
        """The library, for commands that no tool offers."""
        return self.services.keeper

    def curator(self) -> "Curator":
        """Changes the library on a user's word, which no tool may."""
        return self.services.curator

    def exporter(self) -> "Exporter":
        """Takes papers out of the library, for commands that write more than one call may."""
        return self.services.exporter

    def downloads(self) -> "Downloads":
        """Downloading, for commands that take more papers than one call may."""
        return self.services.downloads

    def examine(self) -> "list[Finding]":
        """What is kept on this machine, and whether it is in order."""
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
        """Write what is queued, and let go of every file and connection."""
        await self.services.aclose()
