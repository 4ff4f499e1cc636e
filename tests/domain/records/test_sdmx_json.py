"""SDMX-JSON, over every recorded message and with unusual answers."""

import copy

import pytest
from tests.material import SHARED

from sourcewright.domain.records.cubes import observations_of
from sourcewright.domain.records.economy import ObservationQuery
from sourcewright.domain.records.figures import parse_figures
from sourcewright.domain.records.sdmx_json import read_message

RECORDINGS = SHARED / "upstream" / "oecd_sdmx"


def message(name):
    file = RECORDINGS / name
    if not file.is_file():
        pytest.skip(f"no recorded answer at {file}")
    return parse_figures(file.read_bytes())


def figures(read):
    query = ObservationQuery(series_id="x", limit=100_000)
    return {
        (one.date, *one.dimensions.values()): one
        for one in observations_of(read, query).observations
    }


@pytest.fixture(scope="module")
def land_use():
    return figures(read_message(message("pandas-datareader-tests-io-data-jsdmx-land-use.json")))


@pytest.mark.parametrize(
    ("key", "value", "units"),
    [
        (("1990", "IND", "FOREST"), "639390.0", "Square kilometres"),
        (("2014", "IND", "FOREST"), "705036.0", "Square kilometres"),
        (("2014", "IND", "OTHER_P"), "15.880384368305", "Percentage"),
        (("1990", "AUS", "OTHER"), "1752080.0", "Square kilometres"),
        (("1992", "RUS", "MEAD_P"), "5.364445895198", "Percentage"),
        (("1980", "FIN", "LAND"), "304590.0", "Square kilometres"),
        (("2014", "CHN", "MEAD_P"), "41.681320977249", "Percentage"),
        (("1999", "BLX", "ARABLE_P"), "27.20901889092", "Percentage"),
        (("2014", "LTU", "FOREST_P"), "34.764565043895", "Percentage"),
    ],
)
def test_recorded_land_use_is_read_though_its_years_are_in_no_order(land_use, key, value, units):
    assert (land_use[key].value, land_use[key].units) == (value, units)
    assert land_use[key].frequency == "Annual"
    assert next(iter(land_use))[0] == "2014"
    assert len({place[1:] for place in land_use}) == 490


@pytest.mark.parametrize(
    ("key", "value", "units"),
    [
        (("2009-Q1", "AUS"), "1321158.283224", "Australian Dollar"),
        (("2009-Q2", "AUS"), "1329284.411391", "Australian Dollar"),
        (("2011-Q4", "AUS"), "1425778.503062", "Australian Dollar"),
        (("2011-Q4", "AUT"), "305691.786967", "Euro"),
        (("2009-Q1", "CAN"), "1621076.204491", "Canadian Dollar"),
        (("2009-Q3", "CAN"), "1610574.277634", "Canadian Dollar"),
        (("2009-Q1", "BEL"), "352900.125286", "Euro"),
        (("2011-Q4", "CHL"), "120601874.99935", "Chilean Peso"),
    ],
)
def test_recorded_national_accounts_are_read_by_quarter_with_unit_scale_and_base(
    key, value, units
):
    read = read_message(message("pandas-datareader-tests-io-data-jsdmx-oecd1.json"))
    one = figures(read)[(*key, "B1_GE", "VOBARSA", "Q")]

    assert one.value == value
    assert one.units == f"{units}, Millions, reference period 2010"
    assert one.frequency == "Quarterly"


def test_recorded_tourism_has_its_unit_and_its_status():
    known = figures(read_message(message("pandas-datareader-tests-io-data-jsdmx-tourism.json")))

    one = known["2016", "AUS", "INB_ARRIVALS_TOTAL"]
    assert (one.value, one.units, one.notes) == ("8269200.0", "Number", None)
    assert known["2008", "AUS", "INB_ARRIVALS_TOTAL"].value == "5574600.0"
    assert {result.notes for result in known.values()} > {None, "Estimated value"}


@pytest.mark.parametrize(
    ("country", "variable", "in_2008", "in_2016", "notes"),
    [
        ("IRL", "OTH_EUR", "776000.0", "1965000.0", None),
        ("CHE", "DEU", "2344337.0", "2017722.0", "Break"),
        ("LTU", "INB_ARRIVALS_SAME_DAY", "2847500.0", "3025900.0", None),
        ("AUT", "INB_ARRIVALS_OVERNIGHT", "21935409.0", "28120644.0", None),
        ("GBR", "INB_ACCOMM_ALL_NIGHTS", "245774777.0", "278056885.0", None),
        ("MAR", "GBR", "274762.0", "458561.0", None),
    ],
)
def test_recorded_arrivals_are_those_of_their_country(country, variable, in_2008, in_2016, notes):
    known = figures(read_message(message("pandas-datareader-tests-io-data-jsdmx-tourism.json")))

    first, last = (known[year, country, variable] for year in ("2008", "2016"))

    assert (first.value, last.value, last.notes) == (in_2008, in_2016, notes)


