"""OpenStreetMap: Nominatim and Overpass, with their faults."""

import pytest

from sourcewright.base.errors import BadAnswer, RateLimited, Unavailable
from sourcewright.domain.records.places import Coordinates, PlaceQuery, Places
from sourcewright.providers.openstreetmap.queries import overpass_query, tags_of

pytestmark = pytest.mark.anyio

ON = {"SOURCEWRIGHT_OSM": "1"}
NOMINATIM, OVERPASS = "nominatim.openstreetmap.org", "overpass-api.de"
QUAY = Coordinates(latitude=10.512, longitude=20.5)


@pytest.fixture
async def osm(provide):
    return await provide("openstreetmap", **ON)


async def test_a_category_around_a_point_is_asked_of_overpass_wider_and_wider(osm, internet):
    found = await osm.search_places(PlaceQuery(text="Coffee shops", limit=5, anchor=QUAY))

    assert [one.name for one in found.places] == ["Tidal Coffee", "Fog & Bean"]
    assert found.places[1].address == "1 Quay Street, Port Meridian"
    assert found.places[1].phone == "+00 555 0101"
    assert found.places[1].hours == ("Mo-Fr 07:00-17:00",)
    assert found.within == 25_000.0
    assert "OpenStreetMap contributors" in found.attribution
    assert [seen.host for seen in internet.seen] == [OVERPASS] * 3


async def test_a_radius_ends_the_search(osm, internet):
    query = PlaceQuery(text="coffee", limit=5, anchor=QUAY, radius=300)

    found = await osm.search_places(query)

    assert [one.name for one in found.places] == ["Tidal Coffee"]
    assert (found.within, len(internet.seen)) == (300.0, 1)


async def test_a_town_is_looked_up_before_a_category(osm, internet):
    found = await osm.search_places(PlaceQuery(text="museum", limit=5, near="Faro", country="PT"))

    assert [(one.id, one.name) for one in found.places] == [("way/1003", "Museum of Fog")]
    assert "countrycodes=pt" in internet.requests_to(NOMINATIM)[0].query


async def test_a_name_is_searched_in_nominatim_and_only_around_the_point(osm):
    somewhere = await osm.search_places(PlaceQuery(text="lantern", limit=5))
    here = await osm.search_places(PlaceQuery(text="lantern", limit=5, anchor=QUAY))

    [place] = somewhere.places
    assert (place.name, place.address) == ("Lantern Coffee", "2 Hill Lane, Faro, Norland")
    assert place.categories == ("cafe",)
    assert here == Places(places=())


async def test_an_unknown_town_has_no_places(osm, internet):
    assert await osm.search_places(PlaceQuery(text="coffee", limit=5, near="Nowhere")) == Places(
        places=()
    )
    assert internet.requests_to(OVERPASS) == []


async def test_every_request_names_us(osm, internet):
    await osm.search_places(PlaceQuery(text="museum", limit=5, near="Faro"))

    assert all(seen.headers["user-agent"].startswith("sourcewright/") for seen in internet.seen)


REMARK = 'runtime error: Query timed out in "query" at line 1 after 16 seconds.'


async def test_a_query_that_timed_out_is_an_error_and_no_empty_list(osm, internet):
    internet.says(OVERPASS, {"version": 0.6, "elements": [], "remark": REMARK})

    with pytest.raises(Unavailable, match="timed out"):
        await osm.search_places(PlaceQuery(text="coffee", limit=5, anchor=QUAY))


@pytest.mark.parametrize(
    ("status", "kind"), [(429, RateLimited), (504, Unavailable), (400, BadAnswer)]
)
async def test_a_refusal_of_overpass_is_an_error_of_its_kind(osm, internet, status, kind):
    internet.breaks(OVERPASS, status=status)

    with pytest.raises(kind):
        await osm.search_places(PlaceQuery(text="coffee", limit=5, anchor=QUAY))


async def test_a_complaint_of_nominatim_is_shown_in_its_own_words(osm, internet):
    body = {"error": {"code": 400, "message": "Bounded search needs a viewbox."}}
    internet.says(NOMINATIM, body, status=400)

    with pytest.raises(BadAnswer, match="Bounded search needs a viewbox"):
        await osm.search_places(PlaceQuery(text="lantern", limit=5))


@pytest.mark.parametrize(
    "answer",
    [
        {"elements": [{"type": "node", "id": 1, "tags": {}}]},
        {"elements": [{"type": "node", "id": 1, "lat": 95, "lon": 0, "tags": {}}]},
        {"elements": {}},
        {},
    ],
)
async def test_an_answer_of_another_shape_is_an_error(osm, internet, answer):
    internet.says(OVERPASS, answer)

    with pytest.raises(BadAnswer):
        await osm.search_places(PlaceQuery(text="coffee", limit=5, anchor=QUAY))


async def test_so_many_places_that_some_are_left_out_are_an_error(osm, internet):
    one = {"type": "node", "id": 1, "lat": 10.5, "lon": 20.5, "tags": {"amenity": "cafe"}}
    internet.says(OVERPASS, {"elements": [one] * 2000})

    with pytest.raises(BadAnswer, match="more than 2000"):
        await osm.search_places(PlaceQuery(text="coffee", limit=5, anchor=QUAY))


@pytest.mark.parametrize(
    ("words", "tag"),
    [
        ("Cafés", ("amenity", "cafe")),
        ("coffee near me", ("amenity", "cafe")),
        ("Pharmacies", ("amenity", "pharmacy")),
        ("churches", ("amenity", "place_of_worship")),
        ("gas stations", ("amenity", "fuel")),
    ],
)
def test_everyday_words_are_tags(words, tag):
    assert tags_of(words) == (tag,)


@pytest.mark.parametrize("words", ["Fog & Bean", "", '"];out;', "Barnes"])
def test_a_name_is_no_category(words):
    assert tags_of(words) == ()


def test_nothing_that_a_user_writes_is_in_an_overpass_query():
    query = overpass_query((("amenity", "cafe"),), QUAY, 300.0)

    assert query == (
        '[out:json][timeout:15];(nwr["amenity"="cafe"](around:300,10.512000,20.500000););'
        "out center tags 2000;"
    )
