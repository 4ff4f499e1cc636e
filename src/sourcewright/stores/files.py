"""Files that are there, whole, after a crash, and that only their owner may read."""

import os
from pathlib import Path
from typing import BinaryIO


def make_folder(folder: Path) -> None:
    """Make the folder and its missing parents, for their owner alone."""
    if not folder.is_dir():
        if folder.parent != folder:
            make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def sync_folder(folder: Path) -> None:
    """Make names that were added to the folder, or removed from it, last."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def new_file(path: Path, *, dir_fd: int | None = None, mode: int = 0o600) -> BinaryIO:
    """An empty file for writing, its owner's alone unless told otherwise; never one behind a link."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
    return os.fdopen(os.open(path, flags, mode, dir_fd=dir_fd), "wb")


def names_in(folder: Path) -> list[str]:
    return [entry.name for entry in folder.iterdir()]


def append_whole(descriptor: int, data: bytes) -> None:
    """Add the data to the end of a file and make it last, or leave the file as it was."""
    start = os.fstat(descriptor).st_size
    try:
        written = os.write(descriptor, data)
        while written < len(data):
            written += os.write(descriptor, data[written:])
        os.fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, start)
        raise
