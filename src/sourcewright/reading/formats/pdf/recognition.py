"""OCR of scanned pages: renders them, and lets Tesseract recognise their text within limits."""

import contextlib
import math
import os
import selectors
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw

from sourcewright.reading.formats._pdfium import Document, Page
from sourcewright.reading.layout.ocr_text import recognised_paragraphs

_RESOLUTION = 300 / 72
"""Pixels per point; Tesseract recognises letters best at this size."""
_MAX_PIXELS = 10_000_000
_MAX_SOURCE_PIXELS = 80_000_000
"""Pixels of the images of a page that is rendered: all of them are in memory at once."""
_MAX_PICTURES = 200
_AT_ONCE = max(1, min(4, os.cpu_count() or 1))
_MAX_PAGES = 200
_MAX_OUTPUT = 4_000_000
_PIECE = 1 << 16
_ERRORS = (pypdfium2.PdfiumError, ValueError, OSError)


class Tesseract(NamedTuple):
    """The program by its absolute path, and the languages it is asked for, joined by `+`."""

    program: str
    languages: str
    page_seconds: float

    @property
    def command(self) -> tuple[str, ...]:
        return (self.program, "-", "-", "-l", self.languages, "--psm", "3", "tsv")


def recognised_pages(
    document: Document, pages: Sequence[int], tesseract: Tesseract, deadline: float
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Pages by number from 0, with their paragraphs; those that could not be read are missing.

    The deadline is that of the monotonic clock.
    """
    for start in range(0, min(len(pages), _MAX_PAGES), _AT_ONCE):
        if time.monotonic() >= deadline:
            return
        numbers = pages[start : start + _AT_ONCE]
        images = {at: image for at in numbers if (image := _image(document, at)) is not None}
        until = min(deadline, time.monotonic() + tesseract.page_seconds)
        for at, output in _outputs(tesseract, images, until):
            if paragraphs := recognised_paragraphs(output.decode("utf-8", "replace")):
                yield at, paragraphs


def _image(document: Document, at: int) -> bytes | None:
    """A page as a grey PNM image; None if it cannot be rendered, or only with much memory."""
    try:
        page = document[at]
        try:
            return _rendered(page)
        finally:
            page.close()
    except _ERRORS:
        return None


def _rendered(page: Page) -> bytes | None:
    width, height = page.get_size()
    if not width * height or _pixels_of(page) > _MAX_SOURCE_PIXELS:
        return None
    scale = min(_RESOLUTION, math.sqrt(_MAX_PIXELS / (width * height)))
    bitmap = page.render(scale=scale, grayscale=True, may_draw_forms=False)
    try:
        rows = memoryview(bitmap.buffer)
        picture = b"".join(
            rows[row * bitmap.stride : row * bitmap.stride + bitmap.width]
            for row in range(bitmap.height)
        )
        return b"P5 %d %d 255\n" % (bitmap.width, bitmap.height) + picture
    finally:
        bitmap.close()


def _pixels_of(page: Page) -> int:
    kinds = (pypdfium2.raw.FPDF_PAGEOBJ_IMAGE,)
    total = 0
    for count, one in enumerate(page.get_objects(filter=kinds, max_depth=3)):
        width, height = one.get_px_size()
        total += width * height
        if count >= _MAX_PICTURES:
            return _MAX_SOURCE_PIXELS + 1
    return total


@dataclass(slots=True, eq=False)
class _Job:
    """One run of the program: what is left to write, and what it has written."""

    page: int
    process: subprocess.Popen[bytes]
    rest: memoryview
    output: bytearray = field(default_factory=bytearray)
    is_whole: bool = False


def _outputs(
    tesseract: Tesseract, images: dict[int, bytes], deadline: float
) -> Iterator[tuple[int, bytes]]:
    """Run the program on several images at the same time; failures are left out."""
    jobs: list[_Job] = []
    try:
        with selectors.DefaultSelector() as selector:
            for page, image in images.items():
                jobs.append(_started(tesseract, page, image))
                _register(selector, jobs[-1])
            _exchange(selector, deadline)
        for job in jobs:
            if job.is_whole and job.process.wait(max(0.1, deadline - time.monotonic())) == 0:
                yield job.page, bytes(job.output)
    except (OSError, subprocess.TimeoutExpired):
        return
    finally:
        for job in jobs:
            _end(job)


def _started(tesseract: Tesseract, page: int, image: bytes) -> _Job:
    # It inherits our limits of memory, files and processor time, and is in our process group, so
    # that it is killed with us. One thread: more are slower where cores are shared.
    process = subprocess.Popen(  # noqa: S603 -- the operator's program, with arguments of our own
        tesseract.command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"OMP_THREAD_LIMIT": "1", "LC_ALL": "C"},
        cwd="/",
    )
    return _Job(page, process, memoryview(image))


def _register(selector: selectors.BaseSelector, job: _Job) -> None:
    for stream, event in (
        (job.process.stdin, selectors.EVENT_WRITE),
        (job.process.stdout, selectors.EVENT_READ),
    ):
        if stream is not None:
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, event, job)


def _exchange(selector: selectors.BaseSelector, deadline: float) -> None:
    """Write the images and read the answers until all have ended or time is up."""
    while selector.get_map() and (left := deadline - time.monotonic()) > 0:
        for key, events in selector.select(left):
            is_over = (
                _write(key.data, key.fd)
                if events & selectors.EVENT_WRITE
                else _read(key.data, key.fd)
            )
            if is_over:
                selector.unregister(key.fileobj)
                _closed(key.fileobj)


def _write(job: _Job, descriptor: int) -> bool:
    """Write a piece of the image; whether nothing is left, or nobody reads it."""
    try:
        job.rest = job.rest[os.write(descriptor, job.rest[:_PIECE]) :]
    except BlockingIOError:
        return False
    except OSError:
        return True
    return not job.rest


def _read(job: _Job, descriptor: int) -> bool:
    """Read a piece of the answer; whether it has ended, or is too long."""
    try:
        piece = os.read(descriptor, _PIECE)
    except BlockingIOError:
        return False
    job.output += piece
    job.is_whole = not piece
    return not piece or len(job.output) > _MAX_OUTPUT


def _closed(stream: Any) -> None:
    with contextlib.suppress(OSError):
        stream.close()


def _end(job: _Job) -> None:
    with contextlib.suppress(OSError):
        job.process.kill()
    for stream in (job.process.stdin, job.process.stdout):
        if stream is not None:
            _closed(stream)
    job.process.wait()
