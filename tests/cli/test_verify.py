"""`sourcewright verify`, as a person runs it."""

import json

import pytest


def test_a_right_citation_is_confirmed_with_its_record(cli):
    done = cli("verify", "10.5555/fine-paper")

    assert done.returncode == 0, done.stderr
    assert "1 confirmed" in done.stdout
    assert "Tidal mixing and the memory of estuaries" in done.stdout


def test_a_wrong_field_is_shown_beside_the_right_one(cli):
    done = cli(
        "verify",
        "@article{x, title={The acoustics of frozen lakes}, author={Percival Fabricant},"
        " journal={Annals of Imaginary Limnology}, year={2011}}",
    )

    assert done.returncode == 1
    assert "authors: Percival Fabricant" in done.stdout
    assert "Bjørn Ødegård" in done.stdout
    assert "@article{x" in done.stdout


def test_a_retracted_paper_is_said_to_be_one(cli):
    done = cli("verify", "10.5555/retracted-paper")

    assert done.returncode == 1
    assert "retracted" in done.stdout


def test_the_structured_result_can_be_asked_for(cli):
    done = cli("verify", "10.5555/nobody-registered-this", "--json")

    answer = json.loads(done.stdout)
    assert (done.returncode, answer["status"], answer["exists"]) == (1, "not_found", False)


def test_a_citation_of_nothing_is_counted_as_not_found(cli):
    done = cli("verify", "10.5555/nobody-registered-this")

    assert done.returncode == 1
    assert "1 entry: 1 not found" in done.stdout


def test_notices_that_could_not_be_checked_are_said_and_do_not_pass(cli, internet):
    internet.breaks("api.crossref.org", status=503)

    done = cli("verify", "10.5555/fine-paper")

    assert done.returncode == 1
    assert "notices could not be checked" in done.stdout
    assert "crossref" in done.stdout


def test_a_file_is_referred_to_the_audit(cli, tmp_path, internet):
    (tmp_path / "refs.bib").write_text("@misc{a, title={Mosses that hum}}")

    done = cli("verify", "refs.bib")

    assert done.returncode == 2
    assert "refs.bib is a file; `sourcewright audit` checks its references" in done.stderr
    assert internet.seen == []


def test_a_citation_without_quotes_is_not_taken_for_several(cli, internet):
    done = cli("verify", "Fabricant", "P.", "Harbour", "bells", "2016")

    assert done.returncode == 2
    assert "put a citation of several words in quotes" in done.stderr
    assert internet.seen == []


@pytest.mark.parametrize("reference", ["10.5555/fine-paper", "A tale that nobody wrote, 2016"])
def test_the_lookup_of_a_citation_is_reported_once(terminal, reference):
    shown = terminal("verify", reference)

    assert shown.count(" of 1 reference") == shown.count("looked up 1 of 1 reference") == 1
