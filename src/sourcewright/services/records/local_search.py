"""Use case of `local_search`: searches one provider of places, nearest first."""

from dataclasses import dataclass, replace

from sourcewright.base.formats.codec import JsonCodec
from sourcewright.domain.calls import note_source
from sourcewright.domain.capabilities import SearchesPlaces
from sourcewright.domain.records.distances import ranked_places
from sourcewright.domain.records.places import Place, PlaceQuery, Places
from sourcewright.domain.users.sessions import SessionSource
from sourcewright.services.records.sources import HOUR, RecordKind, RecordOutcome, RecordSources

_PLACES = RecordKind(
    name="places",
    codec=JsonCodec(Places),
    keep=lambda results: bool(results.places) and results.missing is None,
    ttl_seconds=6 * HOUR,
    # For several requests together.
    timeout_seconds=25.0,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalSearch:
    """Searches places."""

    records: RecordSources

    async def search(self, query: PlaceQuery, provider: str | None) -> RecordOutcome[Places]:
        """Run a search.

        Raises:
            NotConfigured: The requested provider is unusable.
            UpstreamError: The provider did not return a usable answer.
        """
        name, source = self.records.choose(SearchesPlaces, provider)
        # Where they are applied afterwards, another number or radius needs no second request.
        honours = self.records.info_of(name).honours_radius
        radius = query.radius if honours else 0.0
        unlimited = replace(query, limit=0, radius=radius)
        answer = await self.records.ask(
            name, _PLACES, {"query": unlimited}, lambda: source.search_places(unlimited)
        )
        places = ranked_places(answer.value.places, query)
        for place in places:
            _note(place)
        # A radius is one around coordinates, or around a place that the provider looks up.
        centred = query.anchor is not None or (honours and query.near is not None)
        ignored = answer.value.ignored
        ignored += ("radius",) if query.radius and not centred else ()
        answer = replace(answer, value=replace(answer.value, places=places, ignored=ignored))
        filters = {
            "near": query.near,
            "country": query.country,
            "radius": query.radius or None,
        }
        applied = {name: value for name, value in filters.items() if name not in ignored}
        hints = None if places else self.records.hints(SearchesPlaces, name, applied)
        return RecordOutcome(provider=name, answer=answer, hints=hints)


def _note(place: Place) -> None:
    """Note a place that has a page of its own."""
    if place.website:
        note_source(SessionSource(url=place.website, title=place.name))
