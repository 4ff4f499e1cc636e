"""The commands that are not tools."""

import json
import os
import pty
import resource
import signal
import subprocess
import sys

import pytest
import warm_python

VERBS = ["serve", "world", "demo", "doctor", "config", "log", "resolve", "tool"]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_shows_an_example(cli, verb):
    done = cli(verb, "--help")

    assert done.returncode == 0
    assert "Example" in done.stdout


def test_the_first_page_names_every_verb(cli):
    done = cli("--help")

    assert all(f"\n  {verb}" in done.stdout for verb in VERBS)


def test_an_unknown_option_of_serve_is_a_usage_error(cli):
    done = cli("serve", "--no-such-option")

    assert done.returncode == 2
    assert "--no-such-option" in done.stderr


def test_doctor_names_what_to_set_for_each_source_that_is_not_configured(cli):
    done = cli("doctor", CONTACT_EMAIL="")

    assert done.returncode == 0, done.stderr
    assert "sandbox: true" in done.stdout
    assert "set CONTACT_EMAIL to use it" in done.stdout


def test_doctor_names_variables_of_other_servers_that_have_no_effect(cli):
    done = cli("doctor", AUDIT_WEBHOOK_URL="https://hooks.example/a", LOG_FORMAT="")

    assert "AUDIT_WEBHOOK_URL" in done.stdout
    assert "read the audit log instead, at AUDIT_OUTPUT_PATH" in done.stdout
    assert "LOG_FORMAT" not in done.stdout
    assert done.returncode == 0


def test_doctor_asks_each_source_when_told_to(cli, internet):
    internet.breaks("api.crossref.org", status=503)

    done = cli("doctor", "--network", "--json")

    graded = {row["subject"]: row["grade"] for row in json.loads(done.stdout)["findings"]}
    assert done.returncode == 1
    assert (graded["crossref"], graded["datacite"]) == ("problem", "ok")


def test_doctor_shows_problems_first_and_what_is_in_order_last(cli, internet):
    internet.breaks("api.crossref.org", status=503)

    done = cli("doctor", "--online")
    marks = [line.split()[0] for line in done.stdout.splitlines() if not line.startswith(" ")]
    graded = [mark for mark in marks if mark in {"problem", "note", "ok"}]

    assert done.returncode == 1
    assert graded == sorted(graded, key=["problem", "note", "ok"].index)
    assert {"problem", "note", "ok"} == set(graded)
    assert "1 problem, " in done.stdout


def test_doctor_asks_a_publisher_about_its_own_prefix_only(cli, internet):
    names = ("ELSEVIER", "SPRINGER", "APS")
    keys = {f"DOIGET_KEY_{name}": "a-fine-key" for name in names}
    agreed = {f"DOIGET_AGREE_TDM_{name}": "1" for name in names}

    done = cli("doctor", "--network", "--json", **keys, **agreed)

    details = {row["subject"]: row["detail"] for row in json.loads(done.stdout)["findings"]}
    targets = {seen.host: f"{seen.path}?{seen.query}" for seen in internet.seen}
    assert [details[name] for name in ("ncbi", "tdm-elsevier", "tdm-springer", "tdm-aps")] == [
        "answers"
    ] * 4
    assert "10.1016" in targets["api.elsevier.com"]
    assert "10.1007" in targets["api.springernature.com"]
    assert "10.1103" in targets["harvest.aps.org"]


def test_doctor_sees_a_log_that_was_changed(cli, tmp_path):
    log = tmp_path / "state" / "provenance.jsonl"
    cli("resolve", "10.5555/fine-paper")
    log.write_text(
        log.read_text(encoding="utf-8").replace("crossref", "grossref"), encoding="utf-8"
    )

    done = cli("doctor")

    assert done.returncode == 1
    assert "provenance log" in done.stdout


def test_config_init_writes_a_file_that_config_show_accepts(cli, tmp_path):
    written = cli("config", "init")
    again = cli("config", "init")
    path = cli("config", "path").stdout.strip()

    assert written.returncode == 0, written.stderr
    assert again.returncode == 1
    assert path == str(tmp_path / ".config" / "sourcewright" / "config.toml")
    assert cli("config", "show").returncode == 0


