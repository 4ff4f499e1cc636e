"""The Redis that several servers share: whether it answers, and whether it may lose what it keeps."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class RedisStatus:
    """What a Redis that answers says about itself; None where it does not say it."""

    version: str | None = None
    eviction: str | None = None
    """Its `maxmemory-policy`: what it deletes when its memory is full."""
    appends: bool | None = None
    """Whether it writes every change to a file (`appendonly`)."""
    refusal: str | None = None
    """Why it cannot be used although it answers, such as a replica; then the others are None."""
    loss: str | None = None
    """What to say of one that has not, or no longer, what was kept there."""


class ExaminesRedis(Protocol):
    """Asks the shared Redis how it is."""

    name: str
    """For messages, without the password."""

    async def examine(self) -> RedisStatus:
        """Raises StoreError if it does not answer soon, NotConfigured if its library is missing."""
        ...
