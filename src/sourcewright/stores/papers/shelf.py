"""The paper store's blocking operations: find, read, save, update entries."""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sourcewright.domain.entries import SCHEMA_VERSION, Entry
from sourcewright.domain.errors import LockTimeout, SchemaTooNew, StoreError
from sourcewright.domain.identifiers import ArxivId, Doi
from sourcewright.domain.ports import Clock
from sourcewright.logic.papers.entries import merge, version_of
from sourcewright.logic.papers.file_names import is_key, store_key
from sourcewright.stores.files import Folder
from sourcewright.stores.papers.legacy_names import ADOPTED, Names, own_key, paper_of
from sourcewright.stores.papers.metadata import MOST_BYTES, read_entry
from sourcewright.stores.papers.placement import (
    PDF,
    TOML,
    Place,
    Premises,
    claims_pdf,
    key_of_temporary,
    pdf_name_of,
    put,
    refuse_name,
    truthful,
    without_pdf,
)

logger = logging.getLogger(__name__)

METADATA = ".metadata"


@dataclass(frozen=True, slots=True, kw_only=True)
class BadEntry:
    """A metadata file that cannot be used, and why."""

    name: str
    error: StoreError


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A paper to be kept, and what must happen before it is."""

    entry: Entry
    pdf: bytes | None
    confirm: Callable[[], None]
    user_authored: bool = False


class Shelf:
    """Papers in a folder. Every method blocks, so threads call them, any number at a time."""

    def __init__(self, root: Path, *, clock: Clock, sandbox: bool, lock_seconds: float) -> None:
        self.root = root
        self._premises = Premises(root, METADATA, clock=clock, lock_seconds=lock_seconds)
        self._sandbox = sandbox
        self._legacy = Names(clock)

    def read(self, key: str) -> Entry | None:
        with self._premises.reading() as place:
            return _read(place, key) if place else None

    def find(self, reference: Doi | ArxivId) -> Entry | None:
        with self._premises.reading() as place:
            paper = reference.value.casefold()
            versions = self._versions(place, store_key(reference), paper) if place else iter(())
            return next(versions, None)

    def pdf_path(self, key: str) -> Path | None:
        with self._premises.reading() as place:
            entry = _read(place, key) if place else None
            name = pdf_name_of(entry) if entry else ""
            stored = place and name and place.papers.size_of(name) is not None
            return self.root / name if stored else None

    def keys(self) -> Iterator[str]:
        return (name for name in self._names() if is_key(name))

    def entries(self) -> Iterator[Entry | BadEntry]:
        for name in self._names():
            try:
                entry = self.read(name)
            except StoreError as error:
                yield BadEntry(name=name, error=error)
                continue
            # A file that vanished since it was listed is no entry, and no damage either.
            if entry:
                yield entry

    def save(self, offer: Offer) -> Entry:
        key = own_key(offer.entry.key, offer.entry.doi)
        offered = self._offered(replace(offer.entry, key=key), offer.pdf)
        with self._premises.writing() as place, self._premises.locked(place, key):
            _refuse_another(_read(place, key), offered)
            versions = list(self._versions(place, key, paper_of(offered)))
            kept = self._merged(versions, offered, user_authored=offer.user_authored)
            return self._replace(place, versions, kept, offer)

    def update(
        self, key: str, change: Callable[[Entry], Entry], confirm: Callable[[], None]
    ) -> Entry:
        before = self.read(key)
        if before is None:
            raise StoreError(f"{key}: is not in the store")
        own = own_key(key, before.doi)
        with self._premises.writing() as place, self._premises.locked(place, own):
            versions = list(self._versions(place, own, paper_of(before)))
            if not versions:
                raise StoreError(f"{key}: is not in the store any more")
            changed = replace(change(versions[0]), key=own)
            offer = Offer(entry=changed, pdf=None, confirm=confirm)
            return self._replace(place, versions, changed, offer)

    def remove_leftovers(self) -> int:
        with self._premises.reading() as place:
            if place is None:
                return 0
            return sum(
                self._remove_abandoned(place, folder, name)
                for folder in (place.papers, place.metadata)
                for name in [name for name in folder.names() if key_of_temporary(name)]
            )

    def tidy(self) -> None:
        """Remove leftovers as far as that is possible; they harm nobody."""
        try:
            self.remove_leftovers()
        except StoreError as error:
            logger.warning("leftovers stay: %s", error)

    def _names(self) -> Iterator[str]:
        with self._premises.reading() as place:
            for name in place.metadata.names() if place else ():
                if name.endswith(TOML) and not name.startswith("."):
                    yield name.removesuffix(TOML)

    def _versions(self, place: Place, key: str, paper: str | None) -> Iterator[Entry]:
        """The paper as it is stored: under our name, then under names of doiget's."""
        own = _read(place, key)
        if own and _is_compatible(own, paper):
            yield own
        if paper and key.startswith("doi_"):
            names = [name for name in self._legacy.of(paper, place.metadata) if name != key]
            for entry in (_read(place, name) for name in names):
                if entry and paper_of(entry) == paper:
                    yield entry

    def _offered(self, entry: Entry, pdf: bytes | None) -> Entry:
        """The entry with what only the store knows: a PDF is what there are bytes of."""
        holding = replace(entry.holding, sandbox=self._sandbox)
        if pdf is None:
            return without_pdf(replace(entry, holding=holding))
        holding = replace(holding, size_bytes=len(pdf))
        return replace(entry, pdf_path=entry.key + PDF, holding=holding)

    def _merged(self, versions: Sequence[Entry], offered: Entry, *, user_authored: bool) -> Entry:
        if not versions:
            return offered
        known = versions[0]
        if known.holding.sandbox and not self._sandbox:
            known = _without_inventions(known, offered)
        merged, warnings = merge(known, offered, user_authored=user_authored)
        if warnings:
            logger.warning("%s: the stored metadata wins (%s)", offered.key, "; ".join(warnings))
        return merged

    def _replace(
        self, place: Place, versions: Sequence[Entry], kept: Entry, offer: Offer
    ) -> Entry:
        """Write what is kept in place of what was stored, under whatever names."""
        for known in versions:
            if version_of(known.schema_version) > version_of(SCHEMA_VERSION):
                raise SchemaTooNew(
                    f"{METADATA}/{known.key}{TOML}: has schema version {known.schema_version}, "
                    f"newer than {SCHEMA_VERSION}; it is left as it is"
                )
        kept = kept if offer.pdf is not None else truthful(place, kept)
        put(place, kept, offer.pdf, offer.confirm)
        for known in versions:
            old, new = known.key + TOML, kept.key + TOML
            if known.key != kept.key and not place.metadata.same(old, new):
                place.metadata.rename(old, old + ADOPTED)
        return kept

    def _remove_abandoned(self, place: Place, folder: Folder, name: str) -> bool:
        """Temporary files are written by the holder of their key's lock and by nobody else."""
        key = key_of_temporary(name)
        if key is None:
            return False
        try:
            with self._premises.locked(place, key, limit_seconds=0.0):
                folder.remove(name)
        except LockTimeout:
            return False
        return True


