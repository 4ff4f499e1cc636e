"""Output of commands on a terminal, into a pipe, and onto a full disk."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import warm_python

from sourcewright.cli.exit_codes import EXIT_CODES, MEANINGS, RESEARCH_EXIT_CODES

LONG = "10.99006/(SICI)2999-0080(199905/06)7:3<101::AID-OLD42>3.0.CO;2-X"
FINE = "10.5555/fine-paper"
COMMAND = [sys.executable, "-m", "sourcewright"]
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize(
    ("changes", "coloured"),
    [
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"CLICOLOR": "0"}, False),
        ({"TERM": "dumb"}, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)
def test_a_terminal_has_colours_unless_somebody_does_not_want_them(terminal, changes, coloured):
    assert bool(COLOUR.search(terminal("fetch", "nonsense", **changes))) == coloured


def test_a_pipe_has_colours_only_where_they_are_forced(cli):
    assert not COLOUR.search(cli("info", "nonsense").stderr)
    assert COLOUR.search(cli("info", "nonsense", FORCE_COLOR="1").stderr)


def test_a_terminal_that_cannot_erase_has_no_progress_bar(terminal, tmp_path):
    (tmp_path / "ids.txt").write_text(f"{FINE}\n")

    shown = terminal("batch", "ids.txt", TERM="dumb")

    assert shown.startswith(f"fetched        {FINE}\n")
    assert "\n\n" not in shown


def test_a_path_with_spaces_is_on_one_line(terminal, tmp_path):
    name = "[2019] - Tidal mixing and the memory of estuaries.pdf"

    assert f"{tmp_path}/downloads/{name}\n" in terminal("download", FINE, columns=60)


@pytest.mark.parametrize("columns", [40, 80])
def test_ids_and_times_are_never_cut(cli, terminal, columns):
    cli("fetch", LONG)
    cli("fetch", FINE)
    rows = json.loads(cli("log", "show", "--json").stdout)
    recent = json.loads(cli("library", "recent", "--json").stdout)["entries"]

    log = terminal("log", "show", columns=columns)
    library = terminal("library", "recent", columns=columns)

    assert all(row["ts"] in log and row["ref"] in log for row in rows)
    assert all(one["fetched_at"] in library and one["doi"] in library for one in recent)
    assert "…" not in log + library


TABLES = [
    ("capabilities",),
    ("cases", "Kelpworth", "v.", "Harbour", "Authority"),
    ("config", "show", "--all"),
    ("doctor",),
    ("filings", "--ticker", "MTPC"),
    ("filings", "--ticker", "MTPC", "--facts"),
    ("filings", "First", "Bancorp"),
    ("graph", FINE),
    ("keys", "list"),
    ("lenses",),
    ("library", "recent"),
    ("log", "show"),
    ("log", "verify"),
    ("metadata", FINE),
    ("research", "lighthouse", "history"),
    ("resolve", FINE),
    ("retractions", "status"),
    ("trials", "tidal", "asthma"),
]


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("words", TABLES, ids=" ".join)
def test_only_what_cannot_be_broken_is_wider_than_the_terminal(terminal, words, columns):
    shown = COLOUR.sub("", terminal(*words, columns=columns))

    for line in shown.splitlines():
        assert len(line) <= columns or len(line.split()[-1]) > columns // 3, line


@pytest.mark.parametrize(
    "words",
    [
        ("capabilities",),
        ("doctor",),
        ("filings", "--ticker", "MTPC", "--facts"),
        ("resolve", "nonsense"),
        ("resolve", "10.5555/retracted-paper"),
    ],
    ids=" ".join,
)
def test_no_word_is_broken_however_narrow_the_terminal_is(terminal, words):
    narrow = [terminal(*words, columns=columns, NO_COLOR="1") for columns in (80, 40)]
    whole = set(terminal(*words, columns=1000, NO_COLOR="1").split())

    for shown in narrow:
        parts = {word for word in shown.split() if word.isalpha() or "_" in word}
        assert parts
        assert parts - whole == set()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize(
    "words",
    [("--help",), ("--version",), ("doctor",), ("fetch", FINE), ("fetch", FINE, "--json")],
    ids=" ".join,
)
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_output_that_cannot_be_written_is_one_sentence_and_a_code(
    environment, tmp_path, words, encoding
):
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = warm_python.run(
            [*COMMAND, *words],
            env=environment | {"PYTHONIOENCODING": encoding},
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
            check=False,
        )

    assert done.returncode == 4
    assert done.stderr.splitlines() == [
        "error[OUTPUT]: the output could not be written: No space left on device"
    ]


@pytest.mark.parametrize(
    "words", [("--help",), ("doctor",), ("log", "show"), ("batch", "ids.txt")], ids=" ".join
)
def test_a_reader_that_leaves_is_no_error(environment, tmp_path, words):
    (tmp_path / "ids.txt").write_text(f"{FINE}\n", encoding="utf-8")
    reading, writing = os.pipe()
    os.close(reading)

    done = warm_python.run(
        [*COMMAND, *words],
        env=environment,
        cwd=tmp_path,
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        timeout=300,
        check=False,
    )
    os.close(writing)

    assert (done.returncode, done.stderr) == (141, "")


def test_remarks_that_cannot_be_written_stop_nothing(environment, tmp_path):
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = warm_python.run(
            [*COMMAND, "batch", "-"],
            input=f"{FINE}\nnonsense\n",
            env=environment,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=full,
            text=True,
            timeout=300,
            check=False,
        )

    assert done.returncode == 1
    assert FINE in done.stdout


ONE_ANSWER = [
    ("capabilities", "--json"),
    ("config", "show", "--json"),
    ("doctor", "--json"),
    ("fetch", FINE, "--dry-run"),
    ("fetch", FINE, "--json"),
    ("info", FINE, "--json"),
    ("lenses", "--json"),
    ("library", "recent", "--json"),
    ("log", "show", "--json"),
    ("log", "verify", "--json"),
    ("metadata", FINE, "--json"),
    ("resolve", FINE, "--json"),
    ("tool", "doiget_health", "--json"),
]


@pytest.mark.parametrize("words", ONE_ANSWER, ids=" ".join)
def test_one_answer_is_indented_json(cli, words):
    printed = cli(*words).stdout

    assert printed == json.dumps(json.loads(printed), ensure_ascii=False, indent=2) + "\n"


@pytest.mark.parametrize("words", [("batch", "ids.txt"), ("download", FINE)], ids=" ".join)
def test_papers_that_are_told_one_by_one_are_json_lines(cli, tmp_path, words):
    (tmp_path / "ids.txt").write_text(f"{FINE}\n", encoding="utf-8")

    [line] = cli(*words, "--json").stdout.splitlines()

    assert FINE in json.dumps(json.loads(line))


def test_every_exit_code_that_an_error_has_is_explained():
    assert {*EXIT_CODES.values(), *RESEARCH_EXIT_CODES.values()} < set(MEANINGS)


@pytest.mark.parametrize(
    "words",
    [
        ("cites", "10.5555/fine-paper", "--html", "no/such/folder/a.html"),
        ("cites", "10.5555/fine-paper", "--html", "/dev/full"),
        ("config", "init"),
        ("completion", "bash", "--install"),
    ],
    ids=" ".join,
)
def test_a_file_that_cannot_be_written_is_named_without_a_traceback(cli, words):
    place = "/proc/no-such-folder"
    done = cli(*words, XDG_CONFIG_HOME=place, XDG_DATA_HOME=place, HOME=place)

    assert done.returncode == 4, done.stderr
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_device_is_written_to_and_never_replaced(cli, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    done = cli("cites", "10.5555/fine-paper", "--html", str(pipe))

    assert done.returncode == 0, done.stderr
    assert os.read(reader, 15).lower() == b"<!doctype html>"
    os.close(reader)
    assert pipe.is_fifo()


def test_what_a_link_names_is_replaced_and_not_the_link(cli, tmp_path):
    page, link = tmp_path / "page.html", tmp_path / "link.html"
    page.write_text("old")
    link.symlink_to(page)

    assert cli("cites", "10.5555/fine-paper", "--html", str(link)).returncode == 0

    assert link.is_symlink()
    assert "<html" in page.read_text("utf-8")
