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
def connected(environment: dict[str, str], tmp_path: Path) -> Callable[..., Any]:
    """Connects the SDK's client to a server of its own."""

    @asynccontextmanager
    async def connect(mode: str = "legacy", **changes: str) -> AsyncIterator[Client]:
        server = StdioServerParameters(
            command=warm_python.python(),
            args=["-m", "sourcewright", "serve"],
            env={**environment, **changes},
            cwd=tmp_path,
        )
        with anyio.fail_after(60):
            async with Client(stdio_client(server), mode=mode, cache=None) as client:
                yield client

    return connect
