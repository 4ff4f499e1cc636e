"""Self-pipe that wakes the stdio front: a signal arrived, or the SDK has loaded."""

import os
import signal
from types import FrameType
from typing import Final

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def ending_signals() -> list[signal.Signals]:
    """Return the signals that end the server, without those already ignored (as by nohup)."""
    return [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]


def leave_on_signals() -> None:
    """Exit cleanly on signals before `WakeupPipe` listens, so that temporary files are removed."""
    for number in [] if is_leaving() else ending_signals():
        signal.signal(number, _leave)


def is_leaving() -> bool:
    """Whether such a signal came, also if a library swallowed the exception that it raised."""
    return any(signal.getsignal(number) is _ignore for number in SIGNALS)


def _leave(_number: int, _frame: FrameType | None) -> None:
    for number in ending_signals():
        signal.signal(number, _ignore)
    raise SystemExit(0)


def _ignore(_number: int, _frame: FrameType | None) -> None:
    """Do nothing: the process is leaving already."""


class WakeupPipe:
    """A pipe for `poll`, written to by signal handlers and by threads."""

    def __init__(self) -> None:
        self.stopped = False
        self.signals: list[signal.Signals] = []
        self.descriptor, self._write_end = os.pipe()
        os.set_blocking(self.descriptor, False)
        os.set_blocking(self._write_end, False)

    def install(self) -> None:
        """Install handlers for the signals that end the server."""
        if is_leaving():
            self.stopped = True
            self.wake()
        signal.set_wakeup_fd(self._write_end, warn_on_full_buffer=False)
        self.signals = ending_signals()
        for number in self.signals:
            signal.signal(number, self._on_signal)

    def wake(self) -> None:
        try:
            os.write(self._write_end, b"\0")
        except BlockingIOError:
            return

    def drain(self) -> None:
        """Drain the pipe."""
        try:
            os.read(self.descriptor, 4096)
        except BlockingIOError:
            return

    def uninstall(self) -> None:
        """Ignore further signals, which must not interrupt the shutdown."""
        signal.set_wakeup_fd(-1)
        for number in self.signals:
            signal.signal(number, signal.SIG_IGN)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self.stopped = True
