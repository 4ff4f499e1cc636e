"""Writes a paper and its metadata atomically, in the order that is never false.

A PDF gets its name before the metadata that speaks of it. Where it takes the place of
another one, the metadata first says nothing about a PDF. Everything is on the disk under
temporary names before the first of these steps, so that a full disk changes nothing.

Where papers are kept: opening the store's folders, and having one paper to oneself.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from sourcewright.domain.entries import Entry
from sourcewright.domain.errors import StoreError
from sourcewright.domain.ports import Clock
from sourcewright.logic.papers.file_names import is_key
from sourcewright.stores.files import Folder, make_folder, opened, sync_folder
from sourcewright.stores.locks import locked
from sourcewright.stores.papers.metadata import MOST_BYTES, entry_bytes, read_entry

PDF, TOML = ".pdf", ".toml"
_TEMPORARY = ".tmp"
_BARE = ".bare"


@dataclass(frozen=True, slots=True)
class Place:
    """The store's two folders, held open."""

    papers: Folder
    metadata: Folder


def put(place: Place, entry: Entry, pdf: bytes | None, confirm: Callable[[], None]) -> None:
    """Write the entry and its PDF. Only whoever holds the lock of the key may do this.

    `confirm` is called when everything is on the disk and nothing has its name yet;
    if it raises, nothing has changed.

    Raises:
        OSError: The disk refused something.
        StoreError: The entry cannot be written down.
    """
    pdf_name, toml_name = entry.key + PDF, entry.key + TOML
    data = entry_bytes(entry)
    fresh = pdf is not None and not place.papers.holds(pdf_name, pdf)
    before = place.metadata.read(toml_name, MOST_BYTES) if fresh else None
    bare = _bare(place, entry.key, before) if before else None
    with _tidying(place, entry.key):
        if pdf is not None and fresh:
            place.papers.write(temporary(pdf_name), pdf)
        if bare:
            place.metadata.write(temporary(toml_name + _BARE), bare)
        place.metadata.write(temporary(toml_name), data)
        confirm()
        if bare:
            place.metadata.rename(temporary(toml_name + _BARE), toml_name)
        if fresh:
            with _restoring(place, toml_name, before if bare else None):
                place.papers.rename(temporary(pdf_name), pdf_name)
        place.metadata.rename(temporary(toml_name), toml_name)


def truthful(place: Place, entry: Entry) -> Entry:
    """The entry as its PDF really is: gone, of another size, or as the entry says."""
    if not claims_pdf(entry):
        return entry
    name = pdf_name_of(entry)
    size = place.papers.size_of(name)
    if size is None:
        return without_pdf(entry)
    if size == entry.holding.size_bytes:
        return replace(entry, pdf_path=name)
    changed = replace(
        entry.holding,
        size_bytes=size,
        file_check=None,
        file_evidence=(),
        preprint=None,
        file_version=None,
    )
    return replace(entry, pdf_path=name, holding=changed)


def claims_pdf(entry: Entry) -> bool:
    return entry.holding.size_bytes > 0 or entry.pdf_path is not None


def without_pdf(entry: Entry) -> Entry:
    holding = replace(
        entry.holding,
        size_bytes=0,
        file_check=None,
        file_evidence=(),
        preprint=None,
        file_version=None,
        origin=None,
    )
    return replace(entry, pdf_path=None, holding=holding)


def pdf_name_of(entry: Entry) -> str:
    """The name of the entry's PDF inside the store; what leads out of it does not count."""
    named = entry.pdf_path or ""
    return named if is_key(named.removesuffix(PDF)) and named.endswith(PDF) else entry.key + PDF


def temporary(name: str) -> str:
    return f".{name}{_TEMPORARY}"


def key_of_temporary(name: str) -> str | None:
    """The key whose writer left this file unfinished; None for any other file."""
    if not (name.startswith(".") and name.endswith(_TEMPORARY)):
        return None
    final = name[1:].removesuffix(_TEMPORARY).removesuffix(_BARE)
    key = final.removesuffix(PDF).removesuffix(TOML)
    return key if key != final and is_key(key) else None


def _bare(place: Place, key: str, before: bytes) -> bytes | None:
    """The stored metadata without its PDF, if it speaks of the one that is about to go."""
    known = read_entry(key, before)
    if not claims_pdf(known) or pdf_name_of(known) != key + PDF:
        return None
    return entry_bytes(without_pdf(known)) if place.papers.size_of(key + PDF) is not None else None


@contextmanager
def _tidying(place: Place, key: str) -> Iterator[None]:
    """Removes what got no lasting name, now or when an earlier writer was killed."""
    try:
        yield
    finally:
        names = ((place.papers, PDF), (place.metadata, TOML), (place.metadata, TOML + _BARE))
        for folder, ending in names:
            with suppress(OSError):
                folder.remove(temporary(key + ending))


@contextmanager
def _restoring(place: Place, name: str, before: bytes | None) -> Iterator[None]:
    """Puts the metadata back as it was when the PDF could not get its name."""
    try:
        yield
    except OSError:
        if before is not None:
            with suppress(OSError):
                place.metadata.write(temporary(name + _BARE), before)
                place.metadata.rename(temporary(name + _BARE), name)
        raise


class Premises:
    """A folder of PDFs with a folder of metadata in it; what the disk refuses is a StoreError."""

    def __init__(self, root: Path, metadata: str, *, clock: Clock, lock_seconds: float) -> None:
        self._root = root
        self._metadata = metadata
        self._clock = clock
        self._lock_seconds = lock_seconds

    @contextmanager
    def reading(self) -> Iterator[Place | None]:
        """The store's folders; None where there is no store yet."""
        with self._explained("read"), ExitStack() as held:
            try:
                papers = held.enter_context(opened(self._root))
                place = Place(papers, held.enter_context(papers.inner(self._metadata)))
            except FileNotFoundError:
                place = None
            yield place

    @contextmanager
    def writing(self) -> Iterator[Place]:
        """The store's folders, made where they are missing."""
        with self._explained("written"):
            if not self._root.is_dir():
                make_folder(self._root)
                sync_folder(self._root.parent)
            with (
                opened(self._root) as papers,
                papers.inner(self._metadata, make=True) as metadata,
            ):
                yield Place(papers, metadata)

    def locked(
        self, place: Place, key: str, limit_seconds: float | None = None
    ) -> AbstractContextManager[None]:
        """Let nobody else write this paper. The lock file stays, since others may wait on it."""
        refuse_name(key)
        return locked(
            Path(f"{key}{TOML}.lock"),
            clock=self._clock,
            limit_seconds=self._lock_seconds if limit_seconds is None else limit_seconds,
            dir_fd=place.metadata.descriptor,
        )

    @contextmanager
    def _explained(self, what: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = (error.strerror or type(error).__name__).lower()
            place = self._root / str(error.filename or "")
            raise StoreError(f"{place}: could not be {what} ({reason})") from error


def refuse_name(key: str) -> None:
    """Raises StoreError for what cannot be a key, and so might lead out of the store."""
    if not is_key(key):
        raise StoreError(f"{key!r}: is a name that no paper has")
