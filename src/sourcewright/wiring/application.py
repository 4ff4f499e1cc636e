"""The application: the tools, and the services that CLI commands use directly."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from sourcewright import manifest
from sourcewright.base.calls import Progress
from sourcewright.base.text.redaction import Masker
from sourcewright.domain.tool_descriptions import list_with_descriptions
from sourcewright.settings import Settings
from sourcewright.tools import LazyTools
from sourcewright.tools._pipeline import Pipeline
from sourcewright.tools._results import ToolResult
from sourcewright.wiring.machine import Machine
from sourcewright.wiring.parts import SharedParts
from sourcewright.wiring.services import Services
from sourcewright.wiring.tenancy import Tenancy

if TYPE_CHECKING:
    # Imported for type checking only; each part is imported where it is built.
    from sourcewright.net.traces.spans import Traces
    from sourcewright.services.instance.figures import ServerFigures
    from sourcewright.services.instance.prompts import Prompts
    from sourcewright.services.instance.resources import Resources
    from sourcewright.services.instance.storage import StoreFinding
    from sourcewright.tools._base import ToolSpec


class Application:
    """Facade of the tools and of everything that they need."""

    def __init__(
        self,
        settings: Settings,
        machine: Machine,
        tools: Mapping[str, "ToolSpec"] | None = None,
    ) -> None:
        """Build it with the tools that the settings enable, or with other ones."""
        self.services = Services(SharedParts(settings, machine))
        self._tenancy = Tenancy(self.services)
        self._traces: Traces | None = None
        parts = self.services.parts
        self._pipeline = Pipeline(
            specs=LazyTools(manifest.names(settings.toolsets, settings.unusable))
            if tools is None
            else tools,
            research=self._tenancy.services,
            auditor=parts.auditor,
            caller=parts.caller,
            clock=parts.clock,
            note=parts.statistics.note,
            admit=self.services.instance.admit_call,
            count_call=self.services.teams.count_call,
            mask=Masker(settings.secrets()),
            meta={"sandbox": True} if settings.sandbox else {},
        )

    @property
    def output_schemas(self) -> bool:
        """Whether the list of tools has the schemas of their answers."""
        return self.services.parts.settings.output_schemas

    @property
    def continuing(self) -> "Callable[[Mapping[str, Any]], AbstractContextManager[None]] | None":
        """Continues the trace of a client; None if no traces are sent."""
        return self._traces.continuing if self._traces else None

    def names(self) -> Collection[str]:
        """Return the names of the enabled tools."""
        return self._pipeline.specs.keys()

    def not_listed(self) -> dict[str, str]:
        """Return the tools that need a source or a setting which is not set up, each with what to set."""
        settings = self.services.parts.settings
        unusable = settings.unusable
        return {
            tool: "; or ".join(dict.fromkeys(unusable[name] for name in needed))
            for tool, needed in manifest.unlisted(settings.toolsets, unusable).items()
        }

    def reason_not_listed(self, name: str) -> str:
        """Return why a tool is not listed, as an instruction."""
        return self.not_listed().get(name, "its toolset is not enabled in TOOLSETS")

    def listing(self) -> Sequence[Mapping[str, Any]]:
        """Return the enabled tools in the format of `tools/list`."""
        typed = self.services.parts.settings.typed_schemas
        specs = self._pipeline.specs.values()
        return list_with_descriptions(spec.listing(typed=typed) for spec in specs)

    async def call(
        self, name: str, arguments: object, *, progress: Progress | None = None
    ) -> ToolResult:
        await self._tenancy.trim()
        span = self._traces.tool_call(name) if self._traces else nullcontext()
        with self._tenancy.in_use(), span:
            return await self._pipeline.call(name, arguments, progress=progress)

    def trace_with(self, traces: "Traces") -> None:
        """Make spans of every call and of its requests to sources, until the end."""
        parts = self.services.parts
        self._traces = parts.closed_at_the_end(traces)
        parts.client.trace_with(traces.request)
        parts.statistics.listen(traces.note_call)

    def interrupted(self, name: str, arguments: object) -> ToolResult:
        """Return the error for a call that was cancelled because the server shuts down."""
        return self._pipeline.interrupted(name, arguments)

    def prompts(self) -> "Prompts":
        """Return the MCP prompts, which mention only enabled tools."""
        return self._tenancy.services().instance.prompts(self.names())

    def views(self) -> "Resources":
        """Return the MCP resources, as the current tenant sees them."""
        return self._tenancy.services().instance.resources

    async def check_storage(self) -> "list[StoreFinding]":
        """Examine everything that is kept, of every tenant."""
        from sourcewright.services.instance.kept_files import examine_chain, examine_papers
        from sourcewright.stores.logs import audit, provenance
        from sourcewright.wiring.library import LibraryWiring
        from sourcewright.wiring.tenancy import kept_tenants

        own = self.services.parts
        findings = await asyncio.to_thread(self.services.instance.storage.check)
        log = ("audit-log", "audit log", own.settings.audit_output_path)
        findings.append(await asyncio.to_thread(examine_chain, log, audit.verify))
        for parts in (own, *kept_tenants(own)):
            root, path = parts.settings.store_root, parts.settings.log_path
            whose = "" if parts is own else f" of tenant {root.parent.name}"
            findings += await examine_papers(LibraryWiring(parts).catalogue, root, whose)
            log = ("provenance-log", f"provenance log{whose}", path)
            findings.append(await asyncio.to_thread(examine_chain, log, provenance.verify))
            if parts is not own:
                await parts.aclose()
        return findings

    def figures(self) -> "ServerFigures":
        """Build what reads the figures of everybody, for the operator."""
        from sourcewright.wiring.figures import build_figures

        return build_figures(self.services, self._tenancy.calls_in_flight)

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
        await self._tenancy.aclose()
        await self.services.parts.aclose()
