"""`sourcewright research`, as a person runs it."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from contextlib import suppress

import pytest
import warm_python
from rich.cells import cell_len

QUERY = ("research", "lighthouse", "history")
BBC = "https://www.bbc.co.uk/web/lighthouse-history-9.html"
WIKI = "en.wikipedia.org"


def test_sources_come_best_first_with_their_scores(cli):
    done = cli(*QUERY, "-n", "4")

    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "  1. Lighthouse history (web 9)"
    assert lines[1] == f"     {BBC}"
    assert lines[2].startswith("     score 0.90 (relevance 1.00, freshness ")
    assert "Keepers logged every ship" in done.stdout
    assert "paragraphs omitted that an earlier source contains: 1" in done.stdout


def test_with_a_claim_the_evidence_is_shown_and_no_verdict(cli):
    done = cli(*QUERY, "-n", "4", "--claim", "40 of 100 places took part in the count")

    assert done.returncode == 0, done.stderr
    assert "the claim is addressed" in done.stdout
    shown = " ".join(done.stdout.split())
    assert "- The agency reports on Lighthouse history: 40 of 100 places took part" in shown
    assert "[same numbers]" in shown


def test_the_structured_form_is_whole_however_large_it_is(cli):
    done = cli(*QUERY, "--json", SOURCEWRIGHT_LINK_BYTES="1024")

    answer = json.loads(done.stdout)
    assert done.returncode == 0
    assert "linked" not in answer
    assert len(answer["sources"]) == 3
    assert all(one["content"] for one in answer["sources"])


def test_the_text_is_alone_on_the_output(cli):
    done = cli(*QUERY, "-n", "2", "--text")

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("<https://")
    assert "\n\n---\n\n<https://" in done.stdout
    assert "score" not in done.stdout
    assert done.stderr.count("score ") == 2


def test_without_sources_the_text_is_empty_and_the_reason_is_given(cli):
    done = cli("research", "qqzzxx", "wwvvyy", "--text", "--time-range", "day")

    assert (done.returncode, done.stdout) == (0, "")
    assert "no results" in done.stderr
    assert "without --time-range day" in done.stderr


def test_a_page_that_failed_is_named_beside_the_others(cli, internet):
    internet.breaks("www.bbc.co.uk", status=403)

    done = cli(*QUERY, "-n", "4")

    assert done.returncode == 0
    assert "could not be read (blocked): Blocked: " + BBC in " ".join(done.stdout.split())
    assert "  1. Lighthouse history (web 15)" in done.stdout
    assert "  3. Lighthouse history" in done.stdout


@pytest.mark.parametrize("form", [(), ("--json",), ("--text",)])
def test_when_nothing_could_be_read_the_command_fails(cli, internet, form):
    for host in ("blog.lakeside.example", "docs.python.org", WIKI):
        internet.breaks(host, status=404)

    done = cli(*QUERY, *form)

    assert done.returncode == 1
    assert "3 pages found, but none could be read" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((*QUERY, "--provider", "nobody"), 2, "error[config]: unknown provider 'nobody'"),
        ((*QUERY, "--lens", "nothing"), 2, "error[validation]: unknown lens 'nothing'"),
        ((*QUERY, "--time-range", "hour"), 2, "'hour' is not one of"),
        (("research",), 2, "Missing argument"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(cli, words, code, message):
    done = cli(*words)

    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr


def test_an_engine_that_fails_is_an_error_and_never_an_empty_list(cli, internet):
    internet.breaks("*", status=500)

    done = cli(*QUERY)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error[upstream_unavailable]: ")


def test_nothing_found_is_an_answer_with_what_to_try(cli):
    done = cli(*QUERY, "--site", "nowhere.example")

    assert done.returncode == 0
    assert "no results" in done.stdout
    assert "without --site nowhere.example" in done.stdout


LONG = "The return of the sea otter to the kelp of the northern coast, and what it means"
WIDE = "海獺と昆布の森についての長い題名、北太平洋沿岸における海獺の回復とその影響に関する報告"
FAR = f"https://wide.example/{'a-long-way/' * 5}page"


def on_a_terminal(words, environment, folder, *, columns):
    """The output of a command on a terminal of that width, without colours."""
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 400, columns, 0, 0))
    command = [sys.executable, "-m", "sourcewright", *words]
    with warm_python.Popen(
        command, env=environment, cwd=folder, stdout=terminal, stderr=subprocess.DEVNULL
    ) as running:
        os.close(terminal)
        shown = b""
        # Linux ends a terminal that nobody writes to any more with an error.
        with suppress(OSError):
            while read := os.read(screen, 65536):
                shown += read
        assert running.wait(60) == 0
    os.close(screen)
    return re.sub(r"\x1b\[[0-9;]*m", "", shown.decode()).replace("\r", "").splitlines()


@pytest.mark.parametrize("columns", [40, 80, 160])
@pytest.mark.parametrize("colours", [{"TERM": "xterm"}, {"NO_COLOR": "1"}])
def test_on_any_terminal_no_line_but_an_address_is_wider_than_it(
    environment, internet, tmp_path, columns, colours
):
    hits = {"https://one.example/a": LONG, "https://two.example/b": WIDE, FAR: "Refused"}
    listed = [{"url": url, "title": title, "description": "x"} for url, title in hits.items()]
    internet.says(
        "api.search.brave.com",
        {"type": "search", "query": {"original": "x"}, "web": {"results": listed}},
    )
    for host in ("one.example", "two.example"):
        internet.says(host, ("Sea otters eat urchins. " * 30).encode(), content_type="text/plain")
    internet.breaks("wide.example", status=403)
    keys = {"BRAVE_API_KEY": "an-invented-key", "SEARCH_PROVIDER": "brave"}

    lines = on_a_terminal(
        ("research", "sea", "otter"), environment | keys | colours, tmp_path, columns=columns
    )

    assert [line for line in lines if cell_len(line) > columns and FAR not in line] == []
    shown = " ".join(" ".join(lines).split())
    assert f"1. {LONG} https://one.example/a" in shown
    assert WIDE in "".join("".join(lines).split())
    assert f"could not be read (blocked): Blocked: {FAR} uses bot detection" in shown
    assert ("     means" in lines) is (columns == 80)


def test_in_a_pipe_a_title_and_a_failure_stay_on_one_line(cli, internet):
    pages = [
        {"url": url, "title": LONG, "description": "x"} for url in ("https://one.example/", FAR)
    ]
    listing = {"type": "search", "query": {"original": "x"}, "web": {"results": pages}}
    internet.says("api.search.brave.com", listing)
    internet.says("one.example", b"Sea otters eat urchins. " * 30, content_type="text/plain")
    internet.breaks("wide.example", status=403)

    done = cli(
        *("research", "sea", "otter"), BRAVE_API_KEY="an-invented-key", SEARCH_PROVIDER="brave"
    )

    lines = done.stdout.splitlines()
    assert lines[0] == f"  1. {LONG}"
    assert lines[-2].startswith(f"could not be read (blocked): Blocked: {FAR} uses bot detection")
    assert lines[-1] == "excerpt in the search results: x"


def test_whoever_watches_sees_each_page_that_is_done(environment, tmp_path):
    screen, terminal = pty.openpty()

    done = warm_python.run(
        [sys.executable, "-m", "sourcewright", *QUERY, "-n", "2", "--json"],
        env=environment,
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=terminal,
        timeout=300,
        check=False,
    )
    os.close(terminal)
    shown = os.read(screen, 65536).decode()
    os.close(screen)

    assert done.returncode == 0
    assert "(1 of 2)" in shown
    assert "(2 of 2)" in shown
