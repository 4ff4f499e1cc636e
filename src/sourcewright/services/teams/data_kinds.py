"""The kinds of data that are kept of users: how each is read and erased for a data subject."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sourcewright.domain.users.credentials import CredentialStore
from sourcewright.domain.users.sessions import Owner, SessionStore
from sourcewright.services.artifacts import PREFIX, Artifacts
from sourcewright.services.teams.analytics import UserAnalytics
from sourcewright.services.teams.consent import Consents
from sourcewright.services.teams.data_subject import DataKind, KeptKind, as_items
from sourcewright.services.teams.memory import UserMemory, key_of
from sourcewright.services.teams.workspaces import Workspaces

KEPT = (
    KeptKind(
        name="papers",
        reason="the library belongs to the installation or the tenant; its files name no user",
    ),
    KeptKind(
        name="cache",
        reason="answers of sources name no user, are shared, and expire by themselves",
    ),
    KeptKind(name="provenance_log", reason="it names sources and files, and no user"),
)
"""What is kept, but not of a user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserData:
    """Everything that keeps data of users."""

    consents: Consents
    memory: UserMemory
    workspaces: Workspaces
    analytics: UserAnalytics
    sessions: Callable[[], SessionStore]
    artifacts: Callable[[], Artifacts]
    credentials: Callable[[], CredentialStore]

    def kinds(self) -> tuple[DataKind, ...]:
        """Return every kind, API keys and consent first: without them nothing new is kept meanwhile."""
        return (
            DataKind(name="api_keys", read=self._api_keys, erase=self._erase_api_keys),
            DataKind(name="consent", read=self._decisions, erase=self.consents.records.erase),
            DataKind(name="memory", read=self._memories, erase=self._erase_memories),
            DataKind(
                name="workspace_contributions",
                read=self._contributions,
                erase=self.workspaces.erase_contributions,
            ),
            DataKind(
                name="workspace_memberships",
                read=self.workspaces.memberships,
                erase=self.workspaces.erase_memberships,
            ),
            DataKind(name="user_analytics", read=self._usage, erase=self.analytics.records.erase),
            DataKind(name="sessions", read=self._sessions, erase=self._erase_sessions),
            DataKind(name="artifacts", read=self._artifacts, erase=self._erase_artifacts),
        )

    async def _api_keys(self, owner: Owner) -> Sequence[Any]:
        """Return the keys without the digests of their secrets."""
        keys = as_items(await self.credentials().keys_of(owner))
        return [{name: key[name] for name in key if name != "digest"} for key in keys]

    async def _erase_api_keys(self, owner: Owner) -> int:
        return await self.credentials().erase(owner)

    async def _decisions(self, owner: Owner) -> Sequence[Any]:
        return as_items(await self.consents.history(owner))

    async def _memories(self, owner: Owner) -> Sequence[Any]:
        return as_items(await self.memory.entries.entries(key_of(owner), whole=True))

    async def _erase_memories(self, owner: Owner) -> int:
        return await self.memory.entries.erase(key_of(owner))

    async def _contributions(self, owner: Owner) -> Sequence[Any]:
        return as_items(await self.workspaces.contributions_by(owner))

    async def _usage(self, owner: Owner) -> Sequence[Any]:
        usage = await self.analytics.records.read(owner)
        return [asdict(usage)] if usage else []

    async def _sessions(self, owner: Owner) -> Sequence[Any]:
        store = self.sessions()
        listed = await store.sessions(owner)
        return as_items([await store.read(owner, one.id) for one in listed])

    async def _erase_sessions(self, owner: Owner) -> int:
        return await self.sessions().erase(owner)

    async def _artifacts(self, owner: Owner) -> Sequence[Any]:
        return [PREFIX + digest for digest in await self.artifacts().listed(owner)]

    async def _erase_artifacts(self, owner: Owner) -> int:
        return await self.artifacts().erase(owner)
