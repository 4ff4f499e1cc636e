"""`sourcewright resolve`, as a person runs it."""

import json

import pytest

CROSSREF = "api.crossref.org"


def test_a_paper_is_shown_with_its_title_and_who_was_asked(cli):
    done = cli("resolve", "10.5555/fine-paper")

    assert done.returncode == 0, done.stderr
    assert "no retraction or correction found" in done.stdout
    assert "crossref" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_retraction_stands_out(cli):
    done = cli("resolve", "10.5555/retracted-paper")

    assert "RETRACTED" in done.stdout
    assert "10.5555/retraction-notice" in done.stdout


def test_the_structured_form_is_what_a_client_gets(cli):
    done = cli("resolve", "10.5555/fine-paper", "--json")

    result = json.loads(done.stdout)
    assert (result["ok"], result["id"]) == (True, "10.5555/fine-paper")


def test_an_absent_paper_is_an_error_on_stderr_with_what_each_source_said(cli):
    done = cli("resolve", "10.5555/never-registered-2019")

    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error[NOT_FOUND]: ")
    assert (
        "= queried: crossref, unpaywall, datacite, doi_org: answered: no such record"
        in done.stderr
    )
    assert "= help: " in done.stderr


@pytest.mark.parametrize(
    ("ref", "status", "code"),
    [
        ("not a reference", None, 2),
        ("10.5555/never-registered-2019", 503, 1),
        ("10.5555/never-registered-2019", 403, 3),
        ("PMID:123", None, 1),
        ("PMID:1000001", None, 1),
    ],
)
def test_the_exit_code_says_what_kind_of_failure_it_was(cli, internet, ref, status, code):
    if status:
        internet.breaks(CROSSREF, status=status)

    assert cli("resolve", ref).returncode == code


@pytest.mark.promise("kept.no-answer-without-record")
def test_a_log_that_cannot_be_written_stops_the_command(cli, tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")

    done = cli("resolve", "10.5555/fine-paper", DOIGET_LOG_PATH=str(tmp_path / "file" / "log"))

    assert done.returncode == 4
    assert "error[LOG_ERROR]" in done.stderr


def test_a_setting_that_cannot_be_used_is_named(cli):
    done = cli("resolve", "10.5555/fine-paper", SOURCEWRIGHT_SANDBOX_URL="https://example.org")

    assert done.returncode == 2
    assert "SOURCEWRIGHT_SANDBOX_URL" in done.stderr


HOSTILE = "red \x1b[31m \x9b31m \u202e backwards \x7f"


def test_no_record_can_act_on_a_terminal_in_the_structured_form_either(cli, internet):
    record = {"DOI": "10.5555/fine-paper", "title": [HOSTILE], "type": "journal-article"}
    internet.says(CROSSREF, {"status": "ok", "message-type": "work", "message": record})

    done = cli("resolve", "10.5555/fine-paper", "--json")

    assert json.loads(done.stdout)["metadata"]["title"] == [HOSTILE]
    assert not set(done.stdout) & set("\x1b\x9b\u202e\x7f")


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_terminal_without_a_letter_is_told_its_number(cli, form):
    done = cli("resolve", "10.5555/fine-paper", *form, PYTHONIOENCODING="koi8-r")

    assert done.returncode == 0, done.stderr
    assert "\\u592a\\u90ce" in done.stdout
