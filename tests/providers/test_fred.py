"""FRED, against the simulated site, with unusual answers, and every recorded answer."""

import json
from urllib.parse import parse_qs

import pytest

from sourcewright.base.errors import BadRequest, NotFound, Refused
from sourcewright.domain.records.economy import ObservationQuery
from sourcewright.providers.fred import (
    read_list,
    read_observations,
    read_series,
    read_series_list,
)
from sourcewright.world.sites.fred import WRONG_KEY
from sourcewright.world.statistics import FRED_SERIES

pytestmark = pytest.mark.anyio

HOST = "api.stlouisfed.org"
KEY = {"FRED_API_KEY": "an-invented-key"}


@pytest.fixture
async def fred(provide):
    return await provide("fred", **KEY)


def requests(internet):
    return [(seen.path, parse_qs(seen.query)) for seen in internet.requests_to(HOST)]


@pytest.mark.parametrize("series", FRED_SERIES, ids=lambda one: one.id)
async def test_every_figure_is_read_as_it_was_published(fred, series):
    found = await fred.observe_series(ObservationQuery(series_id=series.id, limit=1000))

    published = [(period, series.figure(period)) for period in reversed(series.periods())]
    assert [(one.date, one.value) for one in found.observations] == published[:1000]
    assert found.series.title == series.title
    assert found.series.units.startswith(series.units)
    assert found.available == len(published)


async def test_dates_frequency_and_units_are_sent_and_a_start_is_where_it_begins(fred, internet):
    query = ObservationQuery(
        series_id="KELPCPI",
        limit=3,
        date_from="2024",
        date_to="2025-06",
        frequency="a",
        units="pch",
    )

    found = await fred.observe_series(query)

    sent = requests(internet)[-1][1]
    assert (sent["observation_start"], sent["observation_end"]) == (["2024-01-01"], ["2025-06-30"])
    assert (sent["frequency"], sent["units"], sent["sort_order"]) == (["a"], ["pch"], ["asc"])
    assert [one.date for one in found.observations] == ["2024-01-01", "2025-01-01"]
    assert found.series.units == "Percent change (Index 2015=100, Not Seasonally Adjusted)"
    assert found.series.frequency == "Annual"


async def test_a_series_that_does_not_exist_is_absent(fred):
    with pytest.raises(NotFound):
        await fred.observe_series(ObservationQuery(series_id="NOBODYS", limit=1))


async def test_a_wrong_parameter_is_explained_in_freds_own_words(fred):
    with pytest.raises(BadRequest, match="The value for variable units is not one of"):
        await fred.observe_series(ObservationQuery(series_id="TIDEGDP", limit=1, units="zzz"))


async def test_a_wrong_key_is_refused(provide):
    with pytest.raises(Refused, match="api_key is not registered"):
        await (await provide("fred", FRED_API_KEY=WRONG_KEY)).search_series("gdp", limit=1)


async def test_the_most_popular_of_the_fitting_titles_comes_first(fred):
    found = await fred.search_series("tidal isles", limit=5)

    assert [one.series_id for one in found.series] == ["TIDEGDP", "KELPCPI"]
    assert found.total == 2


@pytest.mark.parametrize(
    ("file", "count", "first", "last"),
    [
        ("hhmsdodns", 160, ("1985-01-01", "1316829"), ("2024-10-01", "13381127")),
        ("mehoinusa672n", 41, ("1984-01-01", "60420"), ("2024-01-01", "83730")),
        ("mspus", 250, ("1963-01-01", "17800"), ("2025-04-01", "410800.0")),
        ("mvloas", 160, ("1985-01-01", "182290.0"), ("2024-10-01", "1568619.45")),
        ("revolsl", 478, ("1985-01-01", "102841.83"), ("2024-10-01", "1350299.53")),
        ("sloas", 76, ("2006-01-01", "480966.98"), ("2024-10-01", "1777101.97")),
        ("series-id-gdp", 315, ("1946-01-01", None), ("2024-07-01", "29349.924")),
        ("series-id-cpilfesl", 813, ("1957-01-01", "28.5"), ("2024-09-01", "320.767")),
        ("botfeeder", 3, ("2026-05-01", "314.069"), ("2026-07-01", None)),
        ("output-type-4", 132, ("1991-10-01", "5736.6"), ("2024-07-01", "29349.924")),
    ],
)
def test_recorded_observations_have_their_dates_and_digits(recorded, file, count, first, last):
    [path] = [
        one
        for one in recorded("fred")
        if file in one.name and ("observations" in one.name or "response" in one.name)
    ]

    observations, total = read_observations(json.loads(path.read_text(encoding="utf-8")))

    assert total == len(observations) == count
    read = [(one.date, one.value) for one in observations]
    assert (read[0], read[-1]) == (first, last)


