"""OpenStreetMap: places from Nominatim, by name, and from Overpass, by category.

Docs: https://nominatim.org/release-docs/latest/api/Search/, https://wiki.openstreetmap.org/wiki/Overpass_API and https://operations.osmfoundation.org/policies/nominatim/
Silent on: ratings and descriptions of places.
"""

from sourcewright.domain.records.distances import distance
from sourcewright.domain.records.places import Coordinates, Place, PlaceQuery, Places
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, enable_option
from sourcewright.providers.openstreetmap.answers import (
    read_centre,
    read_elements,
    read_features,
)
from sourcewright.providers.openstreetmap.queries import (
    RADII,
    Tag,
    named_params,
    overpass_query,
    tags_of,
    town_params,
)

_NOMINATIM, _OVERPASS = "nominatim.openstreetmap.org", "overpass-api.de"
_ENOUGH = 20
"""Places of one answer: if so many lie within a radius, the nearest are among them."""
ATTRIBUTION = (
    "\u00a9 OpenStreetMap contributors, ODbL 1.0 (https://www.openstreetmap.org/copyright)"
)


class OpenStreetMap(Provider):
    """Searches places."""

    info = ProviderInfo(
        name="openstreetmap",
        title="OpenStreetMap (Nominatim and Overpass)",
        home="https://www.openstreetmap.org",
        base_url=f"https://{_NOMINATIM}",
        # Nominatim's policy: at most one request a second, and only one at a time.
        rate=RateLimit(starts=1, per_seconds=1.0, at_once=1, gap_seconds=1.0),
        allowed_hosts=(_NOMINATIM, _OVERPASS),
        explains_bad_requests=True,
        honours_radius=True,
        options=(enable_option("SOURCEWRIGHT_OSM", asked_for="places", on=False),),
    )

    async def search_places(self, query: PlaceQuery) -> Places:
        """Look up the town, then search around it: a category in Overpass, a name in Nominatim."""
        centre = query.anchor
        if centre is None and query.near:
            centre = await self.upstream.search("/search", town_params(query), read=read_centre)
            if centre is None:
                return Places(places=())
        tags = tags_of(query.text)
        if tags and centre:
            return await self._in_category(tags, centre, query.radius)
        places = await self.upstream.search(
            "/search", named_params(query, centre), read=read_features
        )
        return _places(places, centre, RADII[-1] if centre else None)

    async def _in_category(
        self, tags: tuple[Tag, ...], centre: Coordinates, radius: float
    ) -> Places:
        """Search wider and wider until there are enough places, or the radius is reached."""
        places: tuple[Place, ...] = ()
        within = RADII[0]
        for step in RADII:
            within = min(step, radius) if radius else step
            places = await self.upstream.search(
                f"https://{_OVERPASS}/api/interpreter",
                {"data": overpass_query(tags, centre, within)},
                read=lambda answer: read_elements(answer, tags),
            )
            if len(places) >= _ENOUGH or (radius and step >= radius):
                break
        return _places(places, centre, within)


def _places(places: tuple[Place, ...], centre: Coordinates | None, within: float | None) -> Places:
    if not places:
        return Places(places=())
    if centre:
        places = tuple(
            sorted(places, key=lambda one: distance(centre, one.location) if one.location else 0.0)
        )
    return Places(places=places, attribution=ATTRIBUTION, within=within)
