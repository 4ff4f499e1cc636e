"""The browser's temporary profile folder, and the removal of stale ones."""

import fcntl
import os
import shutil
import stat
import tempfile
from pathlib import Path

_PREFIX = "sourcewright-browser-"
_LOCK = "owner.lock"
_UNCLAIMED_SECONDS = 3600.0
"""A folder without a lock counts as just being created, unless it is older than this."""


class Profile:
    """A private folder, locked for as long as this process lives."""

    def __init__(self, user: int | None = None, *, parent: Path | None = None) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        self.home = self.path / "home"
        """The folder that the browser may write to; it may belong to another user."""
        self.home.mkdir(mode=0o700)
        if user is not None:
            self.path.chmod(0o711)
            os.chown(self.home, user, user)
        # Locked before it has its name: another process that saw it unlocked would take the folder
        # for stale and remove it.
        unnamed = self.path / f"{_LOCK}.new"
        self._lock = os.open(unnamed, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        unnamed.rename(self.path / _LOCK)
        self._remove_stale()

    def remove(self) -> None:
        """Remove the folder; if that fails, the next start removes it as stale."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)

    def _remove_stale(self) -> None:
        """Remove the folders of processes that were killed."""
        now = self.path.stat().st_mtime
        for folder in self.path.parent.glob(f"{_PREFIX}*"):
            if folder != self.path and is_abandoned(folder, now):
                shutil.rmtree(folder, ignore_errors=True)


def is_abandoned(folder: Path, now: float) -> bool:
    """Whether the folder is ours and no process holds its lock."""
    try:
        status = folder.lstat()
    except OSError:
        # Another process removed it after we listed it.
        return False
    if stat.S_ISLNK(status.st_mode) or status.st_uid != os.geteuid():
        return False
    try:
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
    except FileNotFoundError:
        return now - status.st_mtime > _UNCLAIMED_SECONDS
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(lock)
