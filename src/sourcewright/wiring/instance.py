"""Wiring of the services on this installation."""

import asyncio
import sys
from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING, get_args

from sourcewright._about import __version__
from sourcewright.wiring.library import LibraryWiring
from sourcewright.wiring.papers import PaperWiring
from sourcewright.wiring.parts import SharedParts
from sourcewright.wiring.search import SearchWiring
from sourcewright.wiring.sessions import SessionWiring

if TYPE_CHECKING:
    # Imported for type checking only; each service is imported where it is built.
    from sourcewright.domain.capabilities import Role
    from sourcewright.services.instance.daily_calls import DailyCalls
    from sourcewright.services.instance.doctor import Finding
    from sourcewright.services.instance.health import InstanceStatus
    from sourcewright.services.instance.prompts import Prompts
    from sourcewright.services.instance.resources import Resources
    from sourcewright.services.instance.storage import Storage
    from sourcewright.services.providers import Sources
    from sourcewright.wiring.views import RateUsage


class InstanceWiring:
    """Builds each service on first use."""

    def __init__(
        self,
        parts: SharedParts,
        library: LibraryWiring,
        papers: PaperWiring,
        search: SearchWiring,
        sessions: SessionWiring,
    ) -> None:
        self._parts = parts
        self._library = library
        self._sessions = sessions
        self._papers = papers
        self._search = search

    @cached_property
    def status(self) -> "InstanceStatus":
        from sourcewright.services.instance.health import InstanceStatus

        settings = self._parts.settings
        return InstanceStatus(
            version=__version__,
            load_sources=lambda: self._papers.sources,
            store_root=settings.store_root,
            log_path=settings.log_path,
            audit_ok=self._parts.auditor.is_ok,
            audit_path=settings.audit_output_path if settings.audit_enabled else None,
            audit_synced=settings.audit_sync,
            sandbox=settings.sandbox,
            storage=lambda: self.storage,
        )

    @cached_property
    def storage(self) -> "Storage":
        from sourcewright.wiring.library import index_path
        from sourcewright.wiring.storage.known_stores import build_storage

        parts = self._parts
        return build_storage(
            parts.settings,
            parts.clock,
            inventory=parts.inventory,
            key_file=parts.key_file,
            index=index_path(parts.settings),
        )

    @cached_property
    def resources(self) -> "Resources":
        from sourcewright.services.instance.paper_resources import PaperResources
        from sourcewright.wiring.views import ViewedParts, views

        return views(
            ViewedParts(
                web_search=self._search.web_search,
                statistics=self._parts.statistics.own,
                artifacts=self._parts.artifacts,
                papers=PaperResources(lambda: self._library.contents),
                rate_usage=self._rate_usage,
                sessions=self._sessions.store,
                owner=self._sessions.owner,
                limits=self._sessions.limits,
                sources=lambda: self._sources,
            )
        )

    async def admit_call(self) -> None:
        """Count a call towards the daily limit of the caller, if there is one."""
        if self._parts.settings.max_calls_per_day:
            await self._daily_calls.admit()

    @cached_property
    def _daily_calls(self) -> "DailyCalls":
        from sourcewright.services.instance.daily_calls import DailyCalls

        parts = self._parts
        return DailyCalls(
            ledger=parts.quotas,
            clock=parts.clock,
            owner=parts.owner,
            limit=parts.settings.max_calls_per_day,
        )

    @cached_property
    def _sources(self) -> "dict[Role, Sources]":
        """All sources by role, configured or not."""
        from sourcewright.domain.capabilities import Role

        return {role: self._parts.sources_in(role) for role in get_args(Role)}

    def prompts(self, tools: Collection[str]) -> "Prompts":
        """Build the prompts for a client that has these tools."""
        from sourcewright.services.instance.prompts import Prompts
        from sourcewright.wiring.views import catalogues

        return Prompts(tools, catalogues(self._search.web_search))

    async def _rate_usage(self) -> "RateUsage":
        """Return the usage of every rate limit; each source declares its own when it is built."""
        _ = self._sources
        return await self._parts.network.rate_usage()

    async def accept_loss(self, name: str) -> str | None:
        """Go on without what was lost of a store, and record that; None if nothing was."""
        await self._parts.auditor.check()
        done = await asyncio.to_thread(self.storage.accept, name)
        if done is not None:
            about = {"metadata": {"store": name}, "success": True}
            await self._parts.auditor.audit({"event_type": "storage.accept", **about})
        return done

    def examine(self) -> "list[Finding]":
        """Check the files of this installation: library, state folder, logs, catalogues."""
        from sourcewright.services.instance.doctor import (
            examine_files,
            examine_folder,
            examine_library,
            examine_log,
            examine_python,
            examine_storage,
        )
        from sourcewright.stores.logs import audit, provenance

        settings, web_search = self._parts.settings, self._search.web_search
        lenses, reputations = web_search.lenses, web_search.reputations
        return [
            *examine_python(sys.version_info[:3]),
            examine_library(settings.store_root, settings.store_root_origin),
            examine_folder("state folder", settings.state_dir, "XDG_STATE_HOME"),
            examine_log("provenance log", settings.log_path, provenance.verify),
            examine_log("audit log", settings.audit_output_path, audit.verify),
            *examine_storage(self.storage.check()),
            *examine_files("lenses", lenses.flaws, "CUSTOM_LENSES_PATH"),
            *examine_files("reputation", reputations.flaws, "SOURCEWRIGHT_REPUTATION_PATH"),
        ]
