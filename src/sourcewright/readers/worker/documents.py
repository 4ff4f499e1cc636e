"""Runs in a worker process: reads a document with the reader of its format."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.readings import Reading
from sourcewright.logic.text.plain import strip_invisible
from sourcewright.readers.formats import reader_of
from sourcewright.readers.worker.frames import (
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


def frames_of(body: bytes, *, kind: str, url: str, content_type: str) -> Iterator[bytes]:
    """Yield the pieces of the document as they are read, then an end frame."""
    problem = None
    try:
        read = reader_of(kind)(body, url=url, content_type=content_type)
        for piece in _pieces([read] if isinstance(read, Reading) else read):
            yield CODEC.encode(DocumentFrame(piece=piece))
    except BadAnswer as error:
        problem = error.detail
    except _PARSER_ERRORS as error:
        problem = f"it is damaged, or not of the declared type ({type(error).__name__})"
    yield CODEC.encode(DocumentFrame(problem=problem, done=True))


def _pieces(readings: Iterable[Reading]) -> Iterator[Reading]:
    """Split the document into pieces that fit into a frame, without invisible characters."""
    length = 0
    for reading in readings:
        text = strip_invisible(reading.content)
        cut = reading.cut or length + len(text) > MAX_DOCUMENT_CHARACTERS
        header = replace(reading, content="", cut=cut, **_bounded_metadata(reading))
        for at in range(
            0, max(1, min(len(text), MAX_DOCUMENT_CHARACTERS - length)), MAX_PIECE_CHARACTERS
        ):
            yield replace(
                header,
                content=text[
                    at : min(at + MAX_PIECE_CHARACTERS, MAX_DOCUMENT_CHARACTERS - length)
                ],
            )
        length += len(text)
        if length > MAX_DOCUMENT_CHARACTERS:
            return


def _bounded_metadata(reading: Reading) -> dict[str, Any]:
    values = {name: getattr(reading, name) for name in _METADATA}
    return {
        name: " ".join(strip_invisible(text).split())[:MAX_FIELD_CHARACTERS] or None
        if text
        else None
        for name, text in values.items()
    }
