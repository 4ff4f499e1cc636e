"""Queries to Nominatim and Overpass: words of everyday language as tags of OpenStreetMap."""

import math
import re
from collections.abc import Mapping

from sourcewright.base.text.words import fold_for_search
from sourcewright.domain.records.places import Coordinates, PlaceQuery

Tag = tuple[str, str]

RADII = (1_000.0, 5_000.0, 25_000.0)
"""Metres around a point that are searched, one after the other."""
MAX_ELEMENTS = 2000
MAX_NAMED = 40
"""The most that Nominatim returns."""
_METRES_PER_DEGREE = 111_320.0
_TIMEOUT_SECONDS = 15

_WORDS_BY_TAG: Mapping[Tag, str] = {
    ("amenity", "cafe"): "cafe coffee coffee_shop coffee_house",
    ("amenity", "restaurant"): "restaurant dinner food",
    ("amenity", "fast_food"): "fast_food takeaway takeout",
    ("amenity", "bar"): "bar cocktail_bar",
    ("amenity", "pub"): "pub",
    ("amenity", "ice_cream"): "ice_cream",
    ("amenity", "pharmacy"): "pharmacy drugstore chemist",
    ("amenity", "hospital"): "hospital",
    ("amenity", "clinic"): "clinic",
    ("amenity", "doctors"): "doctor physician",
    ("amenity", "dentist"): "dentist",
    ("amenity", "veterinary"): "vet veterinary veterinarian",
    ("amenity", "bank"): "bank",
    ("amenity", "atm"): "atm cash_machine",
    ("amenity", "post_office"): "post_office",
    ("amenity", "library"): "library",
    ("amenity", "school"): "school",
    ("amenity", "university"): "university",
    ("amenity", "kindergarten"): "kindergarten nursery",
    ("amenity", "cinema"): "cinema movie_theater movie_theatre",
    ("amenity", "theatre"): "theatre theater",
    ("amenity", "nightclub"): "nightclub",
    ("amenity", "fuel"): "fuel gas_station petrol_station filling_station",
    ("amenity", "charging_station"): "charging_station ev_charger",
    ("amenity", "parking"): "parking car_park parking_lot",
    ("amenity", "toilets"): "toilet restroom public_toilet",
    ("amenity", "police"): "police police_station",
    ("amenity", "fire_station"): "fire_station",
    ("amenity", "place_of_worship"): "church mosque temple synagogue place_of_worship",
    ("amenity", "townhall"): "town_hall city_hall",
    ("amenity", "marketplace"): "market marketplace",
    ("amenity", "drinking_water"): "drinking_water",
    ("tourism", "hotel"): "hotel",
    ("tourism", "hostel"): "hostel",
    ("tourism", "guest_house"): "guest_house bed_and_breakfast",
    ("tourism", "camp_site"): "camp_site campsite campground",
    ("tourism", "museum"): "museum",
    ("tourism", "gallery"): "gallery art_gallery",
    ("tourism", "attraction"): "attraction sight tourist_attraction",
    ("tourism", "zoo"): "zoo",
    ("leisure", "park"): "park",
    ("leisure", "playground"): "playground",
    ("leisure", "fitness_centre"): "gym fitness_center fitness_centre",
    ("leisure", "swimming_pool"): "swimming_pool",
    ("leisure", "sports_centre"): "sports_centre sports_center",
    ("shop", "supermarket"): "supermarket grocery groceries grocery_store",
    ("shop", "convenience"): "convenience_store corner_shop",
    ("shop", "bakery"): "bakery",
    ("shop", "butcher"): "butcher",
    ("shop", "books"): "bookshop bookstore book_shop book_store",
    ("shop", "clothes"): "clothes_shop clothing_store",
    ("shop", "bicycle"): "bicycle_shop bike_shop",
    ("shop", "hairdresser"): "hairdresser barber",
    ("shop", "hardware"): "hardware_store",
    ("shop", "florist"): "florist flower_shop",
    ("railway", "station"): "train_station railway_station",
    ("aeroway", "aerodrome"): "airport",
}
_TAGS = {
    word.replace("_", " "): tag for tag, words in _WORDS_BY_TAG.items() for word in words.split()
}
_BESIDES = re.compile(
    r"\b(?:near me|nearby|near here|around here|the|a|best|good|local|open now)\b"
)


def tags_of(text: str) -> tuple[Tag, ...]:
    """The tags that a category in words stands for; none if it is a name."""
    words = " ".join(_BESIDES.sub(" ", fold_for_search(text[:200])).split())
    singular = words.removesuffix("s")
    others = (words, singular, words.removesuffix("es"), f"{words.removesuffix('ies')}y")
    tag = next((_TAGS[one] for one in others if one in _TAGS), None)
    return (tag,) if tag else ()


def town_params(query: PlaceQuery) -> dict[str, str]:
    """Parameters that look up the town or district of a search."""
    return {"q": query.near or "", "format": "geojson", "limit": "1", **_country(query)}


def named_params(query: PlaceQuery, centre: Coordinates | None) -> dict[str, str]:
    """Parameters that search places by name, around a point if there is one."""
    params = {
        "q": query.text,
        "format": "geojson",
        "limit": str(MAX_NAMED),
        "addressdetails": "1",
        "extratags": "1",
        **_country(query),
    }
    if centre is None:
        return params
    return {**params, "viewbox": _viewbox(centre, query.radius or RADII[-1]), "bounded": "1"}


def overpass_query(tags: tuple[Tag, ...], centre: Coordinates, radius: float) -> str:
    """An Overpass query for everything with these tags around a point."""
    around = f"(around:{radius:.0f},{centre.latitude:.6f},{centre.longitude:.6f})"
    conditions = "".join(f'nwr["{key}"="{value}"]{around};' for key, value in tags)
    return f"[out:json][timeout:{_TIMEOUT_SECONDS}];({conditions});out center tags {MAX_ELEMENTS};"


def _country(query: PlaceQuery) -> dict[str, str]:
    return {"countrycodes": query.country.lower()} if query.country else {}


def _viewbox(centre: Coordinates, radius: float) -> str:
    """The box around a circle: left, top, right, bottom."""
    high = min(radius / _METRES_PER_DEGREE, 90.0)
    wide = min(high / max(math.cos(math.radians(centre.latitude)), 0.01), 180.0)
    south, north = max(centre.latitude - high, -90.0), min(centre.latitude + high, 90.0)
    west, east = max(centre.longitude - wide, -180.0), min(centre.longitude + wide, 180.0)
    return f"{west:.6f},{north:.6f},{east:.6f},{south:.6f}"
