"""Sources of primary records: which are configured, and which one is queried."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sourcewright.base.calls import time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import BadAnswer, Denied, NotConfigured, UpstreamError
from sourcewright.base.formats.codec import Codec
from sourcewright.domain.calls import note_outcome
from sourcewright.domain.search.hints import OTHER_WORDS, ZeroResultHints, search_hints
from sourcewright.services.cache import Cached, Operation, OperationCache
from sourcewright.services.providers import Source, SourceFacts, Sources

T = TypeVar("T")
C = TypeVar("C")

SEARCH_SECONDS = 10.0
"""Timeout of one search."""
HOUR, DAY = 3600.0, 86400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordKind(Generic[T]):
    """One kind of answer that sources give: how long it may take, and how it is cached."""

    name: str
    """Part of the cache key, after the name of the source."""
    codec: Codec[T]
    keep: Callable[[T], bool]
    """Whether an answer is cached; an empty one should not be."""
    ttl_seconds: float
    timeout_seconds: float = SEARCH_SECONDS

    def operation(self, source: str) -> Operation[T]:
        return Operation(
            name=f"{source}.{self.name}",
            version=1,
            ttl_seconds=self.ttl_seconds,
            codec=self.codec,
            keep=self.keep,
        )

    def without_asking(self, value: T) -> Cached[T]:
        """An answer for which no source was asked, or that a source gave by a refusal."""
        max_age = int(self.ttl_seconds)
        return Cached(value=value, cached=False, age_seconds=0, max_age_seconds=max_age)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordOutcome(Generic[T]):
    """The answer of one source, and its age."""

    provider: str
    answer: Cached[T]
    hints: ZeroResultHints | None = None
    """Set if nothing was found."""


class RecordSources:
    """The sources of primary records of this instance."""

    def __init__(self, sources: Sources, cache: OperationCache, clock: Clock) -> None:
        self.all = sources
        self._cache = cache
        self._clock = clock

    def choose(
        self, capability: type[C], provider: str | None, order: Sequence[str] = ()
    ) -> tuple[str, C]:
        """Return the source to query: only the requested one, or the first in the order.

        Raises:
            NotConfigured: The requested source, or every source, is unknown or not configured.
        """
        usable = self._usable(capability, order)
        if provider is None:
            for chosen in usable.items():
                return chosen
            raise NotConfigured(self._nobody(capability), setting=self._needs(capability))
        if provider in usable:
            return provider, usable[provider]
        known = {source.name: source for source in self._able(capability)}
        if provider not in known:
            raise NotConfigured(
                f"unknown provider {provider!r}; supported: {', '.join(known)}",
                alternatives=tuple(usable),
            )
        source = known[provider]
        raise NotConfigured(_missing_setup(source), setting=source.needs or source.switch)

    async def ask(
        self,
        name: str,
        kind: RecordKind[T],
        key: Mapping[str, Any],
        work: Callable[[], Awaitable[T]],
    ) -> Cached[T]:
        """Run a request to a source through the cache, with a timeout.

        Raises:
            UpstreamError: The source did not return a usable answer.
        """
        try:
            with time_limit(kind.timeout_seconds, self._clock):
                key = {**key, "set_up": self.all[name].result_options}
                answer = await self._cache.through(kind.operation(name), key, work)
        except UpstreamError as error:
            note_outcome(name, error)
            raise
        except Denied as error:
            # The caller gave no URL, so the refused one came from the source.
            refused = BadAnswer(name, str(error), cause="shape")
            note_outcome(name, refused)
            raise refused from error
        note_outcome(name)
        return answer

    def hints(
        self,
        capability: type,
        queried: str,
        filters: Mapping[str, object],
        *,
        likeliest: str | None = None,
        rephrasing: str = OTHER_WORDS,
    ) -> ZeroResultHints:
        """Return hints for an answer without results; `likeliest` is suggested before others."""
        others = {
            source.name: source for source in self._able(capability) if source.name != queried
        }
        return search_hints(
            {name: str(value) for name, value in filters.items() if value not in (None, "", ())},
            attempted=(queried,),
            rephrasing=rephrasing,
            failed={},
            alternatives=sorted(
                (name for name, source in others.items() if source.provider is not None),
                key=lambda name: name != likeliest,
            ),
            unused_engines={
                name: "available" if source.provider is not None else source.remedy
                for name, source in others.items()
            },
        )

    def part_of(self, name: str, capability: type) -> str | None:
        """Return which part of the records a source has; None if it can know what there is."""
        return self.all.part_of(name, capability)

    def info_of(self, name: str) -> SourceFacts:
        """The metadata of a source."""
        return next(one.info for one in self.all if one.name == name)

    def _usable(self, capability: type[C], order: Sequence[str]) -> dict[str, C]:
        usable = self.all.having(capability)
        first = [name for name in order if name in usable]
        return {name: usable[name] for name in dict.fromkeys((*first, *usable))}

    def _able(self, capability: type) -> list[Source]:
        return [source for source in self.all if source.is_a(capability)]

    def _nobody(self, capability: type) -> str:
        return "; ".join(map(_missing_setup, self._able(capability)))

    def _needs(self, capability: type) -> str | None:
        return next((one.needs for one in self._able(capability) if one.needs), None)


def _missing_setup(source: Source) -> str:
    if not source.enabled:
        return f"{source.name} is disabled: {source.remedy}"
    return f"{source.name} is not configured: set {source.needs} (see .env.example)"
