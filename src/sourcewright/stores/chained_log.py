"""A hash-chained log at work: its journal, its writer, and what is done with old segments."""

import logging
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from threading import Thread

from sourcewright.domain.errors import LogError
from sourcewright.domain.ports import Clock
from sourcewright.stores.chain import MAX_LINE_BYTES, Body, canonical
from sourcewright.stores.commits import Committer
from sourcewright.stores.journal import Journal, Plan
from sourcewright.stores.segments import expire_segments, pack_segments

logger = logging.getLogger(__name__)

_ROOM_FOR_LINKS = 1024


class ChainedLog:
    """What the provenance log and the audit log share."""

    def __init__(
        self,
        path: Path,
        plan: Plan,
        *,
        clock: Clock,
        retention_days: int,
        linger_seconds: float = 0.0,
    ) -> None:
        self.path = path
        self._clock = clock
        self._retention_days = retention_days
        self._journal = Journal(path, plan, clock)
        self._committer = Committer[Body](
            path.name, self._commit, self._finish, linger_seconds=linger_seconds
        )
        self._tidying: Thread | None = None
        self._untidy = False

    def submit(self, body: Body) -> "Future[None]":
        """Queue one row; the future is done when the row is on the disk for good.

        Raises:
            LogError: The row is too long, or the log is closed.
        """
        if len(canonical(body)) > MAX_LINE_BYTES - _ROOM_FOR_LINKS:
            raise LogError(f"{self.path}: a row may not be longer than {MAX_LINE_BYTES} bytes")
        return self._committer.submit(body)

    async def aclose(self) -> None:
        """Write what is queued, then let go of the file."""
        await self._committer.aclose()

    def _commit(self, bodies: Sequence[Body]) -> None:
        rotated = self._journal.append(bodies)
        if not rotated and self._tidying:
            return
        if self._tidying and self._tidying.is_alive():
            self._untidy = True
            return
        self._tidying = Thread(target=self._tidy, name=f"{self.path.name} tidy", daemon=True)
        self._tidying.start()

    def _tidy(self) -> None:
        """Best effort: rows are safe wherever their segment is, so this only warns."""
        try:
            pack_segments(self.path, self._clock)
            expire_segments(self.path, self._clock.now(), self._retention_days)
        except OSError as error:
            logger.warning("%s: old segments could not be tidied (%s)", self.path, error)

    def _finish(self) -> None:
        self._journal.close()
        if self._tidying:
            self._tidying.join()
        if self._untidy:
            self._tidy()
