"""What `sourcewright doctor` says of the browser."""

import json

import pytest

from sourcewright.domain.document_ports import NoBrowser
from sourcewright.reading.browser.browser import find_chromium
from sourcewright.services.instance.doctor import examine_browser


def about_the_browser(cli, **changes):
    done = cli("doctor", "--json", **changes)
    (row,) = [one for one in json.loads(done.stdout)["findings"] if one["subject"] == "browser"]
    return done.returncode, row


def test_one_that_is_turned_off_is_no_problem(cli):
    code, row = about_the_browser(cli, CHROME_PATH="disabled")

    assert code == 0
    assert row["grade"] == "note"
    assert "CHROME_PATH" in row["detail"]


@pytest.mark.anyio
async def test_one_that_is_absent_is_told_with_how_to_install_it():
    missing = NoBrowser("no Chromium was found; install one, or set CHROME_PATH")

    row = await examine_browser(missing)

    assert row.grade == "note"
    assert row.detail == "no Chromium was found"
    assert "install" in row.advice


@pytest.mark.parametrize("path", ["/no/such/chromium", "/bin/true"])
def test_one_that_is_set_and_does_not_start_is_a_problem(cli, path):
    code, row = about_the_browser(cli, CHROME_PATH=path)

    assert code == 1
    assert row["grade"] == "problem"
    assert "CHROME_PATH" in row["advice"]


def test_one_that_works_is_told_with_how_it_is_held(cli):
    found = find_chromium()
    if found.path is None:
        pytest.skip(f"the browser's tests need one: {found.reason}")

    code, row = about_the_browser(cli, CHROME_PATH=found.path)

    assert code == 0
    assert row["detail"].startswith("Chrome/")
    assert "network" in row["detail"] or "network access only" in row["detail"]
