"""Wiring of the services on the library."""

import hashlib
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sourcewright.settings import Settings
from sourcewright.wiring.parts import SharedParts

if TYPE_CHECKING:
    # Imported for type checking only; each service is imported where it is built.
    from sourcewright.services.library.catalogue import Library
    from sourcewright.services.library.contents import PaperContents
    from sourcewright.services.library.curation import LibraryEditor
    from sourcewright.services.library.duplicates import DuplicateMerger
    from sourcewright.services.library.export import Exporter
    from sourcewright.services.library.removal import LibraryRemover
    from sourcewright.stores.papers.store import PaperStore

LOCK_SECONDS = 5.0
"""How long to wait for a paper that another process is writing."""


def index_path(settings: Settings) -> Path:
    """Return the file of the index over the library.

    It is in the state folder: it is created and deleted at will, and inside the library that would
    look as if papers came and went.
    """
    root = settings.store_root.absolute()
    name = hashlib.sha256(str(root).encode()).hexdigest()[:16]
    return settings.state_dir / "library" / f"{name}.sqlite3"


class LibraryWiring:
    """Builds each service on first use."""

    def __init__(self, parts: SharedParts) -> None:
        self._parts = parts

    @cached_property
    def catalogue(self) -> "Library":
        from sourcewright.services.library.catalogue import Library
        from sourcewright.stores.index import LibraryIndex
        from sourcewright.stores.papers.shelf import METADATA, PaperFolder

        settings, clock = self._parts.settings, self._parts.clock
        root = settings.store_root.absolute()
        shelf = PaperFolder(root, clock=clock, sandbox=settings.sandbox, lock_seconds=LOCK_SECONDS)
        index = LibraryIndex(index_path(settings), root / METADATA, read=shelf.read)
        listed = self._parts.listed_notices
        library = Library(store=self._store, index=index, listed=listed, clock=clock)
        return self._parts.closed_at_the_end(library)

    @cached_property
    def editor(self) -> "LibraryEditor":
        from sourcewright.services.library.curation import LibraryEditor

        return LibraryEditor(
            library=self.catalogue,
            recorder=self._parts.recorder,
            reader=self._parts.pdf_reader,
            now=self._parts.timestamp,
        )

    @cached_property
    def duplicates(self) -> "DuplicateMerger":
        from sourcewright.services.library.duplicates import DuplicateMerger

        return DuplicateMerger(library=self.catalogue, recorder=self._parts.recorder)

    @cached_property
    def remover(self) -> "LibraryRemover":
        from sourcewright.services.library.removal import LibraryRemover

        return LibraryRemover(library=self.catalogue, recorder=self._parts.recorder)

    @cached_property
    def contents(self) -> "PaperContents":
        from sourcewright.services.library.contents import PaperContents

        parts = self._parts
        return PaperContents(library=self.catalogue, documents=parts.documents, cache=parts.cache)

    @cached_property
    def exporter(self) -> "Exporter":
        from sourcewright.services.library.export import Exporter

        return Exporter(self.catalogue)

    @cached_property
    def _store(self) -> "PaperStore":
        from sourcewright.stores.papers.store import PaperStore

        settings = self._parts.settings
        store = PaperStore(settings.store_root, clock=self._parts.clock, sandbox=settings.sandbox)
        return self._parts.closed_at_the_end(store)
