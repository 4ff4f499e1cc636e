"""The World Bank, against the simulated site, with unusual answers, and every recorded answer."""

from urllib.parse import parse_qs

import pytest

from sourcewright.base.errors import BadRequest, NotFound
from sourcewright.domain.records.economy import ObservationQuery
from sourcewright.domain.records.figures import figure_of, parse_figures
from sourcewright.providers.worldbank import read_page
from sourcewright.world.statistics import WORLD_INDICATORS

pytestmark = pytest.mark.anyio

HOST = "api.worldbank.org"
GDP = WORLD_INDICATORS[0]


@pytest.fixture
async def worldbank(provide):
    return await provide("worldbank")


def query(**fields):
    return ObservationQuery(**({"series_id": GDP.id, "limit": 5} | fields))


async def test_the_whole_catalogue_is_read_page_by_page(worldbank, internet):
    catalogue = await worldbank.list_series()

    assert [one.series_id for one in catalogue.series] == [one.id for one in WORLD_INDICATORS]
    assert len(internet.requests_to(HOST)) == 2


async def test_the_latest_years_come_first_with_all_their_digits(worldbank):
    found = await worldbank.observe_series(query(country="TID"))

    years = ["2025", "2024", "2023", "2022", "2021"]
    published = [(year, GDP.figure(f"{year}-01-01", "TID")) for year in years]
    assert [(one.date, one.value) for one in found.observations] == published
    assert published[0][1] is None
    assert len(published[1][1].partition(".")[2]) == 9
    assert (found.available, found.series.title) == (30, GDP.title)


async def test_without_a_country_it_is_the_world(worldbank, internet):
    await worldbank.observe_series(query())

    assert internet.requests_to(HOST)[0].path == f"/v2/country/WLD/indicator/{GDP.id}"


async def test_a_start_is_where_it_begins_and_an_end_alone_is_no_single_year(worldbank, internet):
    since = await worldbank.observe_series(query(country="TID", date_from="2010-06-01", limit=3))
    until = await worldbank.observe_series(query(country="TID", date_to="2010", limit=3))

    assert [one.date for one in since.observations] == ["2010", "2011", "2012"]
    assert [one.date for one in until.observations] == ["2010", "2009", "2008"]
    spans = [parse_qs(seen.query)["date"][0] for seen in internet.requests_to(HOST)]
    assert spans[0].startswith("2010:20")
    assert spans[1] == "1900:2010"


async def test_several_economies_each_have_their_latest(worldbank):
    found = await worldbank.observe_series(query(country="TID;MER", limit=4))

    assert [(one.date, one.title) for one in found.observations] == [
        ("2025", "Tidal Isles"),
        ("2025", "Meridian"),
        ("2024", "Tidal Isles"),
        ("2024", "Meridian"),
    ]
    assert found.series_count == 2


@pytest.mark.parametrize("fields", [{"series_id": "NO.SUCH"}, {"country": "QQQ"}])
async def test_what_it_does_not_have_is_absent(worldbank, fields):
    with pytest.raises(NotFound):
        await worldbank.observe_series(query(**fields))


async def test_years_without_data_are_no_observations(worldbank):
    found = await worldbank.observe_series(query(date_from="1950", date_to="1951"))

    assert (found.observations, found.available, found.series) == ((), 0, None)


async def test_other_messages_are_passed_on_in_its_own_words(worldbank, internet):
    message = {"id": "150", "key": "Language", "value": "Response requested in an unsupported one"}
    internet.says(HOST, [{"message": [message]}])

    with pytest.raises(BadRequest, match="unsupported one"):
        await worldbank.observe_series(query())


async def test_filters_that_it_has_not_are_named(worldbank):
    found = await worldbank.observe_series(query(frequency="q", units="pch"))

    assert found.ignored == ("frequency", "units")


RECORDED = {
    "ny-gdp-mktp-cd-usa-p1of9.json": {
        ("USA", "2025"): "30769700000000",
        ("USA", "2024"): "29298013000000",
        ("USA", "2023"): "27811517000000",
        ("USA", "2020"): "21375281000000",
        ("USA", "2018"): "20656516000000",
    },
    "world-bank-agricultural-land-area-indicators.json": {
        ("ARG", "2013"): "4785734.43078995",
        ("CSS", "2013"): "25162.9999732971",
        ("CEB", "2013"): "518923.099975586",
        ("EAR", "2013"): "13752479.3058825",
    },
    "world-bank-forested-land-area-indicators.json": {
        ("ARG", "2013"): "386635.796659589",
        ("CSS", "2013"): "344795.195674896",
    },
    "world-bank-gdp-indicators.json": {
        ("ARG", "2013"): "2867811095547.36",
        ("EAR", "2013"): "10241755535227.4",
    },
    "world-bank-land-area-indicators.json": {
        ("ARG", "2013"): "11232639.0078735",
        ("CSS", "2013"): "404850",
    },
    "world-bank-population-indicators.json": {
        ("ARG", "2013"): "379705719",
        ("COL", "2013"): "3037662926",
    },
}


def test_every_recorded_page_is_read_with_the_digits_it_has(recorded):
    files = {file.name: file for file in recorded("worldbank")}

    for name, known in RECORDED.items():
        rows, _ = read_page(parse_figures(files[name].read_bytes()))
        read = {(row["countryiso3code"], row["date"]): figure_of(row["value"]) for row in rows}
        assert known.items() <= read.items()

    assert files.keys() == RECORDED.keys()


async def test_a_recorded_answer_becomes_observations(recorded, worldbank, internet):
    [file] = [one for one in recorded("worldbank") if "ny-gdp" in one.name]
    internet.says(HOST, file.read_bytes())

    found = await worldbank.observe_series(
        query(series_id="NY.GDP.MKTP.CD", country="US", limit=8)
    )

    assert (found.series.title, found.available) == ("GDP (current US$)", 66)
    assert found.series.last_updated == "2026-07-01"
    assert [one.date for one in found.observations][:2] == ["2025", "2024"]
