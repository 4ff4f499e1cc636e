"""Calls of tools in flight, and how all of them are ended when the server has to leave."""

from collections.abc import Awaitable
from typing import TypeVar

import anyio

T = TypeVar("T")


class Calls:
    """Runs calls until they are interrupted; a client's own cancelling goes its own way."""

    def __init__(self) -> None:
        self._scopes: set[anyio.CancelScope] = set()
        self._interrupted = False

    async def run(self, call: Awaitable[T]) -> T | None:
        """Give what the call gives; None when it was interrupted."""
        with anyio.CancelScope() as scope:
            if self._interrupted:
                # Begun all the same, so that it ends as any other and is recorded.
                scope.cancel()
            self._scopes.add(scope)
            try:
                return await call
            finally:
                self._scopes.discard(scope)
        return None

    def interrupt(self) -> None:
        """End every call, also those that come from now on."""
        self._interrupted = True
        for scope in tuple(self._scopes):
            scope.cancel()