def test_a_recorded_data_set_without_time_has_figures_without_a_date():
    known = figures(read_message(message("oecd-data-part2-all-all.json")))

    assert {key[0] for key in known} == {None}
    one = known[None, "AUS", "5CLAT", "INI", "FOG", "MAT", "MN"]
    assert (one.value, one.notes) == ("11.963615756565", None)
    notes = {result.notes for result in known.values()} - {None}
    assert notes <= {
        "Change significant at the 0.05 level",
        "Change significant at the 0.01 level",
        "Change significant at the 0.1 level",
    }


@pytest.mark.parametrize(
    "name",
    [
        "ecb-exr-ts.json",
        "ecb-exr-xs.json",
        "v3-json-data-exr-time-series.json",
        "v3-json-data-exr-cross-section.json",
        "v3-json-data-exr-flat.json",
    ],
)
def test_the_same_recorded_rates_are_read_however_they_are_grouped(name):
    known = {
        (one.date, one.dimensions["CURRENCY"]): one
        for one in figures(read_message(message(name))).values()
    }

    rates = {key: float(one.value) for key, one in known.items()}
    assert rates == {
        ("2013-01-18", "NZD"): 1.5931,
        ("2013-01-21", "NZD"): 1.5925,
        ("2013-01-18", "RUB"): 40.3426,
        ("2013-01-21", "RUB"): 40.3000,
    }
    assert {one.frequency for one in known.values()} == {"Daily"}


def test_recorded_deletions_are_not_data():
    known = figures(read_message(message("ecb-exr-action-delete.json")))

    assert {key[-1] for key in known} == {"RUB"}


def test_attributes_of_the_whole_data_set_apply_to_every_recorded_cell():
    known = figures(read_message(message("v3-json-data-agri.json")))

    assert len(known) == 12
    assert {one.units for one in known.values()} == {"Tones, Thousands, reference period 2010=100"}
    assert known["2017", "A", "ASIKHM001"].value == "433.638"
    assert known["2014", "A", "ASIKHM"].value == "5228.33"


def test_attributes_of_a_part_apply_to_that_part_alone():
    result = message("v3-json-data-agri.json")
    structure, dataset = result["data"]["structures"][0], result["data"]["dataSets"][0]
    unit = {"id": "UNIT_MEASURE", "values": [{"id": "KG", "name": "Kilograms"}]}
    structure["attributes"]["dimensionGroup"] = [unit]
    # A key has the dimensions in the order of their positions: REF_AREA, FREQ, TIME_PERIOD.
    dataset["dimensionGroupAttributes"] = {"1::": [0]}

    known = figures(read_message(result))

    assert known["2017", "A", "ASIKHM002"].units.startswith("Kilograms")
    assert known["2017", "A", "ASIKHM001"].units.startswith("Tones")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda one: one.pop("dataSets"),
        lambda one: one.pop("structures"),
        lambda one: one.update(structures=[]),
        lambda one: one["structures"][0].pop("dimensions"),
        lambda one: one["structures"][0]["dimensions"].update(observation=[]),
        lambda one: one["dataSets"][0].pop("series"),
        lambda one: one["dataSets"][0].update(series={"9": {"observations": {"0": [1]}}}),
        lambda one: one["dataSets"][0].update(series={"0:0": {"observations": {"0": [1]}}}),
        lambda one: one["dataSets"][0].update(series={"0": {"observations": {"9": [1]}}}),
        lambda one: one["dataSets"][0].update(series={"0": {"observations": {"0": []}}}),
        lambda one: one["dataSets"][0].update(series={"-1": {"observations": {"0": [1]}}}),
        lambda one: one["dataSets"][0].update(series={"0": {"observations": {"0": "1"}}}),
    ],
)
def test_a_message_that_contradicts_itself_is_not_read(spoil):
    result = copy.deepcopy(message("v3-json-data-exr-time-series.json"))
    spoil(result["data"])

    with pytest.raises((LookupError, TypeError, ValueError)):
        read_message(result)
