"""`sourcewright economy`, as a person runs it."""

import csv
import io
import json

import pytest

from sourcewright.world.statistics import EUROSTAT_SETS, FRED_SERIES, WORLD_INDICATORS

KEY = {"FRED_API_KEY": "an-invented-key"}
GDP = FRED_SERIES[0]


def test_series_are_listed_with_their_ids_units_and_dates(cli):
    done = cli("economy", "gross", "product", **KEY)

    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "  1. Gross Domestic Product of the Tidal Isles",
        "     TIDEGDP",
        "     Billions of Tidal Crowns, Not Seasonally Adjusted, Quarterly,",
        "     1996-01-01-2025-10-01, updated 2026-06-30 07:54:01-05",
    ]


def test_observations_in_a_pipe_are_rows_of_date_and_digits(cli):
    done = cli("economy", "--series", "TIDEGDP", "-n", "3", **KEY)

    lines = done.stdout.splitlines()
    assert lines[0] == GDP.title
    periods = ["2025-10-01", "2025-07-01", "2025-04-01"]
    assert lines[-3:] == [f"{period}\t{GDP.figure(period)}" for period in periods]


@pytest.mark.parametrize("columns", [40, 80])
def test_a_terminal_shows_a_chart_and_a_table_that_fit(terminal, columns):
    done = terminal("economy", "-s", "TIDEGDP", "-n", "12", columns=columns, NO_COLOR="1", **KEY)

    lines = done.splitlines()
    assert any("█" in line for line in lines)
    assert all(len(line) <= columns for line in lines)
    assert any(line.split() == ["date", "value"] for line in lines)


def test_csv_has_the_exact_digits_and_the_codes_of_each_dimension(cli):
    done = cli(
        *("economy", "-s", "une_tide_m", "--provider", "eurostat", "--country", "TI"),
        *("--dimension", "sex=F", "--dimension", "unit=PC_ACT", "--from", "2025", "--csv"),
        *("-n", "20"),
    )

    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert list(rows[0]) == [
        *("series_id", "date", "value", "freq", "unit", "sex", "geo", "units", "notes")
    ]
    place = {"freq": "M", "unit": "PC_ACT", "sex": "F", "geo": "TI"}
    assert [row["value"] for row in rows] == [
        EUROSTAT_SETS[0].figure(place, f"2025-{month:02}") for month in range(1, 13)
    ]
    assert [row["notes"] for row in rows][-2:] == ["provisional", "provisional"]


def test_a_missing_figure_is_an_empty_cell(cli):
    done = cli(
        *("economy", "-s", WORLD_INDICATORS[0].id, "--provider", "worldbank", "--csv", "-n", "2")
    )

    first, second = list(csv.DictReader(io.StringIO(done.stdout)))
    assert (first["date"], first["value"]) == ("2025", "")
    assert second["value"] == WORLD_INDICATORS[0].figure("2024-01-01", "WLD")


def test_json_is_the_structured_answer(cli):
    answer = json.loads(cli("economy", "kelp", "--provider", "oecd", "--json").stdout)

    assert answer["results"][0]["seriesId"] == "OECD.SDD.TID,DSD_KELP@DF_PRICES,1.0"


def test_what_is_not_shown_is_said(cli):
    done = cli("economy", "-s", "une_tide_m", "--provider", "eurostat", "-n", "2")

    assert "Showing 2 of at least 12 observations of 12 series." in done.stdout


def test_nothing_found_says_what_to_try(cli):
    done = cli("economy", "-s", "NOBODYS", "--from", "2020", **KEY)

    assert done.returncode == 0
    assert "no results" in done.stdout
    assert "without --from 2020" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "give words to search for, or a series"),
        (("gdp", "--csv"), "--csv needs --series"),
        (("-s", "X", "--dimension", "sex"), "NAME=CODE"),
    ],
)
def test_a_command_without_meaning_is_a_usage_error(cli, arguments, words):
    done = cli("economy", *arguments)

    assert done.returncode == 2
    assert words in done.stderr


def test_a_missing_key_is_named(cli):
    done = cli("economy", "gdp", "--provider", "fred")

    assert done.returncode == 3
    assert "FRED_API_KEY" in done.stderr


def test_the_date_of_the_last_update_is_called_so_and_no_line_is_empty(cli):
    fred = cli("economy", "-s", "TIDEGDP", "-n", "1", **KEY).stdout
    bank = cli("economy", "-s", "TI.GDP.MKTP.CD", "--provider", "worldbank", "-n", "1").stdout
    oecd = cli("economy", "-s", "OECD.SDD.TID,DSD_TIDE@DF_QNA,1.1", "--provider", "oecd").stdout

    assert "updated 2026-06-30" in " ".join(fred.split())
    assert bank.splitlines()[1] == "updated 2026-07-01"
    assert all(oecd.splitlines())


def test_a_country_that_the_office_ignores_is_not_part_of_the_heading(cli):
    done = cli("economy", "-s", "TIDEGDP", "-n", "1", "--country", "DE", **KEY)

    assert done.stdout.splitlines()[0] == GDP.title
    assert "filters ignored: --country" in done.stdout + done.stderr


@pytest.mark.parametrize("provider", ["fred", "worldbank", "oecd", "eurostat"])
def test_a_series_that_there_is_not_is_to_be_searched_for(cli, provider):
    done = cli("economy", "-s", "NOPE", "--provider", provider, **KEY)

    text = " ".join(done.stdout.split())
    assert f"try search {provider} by words of the title, and use the id of a series" in text
    assert "other words" not in text


def test_a_frequency_that_there_is_not_is_refused_in_the_words_of_the_office(cli):
    done = cli("economy", "-s", "TIDEGDP", "--frequency", "zz", **KEY)

    assert done.returncode == 1
    assert "Value of frequency is not one of" in done.stderr
