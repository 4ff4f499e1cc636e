"""`sourcewright papers` and `sourcewright cites`, as a person runs them."""

import csv
import io
import json

OPENALEX, S2 = "api.openalex.org", "api.semanticscholar.org"
FINE, TITLE = "10.5555/fine-paper", "Tidal mixing and the memory of estuaries"


def test_papers_are_listed_with_authors_venue_year_and_open_copy(cli):
    done = cli("papers", *TITLE.split(), "-n", "1", COLUMNS="100")

    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:2] == [f"  1. {TITLE}", f"     https://doi.org/{FINE}"]
    assert "Adaeze Okonkwo" in lines[2]
    assert "Journal of Tidal Research, 2019" in lines[2]
    assert any(line.strip().startswith("open copy: https://") for line in lines)


def test_a_correction_stands_with_its_paper(cli):
    done = cli("papers", "seiche", "periods", "of", "forty", "harbours", "-n", "2")

    assert "CORRECTION 2017-11-02 10.5555/correction-notice" in done.stdout


def test_what_several_indexes_say_of_one_retraction_is_one_line(cli):
    listed = cli("papers", "harbour", "bells", "cure", "insomnia", "-n", "1")
    bibtex = cli("papers", "harbour", "bells", "cure", "insomnia", "-n", "1", "--bibtex")

    [line] = [line for line in listed.stdout.splitlines() if "RETRACTION" in line]
    assert line.startswith("     RETRACTION 2018-02-14 10.5555/retraction-notice (according to ")
    assert "retraction-watch in crossref, " in line
    assert "openalex" in line
    assert "note       = {Retracted 2018-02-14 (notice 10.5555/retraction-notice" in bibtex.stdout


def test_papers_as_json_are_those_of_the_tool(cli):
    done = cli("papers", "tidal", "mixing", "--source", "all", "--json")

    answer = json.loads(done.stdout)
    assert answer["source"] == "fusion"
    assert done.returncode == 0


def test_papers_as_bibtex_have_unique_keys(cli):
    done = cli("papers", "tidal", "mixing", "--bibtex")

    keys = [line for line in done.stdout.splitlines() if line.startswith("@")]
    assert len(keys) == len(set(keys)) == 5
    assert f"doi        = {{{FINE}}}" in done.stdout


def test_papers_as_csv_are_read_back(cli):
    done = cli("papers", "tidal", "mixing", "--csv")

    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert len(rows) == 5
    assert rows[0]["doi"] == FINE
    assert rows[0]["authors"].startswith("Adaeze Okonkwo; ")


def test_an_index_that_did_not_answer_is_named(cli, internet):
    internet.breaks(OPENALEX, status=500)

    done = cli("papers", *TITLE.split())

    assert done.returncode == 0
    assert "openalex did not answer" in done.stdout


def test_a_provider_that_there_is_not_is_misuse(cli):
    done = cli("papers", "tides", "--provider", "scopus")

    assert done.returncode == 2
    assert "openalex" in done.stderr + done.stdout


def test_citations_are_listed_on_both_sides(cli):
    done = cli("cites", FINE, "-n", "2")

    assert done.returncode == 0, done.stderr
    assert "2 works citing it" in done.stdout
    assert "cited by it, according to semanticscholar" in done.stdout


def test_the_citations_of_a_retracted_paper_begin_with_its_retraction(cli):
    done = cli("cites", "10.5555/retracted-paper", "-n", "1")

    first, second, third, *_ = done.stdout.splitlines()
    assert first == "Harbour bells cure insomnia: a randomised trial (2016)"
    assert second.startswith("     RETRACTION 2018-02-14 ")
    assert third == "1 work citing it, according to semanticscholar"


def test_citations_are_drawn_for_graphviz_and_as_a_page(cli, tmp_path):
    page = tmp_path / "citations.html"

    done = cli("cites", FINE, "--dot", "--html", str(page))

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("digraph citations {")
    assert page.read_text("utf-8").count("<circle") > 3
    assert TITLE in page.read_text("utf-8")


def test_an_ambiguous_or_unknown_title_ends_with_an_error_that_says_so(cli):
    done = cli("cites", "Tidal mixing of something else")

    assert done.returncode != 0
    assert "no paper with the exact title" in done.stderr + done.stdout


def test_a_lens_finds_pages_on_its_sites(cli):
    shown = cli("papers", "sea", "otter", "--lens", "academic")
    done = cli("papers", "sea", "otter", "--lens", "academic", "--json")

    answer = json.loads(done.stdout)
    assert shown.returncode == done.returncode == 0
    assert "" not in [line.strip() for line in shown.stdout.splitlines()]
    assert answer["source"] == "web_search"
    assert [one["url"] for one in answer["papers"]] == ["https://arxiv.org/web/sea-otter-15.html"]


def test_no_setting_is_recommended_for_a_paper_that_the_citation_graph_lacks(cli):
    done = cli("graph", "10.5555/unknown-to-openalex")

    assert done.returncode == 1
    assert "not in the citation graph of openalex" in done.stderr
    assert "setting" not in done.stderr


def test_as_many_papers_are_listed_as_were_asked_for(cli):
    listed = cli("papers", "the", "-n", "50")

    assert "\n 50. " in listed.stdout
    assert "\n 51. " not in listed.stdout
    assert "out of range" not in listed.stdout


def test_fewer_than_were_asked_for_are_never_given_in_silence(cli):
    listed = cli("papers", "the", "-n", "60")
    bibtex = cli("papers", "the", "-n", "60", "--bibtex")
    table = cli("papers", "the", "-n", "60", "--csv")
    citing = cli("cites", FINE, "-n", "60")
    patents = cli(
        "patents", "tidal", "-n", "60", EPO_OPS_CONSUMER_KEY="k", EPO_OPS_CONSUMER_SECRET="s"
    )

    assert "--number 60 is out of range and was adjusted" in listed.stdout
    for done in (bibtex, table, citing):
        assert "--number 60 is out of range and was adjusted" in done.stderr
        assert "out of range" not in done.stdout
    assert "-n 60 is out of range and was adjusted" in patents.stdout


def test_a_listing_says_that_only_a_fallback_answered(cli, internet):
    for host in (OPENALEX, "api.crossref.org"):
        internet.breaks(host, status=500)

    listed = cli("papers", *TITLE.split())
    bibtex = cli("papers", *TITLE.split(), "--bibtex")

    note = (
        "Only a fallback answered: openalex: HTTP 500; crossref: HTTP 500;"
        " pubmed answered, but has only biomedicine."
    )
    assert note in listed.stdout
    assert note in bibtex.stderr


def test_years_are_not_those_of_one_decade(cli):
    done = cli("papers", TITLE, "--from-year", "1665", "--to-year", "2040", "-n", "1")

    assert done.returncode == 0
    assert TITLE in done.stdout
