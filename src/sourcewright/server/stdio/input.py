"""Input of the connection: pausing and resuming reads, and detecting a client that has gone."""

import asyncio
from collections.abc import Callable

from sourcewright.server.stdio.wire import StdioWire


class Input:
    """Reads from the client; a pause applies back pressure to it."""

    def __init__(
        self,
        wire: StdioWire,
        receive: Callable[[], None],
        on_desertion: Callable[[], None],
        grace_seconds: float,
    ) -> None:
        self._wire = wire
        self._receive = receive
        self._on_desertion = on_desertion
        self._grace_seconds = grace_seconds
        self._loop = asyncio.get_running_loop()
        self._is_open = self._reading = self._file_read_scheduled = False
        self._check_timer: asyncio.TimerHandle | None = None

    def open(self) -> None:
        self._is_open = True
        self.resume()

    def close(self) -> None:
        """Stop reading for good."""
        self._is_open = False
        self._stop_reading()
        self._cancel_check()

    def resume(self) -> None:
        """Resume reading, unless the input is closed."""
        self._cancel_check()
        if not self._is_open or self._reading:
            return
        self._reading = True
        try:
            self._loop.add_reader(self._wire.source, self._receive)
        except OSError:
            # epoll cannot watch a regular file, and kqueue no device: both are always readable.
            self._schedule_file_read()

    def pause(self) -> None:
        """Stop reading until `resume`."""
        self._stop_reading()
        if self._is_open and self._check_timer is None:
            self._schedule_check()

    def _schedule_file_read(self) -> None:
        if not self._file_read_scheduled:
            self._file_read_scheduled = True
            self._loop.call_soon(self._read_file)

    def _read_file(self) -> None:
        self._file_read_scheduled = False
        if self._reading:
            self._receive()
        if self._reading:
            self._schedule_file_read()

    def _stop_reading(self) -> None:
        if self._reading:
            self._reading = False
            self._loop.remove_reader(self._wire.source)

    def _schedule_check(self) -> None:
        is_deserted = self._wire.is_overfull and self._wire.is_deserted
        bytes_read = self._wire.taken if is_deserted else None
        self._check_timer = self._loop.call_later(
            self._grace_seconds, self._check_desertion, bytes_read
        )

    def _check_desertion(self, bytes_read: int | None) -> None:
        """Give up a client that has closed its end and has read nothing since the last check."""
        if self._wire.is_overfull and self._wire.taken == bytes_read:
            self._on_desertion()
        else:
            self._schedule_check()

    def _cancel_check(self) -> None:
        if self._check_timer is not None:
            self._check_timer.cancel()
            self._check_timer = None
