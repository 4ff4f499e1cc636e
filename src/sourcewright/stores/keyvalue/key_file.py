"""The file of the key that seals sessions and memory, unless the operator sets a key of their own.

It is made when something is sealed for the first time, for its owner alone. One that is lost is
never replaced by a new one: what it has sealed would look like the work of a wrong key.
"""

import hashlib
import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

from sourcewright.base.errors import NotConfigured, StoreError
from sourcewright.stores.files import make_folder, new_file, restrict_to_owner, sync_folder
from sourcewright.stores.inventory import Inventory

KEY_FILE_SETTING = "SOURCEWRIGHT_KEY_FILE"
_KEY = re.compile(r"[0-9A-Fa-f]{64}")
_MAX_BYTES = 4096
_WAY_OUT = (
    "restore it from a back-up, or go on without what it has sealed by"
    " `sourcewright storage accept key`, which sets that aside"
)


class KeyFile:
    """A key of 32 bytes in a file, as 64 hexadecimal digits."""

    def __init__(self, path: Path, inventory: Inventory) -> None:
        self.path = path
        self._inventory = inventory

    def read(self) -> str | None:
        """Return the key; None if there never was one.

        Raises:
            NotConfigured: It is gone, or another one than before, or no key.
            StoreError: The inventory cannot be used.
        """
        known = self._inventory.id_of(self.path)
        try:
            restrict_to_owner(self.path)
            with self.path.open("rb") as file:
                text = file.read(_MAX_BYTES).decode("ascii", "replace").strip()
        except FileNotFoundError:
            if known is None:
                return None
            raise self._unusable("is gone") from None
        except OSError as error:
            raise self._unusable(f"cannot be read ({error.strerror})") from error
        if not _KEY.fullmatch(text):
            raise self._unusable("is no key of 64 hexadecimal digits")
        actual = _fingerprint(text)
        if known is None:
            self._inventory.register(self.path, actual)
        elif known != actual:
            raise self._unusable("has another key than the one that sealed what is kept")
        return text

    def read_or_create(self) -> str:
        """Return the key, which is made if there never was one; raises as `read` does."""
        key = self.read()
        if key is None:
            try:
                self._create()
            except OSError as error:
                reason = error.strerror or type(error).__name__
                raise StoreError(f"the key {self.path} cannot be written: {reason}") from error
            key = self.read()
        if key is None:
            raise self._unusable("is gone")
        return key

    def problem(self) -> str | None:
        """Return what is wrong with the key; None if it can be used, or there never was one."""
        try:
            self.read()
        except (NotConfigured, StoreError) as error:
            return str(error)
        return None

    def _create(self) -> None:
        """Write a new key; that of another process, if it is faster."""
        make_folder(self.path.parent)
        part = self.path.with_name(f".{self.path.name}.{secrets.token_hex(8)}.part")
        try:
            with new_file(part) as file:
                file.write(f"{secrets.token_hex(32)}\n".encode())
                file.flush()
                os.fsync(file.fileno())
            with suppress(FileExistsError):
                os.link(part, self.path)
            sync_folder(self.path.parent)
        finally:
            part.unlink(missing_ok=True)

    def _unusable(self, what: str) -> NotConfigured:
        return NotConfigured(
            f"the key {self.path} {what}: sessions, memory and workspaces that it has sealed cannot"
            f" be read, and nothing of them was deleted; {_WAY_OUT}",
            setting=KEY_FILE_SETTING,
        )


def _fingerprint(key: str) -> str:
    """What tells a key from another one, and nothing about it: a key is random."""
    return hashlib.sha256(b"sourcewright key " + bytes.fromhex(key)).hexdigest()[:32]
