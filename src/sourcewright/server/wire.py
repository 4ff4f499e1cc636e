"""JSON-RPC lines over a pipe: bounded input, whole frames out, in order."""

import fcntl
import os
import select
import stat
from collections.abc import Iterator
from typing import Final

from sourcewright.server.frames import MAX_LINE, TOO_LONG, Message, read

_CHUNK: Final = 256 * 1024
HIGH_WATER: Final = 1024 * 1024
"""So much unsent output makes whoever writes wait for the client, and nothing more is begun."""


class Lines:
    """Bytes in any portions, cut into lines."""

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._held = 0
        self._skipping = False

    def feed(self, data: bytes) -> Iterator[bytes | None]:
        """Yield each complete line; None stands for one that was too long to keep."""
        *complete, rest = data.split(b"\n")
        for part in complete:
            self._keep(part)
            yield self._take()
        self._keep(rest)

    def end(self) -> bytes | None:
        """Give what stands after the last line break."""
        return self._take()

    def _keep(self, part: bytes) -> None:
        self._held += len(part)
        if self._held > self._limit:
            self._skipping = True
            self._parts.clear()
        elif part:
            self._parts.append(part)

    def _take(self) -> bytes | None:
        line = None if self._skipping else b"".join(self._parts)
        self._parts.clear()
        self._held = 0
        self._skipping = False
        return line


class Wire:
    """The protocol's own descriptors, which nothing else in the process can reach."""

    def __init__(self, source: int, sink: int) -> None:
        self.source = source
        self.sink = sink
        self._lines = Lines()
        self.broken = False
        self.received = 0
        """How many bytes the client has sent so far."""
        self._unsent = bytearray()
        self.taken = 0
        """How many bytes the client has taken so far."""
        self._blocking = os.get_blocking(sink)
        if _is_private_pipe(sink):
            os.set_blocking(sink, False)

    @property
    def crowded(self) -> bool:
        """Whether the client has left so much unread that nothing more should be answered."""
        return self.unsent > HIGH_WATER

    @property
    def deserted(self) -> bool:
        """Whether nobody can send any more, though something may be left to read."""
        poll = select.poll()
        poll.register(self.source, 0)
        return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))

    @property
    def unsent(self) -> int:
        """How many bytes the client has not taken yet."""
        return 0 if self.broken else len(self._unsent)

    def _read(self) -> bytes | None:
        """Read what has arrived; empty at the end, None when nothing has arrived after all."""
        try:
            return os.read(self.source, _CHUNK)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def take(self) -> tuple[list[Message], bool]:
        """Read the messages that have arrived; says also whether these were the last."""
        data = self._read()
        if data is None:
            return [], False
        self.received += len(data)
        found = [TOO_LONG if line is None else read(line) for line in self._lines.feed(data)]
        if data:
            return found, False
        return [*found, read(self._lines.end() or b"")], True

    def send(self, frame: bytes) -> None:
        """Write a frame now as far as the client takes it, the rest with the next flush."""
        if self.broken:
            return
        if not self._unsent:
            frame = frame[self._write(memoryview(frame)) :]
        self._unsent += frame

    def flush(self) -> None:
        """Write what could not be written before."""
        with memoryview(self._unsent) as view:
            written = self._write(view)
        del self._unsent[:written]

    def abandon(self) -> None:
        """Send nothing more; what the client has not taken by now is lost."""
        self.broken = True

    def close(self) -> None:
        """Leave the client's end as it was found."""
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


def _is_private_pipe(sink: int) -> bool:
    """Whether the descriptor can stop blocking without anybody else noticing."""
    kind = os.fstat(sink)
    if not (stat.S_ISFIFO(kind.st_mode) or stat.S_ISSOCK(kind.st_mode)):
        return False
    try:
        errors = os.fstat(2)
    except OSError:
        return True
    return (kind.st_dev, kind.st_ino) != (errors.st_dev, errors.st_ino)


def claim() -> Wire:
    """Take the protocol's descriptors, and point the standard ones where nothing can harm.

    Whatever prints goes to stderr, and a child that reads its input finds nothing.
    """
    source, sink = _aside(0), _aside(1)
    nothing = _nothing()
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(nothing, 1)
    os.close(nothing)
    return Wire(source, sink)


def _aside(descriptor: int) -> int:
    """Duplicate above the standard three, closed in children; nothing if there was nothing."""
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    except OSError:
        return _nothing()


def _nothing() -> int:
    opened = os.open(os.devnull, os.O_RDWR)
    aside = fcntl.fcntl(opened, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(opened)
    return aside
