"""Handles write errors on stdout and stderr, such as a full disk or a closed pipe."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO, TypeVar

T = TypeVar("T")


class OutputError(Exception):
    """Standard output cannot be written.

    Not an OSError, because click ends the process itself on a closed pipe.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.closed = isinstance(error, BrokenPipeError)
        """Whether the reader closed the pipe, which is not an error."""


class CheckedStream:
    """Wraps a stream: a failed write raises `OutputError`, and so does every later one."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.failure: OutputError | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @property
    def buffer(self) -> "CheckedStream":
        """The binary buffer, which click writes to directly if the encoding is ASCII."""
        return type(self)(self._stream.buffer)

    def write(self, text: str) -> int:
        written: int = self._try(lambda: self._stream.write(text))
        return written

    def flush(self) -> None:
        # Python flushes again at exit, when an error can no longer be reported.
        if self.failure is None:
            self._try(self._stream.flush)

    def close(self) -> None:
        """Flush, and raise an earlier failure that a library suppressed."""
        self.flush()
        if self.failure is not None:
            raise self.failure

    def _try(self, act: Callable[[], T]) -> T:
        # click suppresses errors when it probes a stream, so raise the failure again.
        if self.failure is not None:
            raise self.failure
        try:
            return act()
        except OSError as error:
            self.failure = OutputError(error)
            self._discard_buffer()
            raise self.failure from error

    def _discard_buffer(self) -> None:
        """Redirect to the null device: Python flushes the buffer at exit and would report an error."""
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, self._stream.fileno())
        os.close(null)


class BestEffortStream(CheckedStream):
    """A text stream for messages; write errors are ignored, and the command continues."""

    def write(self, text: str) -> int:
        with suppress(OutputError):
            return super().write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OutputError):
            super().flush()


def guard_streams() -> CheckedStream:
    """Wrap stdout and stderr, so that a failed write ends with a message, not a traceback."""
    output = CheckedStream(sys.stdout or _null_stream())
    sys.stdout = output
    sys.stderr = BestEffortStream(sys.stderr or _null_stream())
    return output


def _null_stream() -> TextIO:
    """Replaces a stream that the parent process closed, as with `>&-`."""
    return Path(os.devnull).open("w", encoding="utf-8")
