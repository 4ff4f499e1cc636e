"""Use case of `econ_search`: searches the series of a statistics office, or returns one."""

from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from sourcewright.base.errors import NotFound
from sourcewright.base.formats.codec import JsonCodec
from sourcewright.domain.calls import note_source
from sourcewright.domain.capabilities import (
    ListsSeries,
    ObservesSeries,
    SearchesSeries,
)
from sourcewright.domain.records.economy import (
    ObservationQuery,
    Observations,
    Series,
    SeriesResults,
)
from sourcewright.domain.records.series_ids import office_of
from sourcewright.domain.records.series_search import CatalogueCodec, CatalogueText
from sourcewright.domain.search.hints import SuggestedAction, ZeroResultHints, with_expected_values
from sourcewright.domain.users.sessions import SessionSource
from sourcewright.services.cache import Cached
from sourcewright.services.records.sources import (
    DAY,
    HOUR,
    RecordKind,
    RecordOutcome,
    RecordSources,
)

ORDER = ("fred", "worldbank", "oecd", "eurostat")
"""The offices in the order of preference; FRED needs a key."""
_AREA_CODES = {
    "worldbank": "the ISO code of a country, not its name: DE or DEU for Germany",
    "oecd": "the ISO code of a country, not its name: DEU for Germany",
    "eurostat": "a geo code, not a name: DE for Germany, EL for Greece",
}
"""What each office takes as a country."""
_RESULTS = RecordKind(
    name="series",
    codec=JsonCodec(SeriesResults),
    keep=lambda results: bool(results.series),
    ttl_seconds=6 * HOUR,
)
_OBSERVATIONS = RecordKind(
    name="observations",
    codec=JsonCodec(Observations),
    keep=lambda results: bool(results.observations),
    ttl_seconds=6 * HOUR,
    timeout_seconds=30.0,
)
_CATALOGUE = RecordKind(
    name="catalogue",
    codec=CatalogueCodec(),
    keep=lambda results: len(results) > 0,
    ttl_seconds=DAY,
    # It is megabytes long, and fetched once a day.
    timeout_seconds=40.0,
)


@runtime_checkable
class ListsDimensions(Protocol):
    """Lists the dimensions of a data set in the order of its keys, without time."""

    async def list_dimensions(self, series_id: str) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Dimensions:
    """The dimensions of a data set, in the format of the cache."""

    names: tuple[str, ...]


_DIMENSIONS = RecordKind(
    name="dimensions",
    codec=JsonCodec(Dimensions),
    keep=lambda _dimensions: True,
    ttl_seconds=DAY,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EconSearch:
    """Searches series, and returns their observations."""

    records: RecordSources

    async def search(
        self, text: str, limit: int, provider: str | None
    ) -> RecordOutcome[SeriesResults]:
        """Search the series of one office by words.

        Raises:
            NotConfigured: The requested office is unusable.
            UpstreamError: The office did not return a usable answer.
        """
        name, office = self.records.choose(ObservesSeries, provider, ORDER)
        if isinstance(office, SearchesSeries):
            answer = await self.records.ask(
                name,
                _RESULTS,
                {"text": text, "limit": limit},
                lambda: office.search_series(text, limit=limit),
            )
        else:
            answer = await self._search_catalogue(name, office, text, limit)
        for series in answer.value.series:
            _note(series)
        hints = None if answer.value.series else self._hints(name, {})
        return RecordOutcome(provider=name, answer=answer, hints=hints)

    async def observe(
        self, query: ObservationQuery, provider: str | None
    ) -> RecordOutcome[Observations]:
        """Return observations of a series; none if the office has no such series.

        Raises:
            NotConfigured: The requested office is unusable.
            UpstreamError: The office did not return a usable answer.
        """
        name, office = self.records.choose(ObservesSeries, provider, ORDER)
        try:
            full_query = await self._with_dimensions(name, office, query)
            answer = await self.records.ask(
                name, _OBSERVATIONS, {"query": query}, lambda: office.observe_series(full_query)
            )
        except NotFound:
            answer = _OBSERVATIONS.without_asking(Observations(observations=()))
        if answer.value.observations and answer.value.series:
            _note(answer.value.series)
        hints = None if answer.value.observations else self._series_hints(name, query)
        return RecordOutcome(provider=name, answer=answer, hints=hints)

    async def _search_catalogue(
        self, name: str, office: object, text: str, limit: int
    ) -> Cached[SeriesResults]:
        catalogue = await self.catalogue(name, office)
        return Cached(
            value=catalogue.value.search(text, limit),
            cached=catalogue.cached,
            age_seconds=catalogue.age_seconds,
            max_age_seconds=catalogue.max_age_seconds,
        )

    async def catalogue(self, name: str, office: object) -> Cached[CatalogueText]:
        """Return the catalogue of an office, fetched once a day."""

        async def fetch() -> CatalogueText:
            if not isinstance(office, ListsSeries):
                raise NotImplementedError(f"{name} neither searches series nor lists them")
            return CatalogueText.of(await office.list_series())

        return await self.records.ask(name, _CATALOGUE, {}, fetch)

    async def _with_dimensions(
        self, name: str, office: object, query: ObservationQuery
    ) -> ObservationQuery:
        """Add the order of the dimensions to the query; some offices need it, and it rarely changes."""
        if not query.is_narrow or not isinstance(office, ListsDimensions):
            return query

        async def fetch() -> Dimensions:
            return Dimensions(await office.list_dimensions(query.series_id))

        answer = await self.records.ask(name, _DIMENSIONS, {"series_id": query.series_id}, fetch)
        return replace(query, dimension_order=answer.value.names)

    def _hints(self, name: str, filters: dict[str, object]) -> ZeroResultHints:
        return self.records.hints(ObservesSeries, name, filters)

    def _series_hints(self, name: str, query: ObservationQuery) -> ZeroResultHints:
        """Hints for a series without observations; other words are no help."""
        office = office_of(query.series_id)
        hints = self.records.hints(ObservesSeries, name, _filters(query), likeliest=office)
        if name in _AREA_CODES:
            hints = with_expected_values(hints, "country", _AREA_CODES[name])
        search = SuggestedAction(
            action="rephrase_query",
            detail=f"search {name} by words of the title, and use the id of a series found there",
        )
        others = [one for one in hints.suggested_actions if one.action != search.action]
        # An id of another office is the likelier cause than any filter.
        others.sort(key=lambda one: one.parameter != "provider" or one.value != office)
        return replace(hints, suggested_actions=(*others[:2], search))


def _filters(query: ObservationQuery) -> dict[str, object]:
    names = ("country", "date_from", "date_to", "frequency", "units")
    chosen: dict[str, object] = {name: getattr(query, name) for name in names}
    dimensions = ", ".join(f"{name}={code}" for name, code in query.dimensions.items())
    return chosen | {"dimensions": dimensions}


def _note(series: Series) -> None:
    if series.url is not None:
        note_source(
            SessionSource(
                url=series.url,
                title=series.title,
                date=(series.last_updated or "")[:10] or None,
                source_type="government",
            )
        )
