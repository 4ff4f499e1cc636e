"""`sourcewright patents`, as a person runs it."""

import json

import pytest

KEYS = {"LENS_API_TOKEN": "an-invented-token"}


def test_patents_are_listed_with_number_dates_and_owner(cli):
    done = cli("patents", "mooring", **KEYS)

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "  1. Mooring for a tidal turbine",
        "     https://www.lens.org/lens/patent/000-000-400-812-B",
        "     EP2400812B1, filed 2010-06-25, published 2013-12-25, granted 2013-12-25,",
        "     ACTIVE",
        "     Driftwood Moorings GmbH, Bela Anker",
        "     A mooring holds a tidal turbine without chains.",
    ]


def test_one_patent_is_found_by_its_number_without_a_key(cli):
    answer = json.loads(cli("patents", "--number", "EP", "2400812", "B1", "--json").stdout)

    assert [one["number"] for one in answer["patents"]] == ["EP2400812B1"]


@pytest.mark.parametrize("columns", [40, 80])
def test_a_landscape_is_a_table_of_owners_that_fits(terminal, columns):
    shown = terminal("patents", "tidal", "--landscape", columns=columns, NO_COLOR="1", **KEYS)

    lines = shown.splitlines()
    assert ["assignee", "families"] in [line.split() for line in lines]
    assert "Meridian Tidal Power, Inc." in shown
    assert all(len(line) <= columns for line in lines if "https://" not in line)


def test_nothing_found_says_what_to_try(cli):
    done = cli("patents", "unicorns", "--office", "ep", "--provider", "lens", **KEYS)

    assert done.returncode == 0
    assert "without --office EP" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "give words, a number, --assignee or --inventor"),
        (("x", "--number", "--landscape"), "cannot be combined"),
    ],
)
def test_a_command_without_meaning_is_a_usage_error(cli, arguments, words):
    done = cli("patents", *arguments)

    assert done.returncode == 2
    assert words in done.stderr
