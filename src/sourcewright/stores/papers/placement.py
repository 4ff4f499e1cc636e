"""Writes a paper and its metadata atomically, so that metadata never describes a wrong PDF.

A PDF gets its final name before the metadata that describes it. If it replaces another one,
the metadata is first replaced by a version without a PDF. Everything is on disk under
temporary names before the first of these steps, so that a full disk changes nothing. The
module also opens the store's folders and locks single papers.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import StoreError
from sourcewright.domain.papers.entries import version_of
from sourcewright.domain.papers.file_names import is_store_key
from sourcewright.references.entries import SCHEMA_VERSION, Entry
from sourcewright.stores.files import Folder, make_folder, open_folder, sync_folder
from sourcewright.stores.locks import locked
from sourcewright.stores.papers.metadata import MOST_BYTES, entry_bytes, read_entry

logger = logging.getLogger(__name__)

PDF, TOML = ".pdf", ".toml"
_TEMPORARY = ".tmp"
_BARE = ".bare"
_ADDING = ".adding.lock"


@dataclass(frozen=True, slots=True)
class StoreFolders:
    """The open folders of the store: PDFs and metadata."""

    papers: Folder
    metadata: Folder


def write_paper(
    place: StoreFolders, entry: Entry, pdf: bytes | None, confirm: Callable[[], None]
) -> Entry:
    """Write the entry and its PDF; return it as written. The caller must hold the lock of the key.

    `confirm` is called when everything is on disk under temporary names; if it raises,
    nothing has changed.

    Raises:
        OSError: A file operation failed.
        StoreError: The entry cannot be serialised.
    """
    pdf_name, toml_name = entry.key + PDF, entry.key + TOML
    is_new_pdf = pdf is not None and not place.papers.holds(pdf_name, pdf)
    # Fails before a file is written; the digits of a time make no difference.
    entry_bytes(entry)
    before = place.metadata.read(toml_name, MOST_BYTES) if is_new_pdf else None
    bare = _metadata_without_pdf(place, entry.key, before) if before else None
    with _removing_temporaries(place, entry.key):
        if pdf is not None and is_new_pdf:
            place.papers.write(temporary_name(pdf_name), pdf)
        if pdf is not None:
            entry = _with_time(place, entry, temporary_name(pdf_name) if is_new_pdf else pdf_name)
        if bare:
            place.metadata.write(temporary_name(toml_name + _BARE), bare)
        place.metadata.write(temporary_name(toml_name), entry_bytes(entry))
        confirm()
        if bare:
            place.metadata.rename(temporary_name(toml_name + _BARE), toml_name)
        if is_new_pdf:
            with _restoring_metadata(place, toml_name, before if bare else None):
                place.papers.rename(temporary_name(pdf_name), pdf_name)
        place.metadata.rename(temporary_name(toml_name), toml_name)
    return entry


def _with_time(place: StoreFolders, entry: Entry, pdf_name: str) -> Entry:
    """The entry with the modification time of its PDF, which a renamed file keeps."""
    stamp = place.papers.stamp_of(pdf_name)
    modified = stamp.mtime if stamp else None
    return replace(entry, holding=replace(entry.holding, pdf_modified=modified))


def with_actual_pdf(place: StoreFolders, entry: Entry) -> Entry:
    """The entry without a PDF that is gone.

    What was recorded about a PDF that has changed stays, so that every answer can name the change.
    """
    if not entry.claims_pdf:
        return entry
    name = pdf_name_of(entry)
    is_there = place.papers.size_of(name) is not None
    return replace(entry, pdf_path=name) if is_there else without_pdf(entry)


def without_pdf(entry: Entry) -> Entry:
    holding = replace(
        entry.holding,
        size_bytes=0,
        pdf_sha256=None,
        pdf_modified=None,
        file_check=None,
        file_evidence=(),
        preprint=None,
        file_version=None,
        origin=None,
    )
    return replace(entry, pdf_path=None, holding=holding)


def pdf_name_of(entry: Entry) -> str:
    """The file name of the entry's PDF; a path that leaves the store is ignored."""
    stored_name = entry.pdf_path or ""
    return (
        stored_name
        if is_store_key(stored_name.removesuffix(PDF)) and stored_name.endswith(PDF)
        else entry.key + PDF
    )


def temporary_name(name: str) -> str:
    return f".{name}{_TEMPORARY}"


