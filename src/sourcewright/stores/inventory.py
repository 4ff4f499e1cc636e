"""The inventory of what is kept: notices a store that was lost, emptied or replaced.

Each store that nobody could write again has an id in it, and the inventory, a file of its own,
knows the id of each. Without it a store that is gone would look like one that was never used: no
session was ever begun, no token was ever revoked.
"""

import json
import logging
import secrets
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import StoreError
from sourcewright.stores.files import inode_of, make_folder, open_folder
from sourcewright.stores.locks import locked
from sourcewright.stores.logs.chain import timestamp

logger = logging.getLogger(__name__)

_MAX_BYTES = 1_000_000
_MAX_LOSSES = 20
"""The newest ones that are kept of each store."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What happened to the contents of a store, and when that was noticed."""

    at: float
    what: str

    def sentence(self, name: str) -> str:
        return f"{name} {self.what} (noticed on {timestamp(self.at)[:10]}); what was in it cannot be read"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """What is known of one store."""

    id: str | None = None
    inode: Sequence[int] = ()
    """Device and inode of the file, which a file that was set aside keeps."""
    losses: tuple[Loss, ...] = ()


class Inventory:
    """The stores of this installation, by the path of their file."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self.path = path
        self._clock = clock

    def problem(self) -> str | None:
        """Return why the inventory itself cannot be used; None if it can, or there is none yet."""
        try:
            self._entries()
        except StoreError as error:
            return str(error)
        return None

    def losses(self, store: Path, *, since: float = float("-inf")) -> tuple[Loss, ...]:
        """The losses of a store that nobody has accepted, oldest first."""
        try:
            return tuple(one for one in self._entry(store).losses if one.at >= since)
        except StoreError:
            return ()

    def id_of(self, store: Path) -> str | None:
        """Return the id of what was in a store when it was last opened; None if it never was.

        Raises:
            StoreError: The inventory cannot be read.
        """
        return self._entry(store).id

    def what_happened(self, store: Path) -> str:
        """Describe why a store is not what it was: it is known, and has another id or none."""
        broken = Path(f"{store}.broken")
        inode = inode_of(broken)
        if inode and inode == tuple(self._entry(store).inode):
            return f"was damaged and is kept as {broken.name}"
        is_there = store.exists() and store.stat().st_size
        return "was replaced by another file, or emptied" if is_there else "is gone"

    def register(self, store: Path, store_id: str, *, loss: str | None = None) -> None:
        """Remember what is in a store, and what happened to the contents before.

        Raises:
            StoreError, LockTimeout: It cannot be written.
        """
        if loss:
            logger.error("%s %s; it begins anew, without what was in it", store, loss)

        def changed(entry: _Entry) -> _Entry:
            losses = (*entry.losses, Loss(self._clock.now(), loss)) if loss else entry.losses
            inode = inode_of(store) or ()
            return _Entry(id=store_id, inode=inode, losses=losses[-_MAX_LOSSES:])

        self._update(store, changed)

    def note_inode(self, store: Path) -> None:
        """Remember which file it is now, if it was moved or restored."""
        inode = inode_of(store) or ()
        entry = self._entry(store)
        if entry.id is not None and tuple(entry.inode) != inode:
            self.register(store, entry.id)

    def accept(self, store: Path, *, forget: bool) -> None:
        """Report earlier losses no more; and, to `forget`, take what is there from now on.

        Raises:
            StoreError, LockTimeout: It cannot be written.
        """

        def changed(entry: _Entry) -> _Entry:
            return _Entry() if forget else _Entry(id=entry.id, inode=entry.inode)

        self._update(store, changed)

    def set_aside(self) -> None:
        """Begin a new inventory, if this one cannot be read."""
        self.path.replace(f"{self.path}.broken")

    def _update(self, store: Path, change: Any) -> None:
        lock = Path(f"{self.path}.lock")
        try:
            make_folder(self.path.parent)
            with locked(lock, clock=self._clock):
                entries = dict(self._entries())
                entries[str(store)] = change(entries.get(str(store), _Entry()))
                self._write(entries)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise StoreError(f"{self.path}: cannot be written: {reason}") from error

    def _write(self, entries: Mapping[str, _Entry]) -> None:
        fields = {
            path: {
                "id": entry.id,
                "inode": list(entry.inode),
                "losses": [{"at": one.at, "what": one.what} for one in entry.losses],
            }
            for path, entry in entries.items()
            if entry != _Entry()
        }
        part = f".{self.path.name}.{secrets.token_hex(8)}.part"
        with open_folder(self.path.parent) as folder:
            folder.write(part, json.dumps(fields, indent=1).encode())
            folder.rename(part, self.path.name)

    def _entry(self, store: Path) -> _Entry:
        return self._entries().get(str(store), _Entry())

    def _entries(self) -> Mapping[str, _Entry]:
        try:
            with open_folder(self.path.parent) as folder:
                text = folder.read(self.path.name, _MAX_BYTES)
            fields = json.loads(text) if text is not None else {}
            return {str(path): _entry_of(one) for path, one in dict(fields).items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise StoreError(
                f"{self.path}: the inventory of what is kept cannot be read ({error})"
            ) from error


def _entry_of(fields: Mapping[str, Any]) -> _Entry:
    losses = (Loss(float(one["at"]), str(one["what"])) for one in fields["losses"])
    store_id = fields["id"]
    return _Entry(
        id=None if store_id is None else str(store_id),
        inode=tuple(map(int, fields["inode"])),
        losses=tuple(losses),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentitySql:
    """The statements that read and write the id in a SQLite file."""

    read: str
    write: str
    prepare: str = ""
    """Executed before writing."""

    def id_in(self, db: sqlite3.Connection) -> str | None:
        """Return the id in a file; None if it has none yet."""
        try:
            row = db.execute(self.read).fetchone()
        except sqlite3.OperationalError:
            if self.prepare:
                return None  # the table is not there yet
            raise
        return None if row is None else _text(row[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreIdentity:
    """Compares the id in a file with the inventory whenever the file is opened."""

    inventory: Inventory
    path: Path
    sql: IdentitySql
    way_out: str = ""
    """How to go on without what is lost, for a store that must not begin anew by itself."""

    def is_known(self) -> bool:
        return self.inventory.id_of(self.path) is not None

    def check_new(self) -> None:
        """Refuse to begin a store that was there before and must not begin anew by itself.

        Raises:
            StoreError: It must not.
        """
        if self.way_out and self.is_known():
            raise self._refusal()

    def confirm(self, db: sqlite3.Connection) -> None:
        """Compare the ids, and remember that of a new file.

        Raises:
            StoreError: It is another file, and must not be used without the operator.
        """
        actual, known = self.sql.id_in(db), self.inventory.id_of(self.path)
        if actual is not None and actual == known:
            self.inventory.note_inode(self.path)
            return
        if known is not None and self.way_out:
            raise self._refusal()
        actual = actual or self._write_id(db)
        loss = None if known is None else self.inventory.what_happened(self.path)
        self.inventory.register(self.path, actual, loss=loss)

    def _write_id(self, db: sqlite3.Connection) -> str:
        """Write an id, unless another process has just done it; return the one that is there."""
        with db:
            db.execute("BEGIN IMMEDIATE")
            if self.sql.prepare:
                db.execute(self.sql.prepare)
            store_id = self.sql.id_in(db)
            if store_id is None:
                store_id = secrets.token_hex(16)
                db.execute(self.sql.write, (store_id,))
            return store_id

    def _refusal(self) -> StoreError:
        what = self.inventory.what_happened(self.path)
        return StoreError(f"{self.path} {what}: {self.way_out}")


def _text(value: object) -> str:
    return value.decode("ascii", "replace") if isinstance(value, bytes) else str(value)
