"""A client of the real server over real pipes."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
import warm_python
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client


@pytest.fixture
def connect_by(environment: dict[str, str], tmp_path: Path) -> Callable[..., Any]:
    """How the SDK's client is connected to a server of its own that a command starts."""

    def by(python: str) -> Callable[..., Any]:
        @asynccontextmanager
        async def connect(mode: str = "legacy", **changes: str) -> AsyncIterator[Client]:
            server = StdioServerParameters(
                command=python,
                args=["-m", "sourcewright", "serve"],
                env={**environment, **changes},
                cwd=tmp_path,
            )
            with anyio.fail_after(300):
                async with Client(stdio_client(server), mode=mode, cache=None) as client:
                    yield client

        return connect

    return by


@pytest.fixture
def connected(connect_by: Callable[..., Any]) -> Callable[..., Any]:
    """Connects the SDK's client to a server of its own."""
    return connect_by(warm_python.python())
