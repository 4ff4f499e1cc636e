"""Command lines that are wrong: what is meant is suggested, and the options are named."""

import json
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        (("resolv", "10.5555/fine-paper"), "'resolve'"),
        (("verfy",), "'verify'"),
        (("tool", "web_serch"), "'web_search'"),
        (("web_search",), "'tool web_search'"),
        (("help",), "'--help'"),
        (("library", "serch"), "'search'"),
    ],
)
def test_a_mistyped_command_is_answered_with_the_name_that_is_meant(cli, words, suggestion):
    done = cli(*words)

    assert done.returncode == 2
    assert "Did you mean" in done.stderr
    assert suggestion in done.stderr


def test_a_name_that_is_like_no_command_has_no_suggestion(cli):
    done = cli("zzzz")

    assert done.returncode == 2
    assert "No such command 'zzzz'" in done.stderr
    assert "Did you mean" not in done.stderr


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (("trials",), "give words, --condition, --treatment or --sponsor"),
        (("trials", "--phase", "3"), "give words, --condition, --treatment or --sponsor"),
        (("filings",), "give a company, words or --ticker"),
        (("filings", "--facts"), "give a company, words or --ticker"),
    ],
)
def test_a_search_for_nothing_names_the_options_of_the_command(cli, words, advice):
    done = cli(*words)

    assert done.returncode == 2
    assert advice in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("resolve", ""),
        ("metadata", "zz"),
        ("places", "coffee", "--at", "95", "10"),
        ("tool", "web_search", "--query", "tides", "--time-range", "decade"),
    ],
)
def test_arguments_of_the_tool_behind_a_command_are_not_listed(cli, words):
    done = cli(*words, SOURCEWRIGHT_OSM="1")

    assert done.returncode == 2
    assert "input should be" in done.stderr or "at least" in done.stderr
    assert "accepted arguments" not in done.stderr


@pytest.mark.parametrize(
    "words", [("data", "erase", "ann"), ("workspace", "delete", "tides")], ids=" ".join
)
def test_a_question_that_nobody_can_answer_names_the_option(cli, words):
    done = cli(*words)

    assert done.returncode == 2
    assert "use --yes" in done.stderr


def test_ctrl_c_while_the_command_is_imported_is_no_traceback(environment, tmp_path):
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt")

    done = subprocess.run(
        [sys.executable, "-m", "sourcewright", "resolve", "10.5555/fine-paper"],
        env={**environment, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (("sessions", "show", "zzz"), "`sourcewright sessions list`"),
        (("sessions", "delete", "zzz", "--yes"), "`sourcewright sessions list`"),
        (("cites", "no such title at all xyz"), "another name"),
    ],
)
def test_what_is_not_there_is_answered_with_what_to_do_next(cli, words, advice):
    done = cli(*words)

    assert done.returncode == 1
    assert advice in done.stderr.split("= help: ")[1]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("cite", "bad"), 2),
        (("verify", ""), 2),
        (("retractions", "check", "bad"), 2),
        (("library", "tag", "10.5555/nowhere", "--add", "x"), 4),
        (("workspace", "add", "nowhere", "ann"), 1),
        (("memory", "recall"), 3),
    ],
)
def test_an_error_is_json_for_a_program_that_asks_for_json(cli, words, code):
    done = cli(*words, "--json")

    assert done.returncode == code
    assert json.loads(done.stdout)["error"]


def test_wrong_settings_are_json_for_a_program_that_asks_for_json(cli):
    done = cli("resolve", "10.5555/fine-paper", "--json", SOURCEWRIGHT_PROXY="ftp://x")

    assert done.returncode == 2
    error = json.loads(done.stdout)["error"]
    assert (error["code"], "SOURCEWRIGHT_PROXY" in error["message"]) == ("CONFIG", True)


def test_a_batch_that_cannot_begin_is_one_line_of_json(cli, tmp_path):
    (tmp_path / "ids.txt").write_text("10.5555/fine-paper\n")

    done = cli("batch", "ids.txt", "--json", SOURCEWRIGHT_PROXY="ftp://x")

    [line] = done.stdout.splitlines()
    assert json.loads(line)["error"]["code"] == "CONFIG"


def test_several_verified_citations_are_one_json_list(cli):
    done = cli("verify", "10.5555/fine-paper", "", "10.5555/retracted-paper", "--json")

    fine, blank, retracted = json.loads(done.stdout)
    assert (fine["status"], "error" in blank) == ("verified", True)
    assert retracted["retractionStatus"]["retracted"] is True
    assert done.returncode == 2


def test_the_progress_of_a_graph_names_no_depth_that_was_not_reached(terminal):
    shown = terminal("graph", "10.5555/fine-paper", "--depth", "1")

    assert "depth 1: 3 works" in shown
    assert "depth 2" not in shown


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("SOURCEWRIGHT_CONTACT_EMAIL", "did you mean CONTACT_EMAIL?"),
        ("SOURCEWRIGHT_EXA_API_KEY", "did you mean EXA_API_KEY?"),
        ("SOURCEWRIGHT_TOOLSETS", "did you mean TOOLSETS?"),
        ("SOURCEWRIGHT_CONTCT", "did you mean CONTACT_EMAIL?"),
        ("SOURCEWRIGHT_PORXY", "did you mean SOURCEWRIGHT_PROXY?"),
        ("SOURCEWRIGHT_ZZZQ", "is not a setting\n"),
    ],
)
def test_a_setting_with_a_wrong_prefix_or_letter_is_answered_with_its_name(cli, name, message):
    done = cli("resolve", "10.5555/fine-paper", **{name: "x"})

    assert done.returncode == 2
    assert message in done.stderr
