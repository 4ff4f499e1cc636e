"""The tests of a file are run by one worker, and those of the browser by one alone."""

from pathlib import Path

import pytest
import work_units

ROOT = Path(__file__).parents[2]
BROWSER = "tests/reading/browser"


@pytest.mark.parametrize(
    ("nodeid", "unit"),
    [
        ("tests/net/http/test_guard.py::test_a[http://[::1]/]", "tests/net/http/test_guard.py"),
        ("tests/reading/browser/test_lifetime.py::test_a", BROWSER),
        ("tests/journeys/test_browser.py::test_a[a]", BROWSER),
        (
            "tests/contracts/test_every_tool.py::test_a[b::c]",
            "tests/contracts/test_every_tool.py::test_a",
        ),
    ],
)
def test_a_test_belongs_to_its_unit(nodeid, unit):
    assert work_units.unit(nodeid) == unit


def test_what_is_named_exists():
    named = {*work_units.TOGETHER, *work_units.APART, *work_units.FIRST}

    assert [name for name in named if not (ROOT / name).exists()] == []


def test_what_takes_longest_is_first():
    places = [work_units.place(f"{BROWSER}test_lifetime.py"), work_units.place("tests/net/a.py")]

    assert places == sorted(places)
    assert places[0] == 0


@pytest.fixture(scope="module")
def seen(tmp_path_factory, worker_id):
    """Which workers run this file: a folder that all of them share, with a file for each."""
    folder = tmp_path_factory.getbasetemp()
    shared = (folder if worker_id == "master" else folder.parent) / "workers of this file"
    shared.mkdir(exist_ok=True)
    (shared / worker_id).touch()
    return shared


@pytest.mark.parametrize("number", range(20))
def test_one_worker_runs_a_whole_file(seen, worker_id, number):  # noqa: ARG001 -- run twenty times
    assert [one.name for one in seen.iterdir()] == [worker_id]
