"""Use case of the search tools: a query, limited by a lens or site."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from sourcewright.base.calls import current_call
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import InvalidInput, ResearchError, UpstreamError
from sourcewright.domain.calls import note_source
from sourcewright.domain.search.hints import ZeroResultHints, error_kind, search_hints
from sourcewright.domain.sources.classification import source_type
from sourcewright.domain.users.sessions import SessionSource, SourceTag
from sourcewright.domain.web.hits import ImageHit, NewsHit
from sourcewright.domain.web.lenses import KnowsLenses, KnowsReputations, Lens
from sourcewright.domain.web.queries import Query
from sourcewright.services.search.fallback import (
    AnyHit,
    FallbackSearch,
    SearchResults,
    page_url,
)

_GOOGLE, _BRAVE = "google", "brave"
_DISTINCT_VARIANTS = {
    "pt": {"br": "br", "pt": "pt"},
    "sr": {"cyrl": "cyrl", "latn": "latn"},
    "zh": {"cn": "hans", "hans": "hans", "hant": "hant", "hk": "hant", "mo": "hant"}
    | {"sg": "hans", "tw": "hant"},
}
"""The variants of languages that are written too differently to replace one another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """Options of a search besides the query."""

    lens: str | None = None
    site: str | None = None
    site_name: str = "site"
    """Name of the tool's argument for one site."""
    provider: str | None = None
    notes_sources: bool = True
    """Whether the hits themselves are sources of the research session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOutcome:
    """Search results, with ignored filters and hints."""

    results: SearchResults
    ignored: tuple[str, ...]
    """Filters that were not applied, under the tool's names."""
    hints: ZeroResultHints | None
    routed: bool
    latency_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSearch:
    """Runs searches with lenses."""

    searcher: FallbackSearch
    lenses: KnowsLenses
    reputations: KnowsReputations
    clock: Clock

    async def search(self, query: Query, options: SearchOptions) -> SearchOutcome:
        """Run a search.

        Raises:
            InvalidInput: There is no such lens.
            NotConfigured: The requested engine is unusable.
            NoSourceAnswered: No engine responded.
        """
        started = self.clock.monotonic()
        lens = self._lens(options.lens)
        query = _with_known_variant(query)
        focused, provider = self._focused(query, options, lens)
        results = await self.searcher.search(focused, provider)
        if options.notes_sources and current_call.get().findings is not None:
            for hit in results.hits:
                note_source(_source(hit))
        return SearchOutcome(
            results=results,
            ignored=_ignored(results, options, lens),
            hints=None if results.hits else self._hints(query, options, results),
            routed=self.searcher.engines.routing.order_for(query.kind) is not None,
            latency_ms=round((self.clock.monotonic() - started) * 1000),
        )

    def _lens(self, name: str | None) -> Lens | None:
        if name is None:
            return None
        lens = self.lenses.get(name)
        if lens is None:
            raise InvalidInput(
                f"unknown lens {name!r}; available: {', '.join(self.lenses.names())}"
            )
        return lens

    def _focused(
        self, query: Query, options: SearchOptions, lens: Lens | None
    ) -> tuple[Query, str | None]:
        """Return the query limited to the lens or site, and the engine that it needs."""
        if lens is None:
            sites = (options.site,) if options.site else ()
            return (
                query if query.sites == sites else replace(query, sites=sites)
            ), options.provider
        focused = replace(query, sites=lens.domains, goggle=lens.goggle)
        made_for = [
            name for name in _engines_with_rules(lens, query) if options.provider in (None, name)
        ]
        ready = [name for name in made_for if name in self.searcher.engines.having(query.kind)]
        if lens.domains and _GOOGLE not in ready:
            return focused, options.provider  # any engine can search the hosts of the lens
        if not made_for:
            owners = (
                " or ".join(_engines_with_rules(lens, query)) or f"{_BRAVE}, and not for images"
            )
            raise InvalidInput(f"lens {lens.name} has no hosts and works only with {owners}")
        chosen = (ready or made_for)[0]
        return replace(focused, engine=lens.cx if chosen == _GOOGLE else None), chosen

    def _hints(
        self, query: Query, options: SearchOptions, results: SearchResults
    ) -> ZeroResultHints:
        # Sorting, and filters that no engine applied, cannot have removed results.
        harmless = {*results.answer.ignored, "sort_by", "language_variant"}
        if query.kind == "news":
            # An engine without the requested window applied the next longer one.
            harmless.discard("time_range")
        filters = {n: str(value) for n, value in query.filters().items() if n not in harmless}
        if options.lens is not None:
            filters["lens"] = options.lens
        elif options.site is not None:
            filters[options.site_name] = options.site
        failed = {name: error_kind(error) for name, error in results.failures.items()}
        alternatives = self.searcher.engines.healthy(query.kind, but=results.attempted)
        return search_hints(
            filters,
            attempted=results.attempted,
            failed=failed,
            alternatives=alternatives,
            unused_engines=self.searcher.engines.unused(query.kind, results.attempted),
        )


