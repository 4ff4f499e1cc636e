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


def test_nothing_found_is_said(cli):
    done = cli("places", "volcano", **KEY)

    assert (done.returncode, done.stdout) == (0, "brave has no such place.\n")
