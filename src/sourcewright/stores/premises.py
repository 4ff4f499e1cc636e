"""Where papers are kept: opening the store's folders, and having one paper to oneself."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from sourcewright.domain.errors import StoreError
from sourcewright.domain.ports import Clock
from sourcewright.logic.naming import is_key
from sourcewright.stores.files import make_folder, sync_folder
from sourcewright.stores.folders import opened
from sourcewright.stores.locks import locked
from sourcewright.stores.placing import TOML, Place


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
