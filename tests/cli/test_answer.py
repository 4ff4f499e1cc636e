"""`sourcewright answer`, as a person runs it."""

import json

KEY = {"EXA_API_KEY": "an-invented-key"}


def test_the_answer_stands_above_the_pages_that_it_cites(cli):
    done = cli("answer", "sea", "otter", **KEY)

    answer, _, pages = done.stdout.partition("\n\n")
    assert done.returncode == 0
    assert answer.startswith("Sea otters keep kelp forests alive by eating urchins.")
    assert [line[:4] for line in pages.splitlines()[::2]] == ["[1] ", "[2] ", "[3] "]
    assert "Written by exa; 0.0050 USD by its estimate." in done.stderr


def test_as_json_it_is_the_structured_result(cli):
    done = cli("answer", "sea otter", "--json", **KEY)

    assert json.loads(done.stdout)["provider"] == "exa"


def test_without_a_key_the_setting_is_named(cli):
    done = cli("answer", "sea otter")

    assert done.returncode != 0
    assert "EXA_API_KEY" in done.stderr
