"""The process in which PDFium runs, so that no file can crash, stall or swell the server.

It is started by its path and imports nothing of ours. Each request on its input is a length
and a PDF; the answer on its output is a row of frames, each a length and a JSON object: one
with what the file says about itself, one for each page, and one that ends the row.
"""

import json
import math
import os
import resource
import struct
import sys
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, TypeVar

import pypdfium2
import pypdfium2.raw

PAGE_HEAD = 16_000
PAGE_TAIL = 4_000
"""Characters kept of a page: its beginning, and its end, where arXiv's stamp and many footers are."""
FIELD = 1_000
FIELDS = ("Title", "Author", "Subject", "Keywords")
LENGTH = struct.Struct(">Q")
_OPEN_FILES = 16
_PROBLEMS = {
    pypdfium2.raw.FPDF_ERR_PASSWORD: "the PDF is protected by a password",
    pypdfium2.raw.FPDF_ERR_SECURITY: "the PDF is protected in a way that cannot be read",
}
_DAMAGED = "the PDF is damaged"
_NO_PAGES = "the PDF has no pages"

Frame = dict[str, Any]
T = TypeVar("T")


def main(pages: int, seconds: float, memory_mebibytes: int) -> None:
    """Answer requests until the input ends."""
    # The answers get a descriptor of their own: whatever a library prints goes nowhere.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _limit(memory_mebibytes)
    _send(answers, {"ready": True})
    while (body := _next_body(sys.stdin.buffer)) is not None:
        _limit_time(seconds)
        for frame in _frames(body, pages):
            _send(answers, frame)


def _limit(memory_mebibytes: int) -> None:
    limits = (
        (resource.RLIMIT_AS, memory_mebibytes * 2**20),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
    )
    for kind, most in limits:
        _, ceiling = resource.getrlimit(kind)
        value = most if ceiling == resource.RLIM_INFINITY else min(most, ceiling)
        resource.setrlimit(kind, (value, value))


def _limit_time(seconds: float) -> None:
    """Bound this request's own work, for the case that nobody is left to end it."""
    spent = resource.getrusage(resource.RUSAGE_SELF)
    _, ceiling = resource.getrlimit(resource.RLIMIT_CPU)
    most = math.ceil(spent.ru_utime + spent.ru_stime + seconds) + 1
    soft = most if ceiling == resource.RLIM_INFINITY else min(most, ceiling)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, ceiling))


def _next_body(requests: BinaryIO) -> bytes | None:
    head = requests.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    body = requests.read(length)
    return body if len(body) == length else None


def _send(answers: BinaryIO, frame: Frame) -> None:
    text = json.dumps(frame).encode()
    answers.write(LENGTH.pack(len(text)) + text)
    answers.flush()


def _frames(body: bytes, pages: int) -> Iterator[Frame]:
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        yield {"done": True, "problem": _PROBLEMS.get(error.err_code, _DAMAGED)}
        return
    try:
        yield from _contents(document, pages)
    finally:
        document.close()


def _contents(document: pypdfium2.PdfDocument, pages: int) -> Iterator[Frame]:
    count = len(document)
    about = {name.lower(): _quietly(_field, document, name) for name in FIELDS}
    yield {"page_count": count, "about": about}
    unread = 0
    for at in range(min(count, pages)):
        text = _quietly(_page, document, at)
        unread += text is None
        yield {"page": text or ""}
    damaged = _DAMAGED if unread == min(count, pages) else None
    yield {"done": True, "problem": damaged if count else _NO_PAGES}


def _quietly(
    read: Callable[[pypdfium2.PdfDocument, T], str], document: pypdfium2.PdfDocument, what: T
) -> str | None:
    """What can be read; None where this part of the file is damaged."""
    try:
        return read(document, what)
    except (pypdfium2.PdfiumError, UnicodeError, ValueError):
        return None


def _field(document: pypdfium2.PdfDocument, name: str) -> str:
    return str(document.get_metadata_value(name))[:FIELD]


def _page(document: pypdfium2.PdfDocument, at: int) -> str:
    page = document[at]
    text_page = page.get_textpage()
    text = str(text_page.get_text_bounded())
    text_page.close()
    page.close()
    if len(text) <= PAGE_HEAD + PAGE_TAIL:
        return text
    return f"{text[:PAGE_HEAD]}\n{text[-PAGE_TAIL:]}"


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]))
