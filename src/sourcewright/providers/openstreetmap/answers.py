"""Answers of Nominatim (GeoJSON) and Overpass (JSON) as places."""

import math
from collections.abc import Sequence
from typing import Any

from sourcewright.base.errors import Unavailable
from sourcewright.base.formats.json_values import (
    Record,
    entries_of,
    record_of,
    require_value,
    required_records,
    text_of,
    url_of,
)
from sourcewright.domain.records.places import Coordinates, Place
from sourcewright.providers.openstreetmap.queries import MAX_ELEMENTS, Tag

_SOURCE = "openstreetmap"
_PARTS = ("addr:street", "addr:place", "addr:city", "addr:postcode")
_MAX_HOURS = 20


def read_centre(answer: Any) -> Coordinates | None:
    """The place that a name stands for; None if Nominatim knows none."""
    features = _features(answer)
    return _point(features[0]["geometry"]) if features else None


def read_features(answer: Any) -> tuple[Place, ...]:
    return tuple(map(_feature, _features(answer)))


def read_elements(answer: Any, tags: Sequence[Tag]) -> tuple[Place, ...]:
    """The elements of an Overpass answer.

    Raises:
        Unavailable: The query was not completed, which Overpass says in a `remark` beside the
            elements that it had by then, or beside none.
        ValueError: There are so many that some were left out.
    """
    elements = required_records(answer["elements"])
    if remark := text_of(answer.get("remark")):
        raise Unavailable(_SOURCE, f"Overpass: {remark[:200]}", cause="timeout")
    if len(elements) >= MAX_ELEMENTS:
        raise ValueError(f"more than {MAX_ELEMENTS} places")
    return tuple(_element(one, tags) for one in elements)


def _features(answer: Any) -> tuple[Record, ...]:
    if answer["type"] != "FeatureCollection":
        raise ValueError(f"no collection of features but {answer['type']!r}"[:100])
    return required_records(answer["features"])


def _feature(feature: Record) -> Place:
    properties = record_of(feature["properties"])
    tags = record_of(properties.get("extratags"))
    label = require_value(text_of(properties["display_name"]), "display_name")
    name = text_of(properties.get("name")) or label.partition(",")[0]
    return Place(
        id=f"{_required(properties, 'osm_type')}/{_required(properties, 'osm_id')}",
        name=name,
        address=label.removeprefix(name).lstrip(", ") or None,
        location=_point(feature["geometry"]),
        categories=_words([text_of(properties.get("type"))]),
        **_contact(tags),
    )


def _element(element: Record, requested: Sequence[Tag]) -> Place:
    tags = record_of(element.get("tags"))
    kinds = [text_of(tags.get(key)) for key in dict.fromkeys(key for key, _ in requested)]
    kinds += (text_of(tags.get("cuisine")) or "").split(";")
    centre = element if "lat" in element else record_of(element["center"])
    categories = _words(kinds)
    return Place(
        id=f"{_required(element, 'type')}/{_required(element, 'id')}",
        name=text_of(tags.get("name")) or " ".join(categories[:1]) or "unnamed",
        address=_address(tags),
        location=_coordinates(centre["lat"], centre["lon"]),
        categories=categories,
        **_contact(tags),
    )


def _required(record: Record, name: str) -> str:
    return require_value(text_of(record[name]), name)


def _words(values: Sequence[str | None]) -> tuple[str, ...]:
    words = (value.strip().replace("_", " ") for value in values if value)
    return tuple(dict.fromkeys(filter(None, words)))


def _contact(tags: Record) -> dict[str, Any]:
    hours = (text_of(tags.get("opening_hours")) or "").split(";")[:_MAX_HOURS]
    site = tags.get("website") or tags.get("contact:website") or tags.get("url")
    return {
        "phone": text_of(tags.get("phone") or tags.get("contact:phone")),
        "website": url_of(site),
        "hours": tuple(filter(None, (one.strip() for one in hours))),
    }


def _address(tags: Record) -> str | None:
    street, place, city, postcode = (text_of(tags.get(name)) or "" for name in _PARTS)
    number = text_of(tags.get("addr:housenumber")) or ""
    lines = (f"{number} {street or place}".strip(), f"{postcode} {city}".strip())
    return text_of(tags.get("addr:full")) or ", ".join(filter(None, lines)) or None


def _point(geometry: Any) -> Coordinates:
    longitude, latitude, *_ = entries_of(record_of(geometry)["coordinates"])
    return _coordinates(latitude, longitude)


def _coordinates(latitude: Any, longitude: Any) -> Coordinates:
    """A point on the earth.

    Raises:
        ValueError: It is none.
    """
    numbers = [float(one) for one in (latitude, longitude)]
    if not all(map(math.isfinite, numbers)) or abs(numbers[0]) > 90 or abs(numbers[1]) > 180:
        raise ValueError("no point on the earth")
    return Coordinates(latitude=numbers[0], longitude=numbers[1])
