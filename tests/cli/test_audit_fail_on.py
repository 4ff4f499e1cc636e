"""`sourcewright audit --fail-on`: a check that could not run never passes."""

import pytest

RIGHT = """@article{right, title={Tidal mixing and the memory of estuaries},
  author={Adaeze Okonkwo and Åsa Lindqvist and 太郎 山田}, journal={Journal of Tidal Research},
  year={2019}, doi={10.5555/fine-paper}}
"""
TAKEN_BACK = """@article{taken-back, title={Harbour bells cure insomnia: a randomised trial},
  author={Percival Fabricant and John Smith}, journal={Journal of Tidal Research}, year={2016},
  doi={10.5555/retracted-paper}}
"""
WITHOUT_DOI = """@article{plain, title={The acoustics of frozen lakes},
  author={Bjørn Ødegård and Kateřina Dvořáček}, year={2011}}
"""
UNKNOWN = """@book{unknown, title={A history of lighthouse keepers}, author={Maud Ferring},
  publisher={Quayside}, year={1931}}
"""
INVENTED = """@article{invented, title={Invented tides of nowhere}, author={No Body},
  year={2020}, doi={10.5555/never-registered}}
"""
LINKED = """@misc{linked, title={A page}, url={https://signposts.example/article/9}}
"""
RETRACTION_LIST = (
    "Record ID,Title,Reason,RetractionDate,RetractionDOI,OriginalPaperDOI,"
    "OriginalPaperPubMedID,RetractionNature\n"
    "1,Bells,+Error;,2/14/2018 0:00,10.5555/retraction-notice,10.5555/retracted-paper,0,"
    "Retraction\n"
)


@pytest.fixture
def audit(cli, tmp_path):
    def run(text, *options):
        (tmp_path / "references.bib").write_text(text, encoding="utf-8")
        return cli("audit", "references.bib", *options)

    return run


def test_retractions_that_could_not_be_checked_do_not_pass(audit, internet):
    internet.breaks("api.crossref.org", status=503)

    done = audit(RIGHT, "--fail-on", "retracted")

    assert done.returncode == 6
    assert "error[unchecked]" in done.stderr
    assert "1 entry could not be checked for retracted (right (line 1))" in done.stderr
    assert "crossref" in done.stderr


def test_an_entry_with_the_flag_decides_but_the_others_are_named_too(audit, internet):
    internet.breaks("api.crossref.org", status=503)

    done = audit(TAKEN_BACK + RIGHT, "--fail-on", "retracted")

    assert done.returncode == 1, done.stdout
    assert "could not be checked for retracted (right (line 4))" in done.stderr


@pytest.mark.parametrize("flag", ["retracted", "not_found", "mismatch"])
def test_an_entry_that_cannot_be_read_does_not_pass(audit, flag):
    done = audit("@article{broken, title={Never closed", "--fail-on", flag)

    assert done.returncode == 6
    assert "the entry could not be read" in done.stderr


@pytest.mark.parametrize("flag", ["retracted", "not_found", "mismatch"])
def test_an_entry_that_no_index_could_be_asked_about_does_not_pass(audit, internet, flag):
    for host in ("api.crossref.org", "api.openalex.org", "api.semanticscholar.org", "dblp.org"):
        internet.breaks(host, status=503)

    done = audit(WITHOUT_DOI, "--fail-on", flag)

    assert done.returncode == 6, done.stdout
    assert "plain (line 1)" in done.stderr


def test_a_doi_that_an_agency_could_not_be_asked_about_does_not_pass(audit, internet):
    internet.breaks("api.datacite.org", status=503)

    done = audit(INVENTED, "--fail-on", "not_found")

    assert done.returncode == 6, done.stdout
    assert "datacite" in done.stderr


def test_an_unregistered_doi_has_nothing_to_be_retracted(audit, internet):
    internet.breaks("api.openalex.org", status=503)

    assert audit(INVENTED, "--fail-on", "retracted").returncode == 0
    assert audit(INVENTED, "--fail-on", "not_found").returncode == 1


def test_a_link_that_could_not_be_checked_does_not_pass(audit, internet):
    internet.breaks("signposts.example", status=500, path="/article/9")

    done = audit(LINKED, "--fail-on", "dead_link")

    assert done.returncode == 6, done.stdout
    assert audit(LINKED, "--fail-on", "dead_link", "--offline").returncode == 6
    assert audit(RIGHT, "--fail-on", "dead_link").returncode == 0


@pytest.mark.parametrize("flag", ["retracted", "not_found", "mismatch", "dead_link"])
def test_what_all_sources_answered_about_passes(audit, flag):
    assert audit(UNKNOWN + WITHOUT_DOI, "--fail-on", flag).returncode == 0


def test_offline_an_entry_without_a_list_or_an_earlier_audit_does_not_pass(audit, cli, tmp_path):
    without_list = audit(RIGHT, "--offline", "--fail-on", "retracted")
    (tmp_path / "list.csv").write_text(RETRACTION_LIST)
    cli("retractions", "update", "list.csv")

    assert without_list.returncode == 6
    assert "there is no local retraction list" in without_list.stderr
    assert audit(RIGHT, "--offline", "--fail-on", "retracted").returncode == 0
    assert audit(WITHOUT_DOI, "--offline", "--fail-on", "retracted").returncode == 6


def test_offline_what_an_earlier_audit_checked_passes(audit):
    audit(RIGHT)

    assert audit(RIGHT, "--offline", "--fail-on", "retracted,mismatch,not_found").returncode == 0
