"""What the instance has seen of itself since it started: calls, times, failures."""

from collections import deque
from dataclasses import dataclass
from typing import Any

_MOST_ERRORS = 50


@dataclass(slots=True)
class _Tally:
    calls: int = 0
    errors: int = 0
    seconds: float = 0.0
    slowest: float = 0.0


class Observer:
    """Counts calls, and keeps the latest failures."""

    def __init__(self) -> None:
        self._tallies: dict[str, _Tally] = {}
        self._errors: deque[dict[str, Any]] = deque(maxlen=_MOST_ERRORS)

    def note(self, tool: str, seconds: float, error: dict[str, Any] | None) -> None:
        """Count one call; `error` says what went wrong with it, without secrets."""
        tally = self._tallies.setdefault(tool, _Tally())
        tally.calls += 1
        tally.seconds += seconds
        tally.slowest = max(tally.slowest, seconds)
        if error is not None:
            tally.errors += 1
            self._errors.appendleft({"tool": tool, **error})

    def tools(self) -> list[dict[str, Any]]:
        """Each tool that was called: how often, how long it took, how often it failed."""
        return [
            {
                "tool": name,
                "calls": tally.calls,
                "errors": tally.errors,
                "errorRate": round(tally.errors / tally.calls, 4),
                "averageMs": round(1000 * tally.seconds / tally.calls, 1),
                "slowestMs": round(1000 * tally.slowest, 1),
            }
            for name, tally in sorted(self._tallies.items())
        ]

    def errors(self) -> list[dict[str, Any]]:
        """The latest failures, newest first."""
        return list(self._errors)
