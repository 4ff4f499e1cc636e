"""Reads the first pages of a PDF in a worker process, for the check of a downloaded file."""

import json
import sys
from dataclasses import dataclass, field

from sourcewright.reading.excerpts import Excerpt
from sourcewright.reading.worker.pool import PoolClosed, WorkerPool
from sourcewright.reading.worker.process import ReadRequest, WorkerDied, WorkerTimeout

_FIELDS = ("title", "subject", "keywords")
_MAX_FRAME = 1 << 20
_MAX_PAGES = 100
_MAX_TEXT = 25_000
_CLOSED = "the PDF reader was closed before it read the file"
_CRASHED = "reading the PDF failed: it needs too much memory, or was made to crash readers"


@dataclass(slots=True)
class _Result:
    """The pages of a file so far; kept after a timeout or a crash."""

    pages: list[str] = field(default_factory=list)
    has_image: list[bool] = field(default_factory=list)
    page_sizes: list[tuple[float, float]] = field(default_factory=list)
    page_count: int = 0
    metadata: dict[str, str | None] = field(default_factory=dict)
    problem: str | None = None
    damaged: bool = False
    done: bool = False

    def clear(self) -> None:
        self.pages, self.has_image, self.page_sizes = [], [], []
        self.page_count, self.metadata = 0, {}
        self.problem, self.damaged, self.done = None, False, False

    def add(self, frame: bytes) -> None:
        match json.loads(frame):
            case {
                "page": str(text),
                "pictured": bool(has_image),
                "size": [float(width), float(height)],
            } if len(self.pages) < _MAX_PAGES:
                self.pages.append(text[:_MAX_TEXT])
                self.has_image.append(has_image)
                self.page_sizes.append((width, height))
            case {"page_count": int(count), "about": dict(about)}:
                self.page_count = count
                self.metadata = {name: _text(about.get(name)) for name in _FIELDS}
            case {"done": True, "problem": problem, "damaged": bool(damaged)}:
                self.problem, self.damaged, self.done = _text(problem), damaged, True
            case _:
                raise ValueError("an unknown frame")

    def excerpt(self, problem: str | None = None) -> Excerpt:
        return Excerpt(
            pages=tuple(self.pages),
            has_image=tuple(self.has_image),
            page_sizes=tuple(self.page_sizes),
            page_count=self.page_count,
            problem=problem or self.problem,
            damaged=self.damaged,
            **self.metadata,
        )


class PdfReader:
    """A pool of worker processes, started on first use; each reads one PDF at a time.

    Processes, because PDFium is not thread-safe and files are untrusted. `aclose` stops them all.
    """

    def __init__(
        self,
        *,
        pages: int = 3,
        seconds: float = 10.0,
        memory_mebibytes: int = 1024,
        processes: int = 2,
        interpreter: str = sys.executable,
    ) -> None:
        self._pool = WorkerPool(
            "sourcewright.reading.worker.first_pages",
            memory_mebibytes=memory_mebibytes,
            processes=processes,
            interpreter=interpreter,
        )
        self._pages = pages
        self._seconds = seconds

    async def excerpt(self, body: bytes) -> Excerpt:
        """Return the text of the first pages; for an unreadable file, `problem` says why.

        Raises:
            ReaderUnavailable: No worker process could be started.
        """
        result = _Result()
        request = ReadRequest(
            body=body,
            seconds=self._seconds,
            largest_frame=_MAX_FRAME,
            arguments={"pages": self._pages},
        )
        try:
            await self._pool.read(request, result)
        except WorkerTimeout:
            return result.excerpt(f"reading the PDF took longer than {self._seconds:g} seconds")
        except WorkerDied:
            return result.excerpt(_CRASHED)
        except PoolClosed:
            return result.excerpt(_CLOSED)
        return result.excerpt()

    async def aclose(self) -> None:
        await self._pool.aclose()


def _text(value: object) -> str | None:
    return (value[:_MAX_TEXT] or None) if isinstance(value, str) else None
