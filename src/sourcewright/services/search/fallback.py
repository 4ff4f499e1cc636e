"""Fallback between search engines, and fusion of their results.

An engine that fails and one that finds nothing both give way to the next. Nothing found is
an answer only when somebody did answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sourcewright.domain.calls import current_call, hurried
from sourcewright.domain.errors import BadAnswer, Denied, ResearchError, UpstreamError
from sourcewright.domain.evidence import Attempt, Unanswered
from sourcewright.domain.finds import Findings, ImageHit, NewsHit, WebHit
from sourcewright.domain.ports import Clock
from sourcewright.domain.queries import Kind, Query
from sourcewright.logic.formats.codec import JsonCodec
from sourcewright.logic.search.results import fused, interleaved
from sourcewright.logic.urls.canonical import identity, is_on
from sourcewright.services.cache import Cached, Operation, OperationCache
from sourcewright.services.inquiry import together
from sourcewright.services.search.engines import Engines

SECONDS = 10.0
"""How long one engine may take."""

MOST_SITES = 10
"""Hosts that one query names; more are asked for in several."""

_TTL: Mapping[Kind, float] = {"web": 1800.0, "images": 1800.0, "news": 900.0}
_CODECS: Mapping[Kind, JsonCodec[Any]] = {
    "web": JsonCodec(Findings[WebHit]),
    "images": JsonCodec(Findings[ImageHit]),
    "news": JsonCodec(Findings[NewsHit]),
}
_METHODS: Mapping[Kind, str] = {
    "web": "search_web",
    "images": "search_images",
    "news": "search_news",
}
_VERSION = 1
Hit = WebHit | ImageHit | NewsHit


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What one engine said, in one or in several queries."""

    hits: tuple[Any, ...]
    ignored: tuple[str, ...]
    cached: bool
    age_seconds: int
    max_age_seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What was found, by whom, and who was asked in vain."""

    hits: tuple[Any, ...]
    answer: Answered
    used: tuple[str, ...]
    """Who found something; where nobody did, who answered that there is nothing."""
    attempted: tuple[str, ...]
    failures: Mapping[str, ResearchError]
    finders: Mapping[str, tuple[str, ...]]
    """By the hit's own address, the engines that found it; empty where only one was asked."""

    @property
    def fallback(self) -> bool:
        return self.attempted[0] not in self.used


