"""Fallback between search engines, and fusion of their results.

After an engine that fails or finds nothing, the next one is queried. Whether an empty result may
be returned is decided in `logic/search/absence`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from sourcewright.base.calls import current_call, time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import BadAnswer, Denied, ResearchError, UpstreamError
from sourcewright.base.formats.codec import JsonCodec
from sourcewright.base.formats.digests import request_digest
from sourcewright.base.urls.canonical import dedup_key, is_on_site
from sourcewright.domain.calls import note_outcome
from sourcewright.domain.evidence import NoSourceAnswered
from sourcewright.domain.search.absence import SourceReply, doubt_about
from sourcewright.domain.search.results import fuse_rankings, interleave
from sourcewright.domain.web.hits import EngineResults, ImageHit, NewsHit, WebHit
from sourcewright.domain.web.queries import Query, SearchKind
from sourcewright.services.cache import Cached, Operation, OperationCache
from sourcewright.services.search.engines import Engines

ENGINE_SECONDS = 10.0
"""Timeout of one engine."""

MAX_SITES = 10
"""Maximum hosts in one query; more are split over several queries."""

_TTL: Mapping[SearchKind, float] = {"web": 1800.0, "images": 1800.0, "news": 900.0}
_CODECS: Mapping[SearchKind, JsonCodec[Any]] = {
    "web": JsonCodec(EngineResults[WebHit]),
    "images": JsonCodec(EngineResults[ImageHit]),
    "news": JsonCodec(EngineResults[NewsHit]),
}
_METHODS: Mapping[SearchKind, str] = {
    "web": "search_web",
    "images": "search_images",
    "news": "search_news",
}
_VERSION = 1
AnyHit = WebHit | ImageHit | NewsHit


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineAnswer:
    """Results of one engine, from one or several queries."""

    hits: tuple[Any, ...]
    ignored: tuple[str, ...]
    cached: bool
    age_seconds: int
    max_age_seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResults:
    """Fused search results, with the engines that returned them or failed."""

    hits: tuple[Any, ...]
    answer: EngineAnswer
    used: tuple[str, ...]
    """Engines with results; if there are none, the engines that responded without results."""
    attempted: tuple[str, ...]
    failures: Mapping[str, ResearchError]
    finders: Mapping[str, tuple[str, ...]]
    """Engines that found each hit, by URL; empty if only one was queried."""
    doubt: NoSourceAnswered | None = None
    """The failure of the engines that can know, if only others found these hits."""

    @property
    def fallback(self) -> bool:
        return self.attempted[0] not in self.used


class FallbackSearch:
    """Queries engines in order until one has results."""

    def __init__(self, engines: Engines, cache: OperationCache, clock: Clock) -> None:
        self.engines = engines
        self._cache = cache
        self._clock = clock

    async def search(self, query: Query, provider: str | None = None) -> SearchResults:
        """Run the query.

        Raises:
            NotConfigured: The requested engine is unusable.
            NoSourceAnswered: Nothing was found, and an engine that can know did not respond.
        """
        order = self.engines.order(query.kind, provider)
        failures: dict[str, ResearchError] = {}
        empty: list[SearchResults] = []
        for start, names in _query_rounds(order, self.engines.routing.together):
            results = await self._query_engines(
                query, names, order[: start + len(names)], failures
            )
            if results is not None and results.hits:
                return replace(
                    results, doubt=self._doubt(query, results.attempted, failures, results)
                )
            empty += [results] if results is not None else []
        failure = self._doubt(query, order, failures)
        if failure is not None:
            raise failure
        nothing = replace(empty[-1].answer, ignored=_ignored_by_all(empty))
        return replace(empty[-1], answer=nothing, attempted=tuple(order), failures=failures)

    def _doubt(
        self,
        query: Query,
        attempted: Sequence[str],
        failures: Mapping[str, ResearchError],
        results: SearchResults | None = None,
    ) -> NoSourceAnswered | None:
        if not failures:
            return None
        replies = [
            SourceReply(
                source=name,
                has_results=results is not None and name in results.used,
                error=failures.get(name),
                has_only=self.engines.part_of(name, query.kind),
            )
            for name in attempted
        ]
        return doubt_about(
            replies,
            f"no search engine answered for {query.kind}",
            alternatives=tuple(self.engines.healthy(query.kind, but=tuple(attempted))),
        )

    async def _query_engines(
        self,
        query: Query,
        names: Sequence[str],
        attempted: Sequence[str],
        failures: dict[str, ResearchError],
    ) -> SearchResults | None:
        """Query these engines concurrently and fuse their results; None if none responded."""
        await current_call.get().progress(f"querying {', '.join(names)}")
        outcomes = await run_concurrently([self._query_engine(name, query) for name in names])
        answers: dict[str, EngineAnswer] = {}
        for name, one in zip(names, outcomes, strict=True):
            note_outcome(name, one if isinstance(one, ResearchError) else None)
            if isinstance(one, ResearchError):
                failures[name] = one
            else:
                answers[name] = one
        if not answers:
            return None
        with_results = {name: one for name, one in answers.items() if one.hits} or answers
        hits, finders = fuse_rankings({name: one.hits for name, one in with_results.items()}, _key)
        if query.sort_by == "date" and (len(with_results) > 1 or len(query.sites) > MAX_SITES):
            # Fusing has mixed lists that were each sorted.
            hits.sort(key=lambda hit: hit.published or "", reverse=True)
        returned = tuple(hits[: query.limit])
        return SearchResults(
            hits=returned,
            answer=_joined(list(with_results.values())),
            used=tuple(with_results),
            attempted=tuple(attempted),
            failures=dict(failures),
            finders={_url_of(h): finders[_key(h)] for h in returned} if len(names) > 1 else {},
        )

    async def _query_engine(self, name: str, query: Query) -> EngineAnswer | ResearchError:
        """Query one engine; return its results or its error."""
        try:
            answers = await run_concurrently(
                [self._cached(name, part) for part in _parts_by_site(query)]
            )
        except UpstreamError as error:
            return error
        except Denied as error:
            # The caller gave no URL, so the refused URL came from the engine.
            return BadAnswer(name, str(error), cause="shape")
        merged = interleave([one.value.hits for one in answers])
        sites = query.sites
        return EngineAnswer(
            hits=tuple(hit for hit in merged if not sites or is_on_site(page_url(hit), sites)),
            ignored=tuple(dict.fromkeys(n for one in answers for n in one.value.ignored)),
            cached=any(one.cached for one in answers),
            age_seconds=max(one.age_seconds for one in answers),
            max_age_seconds=answers[0].max_age_seconds,
        )

    async def _cached(self, name: str, query: Query) -> Cached[EngineResults[Any]]:
        engine = self.engines.having(query.kind)[name]
        operation = Operation(
            name=f"{name}.{query.kind}",
            version=_VERSION,
            ttl_seconds=_TTL[query.kind],
            codec=_CODECS[query.kind],
            keep=lambda findings: bool(findings.hits),
        )
        key = _query_digest(query, tuple(self.engines.result_options(name).items()))
        with time_limit(ENGINE_SECONDS, self._clock):
            return await self._cache.through(
                operation, key, lambda: getattr(engine, _METHODS[query.kind])(query)
            )


# Queries that are answered from the cache are those that are repeated.
@lru_cache(maxsize=1024)
def _query_digest(query: Query, options: tuple[tuple[str, object], ...]) -> str:
    return request_digest(query, dict(options))


def _parts_by_site(query: Query) -> list[Query]:
    """Divide a query for more sites than engines accept at once."""
    sites = query.sites
    if len(sites) <= MAX_SITES:
        return [query]
    return [
        replace(query, sites=sites[at : at + MAX_SITES]) for at in range(0, len(sites), MAX_SITES)
    ]


def page_url(hit: AnyHit) -> str:
    """Return the URL of the page that contains a hit."""
    if isinstance(hit, ImageHit):
        return hit.context or hit.link
    return hit.url


def _url_of(hit: AnyHit) -> str:
    return hit.link if isinstance(hit, ImageHit) else hit.url


def _key(hit: AnyHit) -> str:
    return dedup_key(_url_of(hit))


def _query_rounds(order: Sequence[str], several: int) -> list[tuple[int, Sequence[str]]]:
    """Group the order: the first `several` engines together, then one by one."""
    first = max(1, min(several, len(order)))
    rest = [(at, order[at : at + 1]) for at in range(first, len(order))]
    return [(0, order[:first]), *rest]


def _joined(results: Sequence[EngineAnswer]) -> EngineAnswer:
    """Merge metadata: cached if any is, the highest age, all ignored filters."""
    return EngineAnswer(
        hits=(),
        ignored=tuple(dict.fromkeys(name for one in results for name in one.ignored)),
        cached=any(one.cached for one in results),
        age_seconds=max(one.age_seconds for one in results),
        max_age_seconds=results[0].max_age_seconds,
    )


def _ignored_by_all(empty: Sequence[SearchResults]) -> tuple[str, ...]:
    """Filters that every engine ignored: one that applied them found nothing either."""
    first, *others = (one.answer.ignored for one in empty)
    return tuple(name for name in first if all(name in other for other in others))