@pytest.mark.parametrize(
    ("number", "name", "title", "units", "frequency_and_popularity"),
    [
        (0, "AITGCBN", "Advance U.S. International Trade in Goods: Balance", "Millions", ("M", 1)),
        (
            1,
            "AITGCBS",
            "Advance U.S. International Trade in Goods: Balance",
            "Millions",
            ("M", 24),
        ),
        (2, "BOPBCA", "Balance on Current Account (DISCONTINUED)", "Billions", ("Q", 15)),
        (3, "BOPBCAA", "Balance on Current Account (DISCONTINUED)", "Billions", ("A", 2)),
        (5, "BOPBGS", "Balance on Goods and Services (DISCONTINUED)", "Billions", ("Q", 3)),
        (6, "BOPBGSA", "Balance on Goods and Services (DISCONTINUED)", "Billions", ("A", 2)),
        (8, "BOPBII", "Balance on Investment Income (DISCONTINUED)", "Billions", ("Q", 1)),
        (9, "BOPBIIA", "Balance on Investment Income (DISCONTINUED)", "Billions", ("A", 1)),
        (10, "BOPBIIN", "Balance on Investment Income (DISCONTINUED)", "Billions", ("Q", 0)),
        (11, "BOPBM", "Balance on Merchandise Trade (DISCONTINUED)", "Billions", ("Q", 5)),
    ],
)
def test_recorded_series_have_title_units_and_frequency(
    recorded, number, name, title, units, frequency_and_popularity
):
    [path] = [one for one in recorded("fred") if one.name.startswith("fred-category-series")]

    series, total = read_list(json.loads(path.read_text(encoding="utf-8")))

    assert total == len(series) == 47
    one = series[number]
    assert (one.series_id, one.title) == (name, title)
    assert one.units.startswith(f"{units} of Dollars, ")
    assert (one.frequency[0], one.popularity) == frequency_and_popularity


def test_recorded_series_facts_are_read(recorded):
    files = [one for one in recorded("fred") if one.name.startswith("fred-series-file-type")]

    read = [read_series(json.loads(one.read_text())["seriess"][0]) for one in files]

    assert {one.series_id: one.title for one in read}["GDP"] == "Gross Domestic Product"
    gdp = next(one for one in read if one.series_id == "GDP")
    assert gdp.units == "Billions of Dollars, Seasonally Adjusted Annual Rate"
    assert (gdp.frequency, gdp.data_from, gdp.data_to) == ("Quarterly", "1947-01-01", "2024-07-01")
    assert gdp.last_updated == "2024-10-30 07:54:01-05"
    assert len(read) == 3


def test_an_announced_list_that_is_empty_is_no_answer():
    with pytest.raises(ValueError, match="none sent"):
        read_list({"seriess": [], "count": 3})


def test_recorded_answers_of_other_endpoints_are_not_read(recorded):
    def is_read(read, answer):
        try:
            read(answer)
        except (LookupError, TypeError, ValueError):
            return False
        return True

    answers = [json.loads(one.read_text(encoding="utf-8")) for one in recorded("fred")]
    readers = (read_observations, read_list, read_series_list)

    assert [sum(is_read(read, one) for one in answers) for read in readers] == [10, 1, 3]
