"""Whether what is kept is there, whole, and the same as when it was last used.

The one place that knows every store: readiness, health, the doctor and `storage check` ask it.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import InvalidInput, StoreError
from sourcewright.stores.examination import Examination, examine_file
from sourcewright.stores.inventory import IdentitySql, Inventory
from sourcewright.stores.keyvalue.key_file import KeyFile
from sourcewright.stores.sqlite import quarantine

State = Literal["absent", "whole", "begun anew", "damaged", "lost", "replaced", "unknown"]

_GOOD: tuple[State, ...] = ("absent", "whole")
_KEY, _INVENTORY = "key", "inventory"
_RESTORE = "restore {name} from a back-up while no server runs"
_SMALL_BYTES = 16 * 1024 * 1024
"""A file of this size is checked in a few hundredths of a second."""
_LARGE_SECONDS = 60.0
"""How long the check of a larger file is believed although it was written to since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownStore:
    """One SQLite file, and what its loss means."""

    name: str
    """For commands."""
    title: str
    path: Path
    owner: tuple[int, int]
    """The application id and the version of the file."""
    identity: IdentitySql | None = None
    """Where its id is; None for a store that can be written again."""
    keep_seconds: float = float("inf")
    """How long a loss matters: what was in the store would have expired by then."""
    contents: Callable[[sqlite3.Connection], str | None] | None = None
    """Examines what the structure of the file does not show."""
    rebuilt: str = ""
    """What happens when a damaged file is next used, if nothing is lost by it."""
    advice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreFinding:
    """How one store is."""

    name: str
    title: str
    state: State
    path: Path
    detail: str
    advice: str | None = None
    lasting: bool = True
    """Whether something is lost by it that nobody could write again."""

    @property
    def summary(self) -> str:
        """What anybody may be told: without paths."""
        what = self.state if self.name in {_KEY, _INVENTORY} else self.detail
        return f"{self.title}: {what}"

    @property
    def is_good(self) -> bool:
        return self.state in _GOOD


