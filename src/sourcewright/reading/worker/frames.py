"""Messages between a worker process and the server, and their size limits."""

from dataclasses import dataclass

from sourcewright.base.formats.codec import JsonCodec
from sourcewright.reading.readings import Reading

LARGEST_FRAME = 1 << 23
MAX_PIECE_CHARACTERS = 1_000_000
"""Characters of text in one frame: decoding it must not block the event loop for long."""
MAX_DOCUMENT_CHARACTERS = 20_000_000
"""Limit for the text of a whole document, in characters."""
MAX_FIELD_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFrame:
    """A piece of the document, or its end; a problem also ends it."""

    piece: Reading | None = None
    draft: bool = False
    """Whether the piece counts only if the document is not read to its end."""
    problem: str | None = None
    done: bool = False


CODEC = JsonCodec(DocumentFrame)
