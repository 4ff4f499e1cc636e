"""Distance between places (haversine), and places ranked by it."""

import math
from collections.abc import Iterable

from sourcewright.domain.records.places import Coordinates, Place, PlaceQuery

EARTH_RADIUS = 6_371_000.0
"""Mean radius in metres."""


def distance(one: Coordinates, other: Coordinates) -> float:
    """Return the distance along the surface, in metres."""
    phi, other_phi = math.radians(one.latitude), math.radians(other.latitude)
    half_phi = (other_phi - phi) / 2
    half_lambda = math.radians(other.longitude - one.longitude) / 2
    chord = math.sin(half_phi) ** 2
    chord += math.cos(phi) * math.cos(other_phi) * math.sin(half_lambda) ** 2
    return 2 * EARTH_RADIUS * math.asin(math.sqrt(min(chord, 1.0)))


def ranked_places(places: Iterable[Place], query: PlaceQuery) -> tuple[Place, ...]:
    """Sort the places by their distance to the anchor, and drop those beyond the radius.

    A place without coordinates comes last, and is dropped if there is a radius: it is unknown
    whether it is inside.
    """
    if query.anchor is None:
        return tuple(places)[: query.limit]
    anchor = query.anchor
    far = math.inf
    by_distance = [
        (far if place.location is None else distance(anchor, place.location), place)
        for place in places
    ]
    nearby = [pair for pair in by_distance if not query.radius or pair[0] <= query.radius]
    return tuple(place for _, place in sorted(nearby, key=lambda pair: pair[0]))[: query.limit]
