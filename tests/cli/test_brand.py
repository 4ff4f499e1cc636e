"""`sourcewright brand`, as a person runs it."""

import json

import pytest


def test_a_brand_is_shown_with_its_colours_fonts_and_page(cli):
    done = cli("brand", "lumenfjord.example")

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Lumenfjord\n")
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["#0b3c5d", "Deep", "Fjord", "primary"] in rows
    assert ["heading", "Fjord", "One"] in rows
    assert "https://brand.lumenfjord.example/" in done.stdout


def test_tokens_alone_are_a_file_of_design_tokens(cli):
    tokens = json.loads(cli("brand", "lumenfjord.example", "--tokens").stdout)

    assert tokens["color"]["primary"]["$type"] == "color"


def test_no_brand_page_is_said_with_what_to_do(cli):
    done = cli("brand", "Saltwick")

    assert done.returncode == 0
    assert "sourcewright read" in done.stderr
    assert "colors" in done.stderr


def test_as_json_it_is_the_structured_result_and_failures_have_their_exit_code(cli):
    done = cli("brand", "quiet-mill.example", "--depth", "quick", "--json")
    refused = cli("brand", "127.0.0.1")

    assert json.loads(done.stdout)["identity"] == {"domain": "quiet-mill.example"}
    assert refused.returncode != 0
    assert "not on the public internet" in refused.stderr


@pytest.mark.parametrize("columns", [40, 80])
def test_a_brand_fits_the_terminal(terminal, columns):
    shown = terminal("brand", "lumenfjord.example", columns=columns, NO_COLOR="1")

    _progress, _, answer = shown.partition("\nLumenfjord")
    lines = [line for line in answer.splitlines() if "://" not in line]
    assert "Deep Fjord" in answer
    assert [line for line in lines if len(line) > columns] == []
