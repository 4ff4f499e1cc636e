"""API keys and revoked tokens in a record store, such as Redis, which several servers share.

They are sealed like all records there: whoever can write to the store but has not the encryption
key can make no API key. What cannot be read is an error, and nobody is let in by it.
"""

import json
from collections.abc import Mapping
from typing import Any

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import StoreError
from sourcewright.domain.ports import GroupRecords, RecordStore
from sourcewright.domain.users.credentials import ApiKey, CredentialStore
from sourcewright.domain.users.sessions import Owner

_KEYS, _REVOKED = "credentials: API keys", "credentials: revoked token "
_NAME = "API key "
_TOKEN = "revoked token"  # noqa: S105 -- the name of a record
_LASTING_SECONDS = 100 * 365 * 86_400.0
"""Records have to expire some time; API keys are kept until nobody can remember them."""


class RecordCredentials:
    """Implements `CredentialStore`.

    Tokens that were revoked before the server had this store are in an earlier one; they stay
    revoked. Its API keys are not accepted, but are data of their users.
    """

    def __init__(
        self, records: RecordStore, *, clock: Clock, earlier: CredentialStore | None = None
    ) -> None:
        self._records = records
        self._clock = clock
        self._earlier = earlier

    async def add(self, key: ApiKey) -> None:
        record = {_NAME + key.id: _encoded(key)}
        await self._records.update(_KEYS, lambda _records: record, ttl_seconds=_LASTING_SECONDS)

    async def find(self, key_id: str) -> ApiKey | None:
        name = _NAME + key_id
        records = await self._records.read(_KEYS, [name])
        return _key(records[name]) if name in records else None

    async def keys(self) -> list[ApiKey]:
        records = await self._records.read(_KEYS)
        return sorted(map(_key, records.values()), key=lambda key: (key.created_at, key.id))

    async def keys_of(self, owner: Owner) -> list[ApiKey]:
        earlier = await self._earlier.keys_of(owner) if self._earlier else []
        return [*earlier, *(key for key in await self.keys() if key.owner == owner)]

    async def erase(self, owner: Owner) -> int:
        names = [_NAME + key.id for key in await self.keys() if key.owner == owner]
        if names:
            removal = dict.fromkeys(names)
            await self._records.update(_KEYS, lambda _: removal, ttl_seconds=_LASTING_SECONDS)
        return len(names) + (await self._earlier.erase(owner) if self._earlier else 0)

    async def revoke(self, key_id: str, now: float) -> bool:
        name, is_found = _NAME + key_id, False

        def change(records: GroupRecords) -> Mapping[str, bytes | None]:
            nonlocal is_found
            values = records.get([name])
            is_found = name in values
            if not is_found:
                return {}
            fields = json.loads(values[name])
            if fields["revoked_at"] is None:
                fields["revoked_at"] = now
            return {name: json.dumps(fields).encode()}

        await self._records.update(_KEYS, change, ttl_seconds=_LASTING_SECONDS)
        return is_found

    async def revoke_token(self, token_id: str, *, forget_at: float) -> None:
        left = max(1.0, forget_at - self._clock.now())
        record = {_TOKEN: b"{}"}
        await self._records.update(_REVOKED + token_id, lambda _records: record, ttl_seconds=left)

    async def is_token_revoked(self, token_id: str) -> bool:
        if await self._records.read(_REVOKED + token_id, [_TOKEN]):
            return True
        return self._earlier is not None and await self._earlier.is_token_revoked(token_id)

    async def aclose(self) -> None:
        await self._records.aclose()
        if self._earlier is not None:
            await self._earlier.aclose()


def _encoded(key: ApiKey) -> bytes:
    fields = {
        "id": key.id,
        "tenant": key.owner.tenant,
        "user": key.owner.user,
        "digest": key.digest.hex(),
        "scopes": list(key.scopes),
        "label": key.label,
        "created_at": key.created_at,
        "expires_at": key.expires_at,
        "revoked_at": key.revoked_at,
    }
    return json.dumps(fields).encode()


def _key(record: bytes) -> ApiKey:
    try:
        fields: dict[str, Any] = json.loads(record)
        return ApiKey(
            id=fields["id"],
            owner=Owner(tenant=fields["tenant"], user=fields["user"]),
            digest=bytes.fromhex(fields["digest"]),
            scopes=tuple(fields["scopes"]),
            label=fields["label"],
            created_at=fields["created_at"],
            expires_at=fields["expires_at"],
            revoked_at=fields["revoked_at"],
        )
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError("the record of an API key cannot be read") from error
