"""`local_search`: physical places, through the whole pipeline."""

import pytest

pytestmark = pytest.mark.anyio

KEY = {"BRAVE_API_KEY": "an-invented-key"}
HOST = "api.search.brave.com"
QUAY = {"latitude": 10.512, "longitude": 20.5}


async def test_a_place_has_everything_that_the_provider_says(call):
    reply = await call("local_search", {"query": "coffee", "near": "Port Meridian"}, **KEY)

    assert reply["places"][0] == {
        "id": "loc4AAAAA1=",
        "name": "Fog & Bean",
        "address": "1 Quay Street, Port Meridian",
        "lat": 10.5,
        "lon": 20.5,
        "phone": "+00 555 0101",
        "website": "https://fogandbean.example/",
        "categories": ["coffee"],
        "rating": 4.5,
        "ratingCount": 120,
        "hours": ["Thursday: 06:59-17:00"],
        "description": "A small roaster by the quay.",
        "source": "brave",
    }
    assert (reply["query"], reply["resultCount"], reply["provider"]) == ("coffee", 2, "brave")
    assert "description" not in reply["places"][1]


async def test_with_coordinates_the_nearest_place_comes_first(call):
    reply = await call("local_search", {"query": "coffee", **QUAY}, **KEY)

    names = [place["name"] for place in reply["places"]]
    assert names == ["Tidal Coffee", "Fog & Bean", "Lantern Coffee"]


async def test_a_radius_drops_what_lies_beyond(call):
    reply = await call("local_search", {"query": "coffee", **QUAY, "radius": 1_000}, **KEY)

    assert [place["name"] for place in reply["places"]] == ["Tidal Coffee"]


async def test_the_location_is_sent_with_the_first_request_alone(call, internet):
    await call("local_search", {"query": "coffee", **QUAY, "near": "Faro"}, **KEY)

    first, *others = internet.requests_to(HOST)
    assert [seen.path for seen in (first, *others)] == [
        "/res/v1/web/search",
        "/res/v1/local/pois",
        "/res/v1/local/descriptions",
    ]
    assert (first.headers["x-loc-lat"], first.headers["x-loc-long"]) == ("10.512000", "20.500000")
    assert "x-loc-city" not in first.headers
    assert not any(name.startswith("x-loc") for seen in others for name in seen.headers)
    assert "Faro" not in first.query


async def test_a_location_in_words_is_a_header_and_no_part_of_the_query(call, internet):
    await call("local_search", {"query": "coffee", "near": "Faro", "country": "pt"}, **KEY)

    first = internet.requests_to(HOST)[0]
    assert (first.headers["x-loc-city"], first.headers["x-loc-country"]) == ("Faro", "PT")
    assert "Faro" not in first.query


async def test_the_location_is_in_no_log(application):
    app = await application(**KEY)

    await app.call("local_search", {"query": "coffee", **QUAY})
    await app.aclose()

    settings = app.services.parts.settings
    for log in (settings.audit_output_path, settings.log_path):
        assert "10.512" not in (log.read_text(encoding="utf-8") if log.exists() else "")


async def test_without_descriptions_the_places_are_still_returned(application, internet):
    internet.breaks(HOST, status=500, path="/res/v1/local/descriptions")
    app = await application(**KEY)

    result = await app.call("local_search", {"query": "museum"})

    [place] = result.structured["places"]
    assert place["name"] == "Museum of Fog"
    assert "brave" in result.structured["descriptionsMissing"]


@pytest.mark.parametrize("path", ["/res/v1/web/search", "/res/v1/local/pois"])
async def test_a_step_that_fails_is_an_error_and_no_empty_list(application, internet, path):
    internet.breaks(HOST, status=500, path=path)

    result = await (await application(**KEY)).call("local_search", {"query": "museum"})

    assert result.is_error
    assert result.structured["error"]["provider"] == "brave"


@pytest.mark.parametrize(
    ("narrowed", "words"),
    [
        ({"latitude": 10.5}, "latitude and longitude must be given together"),
        ({"longitude": 10.5}, "latitude and longitude must be given together"),
        ({"latitude": 91, "longitude": 0}, "latitude"),
        ({"latitude": 0, "longitude": -181}, "longitude"),
        ({**QUAY, "radius": -1}, "radius"),
        ({"units": "furlongs"}, "units"),
        ({"query": " "}, "query"),
    ],
)
async def test_senseless_arguments_ask_nobody(call, internet, narrowed, words):
    reply = await call("local_search", {"query": "coffee", **narrowed}, **KEY)

    assert reply["error"]["kind"] == "validation"
    assert words in reply["error"]["detail"]
    assert internet.seen == []


async def test_nothing_found_has_hints_and_another_number_needs_no_second_search(
    application, internet
):
    app = await application(**KEY)

    none = await app.call("local_search", {"query": "volcano"})
    await app.call("local_search", {"query": "coffee", "num_results": 1})
    more = await app.call("local_search", {"query": "coffee", "num_results": 50})

    assert (none.structured["places"], none.structured["resultCount"]) == ([], 0)
    assert none.structured["hints"]["reason"]
    assert len(internet.requests_to(HOST)) == 4
    assert (more.structured["resultCount"], more.structured["requestedNumResults"]) == (3, 50)


