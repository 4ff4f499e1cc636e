"""`sourcewright cite`, as a person runs it."""

import json

import pytest

APA = (
    "Okonkwo, A., Lindqvist, Å., & 山田太郎. (2019). Tidal mixing and the memory of estuaries. "
    "Journal of Tidal Research, 14(2), 101\u2013119. https://doi.org/10.5555/fine-paper\n"
)


def test_a_doi_is_written_as_an_apa_reference(cli):
    done = cli("cite", "10.5555/fine-paper")

    assert (done.returncode, done.stdout, done.stderr) == (0, APA, "")


@pytest.mark.parametrize(
    ("style", "start"),
    [
        ("mla", "Okonkwo, Adaeze, et al. “Tidal Mixing and the Memory of Estuaries.” Journal"),
        ("bibtex", "@article{okonkwo2019tidal,\n"),
        (
            "ris",
            "TY  - JOUR\nTI  - Tidal mixing and the memory of estuaries\nAU  - Okonkwo, Adaeze",
        ),
        ("csl", '[\n  {\n    "id": "okonkwo2019tidal",\n    "type": "article-journal"'),
    ],
)
def test_every_style_can_be_asked_for(cli, style, start):
    done = cli("cite", "10.5555/fine-paper", "--style", style)

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(start)


def test_an_empty_doi_is_refused(cli):
    done = cli("cite", "10.5555/fine-paper", " ")

    assert (done.returncode, done.stdout) == (2, "")
    assert "a DOI is empty" in done.stderr


def test_an_absent_paper_is_an_error_and_no_reference(cli):
    done = cli("cite", "10.5555/never-registered-2019")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error[not_found]: 10.5555/never-registered-2019 does not exist")


def test_a_retracted_paper_is_cited_with_a_warning(cli):
    done = cli("cite", "10.5555/retracted-paper")

    assert done.returncode == 0
    assert "warning: 10.5555/retracted-paper: retracted" in done.stderr


def test_what_is_no_doi_is_refused(cli):
    done = cli("cite", "no doi")

    assert (done.returncode, done.stdout) == (2, "")
    assert "'no doi' is not a known kind of reference" in done.stderr


def test_the_structured_form_is_what_a_client_gets(cli):
    result = json.loads(cli("cite", "10.5555/fine-paper", "--json").stdout)

    assert (result["style"], result["entryCount"]) == ("apa", 1)
    assert result["bibliography"] == APA.rstrip("\n")
