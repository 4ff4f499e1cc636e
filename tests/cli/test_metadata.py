"""`sourcewright metadata`, as a person runs it."""

import json

import pytest

FINE, MISSING = "10.5555/fine-paper", "10.5555/never-registered-2019"
NO_EMAIL = "set CONTACT_EMAIL to your own e-mail address: Unpaywall requires one from every caller"


def rows_of(done):
    return {row[0]: row[1:] for row in (line.split("\t") for line in done.stdout.splitlines())}


def test_every_field_is_shown_with_whose_word_it_is(cli, tmp_path):
    done = cli("metadata", FINE)

    rows = rows_of(done)
    assert done.returncode == 0, done.stderr
    assert rows["title"] == ["Tidal mixing and the memory of estuaries", "unpaywall"]
    assert rows["authors"] == ["Okonkwo, Adaeze; Lindqvist, Åsa; 山田, 太郎", "crossref"]
    assert rows["volume"] == ["14", "crossref"]
    assert rows["open access"][0] == "yes"
    assert rows["available from"][0] == "Unpaywall"
    assert not (tmp_path / "downloads").exists()


def test_a_closed_paper_is_to_be_had_from_nobody(cli):
    rows = rows_of(cli("metadata", "10.5555/closed-paper"))

    assert (rows["open access"][0], rows["available from"][0]) == (
        "no",
        "no queried source",
    )


def test_what_nobody_could_be_asked_is_not_known(cli, internet):
    internet.breaks("api.unpaywall.org", status=503)

    done = cli("metadata", FINE)

    assert done.returncode == 0, done.stderr
    assert rows_of(done)["open access"][0] == "not known"


def test_json_is_what_the_tool_says(cli):
    answer = json.loads(cli("metadata", FINE, "--json").stdout)

    assert (answer["doi"], answer["is_oa"], answer["field_sources"]["volume"]) == (
        FINE,
        True,
        "crossref",
    )


@pytest.mark.parametrize("as_json", [True, False], ids=["json", "plain"])
@pytest.mark.parametrize(
    ("identifier", "code", "headline"),
    [(MISSING, 1, "Metadata not available"), ("nonsense", 2, "Invalid input")],
)
def test_a_paper_that_cannot_be_described_says_why(cli, identifier, code, headline, as_json):
    done = cli("metadata", identifier, *(["--json"] if as_json else []))

    assert done.returncode == code
    if as_json:
        answer = json.loads(done.stdout)
        assert (answer["error"], answer["available_sources"]) == (headline, [])
    else:
        assert headline in done.stderr.splitlines()[0]
        assert "  = help: " in done.stderr


def test_an_absence_is_told_from_a_source_that_did_not_answer(cli, internet):
    internet.breaks("api.crossref.org", status=503)

    done = cli("metadata", MISSING)

    assert done.returncode == 1
    assert "Metadata could not be checked" in done.stderr
    assert "Metadata not available" not in done.stderr


def test_without_an_address_the_setting_is_called_as_the_readme_calls_it(cli, internet):
    done = cli("metadata", FINE, CONTACT_EMAIL="")

    assert done.returncode == 3
    assert NO_EMAIL in done.stderr
    assert "SCIHUB" not in done.stderr
    assert internet.seen == []
