"""Retractions and other notices about a paper, as a person sees them at the terminal."""

import pytest

RETRACTED = "10.5555/retracted-paper"
KEY = "doi_10.5555_retracted-paper"
NOTICE = "10.5555/retraction-notice, 2018-02-14 (according to retraction-watch, in crossref)"


@pytest.mark.promise("kept.notices-are-remembered")
def test_every_command_that_shows_a_retracted_paper_says_so(cli, tmp_path):
    (tmp_path / "list.txt").write_text(f"{RETRACTED}\n10.5555/fine-paper\n")

    fetched = cli("fetch", RETRACTED)
    again = cli("fetch", RETRACTED)
    batch = cli("batch", "list.txt")
    info = cli("info", RETRACTED)
    found = cli("library", "search", "harbour", "bells")
    recent = cli("library", "recent")
    tagged = cli("library", "tag", RETRACTED, "--add", "doubtful")
    graph = cli("graph", RETRACTED)

    for shown in (fetched, again, info):
        assert "RETRACTED (checked 20" in shown.stdout
        assert NOTICE in shown.stdout
    lines = batch.stdout.splitlines()
    assert [line.endswith(".pdf") for line in lines if "fine-paper" in line] == [True]
    assert any(line.endswith(f"{KEY}.pdf  RETRACTED 2018-02-14") for line in lines)
    assert "RETRACTED 2018-02-14" in found.stdout
    assert f"{RETRACTED}\tRETRACTED 2018-02-14" in recent.stdout
    assert "Retracted 2018-02-14 (notice 10.5555/retraction-notice" in tagged.stdout
    assert "yes; RETRACTED 2018-02-14" in graph.stdout


@pytest.mark.promise("kept.notices-are-remembered")
def test_both_exports_carry_the_retraction(cli):
    cli("fetch", RETRACTED)

    assert "note       = {Retracted 2018-02-14 (notice " in cli("bib", RETRACTED).stdout
    assert '"status": "retracted"' in cli("csl", RETRACTED).stdout


@pytest.mark.promise("kept.none-is-not-unchecked")
def test_a_paper_that_was_found_clean_looks_unlike_one_that_was_not_checked(cli, internet):
    clean = cli("fetch", "10.5555/fine-paper")
    internet.breaks("api.crossref.org", status=503)

    unchecked = cli("fetch", "10.5555/second-copy")
    recent = cli("library", "recent")

    assert "no retraction or correction found (checked 20" in clean.stdout
    assert "could not be checked for retractions" in unchecked.stdout
    assert "crossref could not be queried for notices" in unchecked.stdout
    _, newest, oldest = recent.stdout.splitlines()
    assert newest.endswith("10.5555/second-copy\tnot checked for retractions")
    assert oldest.endswith("10.5555/fine-paper\t")
