"""`sourcewright audit`, as a person runs it."""

import json
import sys

import pytest
import warm_python

LIST = """@article{right, title={Tidal mixing and the memory of estuaries},
  author={Adaeze Okonkwo and Åsa Lindqvist and 太郎 山田}, journal={Journal of Tidal Research},
  year={2019}, doi={10.5555/fine-paper}}

@article{wrong, title={The acoustics of frozen lakes},
  author={Percival Fabricant}, journal={Annals of Imaginary Limnology}, year={2011}}

@article{taken-back, title={Harbour bells cure insomnia: a randomised trial},
  author={Percival Fabricant and John Smith}, journal={Journal of Tidal Research}, year={2016},
  doi={10.5555/retracted-paper}}
"""


TITLE = "Tidal mixing and the memory of estuaries"


@pytest.fixture
def listed(tmp_path):
    path = tmp_path / "references.bib"
    path.write_text(LIST, encoding="utf-8")
    return str(path)


def test_a_person_sees_what_is_wrong_and_what_to_do(cli, listed):
    done = cli("audit", listed)

    assert done.returncode == 0, done.stderr
    assert "3 entries: 1 confirmed, 1 with wrong fields, 1 retracted\n" in done.stdout
    assert "wrong (line 5)" in done.stdout
    assert "authors: Percival Fabricant" in done.stdout
    assert "Bjørn Ødegård" in done.stdout
    assert "correct the authors" in done.stdout
    assert "right" not in done.stdout.replace("the right one", "")


def test_a_doi_that_is_not_registered_is_reported_once(cli, tmp_path):
    path = tmp_path / "absent.bib"
    path.write_text("@misc{a, title={Nothing of the kind}, doi={10.5555/absent}}")

    shown = cli("audit", str(path)).stdout

    assert "DOI: 10.5555/absent" in shown
    assert shown.count("not registered") == 1


@pytest.mark.parametrize(
    ("flags", "code"),
    [("retracted", 1), ("mismatch,not_found", 1), ("not_found", 0), ("dead_link,unchecked", 0)],
)
def test_the_exit_code_follows_what_was_asked_for(cli, listed, flags, code):
    assert cli("audit", listed, "--fail-on", flags).returncode == code


def test_an_unknown_flag_is_a_misuse(cli, listed):
    done = cli("audit", listed, "--fail-on", "ugly")

    assert done.returncode == 2
    assert "ugly" in done.stderr


def test_the_structured_result_names_the_file_and_the_lines(cli, listed):
    answer = json.loads(cli("audit", listed, "--json").stdout)

    assert answer["file"] == listed
    assert [one["line"] for one in answer["entries"]] == [1, 5, 8]
    assert [one["status"] for one in answer["entries"]] == ["verified", "mismatch", "unconfirmed"]


def test_a_code_host_gets_one_finding_for_each_flag(cli, listed):
    report = json.loads(cli("audit", listed, "--sarif").stdout)

    run = report["runs"][0]
    assert report["version"] == "2.1.0"
    assert [one["ruleId"] for one in run["results"]] == ["mismatch", "retracted"]
    places = [one["locations"][0]["physicalLocation"] for one in run["results"]]
    assert [place["region"]["startLine"] for place in places] == [5, 8]
    assert {one["ruleId"] for one in run["results"]} <= {
        rule["id"] for rule in run["tool"]["driver"]["rules"]
    }


def test_a_page_holds_everything_itself_and_escapes_what_others_wrote(cli, tmp_path):
    path = tmp_path / "list.bib"
    path.write_text(LIST.replace("Percival Fabricant}, journal", "<script>x</script>}, journal"))

    page = cli("audit", str(path), "--html").stdout

    assert page.startswith("<!doctype html>")
    assert "Bjørn Ødegård" in page
    assert "<script" not in page
    assert "src=" not in page
    assert "http-equiv" not in page


