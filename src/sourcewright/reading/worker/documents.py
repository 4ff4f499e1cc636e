"""Runs in a worker process: reads a document with the reader of its format."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from sourcewright.base.errors import BadAnswer
from sourcewright.base.text.plain import strip_invisible
from sourcewright.reading.formats import ReadFunction, reader_of
from sourcewright.reading.readings import Draft, Reading
from sourcewright.reading.worker.frames import (
    CODEC,
    MAX_DOCUMENT_CHARACTERS,
    MAX_FIELD_CHARACTERS,
    MAX_PIECE_CHARACTERS,
    DocumentFrame,
)

_PARSER_ERRORS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)
"""Errors that a library raises for a malformed file; any other error ends the process."""
_METADATA = ("title", "author", "site", "published", "modified", "canonical", "language")


def frames_of(
    body: bytes,
    *,
    kind: str,
    url: str,
    content_type: str,
    tesseract: Mapping[str, Any] | None = None,
) -> Iterator[bytes]:
    """Yield the pieces of the document as they are read, then an end frame.

    Scanned pages are read by Tesseract, if the program and its arguments are given.
    """
    problem = None
    try:
        function = reader_of(kind)
        if tesseract:
            function = _with_ocr(tesseract)
        read = function(body, url=url, content_type=content_type)
        for draft, piece in _pieces([read] if isinstance(read, Reading) else read):
            yield CODEC.encode(DocumentFrame(piece=piece, draft=draft))
    except BadAnswer as error:
        problem = error.detail
    except _PARSER_ERRORS as error:
        problem = f"it is damaged, or not of the declared type ({type(error).__name__})"
    yield CODEC.encode(DocumentFrame(problem=problem, done=True))


def _with_ocr(tesseract: Mapping[str, Any]) -> ReadFunction:
    """The reader of PDFs, the only format with scanned pages."""
    from sourcewright.reading.formats.pdf import read
    from sourcewright.reading.formats.pdf.recognition import Tesseract

    return partial(read, tesseract=Tesseract(**tesseract))


def _pieces(readings: Iterable[Reading | Draft]) -> Iterator[tuple[bool, Reading]]:
    """Split the document into pieces that fit into a frame, without invisible characters.

    Each with whether it is a draft; a draft and the document have the same limit each.
    """
    lengths = {True: 0, False: 0}
    for each in readings:
        draft = isinstance(each, Draft)
        reading, length = each.reading if isinstance(each, Draft) else each, lengths[draft]
        text = strip_invisible(reading.content)
        cut = reading.cut or length + len(text) > MAX_DOCUMENT_CHARACTERS
        header = replace(reading, content="", cut=cut, **_bounded_metadata(reading))
        for at in range(
            0, max(1, min(len(text), MAX_DOCUMENT_CHARACTERS - length)), MAX_PIECE_CHARACTERS
        ):
            end = min(at + MAX_PIECE_CHARACTERS, MAX_DOCUMENT_CHARACTERS - length)
            yield draft, replace(header, content=text[at:end])
        lengths[draft] += len(text)
        if lengths[draft] > MAX_DOCUMENT_CHARACTERS:
            return


def _bounded_metadata(reading: Reading) -> dict[str, Any]:
    values = {name: getattr(reading, name) for name in _METADATA}
    return {
        name: " ".join(strip_invisible(text).split())[:MAX_FIELD_CHARACTERS] or None
        if text
        else None
        for name, text in values.items()
    }
