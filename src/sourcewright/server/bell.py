"""Wake-ups for the stdio front: a signal arrived, or the SDK has loaded."""

import os
import signal
from types import FrameType
from typing import Final

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def ending_signals() -> list[signal.Signals]:
    """Name the signals that end the server: not one that our parent told us to ignore (nohup)."""
    return [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]


def leave_on_signals() -> None:
    """End the process in order while nothing listens yet, so that what was made is taken away."""
    for number in ending_signals():
        signal.signal(number, _leave)


def _leave(_number: int, _frame: FrameType | None) -> None:
    for number in ending_signals():
        signal.signal(number, signal.SIG_IGN)
    raise SystemExit(0)


class Bell:
    """A pipe that a poll can watch, rung by signals and by threads."""

    def __init__(self) -> None:
        self.stopped = False
        self.signals: list[signal.Signals] = []
        self.descriptor, self._rope = os.pipe()
        os.set_blocking(self.descriptor, False)
        os.set_blocking(self._rope, False)

    def hang(self) -> None:
        """Listen for the signals that end the server."""
        signal.set_wakeup_fd(self._rope, warn_on_full_buffer=False)
        self.signals = ending_signals()
        for number in self.signals:
            signal.signal(number, self._on_signal)

    def ring(self) -> None:
        try:
            os.write(self._rope, b"\0")
        except BlockingIOError:
            return

    def hush(self) -> None:
        """Forget the rings so far."""
        try:
            os.read(self.descriptor, 4096)
        except BlockingIOError:
            return

    def unhang(self) -> None:
        """The process is leaving already; being told again must not disturb its last steps."""
        signal.set_wakeup_fd(-1)
        for number in self.signals:
            signal.signal(number, signal.SIG_IGN)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self.stopped = True
