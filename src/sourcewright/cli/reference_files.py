"""Reads references from a user's file: a bibliography or a plain list."""

from pathlib import Path
from typing import BinaryIO

from sourcewright.references.bibliography import Results, read_bibliography
from sourcewright.references.limits import MAX_BYTES


def entries_in(file: BinaryIO) -> Results:
    """Every entry of an open bibliography or list.

    Raises:
        InvalidInput: The file is too large, or is not valid in its format.
    """
    # One byte over the limit, so that a larger file is refused and not truncated.
    return read_bibliography(file.read(MAX_BYTES + 1), name=Path(file.name).name)
