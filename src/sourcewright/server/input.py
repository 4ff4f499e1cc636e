"""Input of the connection: when it is read, and whether its sender has left while it is not."""

import asyncio
from collections.abc import Callable

from sourcewright.server.wire import Wire


class Input:
    """Reads while there is room for more; not reading makes a client that sends wait."""

    def __init__(
        self,
        wire: Wire,
        receive: Callable[[], None],
        on_desertion: Callable[[], None],
        grace_seconds: float,
    ) -> None:
        self._wire = wire
        self._receive = receive
        self._on_desertion = on_desertion
        self._grace_seconds = grace_seconds
        self._loop = asyncio.get_running_loop()
        self._is_open = self._reading = self._turning = False
        self._watch: asyncio.TimerHandle | None = None

    def open(self) -> None:
        self._is_open = True
        self.resume()

    def close(self) -> None:
        """Read nothing more."""
        self._is_open = False
        self._stop_reading()
        self._unwatch()

    def resume(self) -> None:
        """Go on reading, unless that is over."""
        self._unwatch()
        if not self._is_open or self._reading:
            return
        self._reading = True
        try:
            self._loop.add_reader(self._wire.source, self._receive)
        except PermissionError:
            # A plain file is always ready, and cannot be watched.
            self._turn_to_file()

    def pause(self) -> None:
        """Read no more for now."""
        self._stop_reading()
        if self._is_open and self._watch is None:
            self._look_again()

    def _turn_to_file(self) -> None:
        if not self._turning:
            self._turning = True
            self._loop.call_soon(self._receive_file)

    def _receive_file(self) -> None:
        self._turning = False
        if self._reading:
            self._receive()
        if self._reading:
            self._turn_to_file()

    def _stop_reading(self) -> None:
        if self._reading:
            self._reading = False
            self._loop.remove_reader(self._wire.source)

    def _look_again(self) -> None:
        deserted = self._wire.crowded and self._wire.deserted
        taken = self._wire.taken if deserted else None
        self._watch = self._loop.call_later(self._grace_seconds, self._look, taken)

    def _look(self, taken: int | None) -> None:
        """Give up a client that could send nothing more and has read nothing ever since."""
        if self._wire.crowded and self._wire.taken == taken:
            self._on_desertion()
        else:
            self._look_again()

    def _unwatch(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
