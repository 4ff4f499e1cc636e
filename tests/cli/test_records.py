"""`filings`, `cases` and `trials`: tables for people, JSON for programs."""

import json

import pytest

COMMANDS = [
    ("filings", "--ticker", "MTPC"),
    ("filings", "--ticker", "MTPC", "--facts"),
    ("filings", "First", "Bancorp"),
    ("cases", "Kelpworth", "v.", "Harbour", "Authority"),
    ("trials", "tidal", "asthma"),
]


def test_a_filing_is_a_row_with_its_address(cli):
    done = cli("filings", "Meridian", "Tidal", "Power", "--form", "10-K", "-n", "1")

    assert done.returncode == 0, done.stderr
    assert "MERIDIAN TIDAL POWER CORP /DE/, MTPC, CIK 0009000001" in done.stdout
    assert "2025-02-15\t10-K\t2024-12-31" in done.stdout
    assert "https://www.sec.gov/Archives/edgar/data/9000001/000900000125000001/" in done.stdout


def test_figures_are_shown_with_their_period_and_what_was_filed_before(cli):
    done = cli("filings", "--ticker", "MTPC", "--facts", COLUMNS="200")

    assert "260,000,003" in done.stdout
    assert "quarter, 2025-01-01 to 2025-03-31" in done.stdout
    assert "998,000,007" in done.stdout
    assert "revenue to 2024-12-31 was 1,000,000,007 in the 10-K of 2025-02-15" in done.stdout


def test_companies_of_one_name_are_listed(cli):
    done = cli("filings", "First", "Bancorp")

    assert done.returncode == 0
    assert "0009000003\tFIRST BANCORP /NC/" in done.stdout
    assert "0009000004\tFIRST BANCORP /PR/" in done.stdout


def test_a_case_and_a_study_are_rows(cli):
    case = cli("cases", "984", "U.S.", "436", COLUMNS="300")
    study = cli("trials", "--condition", "fog fever", "--status", "terminated")

    assert "Kelpworth v. Harbour Authority, 984 U.S. 436 (1966)" in case.stdout
    assert "60125" in case.stdout
    assert "NCT90000004" in study.stdout
    assert "early 1" in study.stdout


def test_the_results_of_a_study_stand_before_what_may_go_below(cli):
    """Below the others on a narrow terminal, a "yes" would say nothing."""
    done = cli("trials", "asthma", "-n", "1")

    [row] = [line.split("\t") for line in done.stdout.splitlines() if "NCT90000001" in line]
    assert row[4:6] == ["yes", "Inhaled Kelp Extract in Adults With Tidal Asthma"]


def test_the_next_page_of_studies_is_offered_and_follows(cli):
    first = cli("trials", "--condition", "barnacle rash", "-n", "100", "--json")
    token = json.loads(first.stdout)["nextPageToken"]

    second = cli("trials", "--condition", "barnacle rash", "-n", "100", "--page", token, "--json")

    assert json.loads(second.stdout)["resultCount"] == 30


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_json_is_the_structured_answer(cli, words):
    done = cli(*words, "--json")

    assert done.returncode == 0
    assert json.loads(done.stdout)["trust"] == "untrusted-external-content"


def test_without_an_address_the_variable_to_set_is_named(cli, internet):
    done = cli("filings", "--ticker", "MTPC", CONTACT_EMAIL="")

    assert done.returncode == 3
    assert "EDGAR_CONTACT_EMAIL" in done.stderr
    assert internet.seen == []


def test_doctor_names_the_tool_that_is_not_listed_and_the_variable(cli):
    done = cli("doctor", "--json", CONTACT_EMAIL="")

    findings = {one["subject"]: one for one in json.loads(done.stdout)["findings"]}
    assert findings["filing_search"]["detail"] == "not listed"
    assert "EDGAR_CONTACT_EMAIL" in findings["filing_search"]["advice"]
    assert findings["edgar"]["grade"] == "note"
    assert findings["courtlistener"]["grade"] == "ok"


@pytest.mark.parametrize("words", [("filings",), ("trials",), ("trials", "x", "--phase", "9")])
def test_a_question_without_sense_is_a_usage_error_with_a_reason(cli, internet, words):
    done = cli(*words)

    assert done.returncode == 2
    assert done.stderr
    assert internet.seen == []
