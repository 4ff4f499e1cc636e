"""The OECD, against the simulated site, with unusual answers, and every recorded answer."""

from urllib.parse import parse_qs

import pytest

from sourcewright.base.errors import BadRequest, InvalidInput, NotFound
from sourcewright.domain.records.economy import ObservationQuery
from sourcewright.providers.oecd import key_of, read_dataflows, read_dimensions, reference_of
from sourcewright.world.statistics import OECD_FLOWS

pytestmark = pytest.mark.anyio

HOST = "sdmx.oecd.org"
ACCOUNTS = OECD_FLOWS[0]
REFERENCE = "OECD.SDD.TID,DSD_TIDE@DF_QNA,1.1"
LARGE = "OECD.SDD.TID,DSD_BUOYS@DF_TRADE,1.0"


@pytest.fixture
async def oecd(provide):
    return await provide("oecd")


def query(**fields):
    return ObservationQuery(**({"series_id": REFERENCE, "limit": 5} | fields))


def requests(internet):
    return [(seen.path, parse_qs(seen.query)) for seen in internet.requests_to(HOST)]


async def test_every_dataflow_is_listed_by_its_reference(oecd):
    catalogue = await oecd.list_series()

    assert [(one.series_id, one.title) for one in catalogue.series] == [
        (f"{one.agency},{one.code},{one.version}", one.title) for one in OECD_FLOWS
    ]


async def test_dimensions_are_listed_in_the_order_of_their_positions(oecd):
    assert await oecd.list_dimensions(REFERENCE) == ("FREQ", "REF_AREA", "MEASURE", "UNIT_MEASURE")


async def test_every_figure_of_a_country_is_the_published_one_with_its_labels(oecd, internet):
    found = await oecd.observe_series(query(country="DRI", limit=1000))

    assert found.series_count == 2
    for one in found.observations:
        assert one.value == ACCOUNTS.figure(dict(one.dimensions), one.date)
        assert one.notes == ("Provisional value" if one.date in ACCOUNTS.provisional else None)
        assert one.units == "Tidal crowns, Millions"
        assert one.frequency == "Quarterly"
    assert found.observations[0].date == "2025-Q3"
    assert len(found.observations) == 2 * 43
    assert requests(internet)[-1][0].endswith("/.DRI..")


async def test_the_last_figure_of_each_series_of_a_whole_dataflow_is_asked_for_first(
    oecd, internet
):
    few = await oecd.observe_series(query(limit=3))
    many = await oecd.observe_series(query(limit=8))

    sent = [params["lastNObservations"] for _, params in requests(internet)]
    assert sent == [["1"], ["1"], ["8"]]
    assert {one.date for one in few.observations} == {"2025-Q4"}
    assert len(many.observations) == 8
    assert all(path.endswith("/all") for path, _ in requests(internet))


async def test_a_start_is_where_it_begins(oecd, internet):
    found = await oecd.observe_series(
        query(country="TID", dimensions={"measure": "gdp"}, date_from="2020-08-01", limit=3)
    )

    assert [one.date for one in found.observations] == ["2020-Q3", "2020-Q4", "2021-Q1"]
    path, params = requests(internet)[-1]
    assert path.endswith("/.TID.GDP.")
    assert (params["startPeriod"], params["firstNObservations"]) == (["2020"], ["369"])


@pytest.mark.parametrize(
    ("dates", "observed", "sent"),
    [
        ({}, ["2025", "2024", "2023"], [("2023", None)]),
        ({"date_to": "2020"}, ["2020", "2019", "2018"], [("2017", "2020")]),
        ({"date_from": "2018"}, ["2018", "2019", "2020"], [("2018", "2021")]),
        ({"date_from": "2018", "date_to": "2019"}, ["2018", "2019"], [("2018", "2019")]),
        # There is nothing yet in the latest years of this limit, so that all are requested.
        ({"date_to": "2015"}, ["2015"], [("2012", "2015"), (None, "2015")]),
        # It ends long ago, so that the first range has nothing at all.
        ({"date_to": "2040"}, ["2025", "2024", "2023"], [("2037", "2040"), (None, "2040")]),
    ],
)
async def test_a_dataflow_that_refuses_to_sort_is_read_by_years(
    oecd, internet, dates, observed, sent
):
    found = await oecd.observe_series(query(series_id=LARGE, country="TID", limit=3, **dates))

    assert [one.date for one in found.observations] == observed
    first, *others = [params for path, params in requests(internet) if "/data/" in path]
    assert {"firstNObservations", "lastNObservations"} & first.keys()
    years = [(params.get("startPeriod"), params.get("endPeriod")) for params in others]
    assert years == [tuple(year and [year] for year in pair) for pair in sent]
    assert not {"firstNObservations", "lastNObservations"} & others[-1].keys()


async def test_the_whole_of_a_dataflow_that_refuses_to_sort_is_refused_with_what_to_add(
    oecd, internet
):
    with pytest.raises(BadRequest, match="request less, with country, dimensions or dates"):
        await oecd.observe_series(query(series_id=LARGE))

    assert len(requests(internet)) == 1


