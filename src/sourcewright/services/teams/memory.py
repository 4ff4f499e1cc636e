"""Use cases of `memory_save` and `memory_recall`: what a user keeps for later sessions."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from sourcewright.domain.users.sessions import Owner
from sourcewright.domain.users.teams import Memory, Refusal
from sourcewright.services.teams.consent import Consents
from sourcewright.services.teams.findings import best_matches, searched_text, topic_key
from sourcewright.stores.teams.dated_entries import DatedEntries
from sourcewright.stores.teams.records import NotPermitted

MAX_MEMORIES = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryQuery:
    """What to recall: a topic, words, or both; everything without them."""

    topic: str | None = None
    words: str | None = None
    limit: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """Memories, and how many more there are."""

    owner: Owner
    memories: Sequence[Memory]
    matched: int
    """How many match, whatever the limit."""
    damage: str | None = None
    """What to say of memories that were lost with a damaged file, if there are any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMemory:
    """The memories of the caller."""

    entries: DatedEntries[Memory]
    consents: Consents
    owner: Callable[[], Owner]
    new_id: Callable[[], str]
    now: Callable[[], str]

    async def save(
        self, note: str, *, topic: str | None, url: str | None, tags: tuple[str, ...]
    ) -> Memory | Refusal:
        owner = self.owner()
        if refusal := await self.consents.refusal(owner, "memory"):
            return refusal
        memory = Memory(
            id=self.new_id(),
            note=note,
            created_at=self.now(),
            topic=topic,
            url=url,
            tags=tags,
        )
        guards = self.consents.guard(owner, "memory")
        try:
            is_added = await self.entries.add(key_of(owner), memory.id, memory, guards=guards)
        except NotPermitted as error:
            return error.refusal
        if not is_added:
            return Refusal(
                status="unavailable",
                reason=f"the memory is full: it has {self.entries.most} findings; remove some"
                " with `sourcewright memory forget`",
            )
        return memory

    async def recall(self, query: MemoryQuery) -> Recollection | Refusal:
        owner = self.owner()
        if refusal := await self.consents.refusal(owner, "memory"):
            return refusal
        memories = _matching(await self.entries.entries(key_of(owner)), query)
        return Recollection(
            owner=owner,
            memories=memories[: query.limit],
            matched=len(memories),
            damage=self.consents.damage(),
        )

    async def forget(self, ids: Collection[str]) -> int:
        """Remove memories of the caller, whether they still consent or not; return how many."""
        return await self.entries.remove(key_of(self.owner()), ids)


def key_of(owner: Owner) -> tuple[str, str]:
    """Return the key under which the memories of a user are stored."""
    return owner.tenant, owner.user


def _matching(memories: Sequence[Memory], query: MemoryQuery) -> Sequence[Memory]:
    """Return the memories that match, newest first, or the best match first with words."""
    if query.topic is not None:
        topic = topic_key(query.topic)
        memories = [one for one in memories if topic_key(one.topic or "") == topic]
    if query.words is None:
        return memories
    texts = [searched_text(one.note, one.topic, one.url, tags=one.tags) for one in memories]
    return [memories[at] for at in best_matches(query.words, texts)]
