"""Runs in a worker process: reads a document with the reader of its format."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.readings import Reading
from sourcewright.logic.text.plain import shown
from sourcewright.readers.formats import reader_of
from sourcewright.readers.worker.frames import CODEC, FIELD, LONGEST, PIECE, Said

_BROKEN = (
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
"""What a library does with a file that it was not made for; anything else ends the process."""
_NAMES = ("title", "author", "site", "published", "modified", "canonical", "language")


def frames_of(body: bytes, *, kind: str, url: str, content_type: str) -> Iterator[bytes]:
    """The pieces of the document as they are read, and its end."""
    problem = None
    try:
        read = reader_of(kind)(body, url=url, content_type=content_type)
        for piece in _pieces([read] if isinstance(read, Reading) else read):
            yield CODEC.encode(Said(piece=piece))
    except BadAnswer as error:
        problem = error.detail
    except _BROKEN as error:
        problem = f"it is damaged, or not what it seems ({type(error).__name__})"
    yield CODEC.encode(Said(problem=problem, done=True))


def _pieces(readings: Iterable[Reading]) -> Iterator[Reading]:
    """The document in pieces that fit into a frame, without what nobody can see."""
    length = 0
    for reading in readings:
        text = shown(reading.content)
        cut = reading.cut or length + len(text) > LONGEST
        about = replace(reading, content="", cut=cut, **_bounded(reading))
        for at in range(0, max(1, min(len(text), LONGEST - length)), PIECE):
            yield replace(about, content=text[at : min(at + PIECE, LONGEST - length)])
        length += len(text)
        if length > LONGEST:
            return


def _bounded(reading: Reading) -> dict[str, Any]:
    said = {name: getattr(reading, name) for name in _NAMES}
    return {
        name: " ".join(shown(text).split())[:FIELD] or None if text else None
        for name, text in said.items()
    }
