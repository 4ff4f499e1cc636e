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

from sourcewright.base.event_loop import run_event_loop
from sourcewright.server.backend import Backend
from sourcewright.server.mcp import Calls, build
from sourcewright.server.stdio import frames
from sourcewright.server.stdio.batches import Batches
from sourcewright.server.stdio.frames import (
    InvalidMessage,
    Message,
    MessageBatch,
    Notification,
    RequestId,
    RpcRequest,
)
from sourcewright.server.stdio.input import Input
from sourcewright.server.stdio.lanes import Lanes
from sourcewright.server.stdio.output import Output
from sourcewright.server.stdio.sdk_import import Handover
from sourcewright.server.stdio.streams import Inbox, Outbox
from sourcewright.server.stdio.wire import HIGH_WATER
from sourcewright.server.structured_content import filled_responses

logger = logging.getLogger(__name__)

_CANCEL_SECONDS: Final = 2.0
_CLOSE_SECONDS: Final = 5.0
_AFTER_CANCEL_SECONDS: Final = 0.5
"""How long to wait for a task after it was cancelled for good."""
_INTERRUPT_SECONDS: Final = 2.0
"""How long interrupted calls may take to return their error."""
_EXIT_SECONDS: Final = _INTERRUPT_SECONDS + 2 * _CANCEL_SECONDS + _CLOSE_SECONDS + 2.0
"""How long after the grace period the process exits even if the event loop is blocked."""


def take_over(backend: Backend, handover: Handover) -> int:
    """Serve the rest of the connection; return the exit code."""
    with ExitStack() as timers:
        run_event_loop(_serve(backend, handover, timers))
    return 0


def _exit_after(seconds: float, timers: ExitStack) -> None:
    """Exit the process if something that cannot be cancelled, such as a stuck thread, blocks it."""
    timer = threading.Timer(seconds, os._exit, (0,))
    timer.daemon = True
    timer.start()
    timers.callback(timer.cancel)


async def _serve(backend: Backend, handover: Handover, timers: ExitStack) -> None:
    connection = Connection(handover)
    server = build(backend, handover.instructions, connection.calls)
    options = server.create_initialization_options()
    outbox = Outbox(connection.room, connection.write)
    with filled_responses():
        serving = asyncio.create_task(server.run(connection.inbox, outbox, options))
    serving.add_done_callback(lambda _: connection.ended.set())
    try:
        connection.open(handover)
        await connection.ended.wait()
        _exit_after(handover.grace_seconds + _EXIT_SECONDS, timers)
        await connection.finish(handover.grace_seconds)
        await _end_sdk_server(serving)
        await connection.drain(_CANCEL_SECONDS)
    finally:
        connection.close()
        await _wait_or_cancel(asyncio.ensure_future(backend.aclose()), _CLOSE_SECONDS)
        _exit_after(2 * _AFTER_CANCEL_SECONDS, timers)


async def _end_sdk_server(serving: "asyncio.Future[None]") -> None:
    """Wait for the SDK's server to end; a client that has gone is not an error."""
    try:
        await _wait_or_cancel(serving, _CANCEL_SECONDS)
    except* anyio.BrokenResourceError as broken:
        logger.debug("the client disconnected (%s)", broken)


async def _wait_or_cancel(task: "asyncio.Future[None]", seconds: float) -> None:
    """Wait for a task, and cancel it at the timeout."""
    done, _ = await asyncio.wait({task}, timeout=seconds)
    if not done:
        task.cancel()
        done, _ = await asyncio.wait({task}, timeout=_AFTER_CANCEL_SECONDS)
    for finished in done:
        with suppress(asyncio.CancelledError):
            finished.result()


def _notification(notice: Notification) -> SessionMessage:
    return SessionMessage(
        JSONRPCNotification(jsonrpc="2.0", method=notice.method, params=notice.params)
    )


