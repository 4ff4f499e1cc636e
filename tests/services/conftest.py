"""Research sessions that remember what they are told, and a clock that the test owns."""

from collections.abc import Sequence

import pytest


class Sessions:
    """Knows one session, and keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str, list[str]]] = []

    async def link(self, session_id: str, /, *, tool: str, urls: Sequence[str]) -> bool:
        self.told.append((session_id, tool, list(urls)))
        return session_id == "known"


@pytest.fixture
def sessions() -> Sessions:
    return Sessions()


class OwnClock:
    """Time that passes only when the test says so."""

    def __init__(self) -> None:
        self.time = 1_800_000_000.0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time - 1_700_000_000.0

    async def sleep(self, seconds: float) -> None:
        self.time += seconds


@pytest.fixture
def clock() -> OwnClock:
    return OwnClock()
