"""The trash of the paper store: `.trash/<key>.<ULID>.toml`, with the PDF beside it.

A PDF is linked into its new folder before its metadata moves, and unlinked from the old one
after that, so that a process killed at any line leaves a paper that is whole in one of the two.
What such a process left is removed by the next one that opens the trash.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LockTimeout, StoreError
from sourcewright.domain.papers.file_names import is_store_key
from sourcewright.domain.papers.library import TrashedPaper
from sourcewright.references.entries import Entry
from sourcewright.stores.files import Folder
from sourcewright.stores.papers.legacy_names import own_key
from sourcewright.stores.papers.metadata import MOST_BYTES, entry_bytes, read_entry
from sourcewright.stores.papers.pdf_changes import differs_from_record
from sourcewright.stores.papers.placement import (
    PDF,
    TOML,
    FolderAccess,
    StoreFolders,
    pdf_name_of,
    read_stored,
    temporary_name,
)
from sourcewright.stores.ulids import new_ulid, ulid_time

TRASH = ".trash"


@dataclass(frozen=True, slots=True)
class _OpenTrash:
    """The open folders of the store and of its trash."""

    place: StoreFolders
    folder: Folder


class PaperTrash:
    """Moves papers to the trash and back. Methods block and are thread-safe.

    Raises:
        StoreError, LockTimeout: Nothing was moved.
    """

    def __init__(self, folders: FolderAccess, clock: Clock) -> None:
        self._folders = folders
        self._clock = clock

    def papers(self) -> list[TrashedPaper]:
        """The papers in the trash, the one that was removed last first."""
        with self._folders.reading() as place:
            if place is None or TRASH not in place.papers.names():
                return []
        with self._opened() as trash:
            listed = [_trashed(trash.folder, name) for name in _items(trash.folder)]
        return sorted(listed, key=lambda one: one.removed_at, reverse=True)

    def remove(self, key: str, confirm: Callable[[], None]) -> TrashedPaper:
        """Move a paper to the trash. `confirm` runs before anything is taken away."""
        with self._opened() as trash:
            entry = _stored(trash.place, key)
            with self._folders.locked(trash.place, own_key(key, entry.doi)):
                return self._remove(trash, _stored(trash.place, key), confirm)

    def restore(self, item: str, confirm: Callable[[], None]) -> Entry:
        """Move a paper back into the store, which must not have it again."""
        key = _key_of(item)
        with self._opened() as trash, self._folders.locked(trash.place, key):
            place, entry = trash.place, _entry(trash.folder, item)
            if place.metadata.size_of(key + TOML) is not None:
                raise StoreError(f"{key}: the library has this paper again; remove that one first")
            name = pdf_name_of(entry)
            has_pdf = trash.folder.size_of(item + PDF) is not None and _owns(place, entry, name)
            with _removed_on_error(place.papers, temporary_name(name)):
                if has_pdf:
                    place.papers.remove(temporary_name(name))
                    trash.folder.link(item + PDF, place.papers, temporary_name(name))
                confirm()
            if has_pdf:
                place.papers.rename(temporary_name(name), name)
            trash.folder.move(item + TOML, place.metadata, key + TOML)
            trash.folder.remove(item + PDF)
            return entry

    def erase(self, item: str, confirm: Callable[[], None]) -> None:
        """Delete a paper in the trash for good."""
        key = _key_of(item)
        with self._opened() as trash, self._folders.locked(trash.place, key):
            _entry(trash.folder, item)
            confirm()
            trash.folder.remove(item + TOML)
            trash.folder.remove(item + PDF)
            trash.folder.sync()

    def keep_if_changed(self, place: StoreFolders, versions: Sequence[Entry]) -> None:
        """Keep a PDF that changed since it was stored, and is about to be overwritten.

        The caller holds the lock of the paper.
        """
        entry = next((one for one in versions if differs_from_record(place, one)), None)
        if entry is None:
            return
        item = self._new_item(entry.key)
        with place.papers.inner(TRASH, make=True) as folder:
            place.papers.link(pdf_name_of(entry), folder, item + PDF)
            folder.write(item + TOML, entry_bytes(entry))

    def _remove(
        self, trash: _OpenTrash, entry: Entry, confirm: Callable[[], None]
    ) -> TrashedPaper:
        item, papers = self._new_item(entry.key), trash.place.papers
        pdf = _own_pdf(trash.place, entry)
        with _removed_on_error(trash.folder, item + PDF):
            if pdf:
                papers.link(pdf, trash.folder, item + PDF)
            confirm()
        trash.place.metadata.move(entry.key + TOML, trash.folder, item + TOML)
        if pdf:
            papers.remove(pdf)
            papers.sync()
        return _trashed(trash.folder, item)

    @contextmanager
    def _opened(self) -> Iterator[_OpenTrash]:
        with (
            self._folders.writing() as place,
            place.papers.inner(TRASH, make=True) as folder,
        ):
            trash = _OpenTrash(place, folder)
            for name in [name for name in folder.names() if name.endswith(PDF)]:
                self._finish(trash, _trashed(folder, name.removesuffix(PDF)))
            yield trash

    def _finish(self, trash: _OpenTrash, paper: TrashedPaper) -> None:
        """Remove what a killed process left of this paper, unless somebody works on it."""
        if not is_store_key(paper.key):
            return
        own = own_key(paper.key, paper.entry.doi) if paper.entry else paper.key
        with suppress(LockTimeout), self._folders.locked(trash.place, own, limit_seconds=0.0):
            if trash.folder.size_of(paper.item + TOML) is None:
                trash.folder.remove(paper.item + PDF)
            elif paper.entry and trash.place.metadata.size_of(paper.key + TOML) is None:
                # The paper is whole here, and a second name of its PDF was left in the store.
                name = pdf_name_of(paper.entry)
                if trash.folder.same(paper.item + PDF, name, trash.place.papers):
                    trash.place.papers.remove(name)

    def _new_item(self, key: str) -> str:
        return f"{key}.{new_ulid(self._clock.now())}"


def _items(folder: Folder) -> list[str]:
    names = (name.removesuffix(TOML) for name in folder.names() if name.endswith(TOML))
    return [name for name in names if is_store_key(name.rpartition(".")[0])]


def _trashed(folder: Folder, item: str) -> TrashedPaper:
    key, _, ulid = item.rpartition(".")
    try:
        entry, problem = _entry(folder, item), None
    except StoreError as error:
        entry, problem = None, str(error)
    return TrashedPaper(
        item=item,
        key=key,
        removed_at=ulid_time(ulid),
        entry=entry,
        pdf_size=folder.size_of(item + PDF),
        problem=problem,
    )


def _key_of(item: str) -> str:
    key = item.rpartition(".")[0]
    if not is_store_key(key) or "/" in item:
        raise StoreError(f"{item!r}: not a name in the trash")
    return key


def _entry(folder: Folder, item: str) -> Entry:
    data = folder.read(item + TOML, MOST_BYTES)
    if data is None:
        raise StoreError(f"{item}: no longer in the trash")
    return read_entry(_key_of(item), data)


def _stored(place: StoreFolders, key: str) -> Entry:
    entry = read_stored(place, key)
    if entry is None:
        raise StoreError(f"{key}: no longer in the store")
    return entry


def _own_pdf(place: StoreFolders, entry: Entry) -> str | None:
    """The entry's PDF, if there is one that belongs to no other entry."""
    name = pdf_name_of(entry)
    is_there = place.papers.size_of(name) is not None
    return name if is_there and _owns(place, entry, name) else None


def _owns(place: StoreFolders, entry: Entry, name: str) -> bool:
    """Whether the file of this name belongs to no other entry."""
    owner = name.removesuffix(PDF)
    return owner == entry.key or place.metadata.size_of(owner + TOML) is None


@contextmanager
def _removed_on_error(folder: Folder, name: str) -> Iterator[None]:
    try:
        yield
    except BaseException:
        with suppress(OSError):
            folder.remove(name)
        raise