def key_of_temporary(name: str) -> str | None:
    """The key of a temporary file; None for any other file."""
    if not (name.startswith(".") and name.endswith(_TEMPORARY)):
        return None
    final = name[1:].removesuffix(_TEMPORARY).removesuffix(_BARE)
    key = final.removesuffix(PDF).removesuffix(TOML)
    return key if key != final and is_store_key(key) else None


def _metadata_without_pdf(place: StoreFolders, key: str, before: bytes) -> bytes | None:
    """The stored metadata without its PDF, if it describes the one to be replaced."""
    known = read_entry(key, before)
    if not known.claims_pdf or pdf_name_of(known) != key + PDF:
        return None
    return entry_bytes(without_pdf(known)) if place.papers.size_of(key + PDF) is not None else None


@contextmanager
def _removing_temporaries(place: StoreFolders, key: str) -> Iterator[None]:
    """Remove temporary files afterwards, also those of an earlier writer that was killed."""
    try:
        yield
    finally:
        names = ((place.papers, PDF), (place.metadata, TOML), (place.metadata, TOML + _BARE))
        for folder, suffix in names:
            with suppress(OSError):
                folder.remove(temporary_name(key + suffix))


@contextmanager
def _restoring_metadata(place: StoreFolders, name: str, before: bytes | None) -> Iterator[None]:
    """Restore the previous metadata if renaming the PDF fails."""
    try:
        yield
    except OSError:
        if before is not None:
            with suppress(OSError):
                place.metadata.write(temporary_name(name + _BARE), before)
                place.metadata.rename(temporary_name(name + _BARE), name)
        raise


class FolderAccess:
    """Opens and locks the store's folders; OSError is turned into StoreError."""

    def __init__(self, root: Path, metadata: str, *, clock: Clock, lock_seconds: float) -> None:
        self._root = root
        self._metadata = metadata
        self._clock = clock
        self._lock_seconds = lock_seconds

    @contextmanager
    def reading(self) -> Iterator[StoreFolders | None]:
        """Open the store's folders; None if there is no store yet."""
        with self._as_store_error("read"), ExitStack() as stack:
            try:
                papers = stack.enter_context(open_folder(self._root))
                place = StoreFolders(papers, stack.enter_context(papers.inner(self._metadata)))
            except FileNotFoundError:
                place = None
            yield place

    @contextmanager
    def writing(self) -> Iterator[StoreFolders]:
        """Open the store's folders, created if missing."""
        with self._as_store_error("written"):
            if not self._root.is_dir():
                make_folder(self._root)
                sync_folder(self._root.parent)
            with (
                open_folder(self._root) as papers,
                papers.inner(self._metadata, make=True) as metadata,
            ):
                yield StoreFolders(papers, metadata)

    def locked(
        self, place: StoreFolders, key: str, limit_seconds: float | None = None
    ) -> AbstractContextManager[None]:
        """Lock this paper for writing. The lock file stays, because others may wait on it."""
        check_key(key)
        limit = self._lock_seconds if limit_seconds is None else limit_seconds
        return self._locked(place, f"{key}{TOML}.lock", limit)

    def all_locked(self, place: StoreFolders) -> AbstractContextManager[None]:
        """Lock the adding of papers. Who holds it may lock single papers, never the reverse."""
        return self._locked(place, _ADDING, self._lock_seconds)

    def _locked(
        self, place: StoreFolders, name: str, limit_seconds: float
    ) -> AbstractContextManager[None]:
        return locked(
            Path(name),
            clock=self._clock,
            limit_seconds=limit_seconds,
            dir_fd=place.metadata.descriptor,
        )

    @contextmanager
    def _as_store_error(self, what: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            path = self._root / str(error.filename or "")
            raise StoreError(f"{path}: could not be {what} ({reason})") from error


def read_stored(place: StoreFolders, key: str) -> Entry | None:
    """The entry with this key; None when there is none."""
    check_key(key)
    data = place.metadata.read(key + TOML, MOST_BYTES)
    if data is None:
        return None
    entry = read_entry(key, data)
    if version_of(entry.schema_version) > version_of(SCHEMA_VERSION):
        logger.warning(
            "%s: has schema version %s, newer than %s", key, entry.schema_version, SCHEMA_VERSION
        )
    # Set even if the file lacks it: the PDF keeps its name when the entry gets our key.
    return replace(entry, pdf_path=pdf_name_of(entry) if entry.claims_pdf else None)


def check_key(key: str) -> None:
    """Raise StoreError for an invalid key, which might lead out of the store."""
    if not is_store_key(key):
        raise StoreError(f"{key!r}: not a valid store key")
