"""Detects that a stored PDF is no longer the file that its entry describes.

Size and modification time are compared at every answer, the digest where the time differs,
because a copied library has new times. Who uses the file has its digest compared in any case.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence

from sourcewright.base.text.phrases import count_phrase
from sourcewright.domain.papers.library import PdfProblem, PdfRecord
from sourcewright.references.entries import Entry
from sourcewright.stores.files import FileStamp, Folder
from sourcewright.stores.papers.placement import FolderAccess, StoreFolders, pdf_name_of

_MAX_DIGESTS = 10_000
"""Files whose digest is remembered: of a restored library, each is read once in a process."""


def recorded_pdf(entry: Entry) -> PdfRecord | None:
    """What an entry records about its PDF; None if it has none."""
    if not entry.claims_pdf:
        return None
    holding = entry.holding
    return PdfRecord(
        pdf_name_of(entry), holding.size_bytes, holding.pdf_sha256, holding.pdf_modified
    )


class PdfChanges:
    """Compares PDFs with their records. Methods block and are thread-safe."""

    def __init__(self, folders: FolderAccess) -> None:
        self._folders = folders
        self._digests: OrderedDict[tuple[str, FileStamp], str] = OrderedDict()
        self._lock = threading.Lock()

    def problems(
        self, records: Sequence[PdfRecord | None], *, in_use: bool
    ) -> list[PdfProblem | None]:
        """For each record of a PDF, why the file is not the recorded one; None if it is.

        With `in_use` the digest is always compared, even if the file has the recorded time.

        Raises:
            StoreError: A file could not be read.
        """
        with self._folders.reading() as place:
            return [
                self._problem(place.papers, one, in_use=in_use) if one and place else None
                for one in records
            ]

    def _problem(self, papers: Folder, record: PdfRecord, *, in_use: bool) -> PdfProblem | None:
        stamp = papers.stamp_of(record.name)
        if stamp is None:
            return PdfProblem("missing", 0, f"{record.name} is missing")
        # Another program may have recorded neither size nor digest.
        if record.size and stamp.size != record.size:
            sizes = f"it has {count_phrase(stamp.size, 'byte')} instead of {record.size}"
            return _changed(record, stamp, sizes)
        if record.sha256 is None or (stamp.mtime == record.modified and not in_use):
            return None
        if self._digest(papers, record.name, stamp, anew=in_use) == record.sha256:
            return None
        return _changed(record, stamp, "its content is another, of the same size")

    def _digest(self, papers: Folder, name: str, stamp: FileStamp, *, anew: bool) -> str:
        with self._lock:
            known = self._digests.get((name, stamp))
        digest = papers.digest_of(name) if anew or known is None else known
        with self._lock:
            self._digests[name, stamp] = digest
            if len(self._digests) > _MAX_DIGESTS:
                self._digests.popitem(last=False)
        return digest


def differs_from_record(place: StoreFolders, entry: Entry) -> bool:
    """Whether the entry's PDF is there and is another one than was stored."""
    record = recorded_pdf(entry)
    size = place.papers.size_of(record.name) if record else None
    if record is None or size is None:
        return False
    if record.sha256 is None or size != record.size:
        return bool(record.size) and size != record.size
    return place.papers.digest_of(record.name) != record.sha256


def _changed(record: PdfRecord, stamp: FileStamp, how: str) -> PdfProblem:
    detail = f"{record.name} has changed since it was stored: {how}"
    return PdfProblem("changed", stamp.size, detail)
