"""SDMX-JSON messages of every shape that the standard allows: each figure at its own place."""

import json

import pytest

from sourcewright.domain.records.cubes import observations_of
from sourcewright.domain.records.economy import ObservationQuery
from sourcewright.domain.records.figures import parse_figures
from sourcewright.domain.records.sdmx_json import read_message

TIME = {"id": "TIME_PERIOD", "values": [{"id": "2020"}, {"id": "2021"}]}
STATUS = {
    "id": "OBS_STATUS",
    "values": [{"id": "A", "name": "Normal value"}, {"id": "P", "name": "Provisional value"}],
}
QUERY = ObservationQuery(series_id="x", limit=100)


def coded(name, *codes, **fields):
    return {"id": name, "values": [{"id": code, "name": code.title()} for code in codes], **fields}


def message(dimensions, attributes, *datasets, **fields):
    structure = {"name": "Flow", "dimensions": dimensions, "attributes": attributes, **fields}
    return {"data": {"structures": [structure], "dataSets": list(datasets)}}


def figures(sent):
    read = read_message(parse_figures(json.dumps(sent).encode()))
    return {
        (one.date, *one.dimensions.values()): one
        for one in observations_of(read, QUERY).observations
    }


def series(observations, *, key="0", attributes=None):
    own = {} if attributes is None else {"attributes": attributes}
    return {"series": {key: {"observations": observations, **own}}}


def test_a_message_as_the_oecd_sends_it_is_read_with_its_figure_unit_and_period():
    """The monthly unemployment rate of the USA, annual value of 2019."""
    names = {
        "REF_AREA": "USA",
        "MEASURE": "UNE_LF_M",
        "UNIT_MEASURE": "PT_LF_SUB",
        "TRANSFORMATION": "_Z",
        "ADJUSTMENT": "Y",
        "SEX": "_T",
        "AGE": "Y_GE15",
        "ACTIVITY": "_Z",
        "FREQ": "A",
    }
    multiplier = {"id": "UNIT_MULT", "values": [{"id": "0", "name": "Units"}]}
    period = {"id": "2019", "start": "2019-01-01T00:00:00", "end": "2019-12-31T23:59:59"}
    structure = {
        "name": "Monthly unemployment rates",
        "dimensions": {
            "dataset": [],
            "series": [coded(name, code) for name, code in names.items()],
            "observation": [{"id": "TIME_PERIOD", "roles": ["TIME_PERIOD"], "values": [period]}],
        },
        "attributes": {
            "dataSet": [],
            "series": [{"id": "BASE_PER", "values": []}, multiplier],
            "observation": [STATUS],
        },
    }
    data = series({"0": [3.666667, 0]}, key=":".join("0" * len(names)), attributes=[None, 0])
    sent = {
        "meta": {"prepared": "2026-10-08T04:42:14Z"},
        "data": {"dataSets": [data], "structure": structure},
    }

    [(place, one)] = figures(sent).items()

    assert place == ("2019", *names.values())
    assert (one.value, one.frequency, one.notes) == ("3.666667", "Annual", None)
    assert one.units == "Pt_Lf_Sub"


def test_the_time_at_which_a_message_was_made_is_no_update_of_the_data():
    sent = message({"observation": [TIME]}, {}, {"observations": {"0": [1]}})
    sent["meta"] = {"prepared": "2026-10-08T04:42:14Z"}

    found = observations_of(read_message(sent), QUERY)

    assert found.series.last_updated is None


@pytest.mark.parametrize("level", ["dataSet", "dataset"])
def test_a_dimension_of_the_whole_data_set_is_part_of_every_place(level):
    dimensions = {level: [coded("FREQ", "Q")], "observation": [TIME]}

    known = figures(message(dimensions, {}, {"observations": {"0": [1], "1": [2.50]}}))

    assert {key: one.value for key, one in known.items()} == {
        ("2021", "Q"): "2.5",
        ("2020", "Q"): "1",
    }
    assert {one.frequency for one in known.values()} == {"Quarterly"}


def test_a_unit_of_a_group_is_found_by_the_positions_of_the_dimensions_in_a_key():
    """FREQ is presented first and is second in a key."""
    dimensions = {
        "dataSet": [coded("FREQ", "A", keyPosition=1)],
        "series": [
            coded("REF_AREA", "DE", "FR", keyPosition=0),
            coded("MEASURE", "GDP", "CPI", keyPosition=2),
        ],
        "observation": [TIME],
    }
    units = coded("UNIT_MEASURE", "MARKS", "FRANCS", "INDEX")
    scale = {"id": "UNIT_MULT", "values": [{"id": "6", "name": "Millions"}]}
    data = {
        "dimensionGroupAttributes": {"0::0:": [0, 0], "1::0:": [1, 0], "::1:": [2]},
        "series": {
            "0:0": {"observations": {"0": [1]}},
            "1:0": {"observations": {"0": [2]}},
            "1:1": {"observations": {"1": [3]}},
        },
    }

    known = figures(message(dimensions, {"dimensionGroup": [units, scale]}, data))

    assert {key[2:]: (one.value, one.units) for key, one in known.items()} == {
        ("DE", "GDP"): ("1", "Marks, Millions"),
        ("FR", "GDP"): ("2", "Francs, Millions"),
        ("FR", "CPI"): ("3", "Index"),
    }


