"""Imports the SDK and the services in a thread while the front already answers."""

import gc
import sys
import threading
from collections.abc import Callable
from typing import Final, NamedTuple

from sourcewright.server.backend import Load
from sourcewright.server.bell import Bell
from sourcewright.server.frames import Message
from sourcewright.server.wire import Wire

_STEPS: Final = (
    "pydantic",
    "asyncio",
    "mcp_types._types",
    "mcp_types.methods",
    "httpx2",
    "starlette.applications",
    "uvicorn",
    "mcp.server.lowlevel.server",
    "sourcewright.server.stdio",
)
"""Imported one by one, so that a server that is told to leave early can do so between two."""

_SWITCH_SECONDS: Final = 0.001


class Handover(NamedTuple):
    """A connection as the front leaves it."""

    wire: Wire
    bell: Bell
    backlog: list[Message]
    replay_id: str
    instructions: str
    takes_batches: bool
    ended: bool
    grace_seconds: float
    at_once: int
    """How many requests of one kind are worked on at once."""


class Loader:
    """Loads once, and rings when it is done or has failed."""

    def __init__(self, load: Load, bell: Bell) -> None:
        self.take_over: Callable[[Handover], int] | None = None
        self.finished = False
        self._load = load
        self._bell = bell
        self._unwanted = False
        self._thread: threading.Thread | None = None

    @property
    def started(self) -> bool:
        return self._thread is not None

    def start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="loading", daemon=True)
            self._thread.start()

    def abandon(self, timeout: float) -> None:
        """Stop at the next step. What was loaded by then is there to be closed."""
        self._unwanted = True
        if self._thread is not None:
            self._thread.join(timeout)

    def _run(self) -> None:
        before = sys.getswitchinterval()
        # The front's short answers must not wait for a long import to give way,
        # and what is imported stays for good, so that collecting among it finds nothing.
        sys.setswitchinterval(_SWITCH_SECONDS)
        gc.disable()
        try:
            self._bring_in()
        finally:
            gc.freeze()
            gc.enable()
            sys.setswitchinterval(before)
            self.finished = True
            self._bell.ring()

    def _bring_in(self) -> None:
        for module in _STEPS:
            if self._unwanted:
                return
            __import__(module)
        from sourcewright.server.stdio import take_over

        if self._unwanted:
            return
        backend = self._load()
        self.take_over = lambda handover: take_over(backend, handover)
