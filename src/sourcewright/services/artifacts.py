"""Artifacts: results too large for a response, stored temporarily under their hash."""

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LockTimeout, NotFound, StoreError
from sourcewright.domain.ports import KeyValueStore
from sourcewright.domain.users.sessions import Owner

PREFIX = "research://artifact/"
TTL_SECONDS = 1800.0
_MAX_LISTED = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """Resource URI of a stored body, and when it expires."""

    uri: str
    size_bytes: int
    expires_at: float


class Artifacts:
    """Stores bodies, each under its SHA-256 hash; only its owner can read it."""

    def __init__(
        self,
        store: KeyValueStore | None,
        *,
        scope: str,
        owner: Callable[[], Owner],
        clock: Clock,
    ) -> None:
        self._store = store
        self._scope = scope
        self._owner = owner
        self._clock = clock

    async def keep(self, body: bytes, mime_type: str) -> Artifact | None:
        """Store a body; None if it could not be stored, so that the response must contain it."""
        digest = hashlib.sha256(body).hexdigest()
        if self._store is None:
            return None
        value = mime_type.encode() + b"\n" + body
        try:
            await self._store.put(self._key(digest), value, ttl_seconds=TTL_SECONDS)
            stored_copy = await self._store.get(self._key(digest))
        except (StoreError, LockTimeout):
            return None
        if stored_copy is None or stored_copy.value != value:
            return None
        await self._list(digest)
        return Artifact(
            uri=PREFIX + digest,
            size_bytes=len(body),
            expires_at=self._clock.now() + TTL_SECONDS,
        )

    async def read(self, uri: str) -> tuple[str, bytes]:
        """Return the media type and body of an artifact.

        Raises:
            NotFound: It does not exist or has expired.
        """
        digest = uri.removeprefix(PREFIX)
        stored = None
        if self._store is not None and uri.startswith(PREFIX):
            stored = await self._store.get(self._key(digest))
        if stored is None:
            raise NotFound("resources", f"no artifact {digest[:64]}, or it has expired")
        mime_type, _, body = stored.value.partition(b"\n")
        return mime_type.decode(), body

    async def listed(self, owner: Owner) -> list[str]:
        """Return the hashes of the artifacts that a user has stored and that have not expired."""
        if self._store is None:
            return []
        stored = await self._store.get(self._list_key(owner))
        digests = _digests(stored.value if stored else None)
        return [one for one in digests if await self._store.get(self._key(one, owner))]

    async def erase(self, owner: Owner) -> int:
        """Erase all artifacts of a user; return how many there were."""
        digests = await self.listed(owner)
        if self._store is not None:
            for digest in digests:
                await self._store.delete(self._key(digest, owner))
            await self._store.delete(self._list_key(owner))
        return len(digests)

    async def _list(self, digest: str) -> None:
        """Add an artifact to the list of the caller's, by which it is found when they are erased.

        Where that fails, only this process has the artifact, in its memory.
        """

        def add(value: bytes | None) -> bytes:
            others = [one for one in _digests(value) if one != digest]
            return json.dumps([*others[-_MAX_LISTED:], digest]).encode()

        if self._store is not None:
            key = self._list_key(self._owner())
            with suppress(StoreError, LockTimeout):
                await self._store.update(key, add, ttl_seconds=TTL_SECONDS)

    def _list_key(self, owner: Owner) -> str:
        return json.dumps(["artifacts", self._scope, owner.tenant, owner.user])

    def _key(self, digest: str, owner: Owner | None = None) -> str:
        owner = owner or self._owner()
        return json.dumps(["artifact", self._scope, owner.tenant, owner.user, digest])


def _digests(value: bytes | None) -> list[str]:
    return list(json.loads(value)) if value else []
