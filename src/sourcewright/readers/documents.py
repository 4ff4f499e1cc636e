"""Reads documents of every format in worker processes, which may crash without harm."""

import asyncio
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

from sourcewright.domain.calls import current_call
from sourcewright.domain.errors import BadAnswer, Unreadable
from sourcewright.domain.pages import SOURCE, Visit
from sourcewright.domain.ports import SystemClock
from sourcewright.domain.readings import Reading
from sourcewright.logic.formats.media_types import UNSUPPORTED, describe, recognise
from sourcewright.readers.worker.frames import CODEC, LARGEST_FRAME, LONGEST
from sourcewright.readers.worker.pool import Closed, Pool
from sourcewright.readers.worker.process import Died, Request, Slow

_NAMES = {
    "html": "page",
    "markdown": "text",
    "text": "text",
    "docx": "Word document",
    "pptx": "presentation",
    "xlsx": "workbook",
    "epub": "book",
}
_PIECES = 100_000
_LARGE = 8 * 1024 * 1024
_LEAST_SECONDS = 1.0
"""What a page may take that came when the time of its call was over."""
_SILENT = "failed: it has no text"
_CRASHED = "it needs too much memory, or it is made to break readers"


@dataclass(slots=True)
class _Heard:
    """What has come of a document so far; a time-out or a crash leaves the pieces there are."""

    pieces: list[Reading] = field(default_factory=list)
    length: int = 0
    problem: str | None = None
    done: bool = False

    def clear(self) -> None:
        self.pieces, self.length = [], 0
        self.problem, self.done = None, False

    def add(self, frame: bytes) -> None:
        said = CODEC.decode(frame)
        self.problem, self.done = said.problem, said.done
        if said.piece is not None:
            self.length += len(said.piece.content)
            self.pieces.append(said.piece)
        if self.length > LONGEST or len(self.pieces) > _PIECES:
            raise ValueError("a document that is too long")

    @property
    def says_something(self) -> bool:
        """A page may be empty, for scripts may fill it; a document may not."""
        return any(piece.kind == "html" or piece.content.strip() for piece in self.pieces)

    def reading(self, *, cut: bool) -> Reading:
        """All pieces in one, with what the first says of the whole."""
        content = "".join(piece.content for piece in self.pieces)
        first, last = self.pieces[0], self.pieces[-1]
        cut = cut or any(piece.cut for piece in self.pieces)
        return replace(first, content=content, quality=last.quality, cut=cut)


class DocumentReader:
    """Reads whatever is text: pages, PDFs, office documents, data. `aclose` ends every process."""

    def __init__(
        self,
        *,
        page_seconds: float = 15.0,
        document_seconds: float = 30.0,
        memory_mebibytes: int = 1024,
        processes: int = 2,
        idle_seconds: float = 180.0,
    ) -> None:
        self._pool = Pool(
            "sourcewright.readers.worker.documents",
            memory_mebibytes=memory_mebibytes,
            processes=processes,
            idle_seconds=idle_seconds,
        )
        self._large = asyncio.Semaphore(1)
        self._page_seconds = page_seconds
        self._document_seconds = document_seconds

    async def read(self, visit: Visit) -> Reading:
        """The text of what was found at an address.

        Raises:
            BadAnswer: It cannot be read; the message says why. Unreadable, if it never could.
            ReaderUnavailable: No process could be started that reads it.
        """
        if not visit.body or visit.body.isspace():
            raise BadAnswer(SOURCE, "the answer is empty", cause="format")
        kind = recognise(visit.body, content_type=visit.content_type, url=visit.url)
        if kind == UNSUPPORTED:
            what = describe(visit.body, content_type=visit.content_type)
            raise Unreadable(SOURCE, f"{what} cannot be read as text", cause="format")
        heard = _Heard()
        problem = await self._ask(visit, kind, heard)
        if heard.says_something:
            return heard.reading(cut=visit.cut or problem is not None)
        detail = f"reading the {_NAMES.get(kind, kind.upper())} {problem or _SILENT}"
        # Another page may be shown to who asks otherwise; a document stays what it is, and one
        # that could not be read in its time would take as long again.
        error = BadAnswer if kind == "html" and heard.done else Unreadable
        raise error(SOURCE, detail, cause="format")

    async def aclose(self) -> None:
        await self._pool.aclose()

    def _gate(self, body: bytes) -> AbstractAsyncContextManager[Any]:
        """Large documents take their memory one after the other."""
        return self._large if len(body) > _LARGE else nullcontext()

    async def _ask(self, visit: Visit, kind: str, heard: _Heard) -> str | None:
        """Have the document read; returns what kept it from being read to its end."""
        seconds = self._page_seconds if kind == "html" else self._document_seconds
        said = {"kind": kind, "url": visit.url, "content_type": visit.content_type}
        request = Request(
            body=visit.body, seconds=seconds, largest_frame=LARGEST_FRAME, arguments=said
        )
        try:
            async with asyncio.timeout(_seconds_left()), self._gate(visit.body):
                await self._pool.read(request, heard)
        except TimeoutError:
            return "did not end before the call's deadline"
        except Slow:
            return f"took longer than {seconds:g} seconds"
        except Died:
            return f"failed: {_CRASHED}"
        except Closed:
            return "ended when its reader was closed"
        return heard.problem and f"failed: {heard.problem}"


def _seconds_left() -> float | None:
    """How long a document may be read before the call that wants it is over; None for ever."""
    deadline = current_call.get().deadline
    if deadline is None:
        return None
    return max(_LEAST_SECONDS, deadline - SystemClock().monotonic())
