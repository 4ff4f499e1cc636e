"""Encryption of stored values (AES-256-GCM) with key rotation.

A sealed value is a version, the two times, a nonce and the ciphertext. The key it was put
under and its times are authenticated with it: a value that was changed, moved to another
key or made to last longer does not open.
"""

import secrets
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from sourcewright.domain.errors import LockTimeout, StoreError
from sourcewright.domain.ports import Clock, KeyValue, Stored

if TYPE_CHECKING:
    # Named for the type alone; the library is loaded when the first key is used.
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_HEADER = struct.Struct(">B?dd")
_VERSION = 1
_NONCE_BYTES = 12


class _Changed(Exception):
    """Somebody else put another value meanwhile."""


class SealedStore:
    """Seals with the current key, and opens with the current or the previous one.

    What neither opens is as good as absent, and is removed.
    """

    def __init__(
        self, inner: KeyValue, *, clock: Clock, key: str, previous_key: str | None = None
    ) -> None:
        self._inner = inner
        self._clock = clock
        self._keys = tuple(bytes.fromhex(one) for one in (key, previous_key) if one)
        self._loaded: tuple[AESGCM, ...] = ()

    async def get(self, key: str) -> Stored | None:
        found = await self._inner.get(key)
        opened = None if found is None else self._opened(key, found.value)
        now = self._clock.now()
        if found is None or opened is None:
            if found is not None:
                await self._replace(key, found.value, b"", ttl_seconds=0.0)
            return None
        stored, is_current = opened
        if stored.is_over(now):
            return None
        if not is_current:
            left = None if stored.expires_at is None else stored.expires_at - now
            await self._replace(key, found.value, self._sealed(key, stored), ttl_seconds=left)
        return stored

    async def put(self, key: str, value: bytes, *, ttl_seconds: float | None) -> None:
        sealed = self._sealed(key, Stored.at(self._clock.now(), value, ttl_seconds))
        await self._inner.put(key, sealed, ttl_seconds=ttl_seconds)

    async def update(
        self, key: str, fn: Callable[[bytes | None], bytes], *, ttl_seconds: float | None
    ) -> bytes:
        value = b""

        def resealed(sealed: bytes | None) -> bytes:
            nonlocal value
            value = fn(self._value_now(key, sealed))
            return self._sealed(key, Stored.at(self._clock.now(), value, ttl_seconds))

        await self._inner.update(key, resealed, ttl_seconds=ttl_seconds)
        return value

    async def delete(self, key: str) -> None:
        await self._inner.delete(key)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def _replace(
        self, key: str, old: bytes, new: bytes, *, ttl_seconds: float | None
    ) -> None:
        """Replace a value if it can be done, and nobody else has replaced it meanwhile."""

        def replaced(now: bytes | None) -> bytes:
            if now != old:
                raise _Changed
            return new

        with suppress(_Changed, StoreError, LockTimeout):
            await self._inner.update(key, replaced, ttl_seconds=ttl_seconds)

    def _value_now(self, key: str, sealed: bytes | None) -> bytes | None:
        opened = None if sealed is None else self._opened(key, sealed)
        if opened is None:
            return None
        stored, _ = opened
        return None if stored.is_over(self._clock.now()) else stored.value

    def _sealed(self, key: str, stored: Stored) -> bytes:
        expires_at = stored.expires_at
        header = _HEADER.pack(
            _VERSION, expires_at is not None, stored.stored_at, expires_at or 0.0
        )
        nonce = secrets.token_bytes(_NONCE_BYTES)
        [current, *_] = self._ciphers()
        return header + nonce + current.encrypt(nonce, stored.value, _bound_to(key, header))

    def _opened(self, key: str, sealed: bytes) -> tuple[Stored, bool] | None:
        """The value with its times, and whether the current key opened it; None if none did."""
        from cryptography.exceptions import InvalidTag

        header, rest = sealed[: _HEADER.size], sealed[_HEADER.size :]
        nonce, ciphertext = rest[:_NONCE_BYTES], rest[_NONCE_BYTES:]
        if len(nonce) < _NONCE_BYTES or header[0] != _VERSION:
            return None
        for number, cipher in enumerate(self._ciphers()):
            with suppress(InvalidTag):
                value = cipher.decrypt(nonce, ciphertext, _bound_to(key, header))
                return _stored(value, header), number == 0
        return None

    def _ciphers(self) -> "tuple[AESGCM, ...]":
        if not self._loaded:
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM

            self._loaded = tuple(AESGCM(one) for one in self._keys)
        return self._loaded


def _bound_to(key: str, header: bytes) -> bytes:
    return header + key.encode("utf-8", "surrogatepass")


def _stored(value: bytes, header: bytes) -> Stored:
    _, ends, stored_at, expires_at = _HEADER.unpack(header)
    return Stored(value=value, stored_at=stored_at, expires_at=expires_at if ends else None)
