"""econ_search, through the tool, in the simulated world."""

import json

import pytest

from sourcewright.net.rate_ledger import RateBucket
from sourcewright.stores.pacing import SqliteLedger
from sourcewright.world.statistics import FRED_SERIES, WORLD_INDICATORS

pytestmark = pytest.mark.anyio

FRED, WORLDBANK = "api.stlouisfed.org", "api.worldbank.org"
OECD, EUROSTAT = "sdmx.oecd.org", "ec.europa.eu"
HOSTS = (FRED, WORLDBANK, OECD, EUROSTAT)
KEY = {"FRED_API_KEY": "an-invented-key"}
FLOW = "OECD.SDD.TID,DSD_TIDE@DF_QNA,1.1"
GDP = WORLD_INDICATORS[0]
OFFICES = {
    "fred": ({"series_id": "TIDEGDP"}, FRED),
    "worldbank": ({"series_id": GDP.id, "country": "TID"}, WORLDBANK),
    "oecd": ({"series_id": FLOW, "country": "TID"}, OECD),
    "eurostat": ({"series_id": "une_tide_m", "country": "TI"}, EUROSTAT),
}


@pytest.fixture
def econ(answer):
    async def ask(settings=KEY, **arguments):
        return await answer("econ_search", arguments, **settings)

    return ask


def error_of(result):
    assert result.is_error
    return result.structured["error"]


async def test_with_a_key_fred_is_asked_and_nobody_else(econ, internet):
    response = (await econ(query="gross domestic product")).structured

    assert (response["mode"], response["provider"]) == ("series", "fred")
    [series] = response["results"]
    assert (series["seriesId"], series["title"]) == ("TIDEGDP", FRED_SERIES[0].title)
    assert series["units"].startswith("Billions of Tidal Crowns")
    assert (series["frequency"], series["popularity"]) == ("Quarterly", 93)
    assert series["notes"] == "Invented for the simulated world."
    assert {seen.host for seen in internet.seen} == {FRED}
    assert response["trust"] == "untrusted-external-content"


async def test_without_a_key_the_world_bank_is_first(econ, internet):
    response = (await econ({}, query="tidal gdp growth")).structured

    assert response["provider"] == "worldbank"
    assert [one["seriesId"] for one in response["results"]] == ["TI.GDP.MKTP.KD.ZG"]
    assert {seen.host for seen in internet.seen} == {WORLDBANK}


@pytest.mark.parametrize(
    ("provider", "query", "found"),
    [
        ("worldbank", "gdp tidal capita", "TI.GDP.PCAP.CD"),
        ("oecd", "quarterly GDP growth", FLOW),
        ("eurostat", "sex unemployment", "une_tide_m"),
        ("eurostat", "une_tide_m", "une_tide_m"),
    ],
)
async def test_a_catalogue_is_fetched_once_and_every_word_must_occur(
    econ, internet, provider, query, found
):
    first = await econ(query=query, provider=provider)
    requests = len(internet.seen)
    second = await econ(query=query.upper(), provider=provider)
    none = await econ(query=f"{query} unicorns", provider=provider)

    assert first.structured["results"] == second.structured["results"]
    assert first.structured["results"][0]["seriesId"] == found
    assert none.structured["results"] == []
    assert len(internet.seen) == requests
    assert (first.meta["cached"], second.meta["cached"]) == (False, True)
    assert second.meta["maxAgeSeconds"] == 86400


@pytest.mark.parametrize("provider", OFFICES)
async def test_observations_are_the_latest_first_and_cached_for_six_hours(
    econ, internet, provider
):
    arguments, host = OFFICES[provider]
    first = await econ(provider=provider, num_results=4, **arguments)
    again = await econ(provider=provider, num_results=4, **arguments)

    response = first.structured
    assert (response["mode"], response["seriesId"]) == ("observations", arguments["series_id"])
    assert response["resultCount"] == len(response["results"]) == 4
    dates = [one["date"] for one in response["results"]]
    assert dates == sorted(dates, reverse=True)
    assert dates[0].startswith("2025")
    assert {seen.host for seen in internet.seen} == {host}
    assert again.structured == response
    assert (again.meta["cached"], again.meta["maxAgeSeconds"]) == (True, 6 * 3600)