async def test_without_a_key_it_is_not_listed(application):
    assert "local_search" not in (await application()).names()


async def test_another_provider_is_refused_with_its_name(call, internet):
    reply = await call("local_search", {"query": "coffee", "provider": "yelp"}, **KEY)

    assert "unknown provider 'yelp'" in reply["error"]["detail"]
    assert internet.seen == []


OSM = {"SOURCEWRIGHT_OSM": "1"}


async def test_openstreetmap_answers_without_a_key_and_is_named(call):
    reply = await call("local_search", {"query": "coffee", **QUAY}, **OSM)

    assert reply["provider"] == "openstreetmap"
    assert [(one["name"], one["source"]) for one in reply["places"]] == [
        ("Tidal Coffee", "openstreetmap"),
        ("Fog & Bean", "openstreetmap"),
    ]
    assert reply["searchedWithin"] == 25_000
    assert "OpenStreetMap contributors" in reply["attribution"]


async def test_openstreetmap_is_off_unless_it_is_turned_on(call, internet):
    reply = await call("local_search", {"query": "coffee", "provider": "openstreetmap"}, **KEY)

    assert "SOURCEWRIGHT_OSM" in reply["error"]["detail"]
    assert internet.seen == []


async def test_with_both_brave_is_asked_unless_openstreetmap_is_named(call):
    first = await call("local_search", {"query": "museum"}, **KEY, **OSM)
    other = await call(
        "local_search", {"query": "museum of", "provider": "openstreetmap"}, **KEY, **OSM
    )

    assert (first["provider"], other["provider"]) == ("brave", "openstreetmap")
    assert other["places"][0]["name"] == "Museum of Fog"


async def test_another_radius_is_another_search_of_openstreetmap(application):
    app = await application(**OSM)
    near = {"query": "coffee", **QUAY}

    small = await app.call("local_search", {**near, "radius": 300})
    large = await app.call("local_search", {**near, "radius": 2_000})
    again = await app.call("local_search", {**near, "radius": 2_000, "num_results": 1})

    assert [result.structured["resultCount"] for result in (small, large, again)] == [1, 2, 1]
    assert (large.meta["cached"], again.meta["cached"]) == (False, True)


async def test_a_remark_of_overpass_is_an_error_of_the_tool(call, internet):
    internet.says("overpass-api.de", {"elements": [], "remark": "runtime error: timed out"})

    reply = await call("local_search", {"query": "coffee", **QUAY}, **OSM)

    assert reply["error"]["provider"] == "openstreetmap"
    assert reply["error"]["retryable"]


async def test_a_radius_around_words_is_said_to_be_ignored(call):
    around = {"query": "coffee", "radius": 5}
    near = await call("local_search", {**around, "near": "Port Meridian"}, **KEY)
    at = await call("local_search", {**around, "latitude": 10.51, "longitude": 20.5}, **KEY)

    assert (near["filtersIgnored"], len(near["places"])) == (["radius"], 2)
    assert "filtersIgnored" not in at
    assert [one["name"] for one in at["places"]] == ["Tidal Coffee"]


@pytest.mark.parametrize("details", [None, [], [None, None]])
async def test_places_that_were_found_and_are_not_described_are_no_empty_result(
    call, internet, details
):
    answer = {"type": "local_pois", "results": details}
    internet.says(HOST, answer, path="/res/v1/local/pois")

    reply = await call("local_search", {"query": "coffee"}, **KEY)

    assert reply["error"]["kind"] == "upstream_unavailable"
    assert "details are missing" in reply["error"]["detail"]


@pytest.mark.parametrize(
    ("near", "city"),
    [
        ("São Paulo", "Sao Paulo"),
        ("Zürich, Kreis 4", "Zurich, Kreis 4"),
        ("Łódź", "Lodz"),
        ("Ærøskøbing", "Aeroskobing"),
        ("Straße des 17. Juni", "Strasse des 17. Juni"),
        ("東京 Tokyo", "Tokyo"),
    ],
)
async def test_a_city_keeps_its_letters_without_their_accents(call, internet, near, city):
    """HTTP headers are ASCII, and a city without some of its letters is another one."""
    reply = await call("local_search", {"query": "coffee", "near": near}, **KEY)

    assert internet.seen[0].headers["x-loc-city"] == city
    assert "filtersIgnored" not in reply


async def test_a_city_that_cannot_be_sent_is_said_to_be_ignored(call, internet):
    found = await call("local_search", {"query": "coffee", "near": "東京、"}, **KEY)
    none = await call("local_search", {"query": "volcano", "near": "東京"}, **KEY)

    assert not any("x-loc-city" in seen.headers for seen in internet.seen)
    assert found["filtersIgnored"] == none["filtersIgnored"] == ["near"]
    assert none["hints"]["filtersApplied"] == {}


async def test_a_long_query_is_cut_to_what_the_engine_takes(call):
    reply = await call("local_search", {"query": "coffee " * 200}, **KEY)

    assert reply["places"]
    assert "error" not in reply
