"""Research sessions at the terminal: listed, shown, written to files, deleted."""

import json

import pytest

GOAL = "How high are tides?"


@pytest.fixture
def session_id(cli):
    """A session of two steps."""
    first = {"searchStep": "Survey of gauges", "stepNumber": 1, "researchGoal": GOAL}
    result = tool(cli, first | {"nextStepNeeded": True, "knowledgeGap": "And at noon?"})
    second = {"searchStep": "Noon", "stepNumber": 2, "reasoning": "It was open"}
    tool(cli, second | {"nextStepNeeded": False, "sessionId": result["sessionId"]})
    return result["sessionId"]


def tool(cli, arguments):
    options = [word for name, value in arguments.items() for word in (f"--{name}", str(value))]
    done = cli("tool", "sequential_search", *options, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_sessions_are_listed_for_people_and_programs(cli, session_id):
    listed = cli("sessions", "list")
    [answer] = json.loads(cli("sessions", "list", "--json").stdout)["sessions"]

    assert listed.stdout.splitlines()[1].split("\t")[:4] == [session_id, GOAL, "2", "0"]
    assert (answer["id"], answer["goal"], answer["step_count"]) == (session_id, GOAL, 2)
    assert answer["used_at"] < answer["expires_at"]
    assert answer["expires_at"].endswith("Z")


def test_without_sessions_the_list_says_how_one_begins(cli):
    assert "sequential_search" in cli("sessions", "list").stdout


def test_a_session_is_shown_by_the_beginning_of_its_id(cli, session_id):
    shown = cli("sessions", "show", session_id[:8])
    step = cli("sessions", "show", session_id[:8], "--step", "2")
    answer = json.loads(cli("sessions", "show", session_id, "--json").stdout)

    assert GOAL in shown.stdout
    assert "Survey of gauges" in shown.stdout
    assert "open: And at noon?" in shown.stdout
    assert "Step 2: Noon" in step.stdout
    assert "It was open" in step.stdout
    assert answer["sessionId"] == session_id


def test_what_was_superseded_or_retracted_is_marked(cli, session_id):
    revision = {"searchStep": "Again", "stepNumber": 3, "nextStepNeeded": True}
    tool(cli, {**revision, "sessionId": session_id, "isRevision": True, "revisesStep": 2})
    papers = ["--query", "harbour bells cure insomnia", "--sessionId", session_id]
    assert cli("tool", "academic_search", *papers).returncode == 0

    whole = cli("sessions", "show", session_id)
    step = cli("sessions", "show", session_id, "--step", "3")

    assert "2\t(superseded by step 3) " in whole.stdout
    assert "RETRACTION 2018-02-14 10.5555/retraction-notice" in step.stdout


def test_a_session_is_exported_to_several_files_at_once(cli, session_id, tmp_path):
    done = cli(
        *("export", session_id[:6], "--html", "a.html", "--markdown", "a.md"),
        *("--json", "a.json", "--verify-links"),
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert (tmp_path / "a.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert (tmp_path / "a.md").read_text(encoding="utf-8").startswith(f"# {GOAL}")
    assert json.loads((tmp_path / "a.json").read_bytes())["id"] == session_id
    assert sorted(path.name for path in tmp_path.glob("*a.*")) == ["a.html", "a.json", "a.md"]


def test_without_a_file_the_report_is_printed(cli, session_id):
    printed = cli("export", session_id)
    as_json = cli("sessions", "export", session_id, "--json", "-")

    assert printed.stdout.startswith(f"# {GOAL}")
    assert json.loads(as_json.stdout)["id"] == session_id


def test_a_file_that_cannot_be_written_is_named_and_leaves_nothing(cli, session_id, tmp_path):
    done = cli("export", session_id, "--html", "no/such/folder/a.html")

    assert done.returncode == 4
    assert "no/such/folder/a.html cannot be written" in done.stderr
    assert not list(tmp_path.rglob("*.part"))


def test_a_session_is_deleted_once_and_for_good(cli, session_id):
    unconfirmed = cli("sessions", "delete", session_id)
    deleted = cli("sessions", "delete", session_id[:8], "--yes", "--json")
    again = cli("sessions", "delete", session_id, "--yes")

    assert unconfirmed.returncode == 2
    assert "--yes" in unconfirmed.stderr
    assert json.loads(deleted.stdout) == {"deleted": session_id}
    assert again.returncode == 1
    assert again.stderr.startswith("error[session_not_found]: Session not found or expired.")
    assert json.loads(cli("sessions", "list", "--json").stdout) == {"sessions": []}


@pytest.mark.parametrize(
    "words", [("export", "nonesuch"), ("sessions", "show", "nonesuch"), ("sessions", "show", "x")]
)
def test_an_unknown_session_is_said_not_to_exist(cli, words):
    done = cli(*words)

    assert done.returncode == 1
    assert done.stderr.startswith("error[session_not_found]: Session not found or expired.")


def test_only_one_format_goes_to_the_output(cli):
    done = cli("export", "any", "--html", "-", "--json", "-")

    assert done.returncode == 2
    assert "only one format" in done.stderr
