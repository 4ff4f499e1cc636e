"""The system's name resolution, which tells a name without address from a computer that is offline."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import anyio

Resolver = Callable[[str], Awaitable[list[str]]]
"""Resolves a host name to IP addresses; raises OSError if it cannot."""

_CONTROL_NAMES = ("example.com", "iana.org")
"""Names that exist for good. Only their resolution is asked for; nobody is contacted."""
_PATIENCE_SECONDS = 0.4
"""How long the first name of a process may take before the control names are asked as well."""
_CONTROL_SECONDS = 0.7
"""With the start of a command, a computer is called offline within two seconds."""
_MOST_AT_ONCE = 40
_VERDICT_SECONDS = 5.0
"""How long it is assumed that a computer is still offline."""
# Connecting a datagram socket sends nothing; it fails if there is no route to the address.
_PUBLIC_ADDRESSES = (("AF_INET", "192.0.43.8"), ("AF_INET6", "2001:500:88:200::8"))

NO_ROUTE = "there is no route to the internet"
NO_NAMES = "no host name can be resolved"


class OfflineError(OSError):
    """This computer has no connection to the internet; the text says how that shows."""


class SystemResolver:
    """Resolves names with the system's resolver, in threads."""

    def __init__(
        self,
        look_up: Callable[[str], list[str]] | None = None,
        has_route: Callable[[], bool] | None = None,
    ) -> None:
        self._look_up = look_up or _look_up
        self._has_route = has_route or _has_route
        self._has_resolved = False
        self._offline_until = 0.0
        self._reason = ""
        self._lock = anyio.Lock()
        self._places = anyio.Semaphore(_MOST_AT_ONCE)

    async def __call__(self, host: str) -> list[str]:
        """The addresses of a host.

        Raises:
            OfflineError: No name can be resolved now.
            OSError: This name cannot be resolved.
        """
        if time.monotonic() < self._offline_until:
            raise OfflineError(self._reason)
        addresses: list[str] | OSError | None = None
        # Later, a slow answer is more likely than a lost network, and is waited for.
        patience = None if self._has_resolved else _PATIENCE_SECONDS
        with anyio.move_on_after(patience):
            addresses = await self._resolved(host)
        if addresses is None or isinstance(addresses, OSError):
            await self._refuse_offline()
            addresses = addresses or await self._resolved(host)
        if isinstance(addresses, OSError):
            raise addresses
        return addresses

    async def _resolved(self, host: str) -> list[str] | OSError:
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[list[str] | OSError] = loop.create_future()

        def look_up() -> None:
            outcome: list[str] | OSError = OSError(f"{host} could not be looked up")
            try:
                outcome = self._look_up(host)
                # Also when nobody waits any more: the names are slow, and not out of reach.
                self._has_resolved, self._offline_until = True, 0.0
            except (OSError, UnicodeError) as error:
                outcome = error if isinstance(error, OSError) else OSError(str(error))
            finally:
                with suppress(RuntimeError):  # the event loop has ended
                    loop.call_soon_threadsafe(_deliver, answered, outcome)

        # A daemon, because the end of the process does not wait for it: names of a network that
        # does not answer are looked up for many seconds.
        async with self._places:
            threading.Thread(target=look_up, name=f"look up {host}", daemon=True).start()
            return await answered

    async def _refuse_offline(self) -> None:
        """Raise if this computer is offline; many requests that fail together ask once."""
        async with self._lock:
            if time.monotonic() >= self._offline_until:
                self._reason = await self.offline_reason() or ""
                if not self._reason:
                    return
                self._offline_until = time.monotonic() + _VERDICT_SECONDS
        raise OfflineError(self._reason)

    async def offline_reason(self) -> str | None:
        """How it shows that this computer is offline; None if it is not."""
        if not self._has_route():
            return NO_ROUTE
        resolved: list[list[str]] = []

        async def try_name(name: str) -> None:
            addresses = await self._resolved(name)
            if not isinstance(addresses, OSError):
                resolved.append(addresses)

        with anyio.move_on_after(_CONTROL_SECONDS):
            async with anyio.create_task_group() as tasks:
                for name in _CONTROL_NAMES:
                    tasks.start_soon(try_name, name)
        return None if resolved else NO_NAMES


def _deliver(answered: "asyncio.Future[Any]", outcome: object) -> None:
    if not answered.done():  # else its caller was cancelled
        answered.set_result(outcome)


def _look_up(host: str) -> list[str]:
    import socket

    infos = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(sockaddr[0]) for *_, sockaddr in infos]


def _has_route() -> bool:
    """Whether the system has a route to a public address."""
    import socket

    for family, address in _PUBLIC_ADDRESSES:
        try:
            with socket.socket(getattr(socket, family), socket.SOCK_DGRAM) as probe:
                probe.connect((address, 53))
        except OSError:
            continue
        return True
    return False
