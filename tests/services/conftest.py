"""A clock that the test owns."""

import pytest


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
