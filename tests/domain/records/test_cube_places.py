"""Cubes of any shape, in JSON-stat and in SDMX-JSON: every figure is at its own coordinates."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from sourcewright.domain.records.cubes import observations_of
from sourcewright.domain.records.economy import ObservationQuery
from sourcewright.domain.records.json_stat import read_datasets
from sourcewright.domain.records.sdmx_json import read_message

QUERY = ObservationQuery(series_id="x", limit=10_000)


@st.composite
def cubes(draw):
    """The codes of each dimension, one of which is time, and the figures by coordinates."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    codes = {f"d{at}": [f"c{at}{one}" for one in range(size)] for at, size in enumerate(sizes)}
    names = list(codes)
    names.insert(draw(st.integers(0, len(names))), "TIME_PERIOD")
    codes["TIME_PERIOD"] = draw(st.permutations(["2019", "2020", "2021"]))
    places = list(product(*(codes[name] for name in names)))
    figures = {place: str(number) for number, place in enumerate(places)}
    kept = draw(st.sets(st.sampled_from(places), min_size=1))
    flagged = draw(st.sets(st.sampled_from(sorted(kept))))
    dimensions = {name: codes[name] for name in names}
    return dimensions, {place: figures[place] for place in places if place in kept}, flagged


def read_places(cube, names):
    found = observations_of(cube, QUERY).observations
    return {
        tuple(one.date if name == "TIME_PERIOD" else one.dimensions[name] for name in names): (
            one.value,
            one.notes,
        )
        for one in found
        if one.value is not None
    }


def expected(figures, flagged, note):
    return {place: (value, note if place in flagged else None) for place, value in figures.items()}


@given(cube=cubes(), is_dense=st.booleans(), has_labels_alone=st.booleans())
def test_every_figure_of_json_stat_is_at_its_own_coordinates(cube, is_dense, has_labels_alone):
    dimensions, figures, flagged = cube
    places = list(product(*dimensions.values()))
    cells = {at: figures[place] for at, place in enumerate(places) if place in figures}

    def category(codes):
        if len(codes) == 1 and has_labels_alone:
            return {"label": {codes[0]: "alone"}}
        return {"index": {code: at for at, code in enumerate(codes)}}

    document = {
        "id": list(dimensions),
        "size": [len(codes) for codes in dimensions.values()],
        "dimension": {name: {"category": category(codes)} for name, codes in dimensions.items()},
        "value": [cells.get(at) for at in range(len(places))]
        if is_dense
        else {str(at): value for at, value in cells.items()},
        "status": {str(places.index(place)): "p" for place in flagged},
    }

    [read] = read_datasets(document)

    assert read_places(read, dimensions) == expected(figures, flagged, "provisional")


@given(cube=cubes(), is_flat=st.booleans(), data=st.data())
def test_every_figure_of_sdmx_is_at_its_own_coordinates(cube, is_flat, data):
    dimensions, figures, flagged = cube
    alone = [name for name, codes in dimensions.items() if len(codes) == 1]
    fixed = [name for name in alone if data.draw(st.booleans())]
    other = [name for name in dimensions if name not in fixed]
    at_cell = other if is_flat else [data.draw(st.sampled_from(other))]
    levels = {
        "dataSet": fixed,
        "series": [name for name in other if name not in at_cell],
        "observation": at_cell,
    }
    status = {"id": "OBS_STATUS", "values": [{"id": "A"}, {"id": "P", "name": "provisional"}]}
    structure = {
        "dimensions": {
            level: [
                {"id": name, "values": [{"id": code} for code in dimensions[name]]}
                for name in names
            ]
            for level, names in levels.items()
        },
        "attributes": {"observation": [status]},
    }

    def key(place, names):
        codes = dict(zip(dimensions, place, strict=True))
        return ":".join(str(dimensions[name].index(codes[name])) for name in names)

    groups = {}
    for place, value in figures.items():
        cell = [value, 1] if place in flagged else [value]
        group = groups.setdefault(key(place, levels["series"]), {"observations": {}})
        group["observations"][key(place, levels["observation"])] = cell
    dataset = {"series": groups} if levels["series"] else groups[""]

    read = read_message({"data": {"structures": [structure], "dataSets": [dataset]}})

    assert read_places(read, dimensions) == expected(figures, flagged, "provisional")
