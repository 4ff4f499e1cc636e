"""JSON-stat, over every recorded answer and with unusual answers."""

import pytest
from tests.material import SHARED

from sourcewright.base.formats.answer_limits import LimitExceeded
from sourcewright.domain.records.cubes import observations_of
from sourcewright.domain.records.economy import ObservationQuery
from sourcewright.domain.records.figures import parse_figures
from sourcewright.domain.records.json_stat import read_dataset, read_datasets

RECORDINGS = SHARED / "upstream"


def cubes(name):
    file = RECORDINGS / name
    if not file.is_file():
        pytest.skip(f"no recorded answer at {file}")
    return read_datasets(parse_figures(file.read_bytes()))


def figures(cube, **filters):
    """Every figure by period and codes, the latest first."""
    query = ObservationQuery(series_id="x", limit=100_000, **filters)
    return {
        (one.date, *one.dimensions.values()): one
        for one in observations_of(cube, query).observations
    }


def cube(**changes):
    """A cube of two areas by three months, of which four cells were sent."""
    document = {
        "version": "2.0",
        "class": "dataset",
        "label": "Catch",
        "id": ["geo", "time"],
        "size": [2, 3],
        "value": {"0": 1, "1": "2.50", "3": 4, "5": 6},
        "dimension": {
            "geo": {"label": "Area", "category": {"index": ["A", "B"], "label": {"A": "Arch"}}},
            "time": {"category": {"index": {"2025-01": 0, "2025-02": 1, "2025-03": 2}}},
        },
    }
    return read_dataset(document | changes)


@pytest.mark.parametrize(
    ("geo", "y1995", "y2000", "y2012", "y2013"),
    [
        ("AT", "23000", "26000", "36400", "37000"),
        ("BE", "21500", "24600", "34000", "34500"),
        ("DE", "23600", "24900", "32600", "33300"),
        ("FR", "20200", "23700", "31100", "31300"),
        ("IT", "15200", "21000", "25700", "25600"),
        ("LU", "38600", "50300", "80700", "83400"),
        ("NO", "26100", "40700", "77500", "75900"),
        ("CH", "35000", "38500", "61900", "61100"),
        ("EU28", "14600", "19000", "25500", "25700"),
        ("US", "22000", "39400", "40000", "39900"),
        ("PL", "2800", "4900", "9900", "10100"),
        ("JP", "32500", "40400", None, None),
    ],
)
def test_recorded_gdp_per_head_is_read_for_each_country_and_year(geo, y1995, y2000, y2012, y2013):
    [read] = cubes("eurostat/eurostat-name-gpd-c.json")
    known = figures(read)
    years = {"1995": y1995, "2000": y2000, "2012": y2012, "2013": y2013}

    one = {year: known[year, "EUR_HAB", "B1GM", geo] for year in years}

    assert {year: result.value for year, result in one.items()} == years
    assert {result.units for result in one.values()} == {"Euro per inhabitant"}
    assert all(result.notes == "not available" for result in one.values() if result.value is None)


def test_a_recorded_sparse_cube_has_the_cells_that_were_sent_and_no_other():
    [read] = cubes("eurostat/prc-hicp-manr-3geo-sparse.json")
    known = figures(read)

    germany = [known[f"2025-{month:02}", "M", "RCH_A", "CP00", "DE"] for month in range(1, 13)]
    values = ["2.8", "2.6", "2.3", "2.2", "2.1", "2.0", "1.8", "2.1", "2.4", "2.3", "2.6", "2.0"]
    assert [one.value for one in germany] == values
    assert known["2025-12", "M", "RCH_A", "CP00", "FR"].value == "0.7"
    assert len(known) == 24
    assert not any(key[-1] == "US" for key in known)
    assert germany[0].title == (
        "HICP - monthly data (annual rate of change) (1997-2025) — Annual rate of change, "
        "All-items HICP, Germany"
    )
    assert (germany[0].units, germany[0].frequency) == ("Annual rate of change", "Monthly")


@pytest.mark.parametrize(
    ("file", "key", "value", "units", "notes"),
    [
        ("canada.json", ("2012", "CA", "T", "POP", "T"), "34880.5", "thousands of", "a"),
        ("canada.json", ("2012", "CA", "T", "PERCENT", "F"), "100.0", "%", "a"),
        ("cso-ie-nqq25.json", ("2015Q4", "0", "NQQ25S1"), "47577", "Euro Million", None),
        ("galicia.json", ("2011", "T", "T", "T", "15", "pop"), "1141286", "persons", None),
        ("galicia-ds.json", ("2001", "T", "T", "T", "T", "pop"), "2695880", "persons", None),
        ("galicia-2-0.json", ("2001", "T", "T", "T", "15", "pop"), "1096027", "persons", None),
        ("galicia-2-0.json", ("2011", "T", "T", "T", "T", "pop"), "2772928", "persons", None),
        ("galicia-2-0.json", ("2011", "F", "100", "F", "36", "pop"), "11", "persons", None),
        ("us-labor-ds.json", ("2012", "01001", "unr"), "6.5", "%, Per cent", None),
        ("us-labor-ds.json", ("2012", "72153", "unr"), "15.8", "%, Per cent", None),
        ("oecd.json", ("2014", "UNR", "AU"), "5.462866231", "%, per cent", "estimated"),
        ("oecd.json", ("2003", "UNR", "AU"), "5.943826289", "%, per cent", None),
        ("us-gsp.json", ("2013", "01", "gsp"), "174400", "$, million", None),
        ("us-labor.json", ("2012", "01001", "labforce"), "25480", "person", None),
        ("us-unr.json", ("2012", "01003", "unr"), "6.8", "%, Per cent", None),
    ],
)
def test_recorded_data_sets_have_their_figures_units_and_flags(file, key, value, units, notes):
    [read] = cubes(f"jsonstat/{file}")

    one = figures(read)[key]

    assert (one.value, one.notes) == (value, notes)
    assert one.units.startswith(units)


