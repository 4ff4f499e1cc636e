"""API keys and revoked tokens in SQLite, shared by the server and the command line.

A damaged file is never replaced by an empty one: revoked tokens would be valid again.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from sqlite3 import Connection
from typing import TypeVar

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import StoreError
from sourcewright.domain.users.credentials import ApiKey
from sourcewright.domain.users.sessions import Owner
from sourcewright.stores.inventory import IdentitySql, Inventory, StoreIdentity
from sourcewright.stores.sqlite import SqliteFile, SqliteFormat, write_transaction

T = TypeVar("T")

_API_KEYS = (
    "CREATE TABLE api_keys (id TEXT PRIMARY KEY, digest BLOB NOT NULL, tenant TEXT NOT NULL,"
    " user TEXT NOT NULL, scopes TEXT NOT NULL, label TEXT NOT NULL, created_at REAL NOT NULL,"
    " expires_at REAL, revoked_at REAL) WITHOUT ROWID"
)
_REVOKED = (
    "CREATE TABLE revoked_tokens (id TEXT PRIMARY KEY, forget_at REAL NOT NULL) WITHOUT ROWID"
)
CREDENTIALS_ID = IdentitySql(
    prepare="CREATE TABLE IF NOT EXISTS identity (id TEXT NOT NULL)",
    read="SELECT id FROM identity",
    write="INSERT INTO identity (id) VALUES (?)",
)
_WAY_OUT = (
    "API keys and revoked tokens are not known, so nobody is let in; restore the file from a"
    " back-up, or begin with none by `sourcewright storage accept credentials`, after which tokens"
    " that were revoked are valid again until they expire"
)
CREDENTIALS = SqliteFormat(
    title="credentials",
    application_id=0x53574352,
    version=1,
    schema=(_API_KEYS, _REVOKED),
    keeps_foreign=True,
    recreate_after=(),
    # The name of a user who was erased must not stay in a page that has become free.
    pragmas_on_opening=("PRAGMA secure_delete = ON",),
)
_ADD = (
    "INSERT INTO api_keys (id, digest, tenant, user, scopes, label, created_at, expires_at,"
    " revoked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_LIST = (
    "SELECT id, digest, tenant, user, scopes, label, created_at, expires_at, revoked_at"
    " FROM api_keys WHERE ? IN (id, '') ORDER BY created_at, id"
)
"""One key by its id, or all of them."""


class CredentialDatabase:
    """Implements `CredentialStore`."""

    def __init__(
        self, path: Path, *, clock: Clock | None = None, inventory: Inventory | None = None
    ) -> None:
        """With an inventory, a file that was lost or replaced is not begun anew."""
        identity = (
            StoreIdentity(inventory=inventory, path=path, sql=CREDENTIALS_ID, way_out=_WAY_OUT)
            if inventory
            else None
        )
        self._file = SqliteFile(path, CREDENTIALS, clock=clock, identity=identity)

    async def add(self, key: ApiKey) -> None:
        row = (
            *(key.id, key.digest, key.owner.tenant, key.owner.user, " ".join(key.scopes)),
            *(key.label, key.created_at, key.expires_at, key.revoked_at),
        )
        await self._write(lambda db: db.execute(_ADD, row))

    async def find(self, key_id: str) -> ApiKey | None:
        rows = await self._rows(key_id) if key_id else []
        return rows[0] if rows else None

    async def keys(self) -> list[ApiKey]:
        return await self._rows("")

    async def keys_of(self, owner: Owner) -> list[ApiKey]:
        # No file is made by asking.
        every = await self.keys() if self.exists() else []
        return [key for key in every if key.owner == owner]

    async def erase(self, owner: Owner) -> int:
        if not self.exists():
            return 0
        remove = "DELETE FROM api_keys WHERE tenant = ? AND user = ?"
        whose = (owner.tenant, owner.user)
        return await self._write(lambda db: db.execute(remove, whose).rowcount)

    async def revoke(self, key_id: str, now: float) -> bool:
        change = "UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?"
        return await self._write(lambda db: db.execute(change, (now, key_id)).rowcount > 0)

    async def revoke_token(self, token_id: str, *, forget_at: float) -> None:
        add = "INSERT OR REPLACE INTO revoked_tokens (id, forget_at) VALUES (?, ?)"
        await self._write(lambda db: db.execute(add, (token_id, forget_at)))

    async def is_token_revoked(self, token_id: str) -> bool:
        query = "SELECT 1 FROM revoked_tokens WHERE id = ?"
        row = await self._run(lambda db: db.execute(query, (token_id,)).fetchone())
        return row is not None

    async def aclose(self) -> None:
        self._file.close()

    def exists(self) -> bool:
        """Whether there is a file, or may have been one, which is an error when it is opened."""
        try:
            return self._file.path.exists() or self._file.was_there()
        except StoreError:
            return True

    async def _rows(self, key_id: str) -> list[ApiKey]:
        rows = await self._run(lambda db: db.execute(_LIST, (key_id,)).fetchall())
        return [_key(*row) for row in rows]

    async def _write(self, work: Callable[[Connection], T]) -> T:
        def transact(db: Connection) -> T:
            with write_transaction(db):
                return work(db)

        return await self._run(transact)

    async def _run(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.to_thread(self._file.run, work)


def _key(*row: object) -> ApiKey:
    key_id, digest, tenant, user, scopes, label, created, expires, revoked = row
    return ApiKey(
        id=str(key_id),
        owner=Owner(tenant=str(tenant), user=str(user)),
        digest=bytes(digest) if isinstance(digest, bytes) else b"",
        scopes=tuple(str(scopes).split()),
        label=str(label),
        created_at=_number(created) or 0.0,
        expires_at=_number(expires),
        revoked_at=_number(revoked),
    )


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
