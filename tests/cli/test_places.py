"""`sourcewright places`, as a person runs it."""

import json

KEY = {"BRAVE_API_KEY": "an-invented-key"}


def test_a_place_is_shown_with_its_address_and_hours(cli):
    done = cli("places", "coffee", "--near", "Port Meridian", **KEY)

    assert done.returncode == 0, done.stderr
    name, address, *_ = done.stdout.splitlines()
    assert (name, address.split(maxsplit=1)) == (
        "Fog & Bean",
        ["address", "1 Quay Street, Port Meridian"],
    )
    assert "Thursday: 06:59-17:00" in done.stdout


def test_as_json_it_is_the_structured_result(cli):
    done = cli("places", "coffee", "--at", "10.512", "20.5", "--radius", "1000", "--json", **KEY)

    assert [one["name"] for one in json.loads(done.stdout)["places"]] == ["Tidal Coffee"]


def test_nothing_found_is_no_proof_that_there_is_nothing(cli):
    done = cli("places", "volcano", "--near", "Port Meridian", **KEY)

    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "no results"
    assert "An empty result does not prove that nothing exists." in done.stdout


def test_a_number_out_of_range_is_adjusted_and_said(cli):
    done = cli("places", "coffee", "-n", "50", **KEY)

    assert "--number 50 is out of range and was adjusted" in done.stdout + done.stderr
