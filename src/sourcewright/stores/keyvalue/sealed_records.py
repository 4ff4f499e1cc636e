"""Encryption of records in groups, with the sealing of the cache.

A record that the key does not open is an error, never absent: a wrong key must not make a
session disappear. Its group and name are authenticated with it. In a file, records that were
written before there was a key are read, and sealed with the next write of their group.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from sourcewright.base.errors import NotConfigured
from sourcewright.domain.ports import (
    NO_GUARDS,
    GroupGuard,
    GroupRecords,
    GroupTimes,
    RecordStore,
)
from sourcewright.stores.keyvalue.sealed import Sealing

_PLAIN, _SEALED = b"\x00", b"\x01"
_SETTING = "CACHE_ENCRYPTION_KEY"
_MAX_CACHED, _MAX_CACHED_BYTES = 4096, 4096


class SealedRecords:
    """Encrypts the records of another store; without a key they are kept as they are."""

    def __init__(
        self, inner: RecordStore, sealing: Sealing | None, *, accepts_plain: bool = False
    ) -> None:
        """Accept records that are not sealed where nobody else can write them, as in a file."""
        self._inner = inner
        self._sealing = sealing
        self._accepts_plain = accepts_plain
        self._without_plain: set[str] = set()
        """Groups that were looked through: whoever writes to them seals."""
        # Most records never change, and a session is read with all of them.
        self._open_once = lru_cache(maxsize=_MAX_CACHED)(self._decrypted)

    async def read(
        self,
        group: str,
        names: Sequence[str] | None = None,
        *,
        ttl_seconds: float | None = None,
        renewing: Sequence[str] = (),
    ) -> Mapping[str, bytes]:
        sealed = await self._inner.read(group, names, ttl_seconds=ttl_seconds, renewing=renewing)
        opened = {name: self._open(group, name, value) for name, value in sealed.items()}
        outdated = [name for name, (_, is_current) in opened.items() if not is_current]
        if outdated and ttl_seconds is not None:
            await self._encrypt_anew(group, outdated, ttl_seconds)
        return {name: value for name, (value, _) in opened.items()}

    async def update(
        self,
        group: str,
        fn: Callable[[GroupRecords], Mapping[str, bytes | None]],
        *,
        ttl_seconds: float,
        renewing: Sequence[str] = (),
        guards: Mapping[str, GroupGuard] = NO_GUARDS,
    ) -> None:
        def sealed_update(records: GroupRecords) -> Mapping[str, bytes | None]:
            changes = {
                **self._plain_in(records, group),
                **fn(_OpenedGroup(records, group, self._open)),
            }
            return {
                name: None if value is None else self._seal(group, name, value)
                for name, value in changes.items()
            }

        await self._inner.update(
            group,
            sealed_update,
            ttl_seconds=ttl_seconds,
            renewing=renewing,
            guards={guarded: self._opening(guarded, guards[guarded]) for guarded in guards},
        )
        if len(self._without_plain) >= _MAX_CACHED:
            self._without_plain.clear()
        self._without_plain.add(group)

    async def times(self, groups: Sequence[str]) -> Mapping[str, GroupTimes]:
        return await self._inner.times(groups)

    async def times_of_all(self, name: str) -> Sequence[GroupTimes]:
        return await self._inner.times_of_all(name)

    async def delete_all(self, name: str) -> int:
        return await self._inner.delete_all(name)

    async def names(self, group: str) -> Sequence[str]:
        return await self._inner.names(group)

    async def delete(self, groups: Sequence[str]) -> None:
        await self._inner.delete(groups)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def _encrypt_anew(self, group: str, names: Sequence[str], ttl_seconds: float) -> None:
        """Rewrite what the previous key encrypted, as it is when it is rewritten."""
        await self.update(group, lambda records: records.get(names), ttl_seconds=ttl_seconds)

    def _plain_in(self, records: GroupRecords, group: str) -> dict[str, bytes]:
        """The records of a group that are not sealed yet, opened."""
        if not self._accepts_plain or self._sealing is None or group in self._without_plain:
            return {}
        every = records.get(records.names())
        return {name: value[1:] for name, value in every.items() if value[:1] == _PLAIN}

    def _opening(self, group: str, guard: GroupGuard) -> GroupGuard:
        """The guard of a group, which is called with decrypted records."""
        return lambda records: guard(_OpenedGroup(records, group, self._open))

    def _seal(self, group: str, name: str, value: bytes) -> bytes:
        if self._sealing is None:
            return _PLAIN + value
        return _SEALED + self._sealing.encrypt(value, _associated_data(group, name))

    def _open(self, group: str, name: str, stored: bytes) -> tuple[bytes, bool]:
        """The value, and whether the current key decrypted it; raises as `_decrypted` does."""
        is_small = len(stored) <= _MAX_CACHED_BYTES
        return (self._open_once if is_small else self._decrypted)(group, name, stored)

    def _decrypted(self, group: str, name: str, stored: bytes) -> tuple[bytes, bool]:
        """The value, and whether the current key decrypted it.

        Raises:
            NotConfigured: It was written with another key, or with one and there is none now.
            StoreError: The key file cannot be used.
        """
        mark, value = stored[:1], stored[1:]
        if mark == _PLAIN and (self._sealing is None or self._accepts_plain):
            return value, self._sealing is None
        if self._sealing is not None and mark == _SEALED:
            opened = self._sealing.decrypt(value, _associated_data(group, name))
            if opened is not None:
                return opened
        raise NotConfigured(
            f"what is stored cannot be decrypted, because {_SETTING} or the key file was changed after it was written; nothing was deleted: restore the key, or set it as {_SETTING}_PREV",
            setting=_SETTING,
        )


class _OpenedGroup:
    """The records of a group, decrypted."""

    def __init__(
        self,
        records: GroupRecords,
        group: str,
        opened: Callable[[str, str, bytes], tuple[bytes, bool]],
    ) -> None:
        self._records = records
        self._group = group
        self._opened = opened

    def get(self, names: Sequence[str], /) -> dict[str, bytes]:
        sealed = self._records.get(names)
        return {name: self._opened(self._group, name, value)[0] for name, value in sealed.items()}

    def names(self) -> Sequence[str]:
        return self._records.names()


def _associated_data(group: str, name: str) -> bytes:
    place = [part.encode("utf-8", "surrogatepass") for part in (group, name)]
    return b"".join(len(part).to_bytes(4) + part for part in place)
