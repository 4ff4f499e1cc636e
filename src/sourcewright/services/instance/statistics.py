"""Statistics of tool calls since the start: of each tenant, and of the whole server."""

from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sourcewright.base.clocks import Clock

_MAX_ERRORS = 50
_MAX_TENANTS = 200
"""Tenants whose statistics are kept; those that called longest ago are forgotten first."""
_RECENT_CALLS = 60
_MINUTES = 60

Listener = Callable[[str, float, Mapping[str, Any] | None], None]
"""Is told the tool of a call, its seconds, and its failure."""


@dataclass(slots=True)
class _ToolStatistics:
    recent: deque[tuple[float, bool]]
    """Durations of the latest calls, and whether each failed; oldest first."""
    calls: int = 0
    errors: int = 0
    seconds: float = 0.0
    slowest: float = 0.0


class CallStatistics:
    """Counts tool calls, and keeps the latest errors."""

    def __init__(self, *, recent_calls: int = 0) -> None:
        self._recent_calls = recent_calls
        self._statistics: dict[str, _ToolStatistics] = {}
        self._errors: deque[dict[str, Any]] = deque(maxlen=_MAX_ERRORS)

    def note(self, tool: str, seconds: float, error: Mapping[str, Any] | None) -> None:
        """Count one call; `error` describes its failure, without secrets."""
        statistics = self._statistics.get(tool)
        if statistics is None:
            statistics = _ToolStatistics(recent=deque(maxlen=self._recent_calls))
            self._statistics[tool] = statistics
        statistics.calls += 1
        statistics.seconds += seconds
        statistics.slowest = max(statistics.slowest, seconds)
        statistics.recent.append((seconds, error is not None))
        if error is not None:
            statistics.errors += 1
            self._errors.appendleft({"tool": tool, **error})

    def tools(self) -> list[dict[str, Any]]:
        """Return calls, errors and durations of each tool that was called."""
        return [
            {
                "tool": name,
                "calls": statistics.calls,
                "errors": statistics.errors,
                "errorRate": round(statistics.errors / statistics.calls, 4),
                "averageMs": _ms(statistics.seconds / statistics.calls),
                "slowestMs": _ms(statistics.slowest),
            }
            for name, statistics in sorted(self._statistics.items())
        ]

    def recent(self) -> dict[str, list[tuple[float, bool]]]:
        """Return milliseconds of the latest calls of each tool, and whether each failed."""
        return {
            name: [(_ms(seconds), failed) for seconds, failed in statistics.recent]
            for name, statistics in self._statistics.items()
        }

    def errors(self) -> list[dict[str, Any]]:
        """Return the latest errors, newest first."""
        return list(self._errors)


@dataclass(slots=True)
class TenantStatistics:
    """Calls of one tenant."""

    statistics: CallStatistics = field(default_factory=CallStatistics)
    calls: int = 0
    errors: int = 0
    last_at: float | None = None
    """When its last call ended; None before the first."""


class ServerStatistics:
    """Statistics of everybody, by tenant and by minute."""

    def __init__(self, clock: Clock, tenant: Callable[[], str]) -> None:
        self._clock = clock
        self._tenant = tenant
        self.started_at = clock.now()
        self.everybody = CallStatistics(recent_calls=_RECENT_CALLS)
        self._tenants: OrderedDict[str, TenantStatistics] = OrderedDict()
        self._minutes: dict[int, list[int]] = {}
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Call this function after each call, with what was noted about it."""
        self._listeners.append(listener)

    def note(self, tool: str, seconds: float, error: Mapping[str, Any] | None) -> None:
        """Count one call of the current tenant; `error` describes its failure, without secrets."""
        now, name = self._clock.now(), self._tenant()
        tenant = self._of(name)
        self._tenants.move_to_end(name)
        tenant.calls += 1
        tenant.errors += error is not None
        tenant.last_at = now
        tenant.statistics.note(tool, seconds, error)
        self.everybody.note(tool, seconds, None if error is None else {**error, "tenant": name})
        self._note_minute(int(now // 60), failed=error is not None)
        for listener in self._listeners:
            listener(tool, seconds, error)

    def own(self) -> CallStatistics:
        """Return the statistics of the current tenant."""
        return self._of(self._tenant()).statistics

    def tenants(self) -> Iterator[tuple[str, TenantStatistics]]:
        """Yield the tenants that have called, the latest first."""
        for name, tenant in reversed(self._tenants.items()):
            if tenant.calls:
                yield name, tenant

    def minutes(self) -> list[tuple[int, int]]:
        """Return calls and errors of each of the last sixty minutes, oldest first."""
        current = int(self._clock.now() // 60)
        counts = (
            self._minutes.get(minute) for minute in range(current - _MINUTES + 1, current + 1)
        )
        return [(one[0], one[1]) if one else (0, 0) for one in counts]

    def _of(self, name: str) -> TenantStatistics:
        if name not in self._tenants:
            self._tenants[name] = TenantStatistics()
            while len(self._tenants) > _MAX_TENANTS:
                self._tenants.popitem(last=False)
        return self._tenants[name]

    def _note_minute(self, minute: int, *, failed: bool) -> None:
        if minute not in self._minutes:
            for old in [one for one in self._minutes if not minute - _MINUTES < one < minute]:
                del self._minutes[old]
        counts = self._minutes.setdefault(minute, [0, 0])
        counts[0] += 1
        counts[1] += failed


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 1)
