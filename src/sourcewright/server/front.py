"""The stdio front: answers the first messages from the manifest, then hands over to the SDK.

Nothing here imports more than the standard library's lighter half, because a client
waits for these answers at every start.
"""

import select
import sys
from collections.abc import Sequence
from typing import Final, NamedTuple

from sourcewright.server import frames
from sourcewright.server.backend import Listing, Load
from sourcewright.server.bell import Bell
from sourcewright.server.frames import Batch, Fault, Message, Request
from sourcewright.server.lanes import AT_ONCE
from sourcewright.server.loading import Handover, Loader
from sourcewright.server.opening import Opening
from sourcewright.server.wire import Wire, claim

_IDLE_MS: Final = 10
"""A client that is silent this long has heard what it asked, so that loading disturbs nobody."""
_MOST_WAITING: Final = 10_000
_MOST_WAITING_BYTES: Final = 16 * 1024 * 1024
"""A client that has sent so much before we have loaded is not listened to until we have."""
GRACE_SECONDS: Final = 5.0
"""How long calls in flight may still run once the client has left."""
_LOADING_SECONDS: Final = 20
"""How long requests that wait for the loading may still wait once the client has left."""


class Limits(NamedTuple):
    """What a client may expect of the server in time and in number."""

    grace_seconds: float = GRACE_SECONDS
    at_once: int = AT_ONCE


def converse(tools: Sequence[Listing], load: Load, limits: Limits) -> int:
    """Serve on stdin and stdout until the client leaves; gives the exit code.

    `load` runs once, in a thread of its own, and what it returns is used in the main one.
    """
    wire = claim()
    bell = Bell()
    bell.hang()
    try:
        return Front(wire, bell, Opening(tools), Loader(load, bell)).run(limits)
    finally:
        bell.unhang()
        wire.close()


class Front:
    """Reads, answers what the opening knows, and keeps the rest in order."""

    def __init__(self, wire: Wire, bell: Bell, opening: Opening, loader: Loader) -> None:
        self._wire = wire
        self._bell = bell
        self._opening = opening
        self._loader = loader
        self._backlog: list[Message] = []
        self._waiting: list[Request] = []
        self._ended = False

    def run(self, limits: Limits) -> int:
        while not self._loader.finished and not self._is_over():
            self._turn()
        if not self._loader.finished:
            self._loader.abandon(_LOADING_SECONDS)
        if self._loader.take_over is not None:
            return self._loader.take_over(self._handover(limits))
        return 0 if self._is_over() else self._give_up()

    def _handover(self, limits: Limits) -> Handover:
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
        """Whether the client has gone, and nothing that it asked is left to answer."""
        return self._wire.broken or (self._ended and not self._waiting and not self._wire.unsent)

    def _turn(self) -> None:
        """Wait for the next thing to happen, and do it."""
        poll = select.poll()
        poll.register(self._bell.descriptor, select.POLLIN)
        if self._wire.unsent:
            poll.register(self._wire.sink, select.POLLOUT)
        elif not self._ended and self._listens():
            poll.register(self._wire.source, select.POLLIN)
        ready = dict(poll.poll(self._patience()))
        if self._bell.descriptor in ready:
            self._bell.hush()
            self._ended = self._ended or self._bell.stopped
        if self._wire.sink in ready:
            self._wire.flush()
        if self._wire.source in ready:
            self._receive()
        if not ready:
            self._idle()

    def _listens(self) -> bool:
        few = len(self._backlog) < _MOST_WAITING
        return few and self._wire.received < _MOST_WAITING_BYTES

    def _patience(self) -> int | None:
        """How long to wait, in milliseconds."""
        if self._ended and self._loader.started:
            return _LOADING_SECONDS * 1000
        return None if self._loader.started else _IDLE_MS

    def _idle(self) -> None:
        if self._ended and self._loader.started:
            for request in self._waiting:
                self._refuse(request, "the server was told to leave before it had loaded")
            self._waiting.clear()
            self._wire.abandon()
        self._loader.start()

    def _receive(self) -> None:
        messages, last = self._wire.take()
        for message in messages:
            self._take(message)
        self._ended = self._ended or last

    def _take(self, message: Message) -> None:
        if isinstance(message, Batch) and not self._opening.takes_batches:
            message = frames.NO_BATCHES
        if isinstance(message, Fault):
            self._wire.send(frames.error(*message))
        elif isinstance(message, Request):
            self._ask(message)
        elif message is not None:
            self._backlog.append(message)
        if isinstance(message, Batch):
            self._waiting += [one for one in message.messages if isinstance(one, Request)]
            self._loader.start()

    def _ask(self, request: Request) -> None:
        # While the client reads nothing, answers are left to the SDK, which waits for it.
        deferred = self._wire.crowded and self._opening.is_open and request.method != "initialize"
        answer, unheard = (None, request) if deferred else self._opening.consider(request)
        if unheard is not None:
            self._backlog.append(unheard)
        if answer is not None:
            self._wire.send(answer)
        else:
            self._waiting.append(request)
        if answer is None or request.method == "tools/list":
            self._loader.start()

    def _give_up(self) -> int:
        for request in self._waiting:
            self._refuse(request, "the server could not start; its error output says why")
        while self._wire.unsent:
            _, takes_more, _ = select.select([], [self._wire.sink], [], GRACE_SECONDS)
            self._wire.flush() if takes_more else self._wire.abandon()
        self._loader.abandon(_LOADING_SECONDS)
        sys.stderr.write("sourcewright: the server could not start\n")
        return 1

    def _refuse(self, request: Request, reason: str) -> None:
        self._wire.send(frames.error(request.id, frames.INTERNAL_ERROR, reason))
