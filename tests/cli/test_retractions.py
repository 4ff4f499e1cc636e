"""`sourcewright retractions`, through the command line."""

import json

import pytest
from tests.stores.catalogues.retraction_lists import csv_of, row

RETRACTED, FINE = "10.5555/retracted-paper", "10.5555/fine-paper"
LISTED = "10.7777/known-only-to-the-list"


@pytest.fixture
def listed(tmp_path):
    """A list with one paper of the world and one that only the list knows."""
    path = tmp_path / "retraction_watch.csv"
    path.write_text(
        csv_of(
            row(OriginalPaperDOI=LISTED, OriginalPaperPubMedID="31415926"),
            row(RecordID="2", OriginalPaperDOI="unavailable", OriginalPaperPubMedID="0"),
            row(RecordID="3", RetractionNature="Gossip"),
        )
    )
    return path


def test_a_list_is_read_and_what_could_not_be_read_is_named(cli, listed):
    done = cli("retractions", "update", str(listed))

    assert done.returncode == 0, done.stderr
    assert "1 row without DOI and PMID left out" in done.stdout
    assert "line 4: unknown RetractionNature 'Gossip'" in done.stdout
    status = json.loads(cli("retractions", "status", "--json").stdout)["list"]
    assert (status["rows"], status["works"], status["newest"]) == (1, 1, "2021-04-15")
    assert status["origin"] == str(listed)


def test_without_a_list_the_status_says_how_to_get_one(cli):
    assert "retractions update" in cli("retractions", "status").stdout


def test_offline_the_list_alone_is_asked(cli, listed, internet):
    cli("retractions", "update", str(listed))

    done = cli("retractions", "check", "--offline", "--json", LISTED, "pmid:31415926", FINE)

    assert done.returncode == 5
    found = json.loads(done.stdout)
    assert [one["status"] for one in found["works"]] == [
        "retracted",
        "retracted",
        "no_notice_found",
    ]
    notice = found["works"][0]["notices"][0]
    assert (notice["source"], notice["date"]) == ("retraction-watch", "2021-04-15")
    assert found["works"][2]["checked_by"] == ["retraction-watch"]
    assert internet.seen == []


def test_offline_without_a_list_nothing_is_clean(cli):
    done = cli("retractions", "check", "--offline", FINE)

    assert done.returncode == 1
    assert "unchecked" in done.stdout


def test_a_check_asks_everybody(cli):
    done = cli("retractions", "check", RETRACTED, FINE)

    assert done.returncode == 5
    assert "retraction, 2018-02-14, 10.5555/retraction-notice" in done.stdout
    assert "no notice found" in done.stdout


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("missing.csv", "No such file"),
        ("http://signposts.example/list.csv", "https alone"),
        ("https://127.0.0.1/list.csv", "not on the public internet"),
        ("https://signposts.example/article/1", "signposts.example: a web page instead"),
        ("https://nowhere.example/list.csv", "nowhere.example: HTTP 502"),
    ],
)
def test_a_list_that_cannot_be_read_changes_nothing(cli, listed, place, words):
    cli("retractions", "update", str(listed))

    done = cli("retractions", "update", place)

    assert done.returncode not in (0, 5)
    assert words in done.stderr
    assert json.loads(cli("retractions", "status", "--json").stdout)["list"]["rows"] == 1


def test_a_file_with_one_endless_line_is_refused_with_the_reason(cli, tmp_path):
    (tmp_path / "long.csv").write_text("a" * 200_000)

    done = cli("retractions", "update", "long.csv")

    assert done.returncode == 2
    assert "not the list of Retraction Watch" in done.stderr


def test_a_list_can_be_downloaded(cli, listed, internet):
    internet.says("signposts.example", listed.read_bytes(), content_type="text/csv")

    done = cli("retractions", "update", "https://signposts.example/list.csv?token=abc")

    assert done.returncode == 0, done.stderr
    status = json.loads(cli("retractions", "status", "--json").stdout)["list"]
    assert status["origin"] == "https://signposts.example/list.csv"


def test_what_is_no_identifier_is_said(cli):
    done = cli("retractions", "check", "nonsense")

    assert done.returncode == 2
    assert "not a known kind of reference" in done.stderr
