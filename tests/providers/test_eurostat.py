"""Eurostat, against the simulated site, with unusual answers, and every recorded answer."""

from urllib.parse import parse_qsl

import pytest

from sourcewright.base.errors import BadRequest, NotFound, Unavailable
from sourcewright.domain.records.economy import ObservationQuery
from sourcewright.providers.eurostat import read_contents, windows
from sourcewright.world.sites.eurostat import contents
from sourcewright.world.statistics import EUROSTAT_SETS

pytestmark = pytest.mark.anyio

HOST = "ec.europa.eu"
RATES = EUROSTAT_SETS[0]


@pytest.fixture
async def eurostat(provide):
    return await provide("eurostat")


def query(**fields):
    return ObservationQuery(**({"series_id": RATES.code, "limit": 5} | fields))


def query_strings(internet):
    return [parse_qsl(seen.query) for seen in internet.requests_to(HOST)]


async def test_each_data_set_is_listed_once_though_it_is_in_several_folders(eurostat):
    catalogue = await eurostat.list_series()

    assert [one.series_id for one in catalogue.series] == [one.code for one in EUROSTAT_SETS]
    first = catalogue.series[0]
    assert (first.title, first.last_updated) == (RATES.title, "2026-06-26")
    assert (first.data_from, first.data_to) == ("2015-01", "2025-12")


async def test_every_figure_of_a_country_is_the_published_one_with_its_labels(eurostat):
    found = await eurostat.observe_series(query(country="MR", limit=1000))

    assert found.series_count == 6
    for one in found.observations:
        place = {name: code for name, code in one.dimensions.items() if name != "time"}
        assert one.value == RATES.figure(place, one.date)
        assert one.notes == ("provisional" if one.date in RATES.provisional else None)
        assert "Meridian" in one.title
    assert len(found.observations) == 6 * 132
    women = next(one for one in found.observations if one.dimensions["sex"] == "F")
    assert women.title == (
        f"{RATES.title} — Percentage of population in the labour force, Females, Meridian"
    )
    assert women.units == "Percentage of population in the labour force"
    assert women.frequency == "Monthly"


async def test_one_period_of_a_whole_data_set_is_asked_for_first(eurostat, internet):
    enough = await eurostat.observe_series(query(limit=4))
    more = await eurostat.observe_series(query(limit=20))

    assert [dict(one)["lastTimePeriod"] for one in query_strings(internet)] == ["1", "1", "26"]
    assert {one.date for one in enough.observations} == {"2025-12"}
    assert len(more.observations) == 20
    assert enough.at_least
    assert enough.available == 12


async def test_codes_of_dimensions_narrow_what_is_asked_for(eurostat, internet):
    found = await eurostat.observe_series(
        query(country="TI+GR", dimensions={"SEX": "f", "unit": "PC_ACT"}, limit=2)
    )

    [sent] = query_strings(internet)
    assert {("geo", "TI"), ("geo", "EL"), ("sex", "F"), ("unit", "PC_ACT")} <= {*sent}
    assert [(one.date, one.dimensions["geo"]) for one in found.observations] == [
        ("2025-12", "TI"),
        ("2025-11", "TI"),
    ]


async def test_dates_are_asked_for_by_year_and_kept_to_the_month(eurostat, internet):
    found = await eurostat.observe_series(
        query(country="TI", dimensions={"sex": "T", "unit": "PC_ACT"}, date_from="2019-11-15")
    )

    assert [one.date for one in found.observations] == [
        *("2019-11", "2019-12", "2020-01", "2020-02", "2020-03")
    ]
    assert ("sinceTimePeriod", "2019") in query_strings(internet)[0]


@pytest.mark.parametrize(
    ("fields", "sent"),
    [
        ({"country": "DE"}, [{"lastTimePeriod": "11"}]),
        ({}, [{"lastTimePeriod": "1"}, {"lastTimePeriod": "11"}]),
        (
            {"country": "DE", "date_from": "2001"},
            [{"sinceTimePeriod": "2001", "untilTimePeriod": "2006"}, {"sinceTimePeriod": "2001"}],
        ),
        (
            {"country": "DE", "date_from": "2001", "date_to": "2003"},
            [{"sinceTimePeriod": "2001", "untilTimePeriod": "2003"}],
        ),
        (
            {"country": "DE", "date_to": "2003"},
            [{"sinceTimePeriod": "1998", "untilTimePeriod": "2003"}, {"untilTimePeriod": "2003"}],
        ),
    ],
)
def test_each_window_is_wider_than_the_one_before(fields, sent):
    assert [dict(one) for one in windows(query(**fields))] == sent


async def test_a_data_set_that_it_has_not_is_absent(eurostat):
    with pytest.raises(NotFound):
        await eurostat.observe_series(query(series_id="nobodys"))


async def test_too_large_an_extract_is_refused_in_its_own_words(eurostat):
    with pytest.raises(BadRequest, match=r"EXTRACTION_TOO_BIG.*Request less, with country"):
        await eurostat.observe_series(query(series_id="tide_huge"))


async def test_a_dimension_that_there_is_not_is_refused_in_its_own_words(eurostat):
    with pytest.raises(BadRequest, match="INVALID_QUERY_DIMENSION"):
        await eurostat.observe_series(query(dimensions={"colour": "RED"}))


@pytest.mark.parametrize("form", ["error", "warning"])
async def test_an_extract_in_preparation_is_not_an_empty_one(eurostat, internet, form):
    result = {"status": 413, "label": "ASYNCHRONOUS_RESPONSE. Please try again later."}
    internet.says(HOST, {form: result if form == "warning" else [result]})

    with pytest.raises(Unavailable, match="is preparing") as caught:
        await eurostat.observe_series(query())

    assert caught.value.retry_after == 60


async def test_a_code_that_a_dimension_has_not_yields_no_observations(eurostat):
    found = await eurostat.observe_series(query(country="QQ"))

    assert (found.observations, found.available) == ((), 0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "title\tcode\n",
        contents().replace('"code"', '"id"'),
        contents().replace("dataset", "folder"),
        "<html></html>",
    ],
)
def test_what_is_no_table_of_contents_is_not_read(text):
    with pytest.raises((LookupError, ValueError)):
        read_contents(text)


def test_quotation_marks_in_a_title_are_kept():
    [series] = read_contents(
        '"title"\t"code"\t"type"\n"        Share of ""green"" jobs"\t"x_y"\t"dataset"\n'
    )

    assert series.title == 'Share of "green" jobs'


@pytest.mark.parametrize(
    ("file", "first", "series"),
    [
        ("prc-hicp-manr-3geo-sparse.json", ("DE", "2025-12", "2.0"), 2),
        ("eurostat-name-gpd-c-geo-it.json", ("IT", "2014", None), 1),
        ("eurostat-name-gpd-c-geo-it-fr.json", ("FR", "2014", None), 2),
        ("eurostat-name-gpd-c.json", ("AT", "2014", None), 44),
    ],
)
async def test_recorded_answers_become_observations(
    recorded, eurostat, internet, file, first, series
):
    [path] = [one for one in recorded("eurostat") if one.name == file]
    internet.says(HOST, path.read_bytes())

    found = await eurostat.observe_series(query(limit=100))

    top = found.observations[0]
    assert (top.dimensions["geo"], top.date, top.value) == first
    assert found.series_count == series
