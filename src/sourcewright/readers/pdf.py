"""Reads the first pages of a PDF in processes of its own, which may die without harm."""

import asyncio
import contextlib
import sys
from pathlib import Path

from sourcewright.domain.files import Excerpt
from sourcewright.readers._pdf_process import Died, PdfProcess, Slow

_PROGRAM = Path(__file__).with_name("_pdf_worker.py")
_FILES_PER_PROCESS = 200
"""After so many files a process is replaced, so that what a library leaks stays small."""
_CLOSED = "the PDF reader was closed before it read the file"
_CRASHED = "reading the PDF failed: it needs too much memory, or it is made to break readers"


class PdfReader:
    """A few processes, started when first needed, that read PDFs one at a time each.

    PDFium is not thread-safe, and files come from anybody. A process that is too slow, dies,
    or whose caller gives up is ended and replaced. Callers are served in the order in which
    they came. `aclose` ends every process.
    """

    def __init__(
        self,
        *,
        pages: int = 3,
        seconds: float = 10.0,
        memory_mebibytes: int = 1024,
        processes: int = 2,
    ) -> None:
        limits = (str(pages), str(seconds), str(memory_mebibytes))
        # Isolated: neither the working directory nor the environment chooses what is imported.
        self._command = (sys.executable, "-I", str(_PROGRAM), *limits)
        self._seconds = seconds
        self._turn = asyncio.Semaphore(processes)
        self._idle: list[PdfProcess] = []
        self._busy: set[PdfProcess] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._closed = False

    async def excerpt(self, body: bytes) -> Excerpt:
        """What the first pages say; an unreadable file says why in `problem`."""
        async with self._turn:
            process = self._idle.pop() if self._idle else self._new()
            # What earlier files left behind may end a process; a fresh one shows whose fault it is.
            chances = [process, self._new()] if process.files else [process]
            for chance in chances:
                if self._closed:
                    break
                with contextlib.suppress(Died):
                    return await self._read(chance, body)
            return chance.reading.excerpt(_CLOSED if self._closed else _CRASHED)

    async def aclose(self) -> None:
        self._closed = True
        for process in (*self._idle, *self._busy):
            self._end(process)
        self._idle.clear()
        while self._ending:
            await asyncio.wait(self._ending)

    def _new(self) -> PdfProcess:
        return PdfProcess(self._command)

    async def _read(self, process: PdfProcess, body: bytes) -> Excerpt:
        """Let one process read; keep it only when it is known to be in order."""
        self._busy.add(process)
        kept = False
        try:
            excerpt = (await process.read(body, self._seconds)).excerpt()
            kept = not self._closed and process.files < _FILES_PER_PROCESS
        except Slow:
            slow = f"reading the PDF took longer than {self._seconds:g} seconds"
            return process.reading.excerpt(slow)
        else:
            return excerpt
        finally:
            self._busy.discard(process)
            if kept:
                self._idle.append(process)
            else:
                self._end(process)

    def _end(self, process: PdfProcess) -> None:
        """End a process without waiting, so that a caller who gave up is let go at once."""
        process.kill()
        task = asyncio.create_task(process.wait())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
