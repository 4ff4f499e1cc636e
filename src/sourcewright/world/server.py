"""The HTTP/1.1 server of the simulated internet: one thread per connection, faults on demand."""

import contextlib
import selectors
import socket
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from socketserver import BaseServer
from threading import Condition, Thread
from typing import Any, cast
from urllib.parse import urlsplit

from sourcewright.world.messages import Reaction, Request, Response, phrase

LOOPBACK = "127.0.0.1"
_BACKLOG = 512
_MAX_BODY = 1_000_000
_STOP_SECONDS = 5.0
_LARGE_BYTES = 1 << 20
_PATIENCE_SECONDS = 0.05


class Server(BaseServer):
    """Listens on the loopback address and hands every request to `react`."""

    def __init__(
        self,
        port: int,
        react: Callable[[Request], Reaction],
        hung_up: Callable[[Request], None],
    ) -> None:
        super().__init__((LOOPBACK, port), _Conversation)
        self.react = react
        self.hung_up = hung_up
        self.stopping = False
        self._changed = Condition()
        self._connections: set[socket.socket] = set()
        self._listener = socket.create_server((LOOPBACK, port), backlog=_BACKLOG)
        self.port: int = self._listener.getsockname()[1]
        self._acceptor = Thread(target=self._accept, name="world", daemon=True)
        self._acceptor.start()

    def stop(self) -> None:
        """Stop listening and close every connection, also waiting ones."""
        self.stopping = True
        # Closing a listener does not wake a thread that waits in accept; a visitor does.
        with (
            contextlib.suppress(OSError),
            socket.create_connection((LOOPBACK, self.port), _STOP_SECONDS),
        ):
            self._acceptor.join(_STOP_SECONDS)
        self._listener.close()
        with self._changed:
            for connection in self._connections:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            self._changed.wait_for(lambda: not self._connections, _STOP_SECONDS)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            if self.stopping:
                connection.close()
                return
            with self._changed:
                self._connections.add(connection)
            Thread(target=self._converse, args=(connection,), daemon=True).start()

    def _converse(self, connection: socket.socket) -> None:
        try:
            _Conversation(connection, connection.getsockname(), self)
        except OSError:
            pass  # a client may leave whenever it likes
        finally:
            with self._changed:
                self._connections.discard(connection)
                self._changed.notify_all()
            connection.close()


class _Conversation(BaseHTTPRequestHandler):
    """One connection, kept alive until either side closes it."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def answer(self) -> None:
        request = self._request()
        if len(request.body) < self._body_size():
            self.close_connection = True  # the client disconnected in the middle of its request
            return
        server = cast("Server", self.server)
        reaction = server.react(request)
        if not self._wait(reaction.delay_seconds):
            self.close_connection = True
            if not server.stopping:
                server.hung_up(request)
        elif reaction.response is None:
            self.close_connection = True
        elif reaction.drip:
            self._drip(reaction.response)
            if not server.stopping:
                server.hung_up(request)
        else:
            self._send(reaction.response, cut=reaction.cut)

    def __getattr__(self, name: str) -> Any:
        # The base class looks for one method a verb; here all verbs are one.
        if name.startswith("do_"):
            return self.answer
        raise AttributeError(name)

    def log_message(self, *_: Any) -> None:
        """Log nothing: the world may run in the process of a server that owns stderr."""

    def _request(self) -> Request:
        path, _, query = self.path.partition("?")
        if "://" in path:
            path = urlsplit(path).path
        size = self._body_size()
        return Request(
            host=self.headers.get("Host", "").lower(),
            method=self.command,
            path=path,
            query=query,
            headers={name.lower(): value for name, value in self.headers.items()},
            body=self.rfile.read(size) if size else b"",
            scheme=self.headers.get("X-Forwarded-Proto", "https").lower(),
        )

    def _body_size(self) -> int:
        length = self.headers.get("Content-Length", "0")
        size = int(length) if length.isdecimal() else _MAX_BODY + 1
        if size > _MAX_BODY or "Transfer-Encoding" in self.headers:
            self.close_connection = True  # what is left unread would look like a request
            return 0
        return size

    def _wait(self, seconds: float) -> bool:
        """Wait; return False at once when the client disconnects or the world stops."""
        if seconds <= 0:
            return True
        until = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self.connection, selectors.EVENT_READ)
            while (left := until - time.monotonic()) > 0:
                if selector.select(left):
                    if not self._alive():
                        return False
                    # It spoke out of turn: a hang-up can still be noticed, a little later.
                    time.sleep(min(left, _PATIENCE_SECONDS))
        return True

    def _alive(self) -> bool:
        try:
            return bool(self.connection.recv(1, socket.MSG_PEEK))
        except OSError:
            return False

    def _send(self, response: Response, *, cut: bool) -> None:
        length = len(response.body)
        sent = length // 2 if cut else length
        if response.status in {204, 304} or self.command == "HEAD":
            sent = 0
        # A body of one byte or none is cut too: it is promised one byte more than it has.
        head, body = self._head(response, length + cut), response.body[:sent]
        if sent > _LARGE_BYTES:
            # Not copied: many tests send one large body at the same time.
            self.wfile.write(head)
            self.wfile.write(body)
        else:
            self.wfile.write(head + body)
        self.close_connection = self.close_connection or cut

    def _drip(self, response: Response) -> None:
        """Send half of the body, then a few bytes at intervals until the client disconnects."""
        half = response.body[: len(response.body) // 2]
        self.close_connection = True
        self.wfile.write(self._head(response, None) + half)
        with contextlib.suppress(OSError):
            while self._wait(_PATIENCE_SECONDS):
                self.wfile.write(b" ")

    def _head(self, response: Response, length: int | None) -> bytes:
        lines = [
            f"HTTP/1.1 {response.status} {phrase(response.status)}",
            f"Date: {self.date_time_string()}",
            f"Content-Type: {response.content_type}",
            *(f"{name}: {value}" for name, value in response.headers),
        ]
        if length is None:
            lines.append("Connection: close")
        elif response.status != 204:
            lines.append(f"Content-Length: {length}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", errors="replace")