def test_config_init_keeps_the_old_file_if_the_new_one_does_not_fit(environment, tmp_path):
    path = tmp_path / ".config" / "sourcewright" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text('CONTACT_EMAIL = "ann@university.edu"\n')

    done = warm_python.run(
        [sys.executable, "-m", "sourcewright", "config", "init", "--force"],
        env=environment,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000)),
        capture_output=True,
        text=True,
    )

    assert (done.returncode, "cannot be written" in done.stderr) == (4, True)
    assert [one.read_text() for one in path.parent.iterdir()] == [
        'CONTACT_EMAIL = "ann@university.edu"\n'
    ]


def test_a_search_that_cannot_be_recorded_sends_to_the_doctor(cli, tmp_path):
    (tmp_path / "state").write_text("a file where the folder should be")

    done = cli("search", "kelp")

    assert done.returncode == 1
    assert "`sourcewright doctor` finds what is wrong" in done.stderr


def test_config_show_says_where_a_value_comes_from(cli):
    done = cli("config", "show", "--json")

    rows = {row["name"]: row for row in json.loads(done.stdout)}
    assert rows["CONTACT_EMAIL"]["source"] == "environment"
    assert rows["CIRCUIT_FAILURE_THRESHOLD"]["source"] == "default"


def test_the_log_shows_what_was_asked_and_verifies(cli):
    cli("resolve", "10.5555/fine-paper")

    shown = cli("log", "show", "--source", "crossref", "--json")
    verified = cli("log", "verify")

    rows = json.loads(shown.stdout)
    assert {row["source"] for row in rows} == {"crossref"}
    assert {row["ref"] for row in rows} == {"10.5555/fine-paper"}
    assert all(row["sandbox"] is True for row in rows)
    assert verified.returncode == 0, verified.stdout


def test_a_changed_log_does_not_verify(cli, tmp_path):
    log = tmp_path / "state" / "provenance.jsonl"
    cli("resolve", "10.5555/fine-paper")
    log.write_text(log.read_text(encoding="utf-8").replace("fine", "mine"), encoding="utf-8")

    done = cli("log", "verify")

    assert done.returncode == 1
    assert "this-hash" in done.stdout + done.stderr


def test_the_world_prints_its_address_and_things_to_ask_for(environment):
    process = warm_python.Popen(
        [sys.executable, "-m", "sourcewright", "world", "--port", "0"],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    lines = [process.stdout.readline() for _ in range(4)]
    process.send_signal(signal.SIGINT)
    process.wait(timeout=300)
    process.stdout.close()

    assert "http://127.0.0.1:" in lines[0]
    assert "10.5555/fine-paper" in lines[3]


def test_colours_appear_on_a_terminal_and_no_color_keeps_them_away(environment, tmp_path):
    def on_a_terminal(**changes):
        ours, theirs = pty.openpty()
        process = warm_python.Popen(
            [sys.executable, "-m", "sourcewright", "resolve", "10.5555/retracted-paper"],
            env={**environment, "TERM": "xterm-256color", **changes},
            cwd=tmp_path,
            stdout=theirs,
            stderr=subprocess.DEVNULL,
        )
        process.wait(timeout=300)
        os.close(theirs)
        shown = os.read(ours, 65536)
        os.close(ours)
        return shown

    assert b"\x1b[" in on_a_terminal()
    assert b"\x1b[" not in on_a_terminal(NO_COLOR="1")


def test_a_log_that_was_named_and_is_not_there_does_not_verify(cli, tmp_path):
    done = cli("log", "verify", "--path", str(tmp_path / "no-such-log.jsonl"))

    assert done.returncode == 1
    assert "does not exist" in done.stderr


@pytest.mark.parametrize(
    "words", [("resolve", "10.5555/fine-paper"), ("tool", "doiget_health", "--json")]
)
def test_a_tool_outside_the_operators_toolsets_is_named_and_not_called(cli, internet, words):
    done = cli(*words, TOOLSETS="web")

    assert done.returncode == 3
    assert "TOOLSETS" in done.stderr
    assert "Traceback" not in done.stderr
    assert internet.seen == []


def test_a_usage_error_repeats_no_escape_sequence(environment, tmp_path):
    ours, theirs = pty.openpty()
    process = warm_python.Popen(
        [sys.executable, "-m", "sourcewright", "resolve", "10.5555/a", "\x1b]0;owned\x07"],
        env={**environment, "TERM": "xterm-256color"},
        cwd=tmp_path,
        stderr=theirs,
    )
    process.wait(timeout=300)
    os.close(theirs)
    shown = os.read(ours, 65536)
    os.close(ours)

    assert b"owned" in shown
    assert b"\x1b]" not in shown