class Searcher:
    """Asks engines in turn until one finds something."""

    def __init__(self, engines: Engines, cache: OperationCache, clock: Clock) -> None:
        self.engines = engines
        self._cache = cache
        self._clock = clock

    async def search(self, query: Query, provider: str | None = None) -> Searched:
        """Search for what the query asks.

        Raises:
            NotConfigured: The engine that was asked for cannot be asked.
            Unanswered: Nobody answered.
        """
        order = self.engines.order(query.kind, provider)
        failures: dict[str, ResearchError] = {}
        empty: list[Searched] = []
        for start, names in _rounds(order, self.engines.routing.together):
            searched = await self._ask(query, names, order[: start + len(names)], failures)
            if searched is not None and searched.hits:
                return searched
            empty += [searched] if searched is not None else []
        if not empty:
            others = self.engines.healthy(query.kind, but=tuple(order))
            raise _nobody(query, failures, tuple(others))
        nothing = replace(empty[-1].answer, ignored=_ignored_by_all(empty))
        return replace(empty[-1], answer=nothing, attempted=tuple(order), failures=failures)

    async def _ask(
        self,
        query: Query,
        names: Sequence[str],
        attempted: Sequence[str],
        failures: dict[str, ResearchError],
    ) -> Searched | None:
        """What these say together; None when none of them answered."""
        await current_call.get().progress(f"asking {', '.join(names)}")
        told = await together([self._answer(name, query) for name in names])
        answers: dict[str, Answered] = {}
        for name, one in zip(names, told, strict=True):
            if isinstance(one, ResearchError):
                failures[name] = one
            else:
                answers[name] = one
        if not answers:
            return None
        found = {name: one for name, one in answers.items() if one.hits} or answers
        hits, finders = fused({name: one.hits for name, one in found.items()}, _key)
        if query.sort_by == "date" and (len(found) > 1 or len(query.sites) > MOST_SITES):
            # Lists that were each in order are mixed now.
            hits.sort(key=lambda hit: hit.published or "", reverse=True)
        shown = tuple(hits[: query.limit])
        return Searched(
            hits=shown,
            answer=_joined(list(found.values())),
            used=tuple(found),
            attempted=tuple(attempted),
            failures=dict(failures),
            finders={_address(h): finders[_key(h)] for h in shown} if len(names) > 1 else {},
        )

    async def _answer(self, name: str, query: Query) -> Answered | ResearchError:
        """One engine's answer, or what went wrong with it."""
        parts = [
            replace(query, sites=query.sites[at : at + MOST_SITES])
            for at in range(0, max(len(query.sites), 1), MOST_SITES)
        ]
        try:
            answers = await together([self._through(name, part) for part in parts])
        except UpstreamError as error:
            return error
        except Denied as error:
            # The caller chose no address: what our rules refuse here, the engine did.
            return BadAnswer(name, str(error), cause="shape")
        found = interleaved([one.value.hits for one in answers])
        allowed = [hit for hit in found if not query.sites or _is_allowed(hit, query.sites)]
        unique = {_key(hit): hit for hit in reversed(allowed)}
        return Answered(
            hits=tuple(unique[key] for key in dict.fromkeys(map(_key, allowed))),
            ignored=tuple(dict.fromkeys(n for one in answers for n in one.value.ignored)),
            cached=any(one.cached for one in answers),
            age_seconds=max(one.age_seconds for one in answers),
            max_age_seconds=answers[0].max_age_seconds,
        )

    async def _through(self, name: str, query: Query) -> Cached[Findings[Any]]:
        engine = self.engines.able(query.kind)[name]
        operation = Operation(
            name=f"{name}.{query.kind}",
            version=_VERSION,
            ttl_seconds=_TTL[query.kind],
            codec=_CODECS[query.kind],
            keep=lambda findings: bool(findings.hits),
        )
        key = {"query": query, "set_up": self.engines.set_up_of(name)}
        with hurried(SECONDS, self._clock):
            return await self._cache.through(
                operation, key, lambda: getattr(engine, _METHODS[query.kind])(query)
            )


def page_of(hit: Hit) -> str:
    """The address of the page that a hit is on."""
    if isinstance(hit, ImageHit):
        return hit.context or hit.link
    return hit.url


def _address(hit: Hit) -> str:
    return hit.link if isinstance(hit, ImageHit) else hit.url


def _key(hit: Hit) -> str:
    return identity(_address(hit))


def _is_allowed(hit: Hit, sites: Sequence[str]) -> bool:
    return is_on(page_of(hit), sites)


def _rounds(order: Sequence[str], several: int) -> list[tuple[int, Sequence[str]]]:
    """Who is asked at once: the first so many, then the others one by one."""
    first = max(1, min(several, len(order)))
    rest = [(at, order[at : at + 1]) for at in range(first, len(order))]
    return [(0, order[:first]), *rest]


def _joined(found: Sequence[Answered]) -> Answered:
    """Kept if any part was, as old as the oldest; a filter that one ignored was not honoured."""
    return Answered(
        hits=(),
        ignored=tuple(dict.fromkeys(name for one in found for name in one.ignored)),
        cached=any(one.cached for one in found),
        age_seconds=max(one.age_seconds for one in found),
        max_age_seconds=found[0].max_age_seconds,
    )


def _ignored_by_all(empty: Sequence[Searched]) -> tuple[str, ...]:
    """A filter that one of them heeded was heeded: that one found nothing either."""
    first, *others = (one.answer.ignored for one in empty)
    return tuple(name for name in first if all(name in other for other in others))


def _nobody(
    query: Query, failures: Mapping[str, ResearchError], alternatives: tuple[str, ...]
) -> Unanswered:
    """What went wrong, called by what the first did: it is the one that the operator prefers.

    A key that does not fit is thus said even while an engine that stands in only wants us to
    wait; what every one of them did is told as well.
    """
    told = "; ".join(map(str, failures.values()))
    attempts = tuple(
        Attempt(source=name, outcome="consulted_failed", detail=str(error), error=error)
        for name, error in failures.items()
    )
    first = next(iter(failures.values()))
    message = f"no search engine answered for {query.kind}: {told}" if len(failures) > 1 else told
    return Unanswered(message, decisive=first, attempts=attempts, alternatives=alternatives)