async def test_an_order_of_dimensions_that_is_known_is_not_asked_for(oecd, internet):
    known = ("FREQ", "REF_AREA", "MEASURE", "UNIT_MEASURE")

    await oecd.observe_series(query(country="TID", dimension_order=known))

    assert [path.split("/")[3] for path, _ in requests(internet)] == ["data"]


@pytest.mark.parametrize("fields", [{"series_id": "OECD,NOBODYS,1.0"}, {"country": "QQQ"}])
async def test_what_it_does_not_have_is_absent(oecd, fields):
    with pytest.raises(NotFound):
        await oecd.observe_series(query(**fields))


@pytest.mark.parametrize(
    ("fields", "dimensions", "key"),
    [
        ({"country": "DEU"}, ("FREQ", "REF_AREA", "SEX"), ".DEU."),
        ({"country": "DEU+FRA", "dimensions": {"sex": "f"}}, ("REF_AREA", "SEX"), "DEU+FRA.F"),
        # There is no country in it, and a key of dots alone would leave the path.
        ({"country": "DEU"}, ("FREQ", "SEX", "AGE"), "all"),
        ({"country": "DEU"}, ("FREQ", "SEX"), "all"),
        ({}, ("FREQ", "REF_AREA"), "all"),
    ],
)
def test_a_key_has_a_place_for_each_dimension_or_is_the_word_all(fields, dimensions, key):
    assert key_of(query(**fields), dimensions) == key


def test_a_dimension_that_there_is_not_is_refused_with_those_that_there_are():
    with pytest.raises(InvalidInput, match="no dimension SEX; it has FREQ, REF_AREA"):
        key_of(query(dimensions={"sex": "F"}), ("FREQ", "REF_AREA"))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (REFERENCE, ("OECD.SDD.TID", "DSD_TIDE@DF_QNA", "1.1")),
        ("OECD.SDD.TID,DSD_TIDE@DF_QNA,", ("OECD.SDD.TID", "DSD_TIDE@DF_QNA", "")),
        ("OECD/DF_X/1.0", ("OECD", "DF_X", "1.0")),
        ("DF_X", ("", "DF_X", "")),
    ],
)
def test_a_dataflow_is_named_by_agency_name_and_version(text, parts):
    assert reference_of(text) == parts


@pytest.mark.parametrize("text", ["", "a,b,c,d", "OECD, DF X,1.0", "../data", "a?b=c", "x" * 999])
def test_what_is_no_reference_is_refused(text):
    with pytest.raises(InvalidInput, match="agency,dataflow,version"):
        reference_of(text)


@pytest.mark.parametrize("answer", [{}, {"data": {"dataflows": []}}, {"data": {}}])
def test_a_catalogue_without_dataflows_is_no_answer(answer):
    with pytest.raises((LookupError, ValueError)):
        read_dataflows(answer)


@pytest.mark.parametrize(
    ("names", "title"),
    [
        ({"name": "Wages", "names": {"en": "Wages"}}, "Wages"),
        ({"names": {"fr": "Salaires", "en": "Wages"}}, "Wages"),
        # Some have no English name.
        ({"names": {"fr": "Salaires"}}, "Salaires"),
    ],
)
def test_a_dataflow_has_the_name_of_a_language_that_it_is_in(names, title):
    flow = {"agencyID": "OECD", "id": "DF_X", "version": "1.0", **names}

    [series] = read_dataflows({"data": {"dataflows": [flow]}})

    assert (series.series_id, series.title) == ("OECD,DF_X,1.0", title)


def test_a_structure_without_dimensions_is_no_answer():
    with pytest.raises((LookupError, ValueError)):
        read_dimensions({"data": {"dataStructures": []}})


@pytest.mark.parametrize(
    ("name", "series", "date"),
    [
        ("ecb-exr-action-delete.json", 1, "2013-01-21"),
        ("ecb-exr-ts.json", 2, "2013-01-21"),
        ("ecb-exr-xs.json", 2, "2013-01-21"),
        ("oecd-data-part2-all-all.json", 7, None),
        ("pandas-datareader-tests-io-data-jsdmx-land-use.json", 490, "2014"),
        ("pandas-datareader-tests-io-data-jsdmx-oecd1.json", 5, "2011-Q4"),
        ("pandas-datareader-tests-io-data-jsdmx-tourism.json", 552, "2016"),
        ("v3-json-data-agri.json", 3, "2017"),
        ("v3-json-data-exr-cross-section.json", 2, "2013-01-21"),
        ("v3-json-data-exr-flat.json", 2, "2013-01-21"),
        ("v3-json-data-exr-time-series.json", 2, "2013-01-21"),
    ],
)
async def test_recorded_messages_become_observations(recorded, oecd, internet, name, series, date):
    [file] = [one for one in recorded("oecd_sdmx") if one.name == name]
    internet.says(HOST, file.read_bytes())

    found = await oecd.observe_series(query(limit=100_000))

    assert (found.series_count, found.observations[0].date) == (series, date)
    assert found.available == len(found.observations)
