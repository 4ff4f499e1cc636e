"""Artifacts: results too large for a response, stored temporarily under their hash."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass

from sourcewright.domain.errors import LockTimeout, NotFound, StoreError
from sourcewright.domain.ports import Clock, KeyValueStore
from sourcewright.domain.sessions import Owner

PREFIX = "research://artifact/"
TTL_SECONDS = 1800.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """Resource URI of a stored body, and when it expires."""

    uri: str
    size_bytes: int
    mime_type: str
    expires_at: float


class Artifacts:
    """Stores bodies, each under its SHA-256 hash; only who stored one can read it."""

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
        return Artifact(
            uri=PREFIX + digest,
            size_bytes=len(body),
            mime_type=mime_type,
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

    def _key(self, digest: str) -> str:
        owner = self._owner()
        return json.dumps(["artifact", self._scope, owner.tenant, owner.user, digest])
