"""Brave's local search: ids of places, then their details, then their descriptions."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sourcewright.base.formats.json_values import (
    count_of,
    entries_of,
    record_of,
    records_of,
    require_value,
    required_records,
    text_of,
    texts_of,
    url_of,
)
from sourcewright.base.text.unicode import without_accents
from sourcewright.domain.records.places import Coordinates, Place, PlaceQuery
from sourcewright.domain.search.operators import non_empty_params
from sourcewright.domain.web.queries import Query
from sourcewright.providers.brave.parameters import query_text

MAX_PLACES = 20
MAX_ID = 200


def location_headers(query: PlaceQuery) -> dict[str, str]:
    """Return the headers with the user's location: coordinates, or words. They are never logged."""
    if query.anchor:
        return {
            "x-loc-lat": f"{query.anchor.latitude:.6f}",
            "x-loc-long": f"{query.anchor.longitude:.6f}",
        }
    words = {"x-loc-city": city_of(query), "x-loc-country": query.country}
    return {name: value for name, value in words.items() if value}


def city_of(query: PlaceQuery) -> str:
    """Return the place to search near as HTTP headers can carry it; empty if they cannot."""
    city = without_accents(query.near or "")
    return city if any(map(str.isalnum, city)) else ""


def ignored_filters(query: PlaceQuery) -> tuple[str, ...]:
    is_lost = query.near and not query.anchor and not city_of(query)
    return ("near",) if is_lost else ()


def ids_params(query: PlaceQuery) -> dict[str, str]:
    words = Query(kind="web", text=query.text, limit=1)
    return non_empty_params(
        q=query_text(words), result_filter="locations", country=query.country, units=query.units
    )


def details_params(ids: Sequence[str], units: str | None = None) -> list[tuple[str, str]]:
    """Return one parameter per id: Brave answers a list with commas with nulls."""
    repeated = [("ids", one) for one in ids]
    return [*repeated, ("units", units)] if units else repeated


def read_ids(answer: Any) -> tuple[str, ...]:
    """Return the ids of the places; a response without any has no `locations` section."""
    if answer["type"] != "search":
        raise ValueError(f"not a search response but {answer['type']!r}"[:100])
    results = record_of(answer.get("locations")).get("results", [])
    ids = (require_value(text_of(one["id"]), "id") for one in required_records(results))
    return tuple(one for one in dict.fromkeys(ids) if len(one) <= MAX_ID)[:MAX_PLACES]


def read_places(answer: Any) -> tuple[Place, ...]:
    """Parse the details; an id that has expired has a null in its place.

    Raises:
        ValueError: There are none, although Brave found places: that is no empty result.
    """
    places = tuple(_place(one) for one in entries_of(answer["results"]))
    if not places:
        raise ValueError("places were found, but their details are missing")
    return places


def read_descriptions(answer: Any) -> dict[str, str]:
    """Return the descriptions by id."""
    pairs = (
        (text_of(one.get("id")), text_of(one.get("description")))
        for one in records_of(answer["results"])
    )
    return {key: words for key, words in pairs if key and words}


def _place(record: Any) -> Place:
    rating = record_of(record.get("rating"))
    return Place(
        id=require_value(text_of(record["id"]), "id"),
        name=require_value(text_of(record["title"]), "title"),
        address=text_of(record_of(record.get("postal_address")).get("displayAddress")),
        location=_coordinates(record.get("coordinates")),
        phone=text_of(record_of(record.get("contact")).get("telephone")),
        website=url_of(record.get("url")),
        categories=texts_of(record.get("categories")),
        rating=_number(rating.get("ratingValue")),
        rating_count=count_of(rating.get("reviewCount")),
        hours=_hours(record.get("opening_hours")),
    )


def _coordinates(value: Any) -> Coordinates | None:
    """Parse latitude and longitude; None for what cannot be a point on the earth."""
    numbers = [_number(one) for one in entries_of(value)]
    if len(numbers) != 2 or None in numbers:
        return None
    latitude, longitude = numbers
    if latitude is None or longitude is None or abs(latitude) > 90 or abs(longitude) > 180:
        return None
    return Coordinates(latitude=latitude, longitude=longitude)


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


def _hours(value: Any) -> tuple[str, ...]:
    """Return the opening hours of the week, one line per day; a day may open twice."""
    week = [records_of(day) or (day,) for day in entries_of(record_of(value).get("days"))]
    lines = (_day(spans) for spans in week)
    return tuple(line for line in lines if line)


def _day(spans: Sequence[Any]) -> str | None:
    records = [span for span in spans if isinstance(span, Mapping)]
    name = next((text_of(one.get("full_name")) for one in records), None)
    times = [
        f"{opens}-{closes}"
        for one in records
        if (opens := text_of(one.get("opens"))) and (closes := text_of(one.get("closes")))
    ]
    return f"{name}: {', '.join(times)}" if name and times else None
