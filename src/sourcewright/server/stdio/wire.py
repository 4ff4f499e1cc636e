"""JSON-RPC lines over stdin and stdout: bounded input, whole lines out, in order."""

import contextlib
import fcntl
import os
import select
import stat
from collections.abc import Iterator
from typing import Final

from sourcewright.server.stdio.frames import MAX_LINE, TOO_LONG, Message, read

_CHUNK: Final = 256 * 1024
_PIPE_BYTES: Final = 256 * 1024
HIGH_WATER: Final = 1024 * 1024
"""Above this many unsent bytes, writers wait for the client and no request is started."""


class LineSplitter:
    """Splits a byte stream into lines."""

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._length = 0
        self._skipping = False

    def feed(self, data: bytes) -> Iterator[bytes | None]:
        """Yield each complete line; None for a line above the limit."""
        *complete, rest = data.split(b"\n")
        for part in complete:
            self._keep(part)
            yield self._take()
        self._keep(rest)

    def end(self) -> bytes | None:
        """Return what follows the last line break."""
        return self._take()

    def _keep(self, part: bytes) -> None:
        self._length += len(part)
        if self._length > self._limit:
            self._skipping = True
            self._parts.clear()
        elif part:
            self._parts.append(part)

    def _take(self) -> bytes | None:
        line = None if self._skipping else b"".join(self._parts)
        self._parts.clear()
        self._length = 0
        self._skipping = False
        return line


class StdioWire:
    """Private duplicates of stdin and stdout, which no other code in the process uses."""

    def __init__(self, source: int, sink: int) -> None:
        self.source = source
        self.sink = sink
        self._lines = LineSplitter()
        self.broken = False
        self.received = 0
        """Bytes received from the client so far."""
        self._unsent = bytearray()
        self.taken = 0
        """Bytes that the client has read so far."""
        self._blocking = os.get_blocking(sink)
        if _is_private_pipe(sink):
            os.set_blocking(sink, False)
            _enlarge(sink)

    @property
    def is_overfull(self) -> bool:
        """Whether so much is unsent that no further request should be answered."""
        return self.unsent > HIGH_WATER

    @property
    def is_deserted(self) -> bool:
        """Whether the sending end is closed; unread input may be left."""
        if not hasattr(select, "poll"):
            return False  # it cannot be known without reading
        poll = select.poll()
        poll.register(self.source, 0)
        return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))

    @property
    def unsent(self) -> int:
        """Bytes that the client has not read yet."""
        return 0 if self.broken else len(self._unsent)

    def _read(self) -> bytes | None:
        """Read available bytes; empty at end of file, None if nothing is available."""
        try:
            return os.read(self.source, _CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def take(self) -> tuple[list[Message], bool]:
        """Read and parse the available messages; the flag tells whether the input has ended."""
        data = self._read()
        if data is None:
            return [], False
        self.received += len(data)
        messages = [TOO_LONG if line is None else read(line) for line in self._lines.feed(data)]
        if data:
            return messages, False
        return [*messages, read(self._lines.end() or b"")], True

    def send(self, frame: bytes) -> None:
        """Write as much as the client accepts now, and buffer the rest for `flush`."""
        if self.broken:
            return
        if not self._unsent:
            frame = frame[self._write(memoryview(frame)) :]
        self._unsent += frame

    def flush(self) -> None:
        """Write buffered bytes as far as the client accepts them."""
        with memoryview(self._unsent) as view:
            written = self._write(view)
        del self._unsent[:written]

    def abandon(self) -> None:
        """Send nothing more, and discard what is buffered."""
        self.broken = True

    def close(self) -> None:
        """Restore the blocking mode of the output."""
        os.set_blocking(self.sink, self._blocking)

    def _write(self, data: memoryview) -> int:
        written = 0
        try:
            while written < len(data):
                written += os.write(self.sink, data[written:])
        except BlockingIOError:
            pass
        except OSError:
            self.broken = True
        self.taken += written
        return written


def wait_until_ready(readable: list[int], writable: list[int], seconds: float | None) -> set[int]:
    """Return the descriptors that can be read or written now; empty if the time is up."""
    if not hasattr(select, "poll"):
        return {one for ready in select.select(readable, writable, [], seconds) for one in ready}
    poll = select.poll()
    for descriptor in readable:
        poll.register(descriptor, select.POLLIN)
    for descriptor in writable:
        poll.register(descriptor, select.POLLOUT)
    return {one for one, _ in poll.poll(None if seconds is None else seconds * 1000)}


def _enlarge(pipe: int) -> None:
    """Let a pipe hold an ordinary answer as a whole, where the system allows it."""
    with contextlib.suppress(OSError, AttributeError):
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


def _is_private_pipe(sink: int) -> bool:
    """Whether non-blocking mode affects nobody else: a pipe or socket not shared with stderr."""
    kind = os.fstat(sink)
    if not (stat.S_ISFIFO(kind.st_mode) or stat.S_ISSOCK(kind.st_mode)):
        return False
    try:
        stderr = os.fstat(2)
    except OSError:
        return True
    return (kind.st_dev, kind.st_ino) != (stderr.st_dev, stderr.st_ino)


def claim_stdio() -> StdioWire:
    """Duplicate stdin and stdout for the protocol, and redirect the standard descriptors.

    Printed output goes to stderr, and a child process that reads stdin gets end of file.
    """
    source, sink = _duplicate(0), _duplicate(1)
    devnull = _open_devnull()
    os.dup2(devnull, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(devnull, 1)
    os.close(devnull)
    return StdioWire(source, sink)


def _duplicate(descriptor: int) -> int:
    """Duplicate a descriptor above 2, close-on-exec; /dev/null if it is not open."""
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    except OSError:
        return _open_devnull()


def _open_devnull() -> int:
    opened = os.open(os.devnull, os.O_RDWR)
    duplicate = fcntl.fcntl(opened, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(opened)
    return duplicate
