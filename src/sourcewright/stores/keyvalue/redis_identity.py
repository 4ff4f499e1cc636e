"""The identity of a Redis: a marker in it, by which one that was emptied or replaced is noticed.

The marker is written at the first use, remembered in a file, and read with every record: without
it, every API key would be unknown and every revoked token valid again, and nobody would know why.
"""

import json
import logging
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import parse_qs, urlsplit

from sourcewright.base.errors import StoreError
from sourcewright.stores.files import make_folder, open_folder

T = TypeVar("T")

logger = logging.getLogger(__name__)

MARKER = ("sourcewright:identity", "id")
"""The key and the field. It has the id of the contents, and after it the ids of earlier contents that the operator gave up."""
_MAX_BYTES = 1_000_000
_ACCEPT = "sourcewright redis accept"


class RunsCommands(Protocol):
    """A connection to Redis."""

    name: str

    async def run(self, command: Callable[[Any], Awaitable[T]]) -> T: ...


class RedisIdentity:
    """Compares the contents of a server with what was there when it was last used."""

    def __init__(self, server: RunsCommands, url: str, path: Path | None) -> None:
        self._server = server
        self._address = _address(url)
        self._path = path
        self._known: str | None = None
        self._is_reported = False

    async def confirm(self, marker: bytes | None) -> None:
        """Check the marker that was read with a record; write it at first use.

        Raises:
            StoreError: The server was emptied or replaced, or does not answer.
        """
        if marker is not None and _ids(marker)[0] == self._known:
            return
        if marker is None and self._remembered() is None:
            marker = await self._write(secrets.token_hex(16), only_first=True)
        problem = self.problem(marker)
        if problem or marker is None:
            self._report(problem or "")
            raise StoreError(problem or f"{self._server.name} does not keep what is written")
        self._adopt(marker)

    def problem(self, marker: bytes | None) -> str | None:
        """Return what is wrong with a server that has this marker; None if nothing is."""
        known = self._remembered()
        if known is None or (marker is not None and known in _ids(marker)):
            return None
        event = "was emptied" if marker is None else "was replaced by another, or emptied"
        return (
            f"{self._server.name} {event}: API keys, revoked tokens, sessions, memory and "
            f"workspaces are not there; restore its back-up, or use it as it is with `{_ACCEPT}`"
        )

    async def accept(self) -> bool | None:
        """Use the contents that are there, on all servers that had the same ones.

        Returns False if they are what they were, and None if it is not known here what they were.
        """
        known = self._remembered()
        if known is None:
            return None
        marker: bytes | None = await self._server.run(lambda redis: redis.hget(*MARKER))
        if self.problem(marker) is None:
            return False
        ids = [secrets.token_hex(16), known, *(_ids(marker) if marker else ())]
        self._adopt(await self._write(" ".join(ids)))
        return True

    async def _write(self, text: str, *, only_first: bool = False) -> bytes:
        """Write the marker, and return the one that is there then: another server may be first."""

        async def write(redis: Any) -> bytes:
            await (redis.hsetnx if only_first else redis.hset)(*MARKER, text)
            return bytes(await redis.hget(*MARKER) or b"")

        return await self._server.run(write)

    def _adopt(self, marker: bytes) -> None:
        [current, *earlier] = _ids(marker)
        if self._known is not None and self._known in earlier:
            logger.warning("%s was accepted by the operator as it is", self._server.name)
        if current != self._remembered():
            self._remember(current)
        self._known, self._is_reported = current, False

    def _report(self, problem: str) -> None:
        if not self._is_reported:
            logger.error("%s", problem)
        self._is_reported = True

    def _remembered(self) -> str | None:
        """Return the id of the contents when they were last used; None if they never were."""
        return self._known or self._ids_by_address().get(self._address)

    def _ids_by_address(self) -> dict[str, str]:
        if self._path is None:
            return {}
        try:
            with open_folder(self._path.parent) as folder:
                text = folder.read(self._path.name, _MAX_BYTES) or b"{}"
            ids = json.loads(text)
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise StoreError(f"{self._path}: cannot be read: {error}") from error
        return {str(address): str(one) for address, one in dict(ids).items()}

    def _remember(self, current: str) -> None:
        if self._path is None:
            return
        text = json.dumps(self._ids_by_address() | {self._address: current}).encode()
        part = f".{self._path.name}.{secrets.token_hex(8)}.part"
        try:
            make_folder(self._path.parent)
            with open_folder(self._path.parent) as folder:
                folder.write(part, text)
                folder.rename(part, self._path.name)
        except OSError as error:
            logger.warning(
                "%s: cannot be written (%s); an emptied Redis is noticed only while this runs",
                *(self._path, error.strerror or type(error).__name__),
            )


def _ids(marker: bytes) -> list[str]:
    return marker.decode("ascii", "replace").split() or [""]


def _address(url: str) -> str:
    """Return which contents a URL means, without credentials: a server and a database."""
    address = urlsplit(url)
    database = parse_qs(address.query).get("db", [""])[0]
    return f"{address.hostname or ''}:{address.port or ''}{address.path.rstrip('/')}#{database}"