def test_a_key_of_a_group_with_too_many_places_is_not_read():
    data = {"dimensionGroupAttributes": {"0::": [0]}, "observations": {"0": [1]}}

    with pytest.raises(ValueError, match="does not fit 1 dimensions"):
        read_message(message({"observation": [TIME]}, {"dimensionGroup": [STATUS]}, data))


@pytest.mark.parametrize(
    ("attributes", "sent", "units"),
    [
        ([{"id": "UNIT_MEASURE"}, {"id": "UNIT_MULT"}], ["Euro", 6], "Euro, 10^6"),
        ([{"id": "UNIT_MEASURE"}], [{"fr": "Tonnes", "en": "Tons"}], "Tons"),
        ([{"id": "UNIT_MEASURE"}], [{"fr": "Tonnes"}], "Tonnes"),
        ([{"id": "UNIT_MEASURE"}], [["Euro", "per head"]], "Euro, per head"),
        ([{"id": "UNIT_MEASURE"}], [[]], None),
        ([{"id": "UNIT_MEASURE", "values": [{"value": "Euro"}]}], [0], "Euro"),
        ([{"id": "UNIT_MEASURE", "values": [{"id": "E", "names": {"en": "Euro"}}]}], [0], "Euro"),
        ([coded("UNIT_MEASURE", "EURO", default="EURO")], [], "Euro"),
        ([coded("UNIT_MEASURE", "EURO", default="EURO")], [None], None),
        ([{"id": "UNIT_MEASURE", "default": "Euro"}], [], "Euro"),
        ([coded("UNIT_MULT", "0", "3")], [1], "10^3"),
        ([{"id": "UNIT_MULT", "values": [{"id": "9999", "name": "."}]}], [0], None),
    ],
)
def test_an_attribute_is_read_by_its_code_as_text_or_by_its_default(attributes, sent, units):
    dimensions = {"series": [coded("REF_AREA", "DE")], "observation": [TIME]}
    data = series({"0": [1]}, attributes=sent)

    [one] = figures(message(dimensions, {"series": attributes}, data)).values()

    assert one.units == units


def test_a_status_that_is_left_out_is_the_default_one():
    dimensions = {"observation": [TIME]}
    data = {"observations": {"0": [1], "1": [2, 0]}}

    known = figures(message(dimensions, {"observation": [STATUS | {"default": "P"}]}, data))

    assert {key: one.notes for key, one in known.items()} == {
        ("2020",): "Provisional value",
        ("2021",): None,
    }


def test_a_period_in_no_code_list_is_its_value():
    time = {"id": "TIME_PERIOD", "values": [{"value": "2024"}, {"value": "2025"}]}
    observations = {"0": ["3644636000000"], "1": ["3958780000000"]}

    known = figures(message({"observation": [time]}, {}, {"observations": observations}))

    assert {key: one.value for key, one in known.items()} == {
        ("2024",): "3644636000000",
        ("2025",): "3958780000000",
    }


def test_a_multiplier_that_is_a_dimension_is_part_of_the_units():
    scale = {
        "id": "UNIT_MULT",
        "values": [{"id": "0", "name": "Units"}, {"id": "6", "name": "Millions"}],
    }
    dimensions = {"series": [coded("UNIT_MEASURE", "EURO"), scale], "observation": [TIME]}
    data = {
        "series": {"0:0": {"observations": {"0": [7]}}, "0:1": {"observations": {"0": [8]}}},
    }

    known = figures(message(dimensions, {}, data))

    assert {one.value: one.units for one in known.values()} == {"7": "Euro", "8": "Euro, Millions"}


def test_several_measures_leave_the_attributes_behind_them():
    measures = {"observation": [{"id": "OBS_VALUE"}, {"id": "LOW"}]}
    data = {"observations": {"0": [1, 9, 1], "1": [2, 8]}}

    known = figures(
        message({"observation": [TIME]}, {"observation": [STATUS]}, data, measures=measures)
    )

    assert {key[0]: (one.value, one.notes) for key, one in known.items()} == {
        "2020": ("1", "Provisional value"),
        "2021": ("2", None),
    }


def test_of_several_data_sets_the_last_one_has_the_figure_and_its_status():
    dimensions = {"series": [coded("REF_AREA", "DE", "FR")], "observation": [TIME]}
    datasets = [
        series({"0": [1, 1]}),
        series({"0": [2, 0]}, key="1"),
        series({"0": [3, 0]}),
    ]

    known = figures(message(dimensions, {"observation": [STATUS]}, *datasets))

    assert {key: (one.value, one.notes) for key, one in known.items()} == {
        ("2020", "DE"): ("3", None),
        ("2020", "FR"): ("2", None),
    }


@pytest.mark.parametrize("index", [-1, 7])
def test_an_index_that_no_code_has_is_not_read(index):
    data = {"observations": {"0": [1, index]}}

    with pytest.raises((LookupError, ValueError)):
        read_message(message({"observation": [TIME]}, {"observation": [STATUS]}, data))
