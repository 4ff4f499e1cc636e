"""Wiring of the figures that the operator sees."""

import os
import platform
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import get_args

from sourcewright import manifest, providers
from sourcewright._about import __version__
from sourcewright.base.clocks import Clock
from sourcewright.domain.cache_usage import LayerUsage
from sourcewright.domain.capabilities import Role
from sourcewright.domain.ports import GroupTimes
from sourcewright.services.instance.figures import ServerFigures
from sourcewright.settings import Settings
from sourcewright.stores.sessions.store import RecordedSessions
from sourcewright.wiring.parts import SharedParts
from sourcewright.wiring.services import Services

_MEGABYTE = 1024 * 1024
_REDIS_SECONDS = 15.0
"""How long the sessions are not counted again in Redis, which has to go through all its keys."""


def build_figures(
    services: Services, calls_in_flight: Callable[[], Mapping[str, int]]
) -> ServerFigures:
    parts, settings = services.parts, services.parts.settings
    sessions = services.sessions
    count = _SessionTimes(
        sessions.store, parts.clock, keep_seconds=_REDIS_SECONDS if settings.redis_url else 0.0
    )
    return ServerFigures(
        clock=parts.clock,
        version=__version__,
        instance=f"{platform.node()[:60]}:{os.getpid()}:{secrets.token_hex(2)}",
        load_sources=_load_sources,
        statistics=parts.statistics,
        calls_in_flight=calls_in_flight,
        resources=lambda: services.instance.resources,
        sources=parts.network.source_usage,
        cache=lambda: _cache_usage(parts),
        sessions=count.read,
        session_limits=sessions.limits,
    )


@cache
def _load_sources() -> None:
    for role in get_args(Role):
        providers.load(manifest.providers(role))


def _cache_usage(parts: SharedParts) -> Sequence[LayerUsage] | None:
    if parts.answers is None:
        return None
    return [_with_size(one, parts.settings) for one in parts.answers.usage()]


def _with_size(usage: LayerUsage, settings: Settings) -> LayerUsage:
    if usage.layer != "disk":
        return usage
    max_bytes = settings.cache_max_disk_mb * _MEGABYTE
    return replace(usage, size_bytes=_file_size(settings.cache_path), max_bytes=max_bytes)


def _file_size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


class _SessionTimes:
    """The times of all sessions, read again only after a while."""

    def __init__(self, store: RecordedSessions, clock: Clock, *, keep_seconds: float) -> None:
        self._store = store
        self._clock = clock
        self._keep_seconds = keep_seconds
        self._times: Sequence[GroupTimes] = ()
        self._read_at = float("-inf")

    async def read(self) -> Sequence[GroupTimes]:
        now = self._clock.monotonic()
        if now - self._read_at >= self._keep_seconds:
            self._times = await self._store.times()
            self._read_at = now
        return self._times
