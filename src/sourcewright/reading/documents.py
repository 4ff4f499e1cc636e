"""Reads documents of every format in worker processes, so that a crash affects nothing else."""

import asyncio
import sys
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sourcewright.base.calls import current_call
from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import BadAnswer, InvalidInput, Unreadable
from sourcewright.base.event_loop import run_event_loop
from sourcewright.base.formats.media_types import UNSUPPORTED, describe_unsupported, sniff_kind
from sourcewright.base.pages import SOURCE, FetchedDocument
from sourcewright.reading.ocr import Ocr
from sourcewright.reading.readings import Reading
from sourcewright.reading.worker.frames import CODEC, LARGEST_FRAME, MAX_DOCUMENT_CHARACTERS
from sourcewright.reading.worker.pool import PoolClosed, WorkerPool
from sourcewright.reading.worker.process import ReadRequest, WorkerDied, WorkerTimeout

_NAMES = {
    "html": "page",
    "markdown": "text",
    "text": "text",
    "docx": "Word document",
    "pptx": "presentation",
    "xlsx": "workbook",
    "epub": "book",
    "odt": "OpenDocument text",
    "rtf": "RTF document",
}
_MAX_PIECES = 100_000
_LARGE_BYTES = 8 * 1024 * 1024
MAX_FILE_BYTES = 50 * 1024 * 1024
"""Of a file that is read from the disk."""
_LEAST_SECONDS = 1.0
"""Minimum time for a document that arrives when its call is past its deadline."""
_NO_TEXT = "failed: it has no text"
_CRASHED = "it needs too much memory, or was made to crash readers"


@dataclass(slots=True)
class _Result:
    """The pieces of a document so far; kept after a timeout or a crash."""

    pieces: list[Reading] = field(default_factory=list)
    drafts: list[Reading] = field(default_factory=list)
    length: int = 0
    problem: str | None = None
    done: bool = False

    def clear(self) -> None:
        self.pieces, self.drafts, self.length = [], [], 0
        self.problem, self.done = None, False

    def add(self, frame: bytes) -> None:
        message = CODEC.decode(frame)
        self.problem, self.done = message.problem, message.done
        if message.piece is not None:
            self.length += len(message.piece.content)
            (self.drafts if message.draft else self.pieces).append(message.piece)
        count = len(self.pieces) + len(self.drafts)
        if self.length > 2 * MAX_DOCUMENT_CHARACTERS or count > _MAX_PIECES:
            raise ValueError("a document that is too long")

    @property
    def says_something(self) -> bool:
        """Whether there is content.

        A page may be empty, because scripts may fill it; a document may not.
        """
        return any(piece.kind == "html" or piece.content.strip() for piece in self._valid)

    @property
    def _valid(self) -> list[Reading]:
        """The pieces, or their drafts if the document was not read to its end."""
        is_whole = self.done and self.problem is None
        return self.pieces if is_whole or not self.drafts else self.drafts

    def reading(self, *, cut: bool) -> Reading:
        """All pieces joined, with the metadata of the first."""
        pieces = self._valid
        content = "".join(piece.content for piece in pieces)
        first, last = pieces[0], pieces[-1]
        cut = cut or any(piece.cut for piece in pieces)
        return replace(first, content=content, quality=last.quality, cut=cut)