@pytest.mark.parametrize("provider", OFFICES)
async def test_with_a_start_the_first_observations_on_or_after_it_come_first(econ, provider):
    arguments, _ = OFFICES[provider]
    response = (
        await econ(provider=provider, num_results=3, date_from="2019", **arguments)
    ).structured

    dates = [one["date"] for one in response["results"]]
    assert dates == sorted(dates)
    assert dates[0].startswith("2019")
    assert len(dates) == 3


async def test_ten_observations_and_five_series_are_the_defaults(econ):
    observed = await econ(series_id="TIDEGDP")
    found = await econ(query="tidal", provider="worldbank")

    assert observed.structured["resultCount"] == 10
    assert found.structured["resultCount"] == min(5, 3)


async def test_figures_are_published_digits_and_missing_ones_have_no_value(econ):
    response = (await econ(provider="worldbank", series_id=GDP.id, country="TI")).structured

    missing, *others = response["results"]
    assert missing["date"] == "2025"
    assert "value" not in missing
    for one in others:
        digits = one.get("valueText", str(one["value"]))
        assert digits == GDP.figure(f"{one['date']}-01-01", "TID")
        assert one["value"] == float(digits)
    assert response["country"] == "TI"
    assert response["series"]["title"] == GDP.title


async def test_digits_that_no_double_has_are_passed_on_as_text(econ, internet):
    row = {
        "indicator": {"id": "X", "value": "X"},
        "country": {"id": "1W", "value": "World"},
        "date": "2024",
    }
    facts = {"page": 1, "pages": 1, "per_page": 5, "total": 2}
    body = json.dumps([facts, [row | {"value": "@"}, row | {"value": "#"}]])
    body = body.replace('"@"', "0.12345678901234567890").replace('"#"', "2.50")
    internet.says(WORLDBANK, body.encode())

    response = (await econ(provider="worldbank", series_id="X")).structured

    assert response["results"][0]["value"] == "0.12345678901234567890"
    assert (response["results"][1]["value"], response["results"][1]["valueText"]) == (2.5, "2.50")
    assert response["country"] == "WLD"


async def test_interleaved_series_are_told_apart_and_what_is_not_shown_is_said(econ):
    response = (await econ(provider="eurostat", series_id="une_tide_m", num_results=5)).structured

    titles = [one["title"] for one in response["results"]]
    assert len(set(titles)) == 5
    assert all(one["units"] in one["title"] for one in response["results"])
    assert {one["notes"] for one in response["results"]} == {"provisional"}
    assert response["truncationWarning"] == (
        "Showing 5 of at least 12 observations of 12 series. Narrow with country, dimensions "
        "or dates, or raise num_results."
    )


@pytest.mark.parametrize(
    "dimensions",
    [
        {"sex": "F", "unit": "THS_PER"},
        ["sex=F", "unit=THS_PER"],
        ["unit = THS_PER", "sex = F"],
        '{"sex": "F", "unit": "THS_PER"}',
    ],
)
async def test_dimensions_narrow_a_data_set_to_one_series(econ, dimensions):
    response = (
        await econ(
            provider="eurostat",
            series_id="une_tide_m",
            country="TI",
            dimensions=dimensions,
        )
    ).structured

    assert len({one["title"] for one in response["results"]}) == 1
    assert response["results"][0]["dimensions"] == {
        "freq": "M",
        "unit": "THS_PER",
        "sex": "F",
        "geo": "TI",
    }
    assert "truncationWarning" not in response


async def test_filters_that_an_office_has_not_are_named(econ):
    fred = (await econ(series_id="TIDEGDP", country="US")).structured
    bank = (await econ(provider="worldbank", series_id=GDP.id, frequency="q")).structured

    assert fred["filtersIgnored"] == ["country"]
    assert bank["filtersIgnored"] == ["frequency"]


@pytest.mark.parametrize(
    ("provider", "series"),
    [
        ("fred", "NOBODYS"),
        ("worldbank", "NO.BO.DYS"),
        ("oecd", "OECD,NOBODYS,1.0"),
        ("eurostat", "nobodys"),
    ],
)
async def test_a_series_that_does_not_exist_is_a_zero_result_with_hints(econ, provider, series):
    result = await econ(provider=provider, series_id=series, country="TI", date_from="2020")

    response = result.structured
    assert (response["results"], response["resultCount"], response["provider"]) == (
        [],
        0,
        provider,
    )
    assert response["hints"]["reason"] == "filters_too_restrictive"
    assert response["hints"]["filtersApplied"] == {"country": "TI", "date_from": "2020"}
    assert "does not prove" in response["hints"]["epistemicWarning"]