def _source(hit: AnyHit) -> SessionSource:
    """The page of a hit, as a source of the research session."""
    url = page_url(hit)
    tag: SourceTag = (
        "image" if isinstance(hit, ImageHit) else "news" if isinstance(hit, NewsHit) else ""
    )
    return SessionSource(
        url=url,
        title=hit.title,
        tag=tag,
        date=None if isinstance(hit, ImageHit) else hit.published,
        source_type=source_type(url, None),
    )


def _engines_with_rules(lens: Lens, query: Query) -> list[str]:
    """Return the engines for which the lens has rules of its own, besides its hosts."""
    goggle = lens.goggle if query.kind != "images" else None
    return [name for name, rules in ((_GOOGLE, lens.cx), (_BRAVE, goggle)) if rules]


def _with_known_variant(query: Query) -> Query:
    """Take the language tag apart; for most languages the regional variant does not matter."""
    if query.language is None and query.language_variant is None:
        return query
    language, *subtags = (query.language or "").split("-")
    known = _DISTINCT_VARIANTS.get(language, {})
    variant = next((known[tag] for tag in subtags if tag in known), None)
    return replace(query, language=language or None, language_variant=variant)


def _ignored(results: SearchResults, options: SearchOptions, lens: Lens | None) -> tuple[str, ...]:
    filter_name = "lens" if lens is not None else options.site_name
    wire_names = {"sites": filter_name, "language_variant": "language"}
    names = [wire_names.get(name, name) for name in results.answer.ignored]
    # Hits on other sites are dropped here, so the site filter always holds. But if nothing is
    # left, an engine that ignored the filter may have had more hits there: report it as ignored.
    unapplied = [name for name in names if name != filter_name or not results.hits]
    overridden = [options.site_name] if lens is not None and options.site else []
    return tuple(dict.fromkeys((*unapplied, *overridden)))


def freshness_meta(results: SearchResults, freshness: str) -> dict[str, Any]:
    """Return the cache metadata of the results."""
    answer = results.answer
    return {
        "cached": answer.cached,
        "ageSeconds": answer.age_seconds,
        "maxAgeSeconds": answer.max_age_seconds,
        "freshness": freshness,
    }


def routing_meta(outcome: SearchOutcome) -> dict[str, Any]:
    """Return the routing metadata of a web search."""
    hit = outcome.results.answer.cached
    return attempts_meta(outcome.results, cache_hit=hit, latency_ms=outcome.latency_ms)


class RoutingReport(Protocol):
    """A search that was routed through several providers."""

    @property
    def attempted(self) -> tuple[str, ...]: ...
    @property
    def used(self) -> tuple[str, ...]: ...
    @property
    def failures(self) -> Mapping[str, ResearchError]: ...
    @property
    def fallback(self) -> bool: ...


def attempts_meta(run: RoutingReport, *, cache_hit: bool, latency_ms: int) -> dict[str, Any]:
    """Return the routing metadata of the contract, meant for operators rather than models."""
    # A cached result involved no request to its engine; only failed engines were queried.
    queried = [name for name in run.attempted if not (cache_hit and name in run.used)]
    meta: dict[str, Any] = {
        "providers_attempted": queried,
        "fallback": run.fallback,
        "cache_hit": cache_hit,
        "latency_ms": latency_ms,
    }
    if not cache_hit:
        meta["provider_used"] = run.used[0]
    if run.fallback:
        first = run.failures.get(run.attempted[0])
        is_open = isinstance(first, UpstreamError) and first.cause == "breaker"
        meta["fallback_reason"] = "circuit_open" if is_open else "primary_unavailable"
    return meta
