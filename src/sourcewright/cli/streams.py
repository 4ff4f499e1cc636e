"""Standard output and error that cannot be written: a full disk, a closed pipe."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO, TypeVar

T = TypeVar("T")


class OutputError(Exception):
    """Standard output cannot be written.

    It is no OSError, because click ends the process by itself on those of closed pipes.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.closed = isinstance(error, BrokenPipeError)
        """Whether its reader has gone, which is no fault of anybody's."""


class Output:
    """A stream whose failed writes raise an OutputError, the later ones again."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.failure: OutputError | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @property
    def buffer(self) -> "Output":
        """The bytes below, which click writes itself where the encoding is ASCII."""
        return type(self)(self._stream.buffer)

    def write(self, text: str) -> int:
        written: int = self._try(lambda: self._stream.write(text))
        return written

    def flush(self) -> None:
        # Python flushes at its end, when nobody is left to tell of a failure.
        if self.failure is None:
            self._try(self._stream.flush)

    def close(self) -> None:
        """Write what is left, and raise what a library swallowed."""
        self.flush()
        if self.failure is not None:
            raise self.failure

    def _try(self, act: Callable[[], T]) -> T:
        # click probes a stream and swallows what that raises, so that once is not enough.
        if self.failure is not None:
            raise self.failure
        try:
            return act()
        except OSError as error:
            self.failure = OutputError(error)
            self._let_go()
            raise self.failure from error

    def _let_go(self) -> None:
        """Send what is still buffered nowhere: Python writes it at its end, and would complain."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)


class Remarks(Output):
    """A text stream for remarks, which the work goes on without."""

    def write(self, text: str) -> int:
        with suppress(OutputError):
            return super().write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OutputError):
            super().flush()


def guard_streams() -> Output:
    """Let failed writes end the command with a sentence, and never a traceback."""
    output = Output(sys.stdout or _nowhere())
    sys.stdout = output
    sys.stderr = Remarks(sys.stderr or _nowhere())
    return output


def _nowhere() -> TextIO:
    """Stands in for a stream that was closed by whoever started us, as by `>&-`."""
    return Path(os.devnull).open("w", encoding="utf-8")
