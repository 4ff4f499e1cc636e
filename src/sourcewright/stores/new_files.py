"""Creates a file beside the user's own: whole or not at all, and never over another one."""

import errno
import os
import secrets
from contextlib import suppress
from pathlib import Path

from sourcewright.base.errors import StoreError
from sourcewright.stores.files import new_file, sync_folder

_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EACCES)


def create_file(path: Path, body: bytes) -> None:
    """Write a new file.

    Raises:
        StoreError: There is a file of that name, or it cannot be written.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    try:
        with new_file(part, mode=0o666) as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        _publish(part, path)
        sync_folder(path.parent)
    except FileExistsError as error:
        raise StoreError(f"{path} exists already, and is not overwritten") from error
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            part.unlink()


def _publish(part: Path, path: Path) -> None:
    """Give the finished file its name, which must not be taken."""
    try:
        os.link(part, path, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # The file system has no hard links.
        if path.exists() or path.is_symlink():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from error
        part.rename(path)
