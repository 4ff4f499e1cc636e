"""Wiring of the services of users and teams."""

from functools import cached_property
from typing import TYPE_CHECKING

from sourcewright.domain.users.sessions import Owner
from sourcewright.domain.users.tenants import current_caller
from sourcewright.settings.topics.sessions import ANONYMOUS
from sourcewright.wiring.parts import DEFAULT_TENANT, SharedParts, audit_log
from sourcewright.wiring.sessions import SessionWiring

if TYPE_CHECKING:
    # Imported for type checking only; each service is imported where it is built.
    from sourcewright.domain.ports import RecordStore
    from sourcewright.services.teams.analytics import UserAnalytics
    from sourcewright.services.teams.consent import Consents
    from sourcewright.services.teams.data_subject import DataSubjects
    from sourcewright.services.teams.memory import UserMemory
    from sourcewright.services.teams.workspaces import Workspaces


class TeamWiring:
    """Builds each service on first use."""

    def __init__(self, parts: SharedParts, sessions: SessionWiring) -> None:
        self._parts = parts
        self._sessions = sessions

    @cached_property
    def _records(self) -> "RecordStore":
        """The records, whose file is opened when one is first read or written."""
        return self._parts.closed_at_the_end(self._parts.records(self._parts.settings.teams_path))

    @cached_property
    def consents(self) -> "Consents":
        from sourcewright.services.teams.consent import Consents
        from sourcewright.stores.teams.consents import ConsentRecords

        parts = self._parts
        return Consents(
            records=ConsentRecords(records=self._records, scope=parts.scope),
            auditor=parts.auditor,
            anonymous=ANONYMOUS,
            named_themselves=self._named_themselves,
            now=parts.timestamp,
            damage=self._damage,
        )

    @cached_property
    def memory(self) -> "UserMemory":
        from sourcewright.domain.users.teams import Memory
        from sourcewright.services.teams.memory import MAX_MEMORIES, UserMemory
        from sourcewright.stores.teams.dated_entries import DatedEntries
        from sourcewright.stores.teams.records import StoredJson

        parts = self._parts
        entries = DatedEntries(
            records=self._records,
            subject="memory",
            form=StoredJson(Memory),
            clock=parts.clock,
            scope=parts.scope,
            keep_seconds=float(parts.settings.memory_retention),
            most=MAX_MEMORIES,
        )
        return UserMemory(
            entries=entries,
            consents=self.consents,
            owner=parts.owner,
            new_id=self._new_id,
            now=parts.timestamp,
        )

    @cached_property
    def workspaces(self) -> "Workspaces":
        from sourcewright.domain.users.teams import Contribution
        from sourcewright.services.teams.workspaces import MAX_CONTRIBUTIONS, Workspaces
        from sourcewright.stores.teams.dated_entries import DatedEntries
        from sourcewright.stores.teams.records import StoredJson
        from sourcewright.stores.teams.workspaces import WorkspaceRecords

        parts = self._parts
        entries = DatedEntries(
            records=self._records,
            subject="contribution",
            form=StoredJson(Contribution),
            clock=parts.clock,
            scope=parts.scope,
            keep_seconds=float(parts.settings.workspace_ttl),
            most=MAX_CONTRIBUTIONS,
        )
        return Workspaces(
            records=WorkspaceRecords(records=self._records, scope=parts.scope),
            entries=entries,
            consents=self.consents,
            auditor=parts.auditor,
            owner=parts.owner,
            new_id=self._new_id,
            now=parts.timestamp,
        )

    @cached_property
    def analytics(self) -> "UserAnalytics":
        from sourcewright.services.teams.analytics import UserAnalytics
        from sourcewright.stores.teams.usage import UsageRecords

        parts = self._parts
        return UserAnalytics(
            records=UsageRecords(records=self._records, scope=parts.scope),
            consents=self.consents,
            owner=parts.owner,
            now=parts.timestamp,
        )

    @cached_property
    def data_subjects(self) -> "DataSubjects":
        from sourcewright.services.teams.data_kinds import KEPT, UserData
        from sourcewright.services.teams.data_subject import DataSubjects

        parts = self._parts
        data = UserData(
            consents=self.consents,
            memory=self.memory,
            workspaces=self.workspaces,
            analytics=self.analytics,
            sessions=lambda: self._sessions.store,
            artifacts=lambda: parts.artifacts,
            credentials=lambda: parts.credentials,
        )
        # A log of its own: the file may be there although auditing is off now.
        log = parts.closed_at_the_end(audit_log(parts.settings, parts.clock))
        return DataSubjects(kinds=data.kinds(), kept=KEPT, log=log, auditor=parts.auditor)

    async def count_call(self, tool: str) -> None:
        """Count a call in the analytics of the caller, if the operator has turned them on."""
        if self._parts.settings.user_analytics_enabled:
            await self.analytics.count(tool)

    def _named_themselves(self, owner: Owner) -> bool:
        """Whether this is the user of a server on stdio, who set their own name."""
        user = self._parts.settings.stdio_user_id
        is_local = user is not None and current_caller.get() is None
        return is_local and owner == Owner(tenant=DEFAULT_TENANT, user=user or "")

    def _new_id(self) -> str:
        from sourcewright.stores.ulids import new_ulid

        return new_ulid(self._parts.clock.now())

    def _damage(self) -> str | None:
        settings = self._parts.settings
        return self._parts.loss_note(
            "The file of memory and workspaces",
            settings.teams_path,
            keep_seconds=max(settings.memory_retention, settings.workspace_ttl),
        )