class Connection:
    """Connection to the client: queues requests, writes responses, and handles shutdown."""

    def __init__(self, handover: Handover) -> None:
        self.inbox = Inbox()
        self.calls = Calls()
        self.ended = asyncio.Event()
        self._wire = handover.wire
        self._output = Output(handover.wire, on_broken=self._stop, on_moved=self._resume)
        self._lanes = Lanes(handover.at_once, self._start, lambda: not self._wire.is_overfull)
        self._replay_id = handover.replay_id
        self._batches = Batches(self._output.send) if handover.takes_batches else None
        self._loop = asyncio.get_running_loop()
        self._unanswered: Counter[RequestId] = Counter()
        self._settled = asyncio.Event()
        self._stop_at_once = False
        self._handled_bytes = self._wire.received
        """Received bytes whose messages have been handled."""
        self._input = Input(self._wire, self._receive, self.ended.set, handover.grace_seconds)

    def open(self, handover: Handover) -> None:
        """Handle the backlog of the front, then start reading."""
        for number in handover.bell.signals:
            self._loop.add_signal_handler(number, self._stop)
        for message in handover.backlog:
            self._handle_message(message)
        self._output.watch()
        if handover.ended or handover.bell.stopped:
            self.ended.set()
        else:
            self._input.open()
            self._resume()

    async def finish(self, grace_seconds: float) -> None:
        """Give calls in flight a grace period, interrupt the rest, then close the SDK's input.

        An interrupted call returns an error in the format of its tool family.
        """
        self._input.close()
        if not await self._wait_until_answered(grace_seconds):
            self._output.abandon_if_above(HIGH_WATER)
        self._stop_at_once = False
        self.calls.interrupt()
        self._lanes.open()
        await self._wait_until_answered(_INTERRUPT_SECONDS)
        self.inbox.close()

    async def drain(self, seconds: float) -> None:
        """Give the client time to read what has been written."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._output.drop_below(0)

    def close(self) -> None:
        self._input.close()
        self._output.close()

    async def room(self) -> None:
        """Wait until the client has read most of what was written."""
        await self._output.drop_below(HIGH_WATER)

    def write(self, line: bytes, answers: RequestId | None) -> None:
        if self._output.broken:
            raise anyio.BrokenResourceError
        if answers is None:
            self._output.send(line)
        else:
            self._finish(answers, line)

    def _receive(self) -> None:
        messages, last = self._wire.take()
        # The average is enough: only the total size of queued requests is limited.
        size = (self._wire.received - self._handled_bytes) // max(1, len(messages))
        self._handled_bytes = self._wire.received if messages else self._handled_bytes
        for message in messages:
            self._handle_message(message, size)
        if last:
            self._input.close()
            self.ended.set()
        elif self._lanes.is_full:
            self._input.pause()

    def _resume(self) -> None:
        """Start queued requests, and read again if there is room."""
        self._lanes.resume()
        if not self._lanes.is_full:
            self._input.resume()

    def _handle_message(self, message: Message, size: int = 0) -> None:
        """Handle a message of about this size in bytes.

        Responses are dropped, because the server never sends requests.
        """
        if isinstance(message, MessageBatch):
            singles = (
                [frames.NO_BATCHES] if self._batches is None else self._batches.split(message)
            )
            for single in singles:
                self._handle_message(single, size)
        elif isinstance(message, RpcRequest):
            self._unanswered[message.id] += 1
            self._lanes.put(message, size)
        elif isinstance(message, Notification):
            self._handle_notice(message)
        elif isinstance(message, InvalidMessage):
            self._output.send(frames.error(*message))

    def _handle_notice(self, notice: Notification) -> None:
        cancelled = None
        if notice.method == "notifications/cancelled":
            cancelled = self._lanes.drop((notice.params or {}).get("requestId"))
        if cancelled is None:
            self.inbox.put(_notification(notice))
        else:
            self._answer(cancelled.id, None)

    def _start(self, message: RpcRequest) -> None:
        async def finish() -> None:
            self._finish(message.id, None)

        request = JSONRPCRequest(
            jsonrpc="2.0", id=message.id, method=message.method, params=message.params
        )
        metadata = ServerMessageMetadata(on_request_unanswered=finish)
        self.inbox.put(SessionMessage(request, metadata))

    def _finish(self, request_id: RequestId, line: bytes | None) -> None:
        """Send the response, and start the next request of the same lane."""
        self._answer(request_id, line)
        self._lanes.finish(request_id)
        self._resume()

    def _answer(self, request_id: RequestId, line: bytes | None) -> None:
        """Write the response, if there is one and the front did not send it before the handover."""
        in_batch = self._batches is not None and self._batches.keep(request_id, line)
        if line is not None and not in_batch and request_id != self._replay_id:
            self._output.send(line)
        self._unanswered[request_id] -= 1
        if self._unanswered[request_id] <= 0:
            del self._unanswered[request_id]
        self._settled.set()

    async def _wait_until_answered(self, seconds: float) -> bool:
        """Wait until all requests are answered, unless the client has gone; return whether they are."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._unanswered and not self._stop_at_once and not self._output.broken:
                    self._settled.clear()
                    await self._settled.wait()
        return not self._unanswered

    def _stop(self) -> None:
        """Shut down; a second signal skips the grace period."""
        self._stop_at_once = self.ended.is_set()
        self._settled.set()
        self.ended.set()