class DocumentReader:
    """Reads pages, PDFs, office documents and data files. `aclose` stops every process."""

    def __init__(  # noqa: PLR0913 -- limits that each have a usual value
        self,
        *,
        page_seconds: float = 15.0,
        document_seconds: float = 30.0,
        memory_mebibytes: int = 1024,
        processes: int = 2,
        idle_seconds: float = 180.0,
        interpreter: str = sys.executable,
        ocr: Ocr | None = None,
    ) -> None:
        self._pool = WorkerPool(
            "sourcewright.reading.worker.documents",
            memory_mebibytes=memory_mebibytes,
            processes=processes,
            idle_seconds=idle_seconds,
            interpreter=interpreter,
        )
        self._ocr = ocr
        self._large = asyncio.Semaphore(1)
        self._page_seconds = page_seconds
        self._document_seconds = document_seconds

    async def read(self, visit: FetchedDocument) -> Reading:
        """Return the text of a response.

        Raises:
            BadAnswer: It cannot be read; the message says why. Unreadable, if a retry is useless.
            ReaderUnavailable: No worker process could be started.
        """
        if not visit.body or visit.body.isspace():
            raise BadAnswer(SOURCE, "the response is empty", cause="format")
        kind = sniff_kind(visit.body, content_type=visit.content_type, url=visit.url)
        if kind == UNSUPPORTED:
            what = describe_unsupported(visit.body, content_type=visit.content_type)
            raise Unreadable(SOURCE, f"{what} has no readable text", cause="format")
        result = _Result()
        problem = await self._read_in_worker(visit, kind, result)
        if result.says_something:
            return result.reading(cut=visit.cut or problem is not None)
        detail = f"reading the {_NAMES.get(kind, kind.upper())} {problem or _NO_TEXT}"
        # A retry may get another page, but a document stays the same, and one that took too long
        # would take as long again.
        error = BadAnswer if kind == "html" and result.done else Unreadable
        raise error(SOURCE, detail, cause="format")

    async def aclose(self) -> None:
        await self._pool.aclose()

    def _memory_slot(self, body: bytes) -> AbstractAsyncContextManager[Any]:
        """Read large documents one at a time, to bound memory."""
        return self._large if len(body) > _LARGE_BYTES else nullcontext()

    async def _read_in_worker(
        self, visit: FetchedDocument, kind: str, result: _Result
    ) -> str | None:
        """Send the document to a worker; returns the problem that stopped it, if any."""
        seconds = self._page_seconds if kind == "html" else self._document_seconds
        arguments: dict[str, object] = {
            "kind": kind,
            "url": visit.url,
            "content_type": visit.content_type,
        }
        if kind == "pdf" and self._ocr is not None:
            arguments["tesseract"] = await self._ocr.arguments()
        request = ReadRequest(
            body=visit.body, seconds=seconds, largest_frame=LARGEST_FRAME, arguments=arguments
        )
        try:
            async with asyncio.timeout(_seconds_left()), self._memory_slot(visit.body):
                await self._pool.read(request, result)
        except TimeoutError:
            return "did not finish before the deadline of the call"
        except WorkerTimeout:
            return f"took longer than {seconds:g} seconds"
        except WorkerDied:
            return f"failed: {_CRASHED}"
        except PoolClosed:
            return "was stopped because the reader was closed"
        return result.problem and f"failed: {result.problem}"


def _seconds_left() -> float | None:
    """Seconds until the deadline of the current call; None without a deadline."""
    deadline = current_call.get().deadline
    if deadline is None:
        return None
    return max(_LEAST_SECONDS, deadline - SystemClock().monotonic())


async def read_async(
    source: bytes | str | Path, *, url: str = "", content_type: str = ""
) -> Reading:
    """Read a file or a body in a worker process, which ends with the call.

    `url` is where the body came from; its links are made absolute by it. `content_type` is what a
    server said of it. Both may be wrong: the content decides. Use a `DocumentReader` for many.

    Raises:
        InvalidInput: The file cannot be opened, or is too large.
        BadAnswer: It cannot be read; the message says why.
    """
    if isinstance(source, bytes):
        body = source
    else:
        body, address = await asyncio.to_thread(_file_at, Path(source))
        url = url or address
    visit = FetchedDocument(body=body, url=url, content_type=content_type, mode="plain")
    reader = DocumentReader(processes=1)
    try:
        return await reader.read(visit)
    finally:
        await reader.aclose()


def read(source: bytes | str | Path, *, url: str = "", content_type: str = "") -> Reading:
    """Read a file or a body, and wait for it; `read_async` is for use within an event loop."""
    return run_event_loop(read_async(source, url=url, content_type=content_type))


def _file_at(path: Path) -> tuple[bytes, str]:
    """The content of a file, and its address."""
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise InvalidInput(f"{path} is larger than {MAX_FILE_BYTES} bytes")
        return path.read_bytes(), path.absolute().as_uri()
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}") from error
