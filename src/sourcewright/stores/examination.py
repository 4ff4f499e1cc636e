"""Examines a SQLite file without changing it: whether it is ours, whole, and which id it has."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sourcewright.stores.inventory import IdentitySql
from sourcewright.stores.sqlite import BUSY, result_code, signature

_UNREADABLE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_IOERR)
_BUSY_SECONDS = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What was found out about a file."""

    damage: str | None = None
    """Why it is not whole."""
    unknown: str | None = None
    """Why it could not be found out whether it is."""
    is_empty: bool = False
    """Whether nothing was ever written to it, or everything was cut off."""
    id: str | None = None


def examine_file(
    path: Path,
    owner: tuple[int, int],
    *,
    identity: IdentitySql | None = None,
    contents: Callable[[sqlite3.Connection], str | None] | None = None,
) -> Examination:
    """Examine a file that has this application id and version; its contents too, if asked."""
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS)) as db:
            db.text_factory = bytes
            return _examine(db, owner, identity, contents)
    except sqlite3.Error as error:
        code = result_code(error)
        if code in BUSY or code in _UNREADABLE:
            return Examination(unknown=str(error))
        return Examination(damage=str(error))


def _examine(
    db: sqlite3.Connection,
    owner: tuple[int, int],
    identity: IdentitySql | None,
    contents: Callable[[sqlite3.Connection], str | None] | None,
) -> Examination:
    actual = signature(db)
    if actual == (0, 0):
        return Examination(is_empty=True)
    if actual != owner:
        return Examination(damage="it belongs to another program or another version")
    check = "integrity_check(1)" if contents else "quick_check(1)"
    [result] = db.execute(f"PRAGMA {check}").fetchone()
    if result != b"ok":
        return Examination(damage=result.decode("utf-8", "replace").replace("\n", " "))
    damage = contents(db) if contents else None
    return Examination(damage=damage, id=identity.id_in(db) if identity else None)
