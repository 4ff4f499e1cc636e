"""Encryption of stored values (AES-256-GCM) with key rotation.

A stored value is a version, its two times, a nonce and the ciphertext. Its key and its
times are authenticated with it (associated data): a value that was changed, moved to
another key or given a later expiry cannot be decrypted.
"""

import secrets
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LockTimeout, StoreError
from sourcewright.domain.cache_usage import ClearableStore
from sourcewright.domain.ports import StoredValue
from sourcewright.stores.keyvalue.key_file import KeyFile

if TYPE_CHECKING:
    # For type checking only; the library is imported when the first key is used.
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_HEADER = struct.Struct(">B?dd")
_VERSION = 1
_NONCE_BYTES = 12


class Sealing:
    """Encrypts with the current key, and decrypts with the current or an earlier one.

    The current key is that of the operator, or else the one in the key file; with a key of the
    operator, the one in the file is an earlier one.
    """

    def __init__(
        self,
        *,
        key: str | None = None,
        previous_key: str | None = None,
        key_file: KeyFile | None = None,
    ) -> None:
        self._keys = tuple(bytes.fromhex(hex_key) for hex_key in (key, previous_key) if hex_key)
        self._key_file = key_file
        self._loaded: tuple[AESGCM, ...] = ()
        self._from_file: AESGCM | None = None

    def encrypt(self, value: bytes, associated: bytes) -> bytes:
        """The nonce and the ciphertext; only the same associated data decrypts it.

        Raises:
            NotConfigured, StoreError: The key file cannot be used.
        """
        nonce = secrets.token_bytes(_NONCE_BYTES)
        current = next(self._ciphers(creating=True))
        return nonce + current.encrypt(nonce, value, associated)

    def decrypt(self, sealed: bytes, associated: bytes) -> tuple[bytes, bool] | None:
        """The value, and whether the current key decrypted it; None if no key did.

        Raises:
            NotConfigured, StoreError: No other key did, and the key file cannot be used.
        """
        from cryptography.exceptions import InvalidTag

        nonce, ciphertext = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        if len(nonce) < _NONCE_BYTES:
            return None
        for number, cipher in enumerate(self._ciphers()):
            with suppress(InvalidTag):
                return cipher.decrypt(nonce, ciphertext, associated), number == 0
        return None

    def _ciphers(self, *, creating: bool = False) -> "Iterator[AESGCM]":
        """The ciphers of all keys, the current one first."""
        if not self._loaded:
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM

            self._loaded = tuple(AESGCM(key) for key in self._keys)
        yield from self._loaded
        if self._key_file is not None and self._from_file is None:
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM

            key = self._key_file.read_or_create() if creating else self._key_file.read()
            self._from_file = AESGCM(bytes.fromhex(key)) if key else None
        if self._from_file is not None:
            yield self._from_file


class _ValueChanged(Exception):
    """Another writer replaced the value meanwhile."""


class EncryptedStore:
    """Encrypts the values of another store.

    A value that neither key decrypts counts as absent, and is removed.
    """

    def __init__(
        self, inner: ClearableStore, *, clock: Clock, key: str, previous_key: str | None = None
    ) -> None:
        self._inner = inner
        self._clock = clock
        self._sealing = Sealing(key=key, previous_key=previous_key)

    async def get(self, key: str) -> StoredValue | None:
        sealed = await self._inner.get(key)
        decrypted = None if sealed is None else self._decrypt(key, sealed.value)
        now = self._clock.now()
        if sealed is None or decrypted is None:
            if sealed is not None:
                await self._replace(key, sealed.value, b"", ttl_seconds=0.0)
            return None
        stored, is_current = decrypted
        if stored.is_over(now):
            return None
        if not is_current:
            left = None if stored.expires_at is None else stored.expires_at - now
            await self._replace(key, sealed.value, self._encrypt(key, stored), ttl_seconds=left)
        return stored

    async def put(self, key: str, value: bytes, *, ttl_seconds: float | None) -> None:
        sealed = self._encrypt(key, StoredValue.at(self._clock.now(), value, ttl_seconds))
        await self._inner.put(key, sealed, ttl_seconds=ttl_seconds)

    async def update(
        self, key: str, fn: Callable[[bytes | None], bytes], *, ttl_seconds: float | None
    ) -> bytes:
        value = b""

        def encrypted_update(sealed: bytes | None) -> bytes:
            nonlocal value
            value = fn(self._current_value(key, sealed))
            return self._encrypt(key, StoredValue.at(self._clock.now(), value, ttl_seconds))

        await self._inner.update(key, encrypted_update, ttl_seconds=ttl_seconds)
        return value

    async def delete(self, key: str) -> None:
        await self._inner.delete(key)

    async def clear(self) -> int:
        return await self._inner.clear()

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def _replace(
        self, key: str, old: bytes, new: bytes, *, ttl_seconds: float | None
    ) -> None:
        """Replace a value unless another writer has replaced it; errors are ignored."""

        def checked_replacement(now: bytes | None) -> bytes:
            if now != old:
                raise _ValueChanged
            return new

        with suppress(_ValueChanged, StoreError, LockTimeout):
            await self._inner.update(key, checked_replacement, ttl_seconds=ttl_seconds)

    def _current_value(self, key: str, sealed: bytes | None) -> bytes | None:
        decrypted = None if sealed is None else self._decrypt(key, sealed)
        if decrypted is None:
            return None
        stored, _ = decrypted
        return None if stored.is_over(self._clock.now()) else stored.value

    def _encrypt(self, key: str, stored: StoredValue) -> bytes:
        expires_at = stored.expires_at
        header = _HEADER.pack(
            _VERSION, expires_at is not None, stored.stored_at, expires_at or 0.0
        )
        return header + self._sealing.encrypt(stored.value, _associated_data(key, header))

    def _decrypt(self, key: str, sealed: bytes) -> tuple[StoredValue, bool] | None:
        """The value with its times, and whether the current key decrypted it; None if no key did."""
        header = sealed[: _HEADER.size]
        if len(header) < _HEADER.size or header[0] != _VERSION:
            return None
        decrypted = self._sealing.decrypt(sealed[_HEADER.size :], _associated_data(key, header))
        if decrypted is None:
            return None
        value, is_current = decrypted
        return _with_times(value, header), is_current


def _associated_data(key: str, header: bytes) -> bytes:
    return header + key.encode("utf-8", "surrogatepass")


def _with_times(value: bytes, header: bytes) -> StoredValue:
    _, ends, stored_at, expires_at = _HEADER.unpack(header)
    return StoredValue(value=value, stored_at=stored_at, expires_at=expires_at if ends else None)
