"""Writes an output file that an option names, whole or not at all."""

import os
from pathlib import Path

from sourcewright.base.errors import StoreError


def write_file(target: Path, text: str) -> None:
    """Write a file; one that exists is replaced at once.

    Raises:
        StoreError: It cannot be written.
    """
    try:
        if target.exists() and not target.is_file():
            # A device or a pipe, such as /dev/null, is written to and never replaced.
            target.write_text(text, encoding="utf-8")
        else:
            _replace(target.resolve(), text)
    except OSError as error:
        raise StoreError(f"{target} cannot be written ({error.strerror or error})") from error


def _replace(target: Path, text: str) -> None:
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with partial.open("x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(target)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
