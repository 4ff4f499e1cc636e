"""The stdio front: answers the first messages from the manifest, then hands over to the SDK.

Imports only light modules of the standard library, because a client waits for these responses
at every start.
"""

import select
import sys
from typing import Final, NamedTuple

from sourcewright.server.backend import LoadBackend, Offer
from sourcewright.server.stdio import frames
from sourcewright.server.stdio.frames import InvalidMessage, Message, MessageBatch, RpcRequest
from sourcewright.server.stdio.handshake import FrontHandshake
from sourcewright.server.stdio.lanes import MAX_CONCURRENT
from sourcewright.server.stdio.sdk_import import Handover, Loader
from sourcewright.server.stdio.self_pipe import WakeupPipe
from sourcewright.server.stdio.wire import StdioWire, claim_stdio, wait_until_ready

_IDLE_MS: Final = 10
"""After this much silence of the client, loading starts: it would slow down responses."""
_MAX_BACKLOG: Final = 10_000
_MAX_BACKLOG_BYTES: Final = 16 * 1024 * 1024
"""Above these limits nothing more is read from the client until loading is finished."""
GRACE_SECONDS: Final = 5.0
"""How long calls in flight may run after the client has disconnected."""
_LOADING_SECONDS: Final = 20
"""How long requests wait for loading after the client has disconnected."""


class ServerLimits(NamedTuple):
    """Limits of the server: grace period at the end, and concurrent requests of one kind."""

    grace_seconds: float = GRACE_SECONDS
    at_once: int = MAX_CONCURRENT


def serve_stdio(offer: Offer, load: LoadBackend, limits: ServerLimits) -> int:
    """Serve on stdin and stdout until the client disconnects; return the exit code.

    `load` runs once, in its own thread; the backend that it returns is used in the main thread.
    """
    wire = claim_stdio()
    bell = WakeupPipe()
    bell.install()
    try:
        return StdioFront(wire, bell, FrontHandshake(offer), Loader(load, bell)).run(limits)
    finally:
        bell.uninstall()
        wire.close()


class StdioFront:
    """Event loop before the handover: answers what `FrontHandshake` can, and queues the rest."""

    def __init__(
        self, wire: StdioWire, bell: WakeupPipe, opening: FrontHandshake, loader: Loader
    ) -> None:
        self._wire = wire
        self._bell = bell
        self._opening = opening
        self._loader = loader
        self._backlog: list[Message] = []
        self._waiting: list[RpcRequest] = []
        self._ended = False

    def run(self, limits: ServerLimits) -> int:
        while not self._loader.finished and not self._is_over():
            self._handle_next_event()
        if not self._loader.finished:
            self._loader.abandon(_LOADING_SECONDS)
        if self._loader.take_over is not None:
            return self._loader.take_over(self._handover(limits))
        return 0 if self._is_over() else self._fail_start()

    def _handover(self, limits: ServerLimits) -> Handover:
        return Handover(
            wire=self._wire,
            bell=self._bell,
            backlog=self._backlog,
            replay_id=self._opening.replay_id,
            instructions=self._opening.instructions,
            takes_batches=self._opening.takes_batches,
            ended=self._ended,
            grace_seconds=limits.grace_seconds,
            at_once=limits.at_once,
        )

    def _is_over(self) -> bool:
        """Whether the client has disconnected and no response is outstanding."""
        return self._wire.broken or (self._ended and not self._waiting and not self._wire.unsent)

    def _handle_next_event(self) -> None:
        """Wait for the next event, and handle it."""
        unsent = bool(self._wire.unsent)
        reads = not unsent and not self._ended and self._has_capacity()
        ready = wait_until_ready(
            [self._bell.descriptor, *([self._wire.source] if reads else [])],
            [self._wire.sink] if unsent else [],
            self._timeout_seconds(),
        )
        if self._bell.descriptor in ready:
            self._bell.drain()
            self._ended = self._ended or self._bell.stopped
        if self._wire.sink in ready:
            self._wire.flush()
        if self._wire.source in ready:
            self._receive()
        if not ready:
            self._idle()

    def _has_capacity(self) -> bool:
        few = len(self._backlog) < _MAX_BACKLOG
        return few and self._wire.received < _MAX_BACKLOG_BYTES

    def _timeout_seconds(self) -> float | None:
        """Return how long to wait for the next event; None waits without limit."""
        if self._ended and self._loader.started:
            return _LOADING_SECONDS
        return None if self._loader.started else _IDLE_MS / 1000

    def _idle(self) -> None:
        if self._ended and self._loader.started:
            for request in self._waiting:
                self._refuse(request, "the server was asked to shut down before it had loaded")
            self._waiting.clear()
            self._wire.abandon()
        self._loader.start()

    def _receive(self) -> None:
        messages, last = self._wire.take()
        for message in messages:
            self._handle_message(message)
        self._ended = self._ended or last

    def _handle_message(self, message: Message) -> None:
        if isinstance(message, MessageBatch) and not self._opening.takes_batches:
            message = frames.NO_BATCHES
        if isinstance(message, InvalidMessage):
            self._wire.send(frames.error(*message))
        elif isinstance(message, RpcRequest):
            self._handle_request(message)
        elif message is not None:
            self._backlog.append(message)
        if isinstance(message, MessageBatch):
            self._waiting += [one for one in message.messages if isinstance(one, RpcRequest)]
            self._loader.start()

    def _handle_request(self, request: RpcRequest) -> None:
        # While the client does not read, responses are left to the SDK, which applies back pressure.
        deferred = (
            self._wire.is_overfull and self._opening.is_open and request.method != "initialize"
        )
        answer, replay = (None, request) if deferred else self._opening.consider(request)
        if replay is not None:
            self._backlog.append(replay)
        if answer is not None:
            self._wire.send(answer)
        else:
            self._waiting.append(request)
        if answer is None or request.method == "tools/list":
            self._loader.start()

    def _fail_start(self) -> int:
        for request in self._waiting:
            self._refuse(request, "the server could not start; see its error output")
        while self._wire.unsent:
            _, takes_more, _ = select.select([], [self._wire.sink], [], GRACE_SECONDS)
            self._wire.flush() if takes_more else self._wire.abandon()
        self._loader.abandon(_LOADING_SECONDS)
        sys.stderr.write("error[INTERNAL_ERROR]: the server could not start\n")
        return 1

    def _refuse(self, request: RpcRequest, reason: str) -> None:
        self._wire.send(frames.error(request.id, frames.INTERNAL_ERROR, reason))
