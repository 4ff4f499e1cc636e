"""Search engines: which are configured, and in which order they are asked."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from sourcewright.domain.capabilities import SearchesImages, SearchesNews, SearchesWeb
from sourcewright.domain.errors import NotConfigured
from sourcewright.domain.queries import Kind
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
ORDERS: Mapping[Kind, tuple[str, ...]] = MappingProxyType(
    {
        "web": _GENERAL,
        "images": (*_GENERAL, "openverse", "commons"),
        "news": (*_GENERAL, "gdelt", "hackernews"),
    }
)
"""Who is asked where the operator has not said; those that need no key come last."""

_TELLING = frozenset({"text", "flag", "url"})
"""Kinds of options that can change an answer; who asks, and with which key, does not."""

CAPABILITIES: Mapping[Kind, type] = MappingProxyType(
    {"web": SearchesWeb, "images": SearchesImages, "news": SearchesNews}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """What the operator decided about engines."""

    orders: Mapping[str, tuple[str, ...]] | None = None
    """By kind, and `default` for the others; None where nothing was decided."""
    preferred: str | None = None
    """The one engine to ask where no order was decided."""
    together: int = 1
    """How many are asked at once, and their answers fused."""

    def order_for(self, kind: Kind) -> tuple[str, ...] | None:
        """What was decided for this kind; None where nothing was."""
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
        # Asked for at every search, and as slow to find out as it never changes.
        self._able: dict[Kind, dict[str, Any]] = {
            kind: sources.able(able) for kind, able in CAPABILITIES.items()
        }

    def names(self) -> list[str]:
        """Every engine that this program knows, configured or not."""
        return sorted(source.name for source in self._sources)

    def able(self, kind: Kind) -> dict[str, Any]:
        """Those that can be asked for this kind, by name."""
        return self._able[kind]

    def order(self, kind: Kind, asked: str | None) -> list[str]:
        """Who is asked, first to last.

        Raises:
            NotConfigured: The engine that was asked for, or everyone, cannot be asked.
        """
        able = self.able(kind)
        if asked is not None:
            return [self._usable(asked, kind)]
        decided, preferred = self.routing.order_for(kind), self.routing.preferred
        if decided is None and preferred is not None and self._can(preferred, kind):
            return [self._usable(preferred, kind)]
        wanted = decided or ORDERS[kind]
        found = [name for name in wanted if name in able]
        if not found:
            raise NotConfigured(
                f"no engine can be asked for {kind}: {self._unusable(wanted, kind)}",
                alternatives=tuple(able),
            )
        return found

    def set_up_of(self, name: str) -> dict[str, object]:
        """What the operator set that can change an engine's answers."""
        provider: Any = next(one.provider for one in self._sources if one.name == name)
        plain = (one.name for one in provider.info.options if one.kind in _TELLING)
        return {option: provider.options.get(option) for option in plain}

    def healthy(self, kind: Kind, *, but: tuple[str, ...] = ()) -> list[str]:
        """Engines that could be asked as well, and are not known to be down."""
        health = self._health()
        able = self.able(kind)
        known = (name for name in dict.fromkeys((*ORDERS[kind], *able)) if name in able)
        return [name for name in known if name not in but and health.get(name) != "open"]

    def not_asked(self, kind: Kind, attempted: tuple[str, ...]) -> dict[str, str]:
        """Those for this kind that were not asked, and what it would take."""
        able = self.able(kind)
        return {
            source.name: "can be asked" if source.name in able else source.remedy
            for source in self._sources
            if source.is_a(CAPABILITIES[kind]) and source.name not in attempted
        }

    def sources(self) -> Sources:
        return self._sources

    def health(self) -> Mapping[str, str]:
        return self._health()

    def _usable(self, name: str, kind: Kind) -> str:
        source = next((one for one in self._sources if one.name == name), None)
        if source is None:
            known = ", ".join(self.names())
            raise NotConfigured(
                f"unknown provider {name!r}; supported are {known}",
                alternatives=tuple(self.able(kind)),
            )
        if name in self.able(kind):
            return name
        if source.provider is None:
            raise NotConfigured(_unset(source), setting=source.needs)
        raise NotConfigured(
            f"{_incapable(source, kind)}; those that do are {', '.join(self._possible(kind))}",
            alternatives=tuple(self.able(kind)),
        )

    def _unusable(self, wanted: tuple[str, ...], kind: Kind) -> str:
        sources = {source.name: source for source in self._sources if source.name in wanted}
        return "; ".join(
            _unset(one) if one.is_a(CAPABILITIES[kind]) else _incapable(one, kind)
            for one in (sources[name] for name in wanted if name in sources)
        )

    def _can(self, name: str, kind: Kind) -> bool:
        """Whether it is one for this kind at all, configured or not."""
        return name in self._possible(kind) or name not in self.names()

    def _possible(self, kind: Kind) -> list[str]:
        return [source.name for source in self._sources if source.is_a(CAPABILITIES[kind])]


def _incapable(source: Source, kind: Kind) -> str:
    return f"{source.name} does not search {kind}"


def _unset(source: Source) -> str:
    if not source.enabled:
        return f"{source.name} is turned off"
    return f"{source.name} is not configured: set {source.needs} (see .env.example)"
