"""The simulated internet: sites by host name behind one loopback port, and injected faults."""

import json
from dataclasses import replace
from types import TracebackType
from typing import NotRequired, Self, TypedDict, Unpack

from sourcewright.world import control, corpus, sites
from sourcewright.world.corpus import Corpus
from sourcewright.world.faults import Fault, Faults, RetryAfter, reaction
from sourcewright.world.messages import Reaction, Request, Response, as_json
from sourcewright.world.server import LOOPBACK, Server
from sourcewright.world.traffic import SeenRequest, Traffic

__all__ = ["SeenRequest", "World"]


class Breakage(TypedDict):
    """How a faulty response looks, besides its status."""

    path: NotRequired[str]
    retry_after: NotRequired[RetryAfter | None]
    times: NotRequired[int | None]
    body: NotRequired[bytes | str | None]
    content_type: NotRequired[str | None]


class World:
    """Many hosts, one port. Use it as a context manager, or call `start` and `stop`."""

    def __init__(self, port: int = 0, works: Corpus | None = None) -> None:
        self._port = port
        self._works = works
        self._server: Server | None = None
        self._sites = sites.discover()
        self.traffic = Traffic()
        self.faults = Faults()

    def start(self) -> Self:
        if self._server is None:
            self._server = Server(
                self._port, self._react, lambda request: self.traffic.note_hang_up(request.host)
            )
        return self

    def stop(self) -> None:
        if self._server is not None:
            self._server.stop()
            self._server = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        if self._server is None:
            raise RuntimeError("the world has not been started")
        return f"http://{LOOPBACK}:{self._server.port}"

    @property
    def corpus(self) -> Corpus:
        return self._works or corpus.load()

    @property
    def hosts(self) -> list[str]:
        return sorted(self._sites)

    # What happened.

    @property
    def seen(self) -> list[SeenRequest]:
        return self.traffic.seen()

    def requests_to(self, host: str) -> list[SeenRequest]:
        return self.traffic.seen(host)

    def hung_up(self, host: str | None = None) -> int:
        """The number of clients that disconnected while waiting."""
        return self.traffic.hung_up(host)

    def waits_for_request(self, host: str, count: int = 1, *, seconds: float = 60.0) -> bool:
        return self.traffic.wait(lambda: len(self.requests_to(host)) >= count, seconds)

    def waits_for_hang_up(self, host: str, count: int = 1, *, seconds: float = 60.0) -> bool:
        return self.traffic.wait(lambda: self.hung_up(host) >= count, seconds)

    def forget(self) -> None:
        self.traffic.forget()

    # What goes wrong.

    def breaks(self, host: str, *, status: int, **more: Unpack[Breakage]) -> None:
        """Answer with this status instead."""
        self.faults.add(Fault(kind="breaks", host=host, status=status, **more))

    def says(
        self,
        host: str,
        payload: object,
        *,
        path: str = "*",
        content_type: str = "application/json",
        status: int = 200,
        times: int | None = None,
    ) -> None:
        """Answer with this payload instead: bytes as they are, anything else as JSON."""
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        self.faults.add(
            Fault(
                kind="says",
                host=host,
                path=path,
                times=times,
                status=status,
                body=body,
                content_type=content_type,
            )
        )

    def packs(self, host: str, body: bytes, *, encoding: str, content_type: str) -> None:
        """Answer with these bytes instead, with this Content-Encoding, correct or not."""
        self.faults.add(
            Fault(kind="says", host=host, body=body, encoding=encoding, content_type=content_type)
        )

    def unplugs(self, host: str, path: str = "*", *, times: int | None = None) -> None:
        """Close the connection without an answer."""
        self.faults.add(Fault(kind="unplugs", host=host, path=path, times=times))

    def delays(
        self, host: str, seconds: float, path: str = "*", *, times: int | None = None
    ) -> None:
        """Answer late, unless the client disconnects first."""
        self.faults.add(Fault(kind="delays", host=host, path=path, seconds=seconds, times=times))

    def cuts(self, host: str, path: str = "*", *, times: int | None = None) -> None:
        """Declare the full length, send half of the body, and close."""
        self.faults.add(Fault(kind="cuts", host=host, path=path, times=times))

    def drips(self, host: str, path: str = "*", *, times: int | None = None) -> None:
        """Send half of the body, and then single spaces without end."""
        self.faults.add(Fault(kind="drips", host=host, path=path, times=times))

    def redirects(
        self,
        host: str,
        to: str,
        path: str = "*",
        *,
        status: int = 302,
        times: int | None = None,
    ) -> None:
        """Answer with a redirect to `to` instead, which may be any text."""
        self.faults.add(
            Fault(kind="redirects", host=host, path=path, times=times, to=to, status=status)
        )

    def mends(self, host: str | None = None) -> None:
        self.faults.mend(host)

    # How it works.

    def _react(self, request: Request) -> Reaction:
        if self._server is not None and request.host in _own_names(self._server.port):
            return Reaction(response=control.answer(request, self))
        request = _without_port(request)
        self.traffic.note(request)
        return reaction(self.faults.meeting(request), self._honest(request))

    def _honest(self, request: Request) -> Response:
        site = self._sites.get(request.host)
        if site is None:
            message = f"no such host in this world: {request.host}"
            return as_json({"error": message, "host": request.host}, status=502)
        return site(request, self.corpus)


def _own_names(port: int) -> tuple[str, str]:
    return f"{LOOPBACK}:{port}", f"localhost:{port}"


def _without_port(request: Request) -> Request:
    host, colon, port = request.host.rpartition(":")
    return replace(request, host=host) if colon and port.isdecimal() else request
