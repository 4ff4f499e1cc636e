"""Artifacts: results too large for an answer, kept for a while under their digest."""

import hashlib
from dataclasses import dataclass

from sourcewright.domain.errors import LockTimeout, NotFound, StoreError
from sourcewright.domain.ports import Clock, KeyValue

PREFIX = "research://artifact/"
TTL_SECONDS = 1800.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """Where a body can be read, and until when."""

    uri: str
    size_bytes: int
    mime_type: str
    expires_at: float


class Artifacts:
    """Keeps bodies, each under the digest of what it says."""

    def __init__(self, store: KeyValue | None, *, scope: str, clock: Clock) -> None:
        self._store = store
        self._scope = scope
        self._clock = clock

    async def keep(self, body: bytes, mime_type: str) -> Artifact | None:
        """Keep a body; None where nothing can be kept, so that it has to be told whole."""
        digest = hashlib.sha256(body).hexdigest()
        if self._store is None:
            return None
        value = mime_type.encode() + b"\n" + body
        try:
            await self._store.put(self._key(digest), value, ttl_seconds=TTL_SECONDS)
            kept = await self._store.get(self._key(digest))
        except (StoreError, LockTimeout):
            return None
        if kept is None or kept.value != value:
            return None
        return Artifact(
            uri=PREFIX + digest,
            size_bytes=len(body),
            mime_type=mime_type,
            expires_at=self._clock.now() + TTL_SECONDS,
        )

    async def read(self, uri: str) -> tuple[str, bytes]:
        """The type and the body at an address.

        Raises:
            NotFound: There is none, or its time is over.
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
        return f"artifact {self._scope} {digest}"
