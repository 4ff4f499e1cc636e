"""Search engines: which are configured, and in which order they are queried."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from sourcewright.base.errors import NotConfigured
from sourcewright.domain.capabilities import SearchesImages, SearchesNews, SearchesWeb
from sourcewright.domain.web.queries import SearchKind
from sourcewright.services.providers import Source, Sources

_GENERAL = (
    "google",
    "brave",
    "serper",
    "searchapi",
    "tavily",
    "exa",
    "searxng",
    "duckduckgo",
    "wikipedia",
)
DEFAULT_ORDERS: Mapping[SearchKind, tuple[str, ...]] = MappingProxyType(
    {
        "web": _GENERAL,
        "images": (*_GENERAL, "openverse", "commons"),
        "news": (*_GENERAL, "gdelt", "hackernews"),
    }
)
"""Default order of engines; those that need no API key come last."""

CAPABILITIES: Mapping[SearchKind, type] = MappingProxyType(
    {"web": SearchesWeb, "images": SearchesImages, "news": SearchesNews}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """The operator's routing settings."""

    orders: Mapping[str, tuple[str, ...]] | None = None
    """Order of engines by kind of search, with `default` for the others; None if not set."""
    preferred: str | None = None
    """The only engine to query if no order is set."""
    together: int = 1
    """How many engines are queried concurrently, with their results fused."""

    def order_for(self, kind: SearchKind) -> tuple[str, ...] | None:
        """Return the configured order for this kind; None if not set."""
        orders = self.orders or {}
        return orders.get(kind) or orders.get("default")


class Engines:
    """The engines of this instance."""

    def __init__(
        self, sources: Sources, routing: Routing, health: Callable[[], Mapping[str, str]]
    ) -> None:
        self._sources = sources
        self.routing = routing
        self._health = health
        # Computed once: needed at every search, slow to compute, and constant.
        self._usable_by_kind: dict[SearchKind, dict[str, Any]] = {
            kind: sources.having(capability) for kind, capability in CAPABILITIES.items()
        }

    def names(self) -> list[str]:
        """Return all known engines, configured or not."""
        return sorted(source.name for source in self._sources)

    def having(self, kind: SearchKind) -> dict[str, Any]:
        """Return the usable engines for this kind, by name."""
        return self._usable_by_kind[kind]

    def order(self, kind: SearchKind, provider: str | None) -> list[str]:
        """Return the engines to query, in order.

        Raises:
            NotConfigured: The requested engine, or every engine, is unusable.
        """
        usable = self.having(kind)
        if provider is not None:
            return [self._usable(provider, kind)]
        configured, preferred = self.routing.order_for(kind), self.routing.preferred
        if configured is None and preferred is not None and self._may_support(preferred, kind):
            return [self._usable(preferred, kind)]
        candidates = configured or DEFAULT_ORDERS[kind]
        chosen = [name for name in candidates if name in usable]
        if not chosen:
            raise NotConfigured(
                f"no engine is available for {kind}: {self._unusable(candidates, kind)}",
                alternatives=tuple(usable),
            )
        return chosen

    def result_options(self, name: str) -> dict[str, object]:
        """Return the options of an engine that can change its results."""
        return self._sources[name].result_options

    def healthy(self, kind: SearchKind, *, but: tuple[str, ...] = ()) -> list[str]:
        """Return usable engines whose circuit breaker is not open, without those in `but`."""
        health = self._health()
        usable = self.having(kind)
        known = (
            name for name in dict.fromkeys((*DEFAULT_ORDERS[kind], *usable)) if name in usable
        )
        return [name for name in known if name not in but and health.get(name) != "open"]

    def unused(self, kind: SearchKind, attempted: tuple[str, ...]) -> dict[str, str]:
        """Return the engines that were not queried, with what would enable them."""
        usable = self.having(kind)
        return {
            source.name: "available" if source.name in usable else source.remedy
            for source in self._sources
            if source.is_a(CAPABILITIES[kind]) and source.name not in attempted
        }

    def part_of(self, name: str, kind: SearchKind) -> str | None:
        """Return which part of the web an engine has; None if it can know what there is."""
        return self._sources.part_of(name, CAPABILITIES[kind])

    def sources(self) -> Sources:
        return self._sources

    def health(self) -> Mapping[str, str]:
        return self._health()

    def _usable(self, name: str, kind: SearchKind) -> str:
        source = next((one for one in self._sources if one.name == name), None)
        if source is None:
            known = ", ".join(self.names())
            raise NotConfigured(
                f"unknown provider {name!r}; supported: {known}",
                alternatives=tuple(self.having(kind)),
            )
        if name in self.having(kind):
            return name
        if source.provider is None:
            raise NotConfigured(_missing_setup(source), setting=source.needs)
        raise NotConfigured(
            f"{_unsupported(source, kind)}; engines that do: {', '.join(self.supporting(kind))}",
            alternatives=tuple(self.having(kind)),
        )

    def _unusable(self, candidates: tuple[str, ...], kind: SearchKind) -> str:
        sources = {source.name: source for source in self._sources if source.name in candidates}
        return "; ".join(
            _missing_setup(one) if one.is_a(CAPABILITIES[kind]) else _unsupported(one, kind)
            for one in (sources[name] for name in candidates if name in sources)
        )

    def _may_support(self, name: str, kind: SearchKind) -> bool:
        """Whether it supports this kind, configured or not; an unknown name is checked later."""
        return name in self.supporting(kind) or name not in self.names()

    def supporting(self, kind: SearchKind) -> list[str]:
        """Return all engines for this kind, configured or not."""
        return [source.name for source in self._sources if source.is_a(CAPABILITIES[kind])]


def _unsupported(source: Source, kind: SearchKind) -> str:
    return f"{source.name} does not search {kind}"


def _missing_setup(source: Source) -> str:
    if not source.enabled:
        return f"{source.name} is disabled"
    return f"{source.name} is not configured: set {source.needs} (see .env.example)"
