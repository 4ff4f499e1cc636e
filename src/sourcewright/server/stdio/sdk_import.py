"""Imports the SDK and the services in a thread, while the front answers requests."""

import gc
import sys
import threading
from collections.abc import Callable
from typing import Final, NamedTuple

from sourcewright.server.backend import LoadBackend
from sourcewright.server.stdio.frames import Message
from sourcewright.server.stdio.self_pipe import WakeupPipe
from sourcewright.server.stdio.wire import StdioWire

_MODULES: Final = (
    "pydantic",
    "asyncio",
    "mcp_types._types",
    "mcp_types.methods",
    "httpx2",
    "starlette.applications",
    "uvicorn",
    "mcp.server.lowlevel.server",
    "sourcewright.server.stdio.connection",
)
"""Imported one by one, so that an early shutdown can happen between two imports."""

_SWITCH_SECONDS: Final = 0.001


class Handover(NamedTuple):
    """State of the connection that the front passes to the SDK's server."""

    wire: StdioWire
    bell: WakeupPipe
    backlog: list[Message]
    replay_id: str
    instructions: str
    takes_batches: bool
    ended: bool
    grace_seconds: float
    at_once: int
    """Concurrent requests of one kind."""


class Loader:
    """Loads once, and wakes the front when loading has finished or failed."""

    def __init__(self, load: LoadBackend, bell: WakeupPipe) -> None:
        self.take_over: Callable[[Handover], int] | None = None
        self.finished = False
        self._load = load
        self._bell = bell
        self._abandoned = False
        self._thread: threading.Thread | None = None

    @property
    def started(self) -> bool:
        return self._thread is not None

    def start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="loading", daemon=True)
            self._thread.start()

    def abandon(self, timeout: float) -> None:
        """Stop at the next import; `take_over` is set if loading was already complete."""
        self._abandoned = True
        if self._thread is not None:
            self._thread.join(timeout)

    def _run(self) -> None:
        before = sys.getswitchinterval()
        # A short switch interval: the front must not wait for a long import to release the GIL.
        # No garbage collection: imported modules stay, so a collection would free nothing.
        sys.setswitchinterval(_SWITCH_SECONDS)
        gc.disable()
        try:
            self._import_all()
        finally:
            gc.freeze()
            gc.enable()
            sys.setswitchinterval(before)
            self.finished = True
            self._bell.wake()

    def _import_all(self) -> None:
        for module in _MODULES:
            if self._abandoned:
                return
            __import__(module)
        from sourcewright.server.stdio.connection import take_over

        if self._abandoned:
            return
        backend = self._load()
        self.take_over = lambda handover: take_over(backend, handover)
