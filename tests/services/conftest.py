"""Research sessions that remember what they are told."""

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
