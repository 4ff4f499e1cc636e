"""OpenStreetMap: Nominatim's search and Overpass, over invented towns; both want a user agent."""

import math
import re
from typing import Any

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import HTML, Request, Response, as_json, as_text
from sourcewright.world.towns import PLACES, TownPlace

NOMINATIM, OVERPASS = "nominatim.openstreetmap.org", "overpass-api.de"
HOSTS = (NOMINATIM, OVERPASS)
_TOWNS = {"port meridian": (10.505, 20.5), "faro": (10.9, 20.9)}
_TAGS = {"coffee": ("amenity", "cafe"), "museum": ("tourism", "museum")}
_CONDITION = re.compile(r'nwr\["(\w+)"="(\w+)"\]\(around:(\d+),(-?[\d.]+),(-?[\d.]+)\);')
_LICENCE = "Data \u00a9 OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright"


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    if not request.headers.get("user-agent"):
        return as_text("<html><h1>Access blocked</h1></html>", status=403, content_type=HTML)
    if request.host == OVERPASS:
        return _overpass(dict(request.params).get("data", ""))
    if request.path != "/search":
        return as_text("<html><h1>Not found</h1></html>", status=404, content_type=HTML)
    return _nominatim(dict(request.params))


def _nominatim(params: dict[str, str]) -> Response:
    words = params.get("q", "").lower()
    if not words or params.get("format") != "geojson":
        error = {"code": 400, "message": "Nothing to search for."}
        return as_json({"error": error}, status=400)
    towns = [_town(name, *at) for name, at in _TOWNS.items() if name == words]
    places = [_feature(one) for one in PLACES if words in one.name.lower() and _is_in(one, params)]
    features = (towns or places)[: int(params.get("limit", "10"))]
    return as_json({"type": "FeatureCollection", "licence": _LICENCE, "features": features})


def _is_in(place: TownPlace, params: dict[str, str]) -> bool:
    if params.get("bounded") != "1":
        return True
    west, north, east, south = map(float, params["viewbox"].split(","))
    return west <= place.longitude <= east and south <= place.latitude <= north


def _town(name: str, latitude: float, longitude: float) -> dict[str, Any]:
    properties = {
        "osm_type": "relation",
        "osm_id": 77,
        "category": "place",
        "type": "town",
        "name": name.title(),
        "display_name": f"{name.title()}, Norland",
    }
    return _geojson(properties, latitude, longitude)


def _feature(place: TownPlace) -> dict[str, Any]:
    properties = {
        "osm_type": "node",
        "osm_id": _number(place),
        "category": _TAGS[place.kind][0],
        "type": _TAGS[place.kind][1],
        "name": place.name,
        "display_name": f"{place.name}, {place.address}, Norland",
        "extratags": _extra(place) or None,
    }
    return _geojson(properties, place.latitude, place.longitude)


def _geojson(properties: dict[str, Any], latitude: float, longitude: float) -> dict[str, Any]:
    geometry = {"type": "Point", "coordinates": [longitude, latitude]}
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def _extra(place: TownPlace) -> dict[str, str]:
    known = {"phone": place.phone, "website": place.site, "opening_hours": "Mo-Fr 07:00-17:00"}
    return {name: value for name, value in known.items() if value and place.site}


def _overpass(query: str) -> Response:
    conditions = _CONDITION.findall(query)
    if not conditions or "[out:json]" not in query:
        page = "<html><p><strong>Error</strong>: line 1: parse error: Unknown type</p></html>"
        return as_text(page, status=400, content_type=HTML)
    elements = [
        _element(place)
        for place in PLACES
        for key, value, radius, latitude, longitude in conditions
        if _TAGS[place.kind] == (key, value)
        and _metres(place, float(latitude), float(longitude)) <= float(radius)
    ]
    base = {"timestamp_osm_base": "2026-01-01T00:00:00Z", "copyright": _LICENCE}
    return as_json(
        {"version": 0.6, "generator": "Overpass API", "osm3s": base, "elements": elements}
    )


def _element(place: TownPlace) -> dict[str, Any]:
    street, _, city = place.address.partition(", ")
    number, _, name = street.partition(" ")
    key, value = _TAGS[place.kind]
    tags = {
        key: value,
        "name": place.name,
        "addr:housenumber": number,
        "addr:street": name,
        "addr:city": city,
        **_extra(place),
    }
    point = {"lat": place.latitude, "lon": place.longitude}
    if place.kind == "museum":
        return {"type": "way", "id": _number(place), "center": point, "tags": tags}
    return {"type": "node", "id": _number(place), **point, "tags": tags}


def _number(place: TownPlace) -> int:
    return 1000 + PLACES.index(place)


def _metres(place: TownPlace, latitude: float, longitude: float) -> float:
    high = (place.latitude - latitude) * 111_320
    wide = (place.longitude - longitude) * 111_320 * math.cos(math.radians(latitude))
    return math.hypot(high, wide)