def _read(place: Place, key: str) -> Entry | None:
    refuse_name(key)
    data = place.metadata.read(key + TOML, MOST_BYTES)
    if data is None:
        return None
    entry = read_entry(key, data)
    if version_of(entry.schema_version) > version_of(SCHEMA_VERSION):
        logger.warning(
            "%s: has schema version %s, newer than %s", key, entry.schema_version, SCHEMA_VERSION
        )
    # Said even where the file does not, because the name stays when the entry gets our key.
    return replace(entry, pdf_path=pdf_name_of(entry) if claims_pdf(entry) else None)


def _is_compatible(known: Entry, paper: str | None) -> bool:
    """Whether an entry may be this paper's; one that names no paper goes by its key."""
    return paper is None or paper_of(known) in {None, paper}


def _refuse_another(known: Entry | None, offered: Entry) -> None:
    """A name that another paper has stays with it."""
    if known and not _is_compatible(known, paper_of(offered)):
        raise StoreError(
            f"{METADATA}/{known.key}{TOML}: holds another paper, {known.doi or known.arxiv_id}"
        )


def _without_inventions(known: Entry, offered: Entry) -> Entry:
    """Nothing that a sandbox made up outlives it; what the user wrote does."""
    own = known.holding
    holding = replace(
        offered.holding, tags=own.tags, collections=own.collections, annotation=own.annotation
    )
    return replace(offered, holding=holding)
