"""Reads the first pages of a PDF in a worker process, for the right-file check."""

import json
from dataclasses import dataclass, field

from sourcewright.domain.files import Excerpt
from sourcewright.readers.worker.pool import Closed, Pool
from sourcewright.readers.worker.process import Died, Request, Slow

_FIELDS = ("title", "author", "subject", "keywords")
_MAX_FRAME = 1 << 20
_MAX_PAGES = 100
_MAX_TEXT = 25_000
_CLOSED = "the PDF reader was closed before it read the file"
_CRASHED = "reading the PDF failed: it needs too much memory, or it is made to break readers"


@dataclass(slots=True)
class _Heard:
    """What has come of a file so far; a time-out or a crash keeps the pages that were read."""

    pages: list[str] = field(default_factory=list)
    pictured: list[bool] = field(default_factory=list)
    page_count: int = 0
    about: dict[str, str | None] = field(default_factory=dict)
    problem: str | None = None
    damaged: bool = False
    done: bool = False

    def clear(self) -> None:
        self.pages, self.pictured, self.page_count, self.about = [], [], 0, {}
        self.problem, self.damaged, self.done = None, False, False

    def add(self, frame: bytes) -> None:
        match json.loads(frame):
            case {"page": str(text), "pictured": bool(pictured)} if len(self.pages) < _MAX_PAGES:
                self.pages.append(text[:_MAX_TEXT])
                self.pictured.append(pictured)
            case {"page_count": int(count), "about": dict(about)}:
                self.page_count = count
                self.about = {name: _text(about.get(name)) for name in _FIELDS}
            case {"done": True, "problem": problem, "damaged": bool(damaged)}:
                self.problem, self.damaged, self.done = _text(problem), damaged, True
            case _:
                raise ValueError("an unknown frame")

    def excerpt(self, problem: str | None = None) -> Excerpt:
        return Excerpt(
            pages=tuple(self.pages),
            pictured=tuple(self.pictured),
            page_count=self.page_count,
            problem=problem or self.problem,
            damaged=self.damaged,
            **self.about,
        )


class PdfReader:
    """A few processes, started when first needed, that read PDFs one at a time each.

    PDFium is not thread-safe, and files come from anybody. `aclose` ends every process.
    """

    def __init__(
        self,
        *,
        pages: int = 3,
        seconds: float = 10.0,
        memory_mebibytes: int = 1024,
        processes: int = 2,
    ) -> None:
        self._pool = Pool(
            "sourcewright.readers.worker.first_pages",
            memory_mebibytes=memory_mebibytes,
            processes=processes,
        )
        self._pages = pages
        self._seconds = seconds

    async def excerpt(self, body: bytes) -> Excerpt:
        """What the first pages say; an unreadable file says why in `problem`.

        Raises:
            ReaderUnavailable: No process could be started that reads it.
        """
        heard = _Heard()
        request = Request(
            body=body,
            seconds=self._seconds,
            largest_frame=_MAX_FRAME,
            arguments={"pages": self._pages},
        )
        try:
            await self._pool.read(request, heard)
        except Slow:
            return heard.excerpt(f"reading the PDF took longer than {self._seconds:g} seconds")
        except Died:
            return heard.excerpt(_CRASHED)
        except Closed:
            return heard.excerpt(_CLOSED)
        return heard.excerpt()

    async def aclose(self) -> None:
        await self._pool.aclose()


def _text(value: object) -> str | None:
    return (value[:_MAX_TEXT] or None) if isinstance(value, str) else None