@dataclass(frozen=True, slots=True)
class _LatestCheck:
    """An examination, and the file as it was then."""

    stamps: tuple[tuple[int, int, int] | None, ...]
    at: float
    result: Examination


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """Examines the stores. Methods block and are thread-safe."""

    stores: Sequence[KnownStore]
    inventory: Inventory
    key_file: KeyFile | None
    """None if the operator has a key of their own, or what is sealed is in Redis."""
    sealed: Sequence[str]
    """The names of the stores that the key seals."""
    clock: Clock
    _checks: dict[Path, _LatestCheck] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def problems(self) -> list[StoreFinding]:
        """What is lost or damaged of what cannot be had again, found out soon enough to be asked often."""
        every = [self._known(), *self._key(), *(self._store(one) for one in self.stores)]
        return [one for one in every if one.lasting and not one.is_good]

    def check(self) -> list[StoreFinding]:
        """Examine every store with all that is in it."""
        stores = [self._store(one, thoroughly=True) for one in self.stores]
        return [self._known(), *self._key(), *stores]

    def accept(self, name: str) -> str | None:
        """Go on without what was lost of a store; None if nothing was.

        Raises:
            InvalidInput: There is no store of that name.
            StoreError, LockTimeout: That cannot be written.
        """
        if name == _INVENTORY:
            return self._accept_inventory()
        if name == _KEY:
            return self._accept_key()
        store = next((one for one in self.stores if one.name == name and one.identity), None)
        if store is None:
            names = [one.name for one in self.stores if one.identity]
            raise InvalidInput(f"{name} is none of {', '.join([*names, _KEY, _INVENTORY])}")
        finding = self._store(store)
        if finding.is_good:
            return None
        if finding.state == "unknown":
            raise StoreError(f"{store.path}: {finding.detail}")
        if finding.state == "damaged":
            self._set_aside([store])
        self.inventory.accept(store.path, forget=finding.state != "begun anew")
        return f"{store.title}: {finding.detail}; it is used as it is from now on"

    def _accept_inventory(self) -> str | None:
        if self.inventory.problem() is None:
            return None
        self.inventory.set_aside()
        return "the inventory is begun anew from the stores that are there"

    def _accept_key(self) -> str | None:
        if self.key_file is None or self.key_file.problem() is None:
            return None
        aside = self._set_aside([one for one in self.stores if one.name in self.sealed])
        self.inventory.accept(self.key_file.path, forget=True)
        names = ", ".join(f"{path.name}.broken" for path in aside) or "nothing was sealed yet"
        return (
            f"another key is used from now on; what the lost one has sealed is set aside: {names}"
        )

    def _set_aside(self, stores: Iterable[KnownStore]) -> list[Path]:
        present = [one.path for one in stores if one.path.exists()]
        for path in present:
            try:
                quarantine(path)
            except OSError as error:
                raise StoreError(f"{path}: cannot be set aside: {error.strerror}") from error
        return present

    def _known(self) -> StoreFinding:
        problem, path = self.inventory.problem(), self.inventory.path
        facts = (_INVENTORY, "inventory of the stores", path)
        if problem is None:
            return _finding(*facts, "whole" if path.exists() else "absent", "it can be read")
        advice = "`sourcewright storage accept inventory` begins a new one from what is there"
        return _finding(*facts, "damaged", problem, advice)

    def _key(self) -> list[StoreFinding]:
        if self.key_file is None:
            return []
        facts = (_KEY, "key of sessions and memory", self.key_file.path)
        problem = self.key_file.problem()
        if problem is not None:
            detail, _, advice = problem.rpartition("; ")
            state: State = "damaged" if self.key_file.path.exists() else "lost"
            return [_finding(*facts, state, detail, advice)]
        if not self.key_file.path.exists():
            return [_finding(*facts, "absent", "it is made when something is first kept")]
        detail = f"what is kept is encrypted with {self.key_file.path}: back it up apart from it"
        return [_finding(*facts, "whole", detail)]

    def _store(self, store: KnownStore, *, thoroughly: bool = False) -> StoreFinding:
        """Compare the file with what is known of it, and examine it."""
        state, detail = self._state(store, thoroughly=thoroughly)
        if state == "damaged" and store.rebuilt:
            detail, advice = f"{detail}; {store.rebuilt}", None
        else:
            advice = (
                store.advice
                or f"{_RESTORE.format(name=store.path.name)}, or go on without it: `sourcewright storage accept {store.name}`"
            )
        return StoreFinding(
            name=store.name,
            title=store.title,
            state=state,
            path=store.path,
            detail=detail,
            advice=None if state in _GOOD else advice,
            lasting=not store.rebuilt,
        )

    def _state(self, store: KnownStore, *, thoroughly: bool) -> tuple[State, str]:
        try:
            known = self.inventory.id_of(store.path) if store.identity else None
        except StoreError:
            known = None  # reported as the inventory's own problem
        file = (
            self._examined(store, thoroughly=thoroughly)
            if store.path.exists()
            else Examination(is_empty=True)
        )
        if file.is_empty:
            gone = "the file was emptied" if store.path.exists() else "the file is gone"
            return ("absent", "not used yet") if known is None else ("lost", gone)
        if file.unknown:
            return "unknown", f"the file cannot be examined: {file.unknown}"
        if file.damage:
            return "damaged", f"the file is damaged: {file.damage}"
        if known is not None and file.id != known:
            return "replaced", "the file is not the one that was used before"
        losses = self.inventory.losses(store.path, since=self.clock.now() - store.keep_seconds)
        if losses:
            return "begun anew", losses[-1].sentence("the file")
        return "whole", "whole, and the same as when it was last used" if known else "whole"

    def _examined(self, store: KnownStore, *, thoroughly: bool) -> Examination:
        """Examine the file, unless it is as it was when that was last done."""
        if thoroughly:
            return examine_file(
                store.path,
                store.owner,
                identity=store.identity,
                contents=store.contents or _structure_alone,
            )
        stamps = tuple(_stamp(Path(f"{store.path}{suffix}")) for suffix in ("", "-wal"))
        now = self.clock.monotonic()
        with self._lock:
            latest = self._checks.get(store.path)
        if latest is not None:
            size = sum(stamp[1] for stamp in stamps if stamp)
            is_recent = size > _SMALL_BYTES and now - latest.at < _LARGE_SECONDS
            if latest.stamps == stamps or is_recent:
                return latest.result
        result = examine_file(store.path, store.owner, identity=store.identity)
        with self._lock:
            self._checks[store.path] = _LatestCheck(stamps, now, result)
        return result


def _structure_alone(_db: sqlite3.Connection) -> None:
    return None


def _finding(
    name: str, title: str, path: Path, state: State, detail: str, advice: str | None = None
) -> StoreFinding:
    return StoreFinding(
        name=name, title=title, path=path, state=state, detail=detail, advice=advice
    )


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
