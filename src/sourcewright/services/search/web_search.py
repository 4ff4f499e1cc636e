"""The use case of the search tools: a query through a lens, with cache and session."""

import re
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from sourcewright.domain.errors import InvalidInput, ResearchError, Unavailable, UpstreamError
from sourcewright.domain.lenses import KnowsLenses, KnowsReputations, Lens
from sourcewright.domain.ports import Clock, SessionSink
from sourcewright.domain.queries import Query
from sourcewright.logic.search.hints import Hints, hints
from sourcewright.services.search.fallback import Searched, Searcher, page_of

_GOOGLE, _BRAVE = "google", "brave"
_WORDS = MappingProxyType({"breaker": "circuit_open", "status": "server_error"})
"""Causes that say little by themselves, in words for a caller."""


_WRITTEN_APART = frozenset({"pt", "sr", "zh"})
"""Languages whose varieties are written so differently that one does not stand for another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a caller wants beyond the query itself."""

    tool: str
    lens: str | None = None
    site: str | None = None
    site_name: str = "site"
    """How the tool calls the argument that names one site."""
    provider: str | None = None
    session_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """An answer, and everything that is said beside it."""

    searched: Searched
    ignored: tuple[str, ...]
    """Filters that were not honoured, by the tool's own names."""
    hints: Hints | None
    routed: bool
    session_known: bool | None
    """Whether the session exists that the answer was to be linked to; None when none was named."""
    latency_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Looker:
    """Looks through lenses, and tells sessions what was seen."""

    searcher: Searcher
    lenses: KnowsLenses
    reputations: KnowsReputations
    sessions: SessionSink
    clock: Clock

    async def look(self, query: Query, wish: Wish) -> Looked:
        """Search as wished.

        Raises:
            InvalidInput: There is no such lens.
            NotConfigured: The engine that was asked for cannot be asked.
            Unanswered: Nobody answered.
        """
        started = self.clock.monotonic()
        lens = self._lens(wish.lens)
        query, lost = _without_variety(query)
        focused, provider = self._focused(query, wish, lens)
        searched = await self.searcher.search(focused, provider)
        known = None
        if wish.session_id is not None:
            pages = [page_of(hit) for hit in searched.hits]
            known = await self.sessions.link(wish.session_id, tool=wish.tool, urls=pages)
        return Looked(
            searched=searched,
            ignored=tuple(dict.fromkeys((*lost, *_ignored(searched, wish, lens)))),
            hints=None if searched.hits else self._hints(query, wish, searched),
            routed=self.searcher.engines.routing.order_for(query.kind) is not None,
            session_known=known,
            latency_ms=round((self.clock.monotonic() - started) * 1000),
        )

    def _lens(self, name: str | None) -> Lens | None:
        if name is None:
            return None
        lens = self.lenses.get(name)
        if lens is None:
            raise InvalidInput(
                f"unknown lens {name!r}; there are {', '.join(self.lenses.names())}"
            )
        return lens

    def _focused(self, query: Query, wish: Wish, lens: Lens | None) -> tuple[Query, str | None]:
        """The query within the lens or the site, and the engine that it needs."""
        if lens is None:
            return replace(query, sites=(wish.site,) if wish.site else ()), wish.provider
        focused = replace(query, sites=lens.domains, goggle=lens.goggle)
        made_for = [name for name in _made_for(lens, query) if wish.provider in (None, name)]
        ready = [name for name in made_for if name in self.searcher.engines.able(query.kind)]
        if lens.domains and _GOOGLE not in ready:
            return focused, wish.provider  # its hosts serve as well
        if not made_for:
            owners = " or ".join(_made_for(lens, query)) or f"{_BRAVE}, and not for pictures"
            raise InvalidInput(f"lens {lens.name} names no hosts and is made for {owners}")
        chosen = (ready or made_for)[0]
        return replace(focused, engine=lens.cx if chosen == _GOOGLE else None), chosen

    def _hints(self, query: Query, wish: Wish, searched: Searched) -> Hints:
        # An order, and a filter that nobody heeded, cannot have left anything out.
        harmless = {*searched.answer.ignored, "sort_by"}
        filters = {n: str(value) for n, value in query.filters().items() if n not in harmless}
        if wish.lens is not None:
            filters["lens"] = wish.lens
        elif wish.site is not None:
            filters[wish.site_name] = wish.site
        failed = {name: _coarse(error) for name, error in searched.failures.items()}
        alternatives = self.searcher.engines.healthy(query.kind, but=searched.attempted)
        return hints(
            filters,
            attempted=searched.attempted,
            failed=failed,
            alternatives=alternatives,
            not_asked=self.searcher.engines.not_asked(query.kind, searched.attempted),
        )


def _made_for(lens: Lens, query: Query) -> list[str]:
    """The engines that the lens has rules for, which hold without any hosts."""
    goggle = lens.goggle if query.kind != "images" else None
    return [name for name, rules in ((_GOOGLE, lens.cx), (_BRAVE, goggle)) if rules]


def _without_variety(query: Query) -> tuple[Query, tuple[str, ...]]:
    """The query by its language alone, as engines take it, and whether that is another text.

    Of most languages one writing serves all who read them; of these it does not.
    """
    language, varied, _ = (query.language or "").partition("-")
    lost = ("language",) if varied and language in _WRITTEN_APART else ()
    return replace(query, language=language or None), lost


def _ignored(searched: Searched, wish: Wish, lens: Lens | None) -> tuple[str, ...]:
    called = "lens" if lens is not None else wish.site_name
    names = [called if name == "sites" else name for name in searched.answer.ignored]
    # Hits elsewhere are left out here, whatever the engine did with the sites; but an engine
    # that knows none may have more there than it listed, so that nothing left is worth telling.
    unheeded = [name for name in names if name != called or not searched.hits]
    outdone = [wish.site_name] if lens is not None and wish.site else []
    return tuple(dict.fromkeys((*unheeded, *outdone)))


def _coarse(error: ResearchError) -> str:
    """What went wrong, without the upstream's own words."""
    if isinstance(error, Unavailable) and error.cause:
        return _WORDS.get(error.cause, error.cause)
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(error).__name__).lower()


def freshness_meta(searched: Searched, freshness: str) -> dict[str, Any]:
    """Whether an answer was kept, and how old it is."""
    answer = searched.answer
    return {
        "cached": answer.cached,
        "ageSeconds": answer.age_seconds,
        "maxAgeSeconds": answer.max_age_seconds,
        "freshness": freshness,
    }


def routing_meta(looked: Looked) -> dict[str, Any]:
    """The contract's account of how an answer was come by, for operators and not for models."""
    searched, hit = looked.searched, looked.searched.answer.cached
    # What was kept says nothing of who would have served it now, but for those asked in vain.
    asked = [name for name in searched.attempted if not (hit and name in searched.used)]
    meta: dict[str, Any] = {
        "providers_attempted": asked,
        "fallback": searched.fallback,
        "cache_hit": hit,
        "latency_ms": looked.latency_ms,
    }
    if not hit:
        meta["provider_used"] = searched.used[0]
    if searched.fallback:
        first = searched.failures.get(searched.attempted[0])
        is_open = isinstance(first, UpstreamError) and first.cause == "breaker"
        meta["fallback_reason"] = "circuit_open" if is_open else "primary_unavailable"
    return meta
