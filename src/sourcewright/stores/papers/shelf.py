"""The paper store's blocking operations: find, read, save, update entries."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LockTimeout, SchemaTooNew, StoreError
from sourcewright.base.formats.digests import file_digest
from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.domain.papers.duplicates import merge_duplicates
from sourcewright.domain.papers.entries import merge_entries, version_of
from sourcewright.domain.papers.file_names import is_store_key, store_key
from sourcewright.references.entries import SCHEMA_VERSION, Entry
from sourcewright.stores.files import Folder
from sourcewright.stores.logs.kept_files import ADOPTED
from sourcewright.stores.papers.legacy_names import LegacyKeys, identifier_of, own_key
from sourcewright.stores.papers.placement import (
    PDF,
    TOML,
    FolderAccess,
    StoreFolders,
    key_of_temporary,
    pdf_name_of,
    read_stored,
    with_actual_pdf,
    without_pdf,
    write_paper,
)
from sourcewright.stores.papers.trash import PaperTrash

logger = logging.getLogger(__name__)

METADATA = ".metadata"


@dataclass(frozen=True, slots=True, kw_only=True)
class BadEntry:
    """A metadata file that cannot be used, and why."""

    name: str
    error: StoreError


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveRequest:
    """A paper to be stored, and the callback to run before that."""

    entry: Entry
    pdf: bytes | None
    confirm: Callable[[], None]
    user_authored: bool = False


class PaperFolder:
    """The papers in a folder. Methods block and are thread-safe."""

    def __init__(self, root: Path, *, clock: Clock, sandbox: bool, lock_seconds: float) -> None:
        self.root = root
        self.folders = FolderAccess(root, METADATA, clock=clock, lock_seconds=lock_seconds)
        self.trash = PaperTrash(self.folders, clock)
        self._sandbox = sandbox
        self._legacy = LegacyKeys(clock)

    def read(self, key: str) -> Entry | None:
        with self.folders.reading() as place:
            return read_stored(place, key) if place else None

    def find(self, reference: Doi | ArxivId) -> Entry | None:
        with self.folders.reading() as place:
            paper = reference.value.casefold()
            versions = self._versions(place, store_key(reference), paper) if place else iter(())
            return next(versions, None)

    def pdf_path(self, key: str) -> Path | None:
        with self.folders.reading() as place:
            entry = read_stored(place, key) if place else None
            name = pdf_name_of(entry) if entry else ""
            stored = place and name and place.papers.size_of(name) is not None
            return self.root / name if stored else None

    def pdf_bytes(self, entry: Entry, most_bytes: int) -> bytes | None:
        with self.folders.reading() as place:
            if place is None or not entry.claims_pdf:
                return None
            return place.papers.read(pdf_name_of(entry), most_bytes)

    def keys(self) -> Iterator[str]:
        return (name for name in self._names() if is_store_key(name))

    def entries(self) -> Iterator[Entry | BadEntry]:
        for name in self._names():
            try:
                entry = self.read(name)
            except StoreError as error:
                yield BadEntry(name=name, error=error)
                continue
            # A file that was removed since it was listed is neither an entry nor damage.
            if entry:
                yield entry

    @contextmanager
    def adding(self) -> Iterator[None]:
        """Hold the lock of the whole store."""
        with self.folders.writing() as place, self.folders.all_locked(place):
            yield

    def save(self, offer: SaveRequest) -> Entry:
        key = own_key(offer.entry.key, offer.entry.doi)
        offered = self._with_file_facts(replace(offer.entry, key=key), offer.pdf)
        with self.folders.writing() as place, self.folders.locked(place, key):
            _refuse_other_paper(read_stored(place, key), offered)
            versions = list(self._versions(place, key, identifier_of(offered)))
            merged = self._merged(versions, offered, user_authored=offer.user_authored)
            return self._replace(place, versions, merged, offer)

    def update(
        self, key: str, change: Callable[[Entry], Entry], confirm: Callable[[], None]
    ) -> Entry:
        before = self.read(key)
        if before is None:
            raise StoreError(f"{key}: not in the store")
        own = own_key(key, before.doi)
        with self.folders.writing() as place, self.folders.locked(place, own):
            versions = list(self._versions(place, own, identifier_of(before)))
            if not versions:
                raise StoreError(f"{key}: no longer in the store")
            changed = replace(change(versions[0]), key=own)
            offer = SaveRequest(entry=changed, pdf=None, confirm=confirm)
            return self._replace(place, versions, changed, offer)

    def absorb(self, key: str, other: str, confirm: Callable[[], None]) -> Entry:
        """Merge the entry `other` into the one with `key`; the PDF of the other stays as a file."""
        first, second = sorted((key, other))
        with (
            self.folders.writing() as place,
            self.folders.locked(place, first),
            self.folders.locked(place, second),
        ):
            entry, absorbed = read_stored(place, key), read_stored(place, other)
            if entry is None or absorbed is None:
                raise StoreError(f"{other if entry else key}: no longer in the store")
            merged = merge_duplicates(entry, absorbed)
            offer = SaveRequest(entry=merged, pdf=None, confirm=confirm)
            return self._replace(place, [entry, absorbed], merged, offer)

    def remove_leftovers(self) -> int:
        with self.folders.reading() as place:
            if place is None:
                return 0
            return sum(
                self._remove_abandoned(place, folder, name)
                for folder in (place.papers, place.metadata)
                for name in [name for name in folder.names() if key_of_temporary(name)]
            )

    def tidy(self) -> None:
        """Remove abandoned temporary files where possible; they do no harm."""
        try:
            self.remove_leftovers()
        except StoreError as error:
            logger.warning("leftovers stay: %s", error)

    def _names(self) -> Iterator[str]:
        with self.folders.reading() as place:
            for name in place.metadata.names() if place else ():
                if name.endswith(TOML) and not name.startswith("."):
                    yield name.removesuffix(TOML)

    def _versions(self, place: StoreFolders, key: str, paper: str | None) -> Iterator[Entry]:
        """The stored versions of the paper: under our key, then under doiget's keys."""
        own = read_stored(place, key)
        if own and _is_compatible(own, paper):
            yield own
        if paper and key.startswith("doi_"):
            names = [name for name in self._legacy.of(paper, place.metadata) if name != key]
            for entry in (read_stored(place, name) for name in names):
                if entry and identifier_of(entry) == paper:
                    yield entry

    def _with_file_facts(self, entry: Entry, pdf: bytes | None) -> Entry:
        """The entry with the fields that only the store sets: sandbox, PDF path and size."""
        holding = replace(entry.holding, sandbox=self._sandbox)
        if pdf is None:
            return without_pdf(replace(entry, holding=holding))
        holding = replace(holding, size_bytes=len(pdf), pdf_sha256=file_digest(pdf))
        return replace(entry, pdf_path=entry.key + PDF, holding=holding)

    def _merged(self, versions: Sequence[Entry], offered: Entry, *, user_authored: bool) -> Entry:
        if not versions:
            return offered
        known = versions[0]
        if known.holding.sandbox and not self._sandbox:
            known = _without_sandbox_data(known, offered)
        merged, warnings = merge_entries(known, offered, user_authored=user_authored)
        if warnings:
            logger.warning(
                "%s: the stored metadata takes precedence (%s)", offered.key, "; ".join(warnings)
            )
        return merged

    def _replace(
        self, place: StoreFolders, versions: Sequence[Entry], entry: Entry, offer: SaveRequest
    ) -> Entry:
        """Write the entry in place of all stored versions, whatever their keys."""
        for known in versions:
            if version_of(known.schema_version) > version_of(SCHEMA_VERSION):
                raise SchemaTooNew(
                    f"{METADATA}/{known.key}{TOML}: has schema version {known.schema_version}, newer than {SCHEMA_VERSION}; it was not changed"
                )
        entry = entry if offer.pdf is not None else with_actual_pdf(place, entry)
        confirm = partial(_confirm, offer, self.trash, place, versions)
        entry = write_paper(place, entry, offer.pdf, confirm)
        for known in versions:
            old, new = known.key + TOML, entry.key + TOML
            if known.key != entry.key and not place.metadata.same(old, new):
                place.metadata.rename(old, old + ADOPTED)
        return entry

    def _remove_abandoned(self, place: StoreFolders, folder: Folder, name: str) -> bool:
        """Remove a temporary file unless its key is locked, which means that it is in use."""
        key = key_of_temporary(name)
        if key is None:
            return False
        try:
            with self.folders.locked(place, key, limit_seconds=0.0):
                folder.remove(name)
        except LockTimeout:
            return False
        return True


def _confirm(
    offer: SaveRequest, trash: PaperTrash, place: StoreFolders, versions: Sequence[Entry]
) -> None:
    """Run the callback of the caller; then a PDF that changed is kept before it is replaced."""
    offer.confirm()
    if offer.pdf is not None:
        trash.keep_if_changed(place, versions)


def _is_compatible(known: Entry, paper: str | None) -> bool:
    """Whether an entry may be this paper's; one without an identifier is judged by its key."""
    return paper is None or identifier_of(known) in {None, paper}


def _refuse_other_paper(known: Entry | None, offered: Entry) -> None:
    """Raise if the key belongs to another paper."""
    if known and not _is_compatible(known, identifier_of(offered)):
        raise StoreError(
            f"{METADATA}/{known.key}{TOML}: belongs to another paper, {known.doi or known.arxiv_id}"
        )


def _without_sandbox_data(known: Entry, offered: Entry) -> Entry:
    """Drop what a sandbox made up; keep what the user wrote."""
    own = known.holding
    holding = replace(
        offered.holding, tags=own.tags, collections=own.collections, annotation=own.annotation
    )
    return replace(offered, holding=holding)