@pytest.mark.parametrize(
    ("provider", "series", "office"),
    [
        ("fred", "NY.GDP.MKTP.CD", "worldbank"),
        ("fred", "une_rt_m", "eurostat"),
        ("worldbank", "une_rt_m", "eurostat"),
        ("fred", "OECD.SDD.NAD,DSD_NAMAIN1@DF_QNA,1.1", "oecd"),
        ("worldbank", "CPIAUCSL", "fred"),
    ],
)
async def test_an_id_of_another_office_suggests_that_office_first(econ, provider, series, office):
    result = await econ(provider=provider, series_id=series, country="TI", date_from="2020")

    first = result.structured["hints"]["suggestedActions"][0]
    assert (first["action"], first["value"]) == ("try_different_provider", office)


@pytest.mark.parametrize(
    ("provider", "series", "code"),
    [("worldbank", GDP.id, "DEU"), ("oecd", FLOW, "DEU"), ("eurostat", "une_tide_m", "EL")],
)
async def test_the_name_of_a_country_finds_nothing_and_the_hint_says_which_code_to_use(
    econ, provider, series, code
):
    arguments = {"country": "Germany", "date_from": "2020", "date_to": "2024"}

    result = await econ(provider=provider, series_id=series, **arguments)

    assert result.structured["results"] == []
    actions = result.structured["hints"]["suggestedActions"]
    detail = next(one["detail"] for one in actions if one.get("parameter") == "country")
    assert "country=GERMANY, or use" in detail
    assert code in detail


async def test_an_office_without_a_key_is_not_suggested(econ):
    result = await econ(settings={}, provider="worldbank", series_id="CPIAUCSL", country="TI")

    values = [one.get("value") for one in result.structured["hints"]["suggestedActions"]]
    assert "fred" not in values


async def test_an_empty_answer_is_not_cached(econ, internet):
    await econ(series_id="NOBODYS")
    await econ(series_id="NOBODYS")

    assert len(internet.requests_to(FRED)) == 2


@pytest.mark.parametrize("provider", OFFICES)
@pytest.mark.parametrize("status", [429, 500, 503])
async def test_an_office_that_fails_is_named_and_nobody_else_is_asked(
    econ, internet, provider, status
):
    arguments, host = OFFICES[provider]
    internet.breaks(host, status=status)

    error = error_of(await econ(provider=provider, **arguments))

    assert error["provider"] == provider
    assert error["kind"] == ("rate_limited" if status == 429 else "upstream_unavailable")
    assert {seen.host for seen in internet.seen} == {host}


@pytest.mark.parametrize("provider", OFFICES)
@pytest.mark.parametrize("changed", [{}, [], {"data": {}}, [{"total": 3}, []], "sorry"])
async def test_a_changed_answer_is_an_error_and_never_an_empty_list(
    econ, internet, provider, changed
):
    arguments, host = OFFICES[provider]
    internet.says(host, changed)

    error = error_of(await econ(provider=provider, **arguments))

    assert (error["provider"], error["kind"]) == (provider, "upstream_unavailable")


async def test_an_unknown_provider_is_refused_with_those_that_there_are(econ, internet):
    error = error_of(await econ(query="gdp", provider="imf"))

    assert error["kind"] == "config"
    assert set(error["alternatives"]) == {"fred", "worldbank", "oecd", "eurostat"}
    assert not internet.seen


async def test_an_unconfigured_provider_is_refused_with_the_variable_to_set(econ, internet):
    error = error_of(await econ({}, query="gdp", provider="fred"))

    assert error["kind"] == "config"
    assert "FRED_API_KEY" in error["detail"]
    assert not internet.seen


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "query or series_id is required"),
        ({"series_id": "X", "date_from": "soon"}, "must be a date such as 2015"),
        ({"series_id": "X", "date_from": "2020", "date_to": "2019"}, "later than date_to"),
        ({"series_id": "X", "country": "a/b"}, "must be a country code"),
        ({"series_id": "X", "dimensions": {"sex": "F&x=1"}}, "dimensions"),
        ({"series_id": "X", "dimensions": ["sex"]}, "dimensions"),
        ({"series_id": "X", "dimensions": ["sex=F", 7]}, "dimensions"),
        ({"series_id": "a b c", "provider": "oecd"}, "agency,dataflow,version"),
    ],
)
async def test_a_question_without_meaning_is_refused_before_anyone_is_asked(
    econ, internet, arguments, words
):
    error = error_of(await econ(**arguments))

    assert error["kind"] == "validation"
    assert words in error["detail"]
    assert not internet.seen


