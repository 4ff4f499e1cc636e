"""`sourcewright research`, as a person runs it."""

import json
import os
import pty
import subprocess
import sys

import pytest

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
    assert "paragraphs left out that a source above has: 1" in done.stdout


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


def test_a_page_that_failed_is_named_beside_the_others(cli, internet):
    internet.breaks("www.bbc.co.uk", status=403)

    done = cli(*QUERY, "-n", "4")

    assert done.returncode == 0
    assert "not read (blocked): Blocked: " + BBC in " ".join(done.stdout.split())
    assert "  1. Lighthouse history (web 15)" in done.stdout
    assert "  3. Lighthouse history" in done.stdout


@pytest.mark.parametrize("form", [(), ("--json",), ("--text",)])
def test_when_nothing_could_be_read_the_command_fails(cli, internet, form):
    for host in ("blog.lakeside.example", "docs.python.org", WIKI):
        internet.breaks(host, status=404)

    done = cli(*QUERY, *form)

    assert done.returncode == 1
    assert "3 pages found, and none could be read" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((*QUERY, "--provider", "nobody"), 3, "error[config]: unknown provider 'nobody'"),
        ((*QUERY, "--lens", "nothing"), 2, "error[validation]: unknown lens 'nothing'"),
        ((*QUERY, "--time-range", "hour"), 2, "'hour' is not one of"),
        (("research",), 2, "Missing argument"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(cli, words, code, said):
    done = cli(*words)

    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr


def test_an_engine_that_fails_is_an_error_and_never_an_empty_list(cli, internet):
    internet.breaks("*", status=500)

    done = cli(*QUERY)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error[upstream_unavailable]: ")


def test_nothing_found_is_an_answer_with_what_to_try(cli):
    done = cli(*QUERY, "--site", "nowhere.example")

    assert done.returncode == 0
    assert "nothing was found" in done.stdout
    assert "without --site nowhere.example" in done.stdout


def test_whoever_watches_sees_each_page_that_is_done(environment, tmp_path):
    screen, terminal = pty.openpty()

    done = subprocess.run(
        [sys.executable, "-m", "sourcewright", *QUERY, "-n", "2", "--json"],
        env=environment,
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        stderr=terminal,
        timeout=60,
        check=False,
    )
    os.close(terminal)
    shown = os.read(screen, 65536).decode()
    os.close(screen)

    assert done.returncode == 0
    assert "(1 of 2)" in shown
    assert "(2 of 2)" in shown
