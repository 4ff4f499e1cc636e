"""The stdio connection after the handover: the SDK's server on our file descriptors."""

import asyncio
import logging
import os
import threading
from collections import Counter
from contextlib import ExitStack, suppress
from typing import Final

import anyio
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCRequest

from sourcewright.server import frames
from sourcewright.server.backend import Backend
from sourcewright.server.batches import Batches
from sourcewright.server.frames import Batch, Fault, Message, Notice, Request, RequestId
from sourcewright.server.loading import Handover
from sourcewright.server.mcp import build
from sourcewright.server.output import Output
from sourcewright.server.streams import Inbox, Outbox

logger = logging.getLogger(__name__)

_CANCEL_SECONDS: Final = 2.0
_CLOSE_SECONDS: Final = 5.0
_IGNORED_SECONDS: Final = 0.5
"""How long to wait for what has just been cancelled for good."""
_LAST_SECONDS: Final = 2 * _CANCEL_SECONDS + _CLOSE_SECONDS + 2.0
"""How long after the grace a loop that no longer turns is left behind."""
_HIGH_WATER: Final = 1024 * 1024
"""So much unsent output makes whoever writes wait for the client."""


def take_over(backend: Backend, handover: Handover) -> int:
    """Serve the rest of the connection; gives the exit code."""
    with ExitStack() as watches:
        asyncio.run(_serve(backend, handover, watches))
    return 0


def _exit_after(seconds: float, watches: ExitStack) -> None:
    """End the process when something that cannot be cancelled, a stuck thread say, holds it."""
    timer = threading.Timer(seconds, os._exit, (0,))
    timer.daemon = True
    timer.start()
    watches.callback(timer.cancel)


async def _serve(backend: Backend, handover: Handover, watches: ExitStack) -> None:
    connection = Connection(handover)
    server = build(backend, handover.instructions)
    options = server.create_initialization_options()
    serving = asyncio.create_task(server.run(connection.inbox, Outbox(connection.write), options))
    serving.add_done_callback(lambda _: connection.ended.set())
    try:
        connection.open(handover)
        await connection.ended.wait()
        _exit_after(handover.grace_seconds + _LAST_SECONDS, watches)
        await connection.finish(handover.grace_seconds)
        await _farewell(serving)
        await connection.drain(_CANCEL_SECONDS)
    finally:
        connection.close()
        await _bounded(asyncio.ensure_future(backend.aclose()), _CLOSE_SECONDS)
        _exit_after(2 * _IGNORED_SECONDS, watches)


async def _farewell(serving: "asyncio.Future[None]") -> None:
    """Let the SDK's server end; that nobody listens any more is no failure of its."""
    try:
        await _bounded(serving, _CANCEL_SECONDS)
    except* anyio.BrokenResourceError as gone:
        logger.debug("the client has gone (%s)", gone)


async def _bounded(task: "asyncio.Future[None]", seconds: float) -> None:
    """Wait for a task, and cancel it when it takes too long."""
    done, _ = await asyncio.wait({task}, timeout=seconds)
    if not done:
        task.cancel()
        done, _ = await asyncio.wait({task}, timeout=_IGNORED_SECONDS)
    for finished in done:
        with suppress(asyncio.CancelledError):
            finished.result()


def _notification(notice: Notice) -> SessionMessage:
    return SessionMessage(
        JSONRPCNotification(jsonrpc="2.0", method=notice.method, params=notice.params)
    )


class Connection:
    """One client: what it sent, what it has been answered, and whether it is still there."""

    def __init__(self, handover: Handover) -> None:
        self.inbox = Inbox()
        self.ended = asyncio.Event()
        self._wire = handover.wire
        self._output = Output(handover.wire, self._stop)
        self._replay_id = handover.replay_id
        self._batches = Batches(self._output.send) if handover.takes_batches else None
        self._loop = asyncio.get_running_loop()
        self._unanswered: Counter[RequestId] = Counter()
        self._settled = asyncio.Event()
        self._reading = False

    def open(self, handover: Handover) -> None:
        """Hand on what has waited, then go on reading."""
        for number in handover.bell.signals:
            self._loop.add_signal_handler(number, self._stop)
        for message in handover.backlog:
            self._take(message)
        self._output.watch()
        if handover.ended or handover.bell.stopped:
            self.ended.set()
        else:
            self._listen()

    async def finish(self, grace_seconds: float) -> None:
        """Let the calls in flight end, for a while, and then tell the SDK that it is over."""
        self._deafen()
        if not self._output.broken:
            try:
                async with asyncio.timeout(grace_seconds):
                    await self._quiet()
            except TimeoutError:
                self._output.abandon_if_above(_HIGH_WATER)
        self.inbox.close()

    async def drain(self, seconds: float) -> None:
        """Give the client time to take what has been written."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._output.drop_below(0)

    def close(self) -> None:
        self._deafen()
        self._output.close()

    async def write(self, line: bytes, answers: RequestId | None) -> None:
        if answers is None:
            self._output.send(line)
        else:
            self._settle(answers, line)
        if self._output.broken:
            raise anyio.BrokenResourceError
        await self._output.drop_below(_HIGH_WATER)

    def _listen(self) -> None:
        self._reading = True
        try:
            self._loop.add_reader(self._wire.source, self._receive)
        except PermissionError:
            # A plain file is always ready, and cannot be watched.
            self._loop.call_soon(self._receive_file)

    def _receive_file(self) -> None:
        if self._reading:
            self._receive()
            self._loop.call_soon(self._receive_file)

    def _deafen(self) -> None:
        if self._reading:
            self._reading = False
            self._loop.remove_reader(self._wire.source)

    def _receive(self) -> None:
        messages, last = self._wire.take()
        for message in messages:
            self._take(message)
        if last:
            self._deafen()
            self.ended.set()

    def _take(self, message: Message) -> None:
        """Hand a message on. Replies are dropped, because the client is never asked anything."""
        if isinstance(message, Batch):
            singles = (
                [frames.NO_BATCHES] if self._batches is None else self._batches.split(message)
            )
            for single in singles:
                self._take(single)
        elif isinstance(message, Request):
            self._unanswered[message.id] += 1
            self.inbox.put(self._request(message))
        elif isinstance(message, Notice):
            self.inbox.put(_notification(message))
        elif isinstance(message, Fault):
            self._output.send(frames.error(*message))

    def _request(self, message: Request) -> SessionMessage:
        async def settle() -> None:
            self._settle(message.id, None)

        request = JSONRPCRequest(
            jsonrpc="2.0", id=message.id, method=message.method, params=message.params
        )
        return SessionMessage(request, ServerMessageMetadata(on_request_unanswered=settle))

    def _settle(self, request_id: RequestId, line: bytes | None) -> None:
        """Write the answer, if there is one and if it was not given before the hand-over."""
        kept = self._batches is not None and self._batches.keep(request_id, line)
        if line is not None and not kept and request_id != self._replay_id:
            self._output.send(line)
        self._unanswered[request_id] -= 1
        if self._unanswered[request_id] <= 0:
            del self._unanswered[request_id]
        self._settled.set()

    async def _quiet(self) -> None:
        while self._unanswered:
            self._settled.clear()
            await self._settled.wait()

    def _stop(self) -> None:
        """Leave; told twice, leave at once."""
        if self.ended.is_set():
            self._unanswered.clear()
            self._settled.set()
        self.ended.set()