async def test_the_key_is_in_no_answer_and_in_no_log(econ, internet, tmp_path):
    internet.breaks(FRED, status=500)

    result = await econ(series_id="TIDEGDP")

    assert "an-invented-key" not in result.text
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not any(b"an-invented-key" in path.read_bytes() for path in files)


async def test_what_was_found_is_recorded_in_the_session(application):
    app = await application(**KEY)
    started = await app.call(
        "sequential_search", {"searchStep": "figures", "stepNumber": 1, "nextStepNeeded": True}
    )
    session = started.structured["sessionId"]

    await app.call("econ_search", {"series_id": "TIDEGDP", "sessionId": session})
    await app.call("econ_search", {"query": "kelp", "sessionId": session})

    kept = (await app.call("get_research_session", {"sessionId": session})).structured
    assert {one["url"] for one in kept["sources"]} == {
        "https://fred.stlouisfed.org/series/TIDEGDP",
        "https://fred.stlouisfed.org/series/KELPCPI",
    }


async def test_the_sixty_downloads_of_an_hour_are_shared_by_processes_and_then_refused(
    application, internet
):
    """Another process has used them up: all share one ledger. The catalogue is no download."""
    app = await application(SOURCEWRIGHT_SANDBOX_PACE="1")
    hour = RateBucket(
        name=f"{internet.url} oecd downloads", starts=60, per_seconds=3600.0, gap_seconds=0.2
    )
    ledger = SqliteLedger(app.services.parts.settings.pacing_path)
    lately = app.services.parts.clock.now() - 600
    for count in range(60):
        assert ledger.ask(f"t{count}", (hour,), lately + count).wait == 0.0
        ledger.started(f"t{count}", lately + count)
    ledger.close()

    refused = await app.call("econ_search", {"series_id": FLOW, "provider": "oecd"})
    listed = await app.call("econ_search", {"query": "quarterly GDP growth", "provider": "oecd"})

    error = refused.structured["error"]
    assert (error["kind"], error["provider"]) == ("rate_limited", "oecd")
    assert 2_900 < error["retryAfterSeconds"] < 3_100
    assert listed.structured["resultCount"] > 0
    assert not any("/data/" in seen.path for seen in internet.requests_to(OECD))


@pytest.mark.parametrize("office", OFFICES)
async def test_a_404_of_somebody_on_the_way_does_not_mean_that_there_is_no_series(
    econ, internet, office
):
    arguments, host = OFFICES[office]
    internet.breaks(host, status=404, body="<html>Not Found</html>", content_type="text/html")

    error = error_of(await econ(**arguments, provider=office))

    assert (error["provider"], error["kind"]) == (office, "upstream_unavailable")


@pytest.mark.parametrize(
    "words",
    [
        "NoRecordsFound",
        "NoResultsFound",
        "Could not find Dataflow and/or DSD related with this data request",
        "Could not find requested structures",
    ],
)
async def test_what_the_oecd_does_not_have_is_absent_in_each_of_its_wordings(
    econ, internet, words
):
    internet.breaks(OECD, status=404, body=words, content_type="text/plain")

    result = await econ(series_id=FLOW, country="TID", provider="oecd")

    assert (result.structured["results"], result.is_error) == ([], False)


async def test_arguments_without_effect_on_a_search_for_series_are_named(econ):
    arguments = {"query": "gdp", "country": "DE", "date_from": "2020", "dimensions": {"sex": "F"}}

    answer = (await econ(**arguments)).structured

    assert answer["mode"] == "series"
    assert answer["filtersIgnored"] == ["country", "date_from", "dimensions"]


async def test_dimensions_have_no_effect_on_fred(econ):
    answer = (await econ(series_id="TIDEGDP", dimensions={"sex": "F"})).structured

    assert answer["filtersIgnored"] == ["dimensions"]