def test_a_recorded_collection_has_each_of_its_data_sets():
    read = cubes("jsonstat/oecd-canada-col.json")

    assert [one.label[:12] for one in read] == ["Unemployment", "Population b"]
    assert figures(read[0])["2014", "UNR", "AT"].value == "4.745323313"


def test_the_last_dimension_changes_fastest_in_a_recorded_example():
    [read] = cubes("jsonstat/order.json")
    names = [one.codes for one in read.dimensions]

    places = {
        number: "".join(
            f"{axis}{codes[at]}"
            for axis, codes, at in zip("ABC", names, read.place(number), strict=True)
        )
        for number in read.cells
    }
    # The recorded example itself has a slip in one cell.
    assert {n: value for n, value in read.cells.items() if places[n] != value} == {11: "A1B1C4"}


def test_the_latest_come_first_and_the_earliest_where_a_start_is_given():
    latest = observations_of(cube(), ObservationQuery(series_id="x", limit=2))
    since = observations_of(
        cube(), ObservationQuery(series_id="x", limit=2, date_from="2025-02-10")
    )

    assert [(one.date, one.value) for one in latest.observations] == [
        ("2025-03", "6"),
        ("2025-02", "2.50"),
    ]
    assert [(one.date, one.value) for one in since.observations] == [
        ("2025-02", "2.50"),
        ("2025-03", "6"),
    ]
    assert (latest.available, latest.series_count) == (4, 2)
    assert (since.available, since.series_count) == (2, 2)


def test_a_missing_value_stays_and_a_series_without_any_value_does_not_exist():
    dense = cube(value=[1, None, 3, None, None, None])

    assert [(key[:2], one.value) for key, one in figures(dense).items()] == [
        (("2025-03", "A"), "3"),
        (("2025-02", "A"), None),
        (("2025-01", "A"), "1"),
    ]


@pytest.mark.parametrize(
    ("status", "notes"),
    [
        ("p", ["provisional", "provisional", "provisional", "provisional"]),
        (["e"], ["estimated", "estimated", "estimated", "estimated"]),
        ({"5": "bp"}, ["break in time series, provisional", None, None, None]),
        ({"5": "x9"}, ["x9", None, None, None]),
        ([None, None, None, None, None, "f"], ["forecast", None, None, None]),
        (None, [None, None, None, None]),
    ],
)
def test_a_flag_is_explained_wherever_it_stands(status, notes):
    assert [one.notes for one in figures(cube(status=status)).values()] == notes


def test_a_flagged_cell_without_a_value_is_a_missing_one():
    known = figures(cube(status={"2": "c"}))

    assert (known["2025-03", "A"].value, known["2025-03", "A"].notes) == (None, "confidential")


def test_the_meaning_of_a_flag_is_taken_from_the_answer_if_it_says_it():
    extension = {"status": {"label": {"p": "preliminary"}}}

    assert figures(cube(status={"0": "p"}, extension=extension))["2025-01", "A"].notes == (
        "preliminary"
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"value": [1, 2, 3]},
        {"value": {"6": 1}},
        {"value": {"-1": 1}},
        {"value": {"first": 1}},
        {"value": "1"},
        {"size": [2]},
        {"size": [2, 4]},
        {"size": [2, True]},
        {"size": [2, "3"]},
        {"id": ["geo", "geo"]},
        {"id": ["geo", "when"]},
        {"dimension": {}},
        {"status": {"9": "p"}},
    ],
)
def test_a_cube_that_contradicts_itself_is_not_read(changes):
    with pytest.raises((LookupError, TypeError, ValueError)):
        cube(**changes)


def test_a_cube_that_is_too_large_is_not_read():
    with pytest.raises(LimitExceeded):
        cube(size=[2_000, 3_000])


@pytest.mark.parametrize("document", [{}, {"error": "x"}, {"class": "collection"}, [], None])
def test_what_has_no_data_set_is_no_answer(document):
    with pytest.raises((LookupError, TypeError, ValueError)):
        read_datasets(document)


def test_an_empty_cube_has_no_observations():
    empty = cube(
        size=[0, 3],
        value={},
        dimension={
            "geo": {"category": {"index": {}, "label": {}}},
            "time": {"category": {"index": {"2025-01": 0, "2025-02": 1, "2025-03": 2}}},
        },
    )

    assert figures(empty) == {}


@pytest.mark.parametrize(
    ("unit", "words"),
    [
        ({"label": "US dollars", "multiplier": 6}, "US dollars, multiplier 10^6"),
        ({"base": "EUR", "multiplier": 3}, "EUR, 10^3"),
        ({"label": "persons", "multiplier": 0}, "persons"),
        ({"symbol": "$", "label": "dollars"}, "$, dollars"),
        ({"decimals": 1}, None),
    ],
)
def test_the_scale_of_a_unit_is_always_part_of_it(unit, words):
    category = {"index": ["gdp"], "unit": {"gdp": unit}}
    document = {
        "id": ["concept"],
        "size": [1],
        "dimension": {"concept": {"category": category}},
        "value": [1],
    }
    [cube] = read_datasets(document)

    [one] = observations_of(cube, ObservationQuery(series_id="x", limit=1)).observations

    assert one.units == words