def test_offline_an_audit_says_what_an_earlier_one_found(cli, listed, internet):
    online = json.loads(cli("audit", listed, "--json").stdout)
    internet.forget()

    offline = json.loads(cli("audit", listed, "--offline", "--json").stdout)

    assert not internet.seen
    for before, now in zip(online["entries"], offline["entries"], strict=True):
        assert now["status"] == before["status"]
        assert now["flags"] == before["flags"]
        assert now["fieldChecks"] == before["fieldChecks"]
        assert now["coverage"]["asOf"]


def test_offline_a_doi_with_the_end_of_a_link_is_still_that_of_the_work(cli, tmp_path):
    given = "10.5555/fine-paper/full"
    entries = [{"id": "a", "DOI": given}, {"id": "b", "DOI": given, "title": TITLE}]
    (tmp_path / "links.json").write_text(json.dumps(entries))

    online = json.loads(cli("audit", str(tmp_path / "links.json"), "--json").stdout)
    offline = json.loads(cli("audit", str(tmp_path / "links.json"), "--offline", "--json").stdout)

    for before, now in zip(online["entries"], offline["entries"], strict=True):
        assert now["status"] == before["status"] == "verified"
        assert now["reason"] == before["reason"]
        assert now["doi"] == given
    shown = cli("audit", str(tmp_path / "links.json")).stdout
    assert f"the DOI {given} does not exist" in shown


def test_offline_a_corrected_entry_is_compared_with_the_same_record(cli, listed, tmp_path):
    cli("audit", listed)
    right = "Bjørn Ødegård and Kateřina Dvořáček}, journal={Annals"
    text = LIST.replace("Percival Fabricant}, journal={Annals", right)
    (tmp_path / "corrected.bib").write_text(text, encoding="utf-8")

    done = cli("audit", str(tmp_path / "corrected.bib"), "--offline")

    assert "3 entries: 2 confirmed, 1 retracted\n" in done.stdout
    assert "offline: 3 of 3 compared with what audits found on" in done.stdout


def test_offline_the_local_list_names_what_is_retracted(cli, listed, tmp_path, internet):
    path = tmp_path / "list.csv"
    path.write_text(
        "Record ID,Title,Reason,RetractionDate,RetractionDOI,OriginalPaperDOI,"
        "OriginalPaperPubMedID,RetractionNature\n"
        "1,Bells,+Error;,2/14/2018 0:00,10.5555/retraction-notice,10.5555/retracted-paper,0,"
        "Retraction\n"
    )
    cli("retractions", "update", str(path))
    internet.forget()

    answer = json.loads(cli("audit", listed, "--offline", "--json").stdout)

    assert not internet.seen
    assert [one["flags"] for one in answer["entries"]][2] == ["retracted", "unchecked"]


def test_offline_nobody_is_asked_and_nothing_is_called_missing(cli, listed, internet):
    internet.forget()

    answer = json.loads(cli("audit", listed, "--offline", "--json").stdout)

    assert not internet.seen
    assert {one["status"] for one in answer["entries"]} == {"unconfirmed"}
    assert {one["exists"] for one in answer["entries"]} == {None}


def test_a_file_without_references_is_a_clear_error(cli, tmp_path):
    path = tmp_path / "empty.bib"
    path.write_text("", encoding="utf-8")

    done = cli("audit", str(path))

    assert done.returncode == 2
    assert "empty" in done.stderr


def test_an_entry_that_cannot_be_read_is_to_be_corrected_and_not_tried_again(cli, tmp_path):
    (tmp_path / "broken.bib").write_text("@article{broken, title={Never closed", encoding="utf-8")

    done = cli("audit", str(tmp_path / "broken.bib"))

    assert "could not be read" in done.stdout
    assert "not well-formed BibTeX" in done.stdout
    assert "correct the entry" in done.stdout
    assert "try again later" not in done.stdout


def test_a_bibliography_can_come_from_standard_input(environment, tmp_path):
    done = warm_python.run(
        [sys.executable, "-m", "sourcewright", "audit", "-", "--json"],
        env=environment,
        cwd=tmp_path,
        input=LIST,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert (answer["file"], answer["entryCount"]) == ("-", 3)


def test_standard_input_has_no_corrected_copy(cli):
    done = cli("audit", "-", "--fix")

    assert done.returncode == 2
    assert "--fix" in done.stderr
