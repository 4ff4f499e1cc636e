"""Reads the papers that a user's file names: a bibliography or a plain list."""

from pathlib import Path
from typing import BinaryIO

from sourcewright.logic.references.bibliography import MAX_BYTES, Results, references_in


def entries_in(file: BinaryIO) -> Results:
    """Every entry of an open bibliography or list.

    Raises:
        InvalidInput: The file as a whole is too large, or cannot be read as what it is.
    """
    # One byte more than is taken, so that what is too large is refused and not cut.
    return references_in(file.read(MAX_BYTES + 1), name=Path(file.name).name)
