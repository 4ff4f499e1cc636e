"""Message frames between a worker process and the server."""

from dataclasses import dataclass

from sourcewright.domain.readings import Reading
from sourcewright.logic.formats.codec import JsonCodec

LARGEST_FRAME = 1 << 23
PIECE = 1_000_000
"""Characters of one frame's text: decoding one must not keep the server from others for long."""
LONGEST = 20_000_000
"""Characters of a whole document's text."""
FIELD = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A piece of the document, or its end; a problem ends it as well."""

    piece: Reading | None = None
    problem: str | None = None
    done: bool = False


CODEC = JsonCodec(Said)
