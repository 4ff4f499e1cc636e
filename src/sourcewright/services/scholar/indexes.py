"""Scholarly indexes: which are configured, under which name, and the order of querying them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from sourcewright.base.errors import NotConfigured
from sourcewright.domain.capabilities import SearchesWorks
from sourcewright.domain.papers.index_names import contract_name
from sourcewright.services.providers import Source, Sources
from sourcewright.services.search.engines import Engines

T = TypeVar("T")

ORDER = (
    "openalex",
    "crossref",
    "pubmed",
    "semanticscholar",
    "arxiv",
    "europepmc",
    "dblp",
    "datacite",
    "doaj",
    "hal",
    "core",
    "biorxiv",
    "exa",
)
"""Order in which indexes are queried, and precedence of their records."""

STAND_INS = ("crossref", "pubmed", "semanticscholar", "core", "exa")
"""The indexes that are queried in turn if OpenAlex fails or finds nothing."""


class Indexes:
    """The scholarly indexes of this instance, by the contract's names."""

    def __init__(
        self, sources: Sources, engines: Engines, health: Callable[[], Mapping[str, str]]
    ) -> None:
        self._sources = {contract_name(source.name): source for source in sources}
        self._able: dict[type, dict[str, Any]] = {}
        self.engines = engines
        self._health = health

    def having(self, capability: type[T]) -> dict[str, T]:
        """Return the usable indexes that have a capability, in the order of preference."""
        if capability not in self._able:
            # Computed once: it is slow, and constant.
            self._able[capability] = {
                name: source.provider
                for name, source in self._in_order()
                if isinstance(source.provider, capability)
            }
        return self._able[capability]

    def names_having(self, capability: type) -> list[str]:
        """Return the indexes that have a capability, configured or not."""
        return [name for name, source in self._in_order() if source.is_a(capability)]

    def is_index(self, name: str) -> bool:
        """Whether this name is that of an index that searches works."""
        return name in self.names_having(SearchesWorks)

    def require(self, name: str, capability: type, *, or_engine: bool = False) -> str:
        """Return the name of a usable index; the error lists the engines too with `or_engine`.

        Raises:
            NotConfigured: It is unknown, unable or not configured.
        """
        known = contract_name(name)
        source = self._sources.get(known)
        usable = tuple(self.having(capability))
        if source is None or not source.is_a(capability):
            engines = self.engines.supporting("web") if or_engine else []
            supported = dict.fromkeys((*self.names_having(capability), *engines))
            is_known = source is not None or name in self.engines.names()
            what = "not able to do this:" if is_known else "unknown provider"
            raise NotConfigured(
                f"{what} {name!r}; supported: {', '.join(supported)}", alternatives=usable
            )
        if known not in usable:
            raise NotConfigured(_missing_setup(known, source), setting=source.needs)
        return known

    def default_order(self) -> list[str]:
        """Return the usable indexes to query one after the other."""
        routed = self.engines.routing.orders or {}
        listed = [contract_name(name) for name in routed.get("academic", ())]
        able = self.having(SearchesWorks)
        return [name for name in (listed or ("openalex", *STAND_INS)) if name in able]

    @property
    def routed(self) -> bool:
        """Whether the operator set the order of indexes."""
        return "academic" in (self.engines.routing.orders or {})

    @property
    def together(self) -> int:
        """How many indexes are queried concurrently, if the caller names none."""
        return self.engines.routing.together

    def part_of(self, name: str, capability: type = SearchesWorks) -> str | None:
        """Return which part of a subject an index has; None if it can know what there is."""
        return self._sources[name].info.has_only.get(capability)

    def healthy(self, but: Sequence[str]) -> list[str]:
        """Return usable indexes whose circuit breaker is not open, without those in `but`."""
        health = self._health()
        return [
            name
            for name in self.having(SearchesWorks)
            if name not in but and health.get(self._sources[name].name) != "open"
        ]

    def unused(self, attempted: Sequence[str]) -> dict[str, str]:
        """Return the indexes that were not queried, with what would enable them."""
        return {
            name: "available" if source.provider is not None else source.remedy
            for name, source in self._in_order()
            if source.is_a(SearchesWorks) and name not in attempted
        }

    def result_options(self, name: str) -> dict[str, object]:
        """Return the options of an index that can change its results."""
        return self._sources[name].result_options

    def tells_notices(self, name: str) -> bool:
        """Whether the records of an index contain retractions and corrections."""
        return self._sources[name].info.tells_notices

    def can_ask(self, name: str, doi: str) -> bool:
        """Whether a batched query of an index can express this DOI."""
        return self._sources[name].info.can_ask(doi)

    def _in_order(self) -> list[tuple[str, Source]]:
        known = [name for name in ORDER if name in self._sources]
        others = sorted(name for name in self._sources if name not in ORDER)
        return [(name, self._sources[name]) for name in (*known, *others)]


def _missing_setup(name: str, source: Source) -> str:
    if not source.enabled:
        return f"{name} is disabled: {source.remedy}"
    return f"{name} is not configured: set {source.needs} (see .env.example)"
