"""`sourcewright fetch` and `sourcewright batch`, as a person runs them."""

import json
import signal
import subprocess
import sys

import pytest
import warm_python
from killable_server import serving

from sourcewright.cli.stdio_client import PipeClient


def test_a_fetched_paper_is_shown_with_its_file_and_what_was_checked(cli, tmp_path):
    done = cli("fetch", "10.5555/fine-paper")

    assert done.returncode == 0, done.stderr
    assert str(tmp_path / "papers" / "doi_10.5555_fine-paper.pdf") in done.stdout
    assert "confirmed" in done.stdout


@pytest.mark.parametrize(
    ("ref", "code"),
    [
        ("10.5555/closed-paper", 0),
        ("10.5555/wrong-file", 1),
        ("10.5555/private-redirect", 3),
        ("10.5555/never-registered-2019", 1),
        ("nonsense", 2),
    ],
)
def test_the_exit_code_says_how_it_ended(cli, ref, code):
    assert cli("fetch", ref).returncode == code


def test_a_missing_address_is_named_where_it_leaves_open_whether_there_is_a_copy(cli):
    done = cli("fetch", "10.5555/closed-paper", CONTACT_EMAIL="")

    assert done.returncode == 3
    assert "lookup failed: unpaywall was not queried for a copy; set CONTACT_EMAIL" in done.stdout


def test_a_dry_run_is_the_same_as_through_the_protocol(cli, environment, tmp_path):
    with PipeClient({**environment, "DOIGET_STORE_ROOT": str(tmp_path / "papers")}) as client:
        arguments = {"ref": "10.5555/fine-paper", "dry_run": True}
        through = client.call("doiget_fetch_paper", arguments)

    done = cli("fetch", "10.5555/fine-paper", "--dry-run")

    assert done.stdout == json.dumps(through, ensure_ascii=False, indent=2) + "\n"


@pytest.mark.parametrize(
    "ref", ["10.5555/fine-paper", "arXiv:2401.99901v2", "nonsense", "10.5555/日本語"]
)
def test_the_json_of_a_dry_run_is_that_of_the_protocol_byte_for_byte(
    cli, environment, tmp_path, ref
):
    with serving(environment, tmp_path) as server:
        arguments = {"ref": ref, "dry_run": True}
        answers = {
            name: server.call(name, **arguments)["content"][0]["text"]
            for name in ("doiget_fetch_paper", "doiget_metadata_only")
        }

    fetch = cli("fetch", ref, "--dry-run", "--json")
    (tmp_path / "list.txt").write_text(f"{ref}\n", encoding="utf-8")
    batch = cli("batch", "list.txt", "--dry-run")
    called = {
        name: cli("tool", name, "--ref", ref, "--dry-run", "true", "--json") for name in answers
    }

    assert fetch.stdout == answers["doiget_fetch_paper"] + "\n"
    assert {name: one.stdout for name, one in called.items()} == {
        name: f"{text}\n" for name, text in answers.items()
    }
    if fetch.returncode == 0:
        assert batch.stdout == fetch.stdout
    assert fetch.returncode == called["doiget_fetch_paper"].returncode


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("list.txt", "10.5555/fine-paper\n# a comment\n2401.99901\n"),
        (
            "refs.bib",
            (
                "@article{a, title={A}, doi={10.5555/fine-paper}}\n"
                "@misc{b, eprint={2401.99901}, archivePrefix={arXiv}}\n"
            ),
        ),
        (
            "refs.json",
            (
                '[{"id": "a", "type": "article", "DOI": "10.5555/fine-paper"},'
                ' {"id": "b", "type": "article", "DOI": "10.48550/arXiv.2401.99901"}]'
            ),
        ),
        ("refs.ris", "TY  - JOUR\nDO  - 10.5555/fine-paper\nER  - \n"),
    ],
)
def test_a_batch_takes_any_usual_form_of_bibliography(cli, tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")

    done = cli("batch", name, "--json")

    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert any(row["ok"] and row["ref"] == "10.5555/fine-paper" for row in rows), done.stderr


def test_a_batch_counts_its_failures_and_goes_on_after_them(cli, tmp_path):
    lines = "10.5555/never-registered-2019\nnot a reference at all\n10.5555/fine-paper\n"
    (tmp_path / "list.txt").write_text(lines, encoding="utf-8")

    done = cli("batch", "list.txt")

    assert done.returncode == 1
    assert "1 done, 1 failed, 1 unreadable" in done.stderr
    assert "10.5555/fine-paper" in done.stdout
    assert "error[NOT_FOUND]" in done.stderr
    assert "error[INVALID_REF]" in done.stderr


def test_every_entry_of_a_batch_has_its_line_also_one_that_cannot_be_read(cli, tmp_path):
    (tmp_path / "list.txt").write_text("not a reference\n10.5555/fine-paper\n", encoding="utf-8")

    done = cli("batch", "list.txt", "--json")

    rows = {row["ref"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert rows.keys() == {"not a reference", "10.5555/fine-paper"}
    assert rows["not a reference"]["error"]["code"] == "INVALID_REF"
    assert rows["not a reference"]["error"]["disposition"] == "terminal"


def test_a_line_of_a_batch_is_repeated_as_it_was_written(cli, internet, tmp_path):
    lines = ["https://doi.org/10.5555/Fine-Paper", "doi:10.5555/NEVER-registered-2019"]
    again = "10.5555/fine-paper"
    text = f"{lines[0]}  # the first\n{lines[1]}\n{again}\n{again}\n"
    (tmp_path / "list.txt").write_text(text, encoding="utf-8")

    done = cli("batch", "list.txt", "--json")

    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(row["ref"] for row in rows) == sorted([*lines, again])
    assert {row["id"] for row in rows if row["ok"]} == {again}
    assert done.returncode == 1
    paths = [seen.path for seen in internet.requests_to("api.crossref.org")]
    assert paths.count("/works/10.5555%2Ffine-paper") == 1


def test_a_broken_entry_is_complained_of_once_and_in_our_words(cli, tmp_path):
    text = "@article{broken, title={A\n\n@article{fine, doi={10.5555/fine-paper}}\n"
    (tmp_path / "refs.bib").write_text(text, encoding="utf-8")

    done = cli("batch", "refs.bib")

    error, summary = done.stderr.splitlines()
    assert error.startswith("error[INVALID_REF]: broken: it is not well-formed BibTeX")
    assert summary == "1 done, 0 failed, 1 unreadable"


def test_the_dry_run_of_a_batch_is_that_of_each_paper_on_a_line(cli, tmp_path):
    (tmp_path / "list.txt").write_text("2401.99901\n", encoding="utf-8")

    together = cli("batch", "list.txt", "--dry-run")

    [row] = map(json.loads, together.stdout.splitlines())
    assert row == json.loads(cli("fetch", "2401.99901", "--dry-run").stdout)


def test_a_refused_host_is_told_with_the_setting_that_would_let_it_answer(cli):
    done = cli("fetch", "10.5555/scanned-paper")

    assert "SOURCEWRIGHT_ADDITIONAL_HOSTS=fog.haar.example" in done.stdout


def test_an_interrupted_batch_says_how_far_it_came_and_how_to_go_on(
    cli, environment, internet, tmp_path
):
    (tmp_path / "done.txt").write_text("10.5555/fine-paper\n", encoding="utf-8")
    cli("batch", "done.txt")
    internet.forget()
    refs = ["10.5555/fine-paper", *(work.doi for work in internet.corpus.works[:20])]
    (tmp_path / "list.txt").write_text("\n".join(dict.fromkeys(refs)), encoding="utf-8")
    internet.delays("api.unpaywall.org", 20)
    batch = warm_python.Popen(
        [sys.executable, "-m", "sourcewright", "batch", "list.txt"],
        env=environment,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert internet.waits_for_request("api.unpaywall.org")

    assert batch.stdout is not None
    first = batch.stdout.readline()

    batch.send_signal(signal.SIGINT)
    _, errors = batch.communicate(timeout=300)

    assert "10.5555/fine-paper" in first
    assert batch.returncode == 130
    assert "Traceback" not in errors
    assert "stopped: 1 done, 0 failed, 19 not finished" in errors
    assert "run the same command again" in errors


@pytest.mark.parametrize("command", [("batch", "-"), ("download", "--from", "-")])
def test_many_papers_may_come_from_standard_input(environment, tmp_path, command):
    done = warm_python.run(
        [sys.executable, "-m", "sourcewright", *command],
        input="10.5555/fine-paper\n",
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "10.5555/fine-paper" in done.stdout


def test_each_source_that_was_asked_is_named_once_and_no_other(cli):
    done = cli("fetch", "10.5555/wrong-file")
    lines = [line for line in done.stdout.splitlines() if line.startswith("  queried  ")]

    assert len(lines) == 2
    assert done.stdout.count("semantic_scholar") == 1
    assert "tdm-" not in done.stdout


def test_a_failure_names_each_source_once_and_no_other(cli):
    done = cli("fetch", "10.5555/never-registered-2019")

    notes = [line for line in done.stderr.splitlines() if line.startswith("  = queried")]
    assert notes == [
        "  = queried: crossref, unpaywall, datacite, doi_org: answered: no such record"
    ]


def test_verbose_shows_what_each_source_said_one_by_one(cli):
    done = cli("fetch", "10.5555/wrong-file", "-v")

    assert done.stdout.count("queried  semantic_scholar: ") == 2
    assert "none known" in done.stdout


def test_a_source_that_failed_is_named_with_its_reason(cli, internet):
    internet.breaks("api.unpaywall.org", status=503)

    done = cli("fetch", "10.5555/fine-paper")

    assert "unpaywall: no usable response (" in done.stdout
    assert "503" in done.stdout


def test_a_paper_is_found_again_from_another_folder(cli, environment, tmp_path):
    free = {name: value for name, value in environment.items() if name != "DOIGET_STORE_ROOT"}
    cli("fetch", "10.5555/fine-paper", DOIGET_STORE_ROOT="")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def there(*words: str) -> subprocess.CompletedProcess[str]:
        return warm_python.run(
            [sys.executable, "-m", "sourcewright", *words],
            env=free,
            cwd=elsewhere,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    verified, found = there("log", "verify"), there("info", "10.5555/fine-paper")

    assert verified.returncode == 0, verified.stderr
    assert str(tmp_path / "data" / "sourcewright" / "sandbox" / "papers") in found.stdout
    assert "confirmed" in found.stdout


def test_a_batch_that_is_run_again_asks_nobody_for_what_is_there(cli, internet, tmp_path):
    (tmp_path / "list.txt").write_text("10.5555/fine-paper\n", encoding="utf-8")
    cli("batch", "list.txt")
    internet.forget()

    again = cli("batch", "list.txt")

    assert again.returncode == 0
    assert internet.seen == []


def test_the_graph_and_the_capabilities_are_tables(cli):
    graph = cli("graph", "10.5555/fine-paper")
    capabilities = cli("capabilities")

    assert "10.5555/fine-paper" in graph.stdout
    assert "crossref" in capabilities.stdout
    assert "set DOIGET_KEY_APS and DOIGET_AGREE_TDM_APS" in capabilities.stdout


def test_a_scan_that_was_kept_is_called_unconfirmed_at_the_terminal(cli, tmp_path):
    refs = tmp_path / "refs.txt"
    refs.write_text("10.5555/scanned-paper\n", encoding="utf-8")
    hosts = {"SOURCEWRIGHT_ADDITIONAL_HOSTS": "*.haar.example"}

    one = cli("fetch", "10.5555/scanned-paper", **hosts)
    several = cli("batch", str(refs), **hosts)
    saved = cli("download", "10.5555/scanned-paper")

    assert "could not be confirmed to be this paper" in one.stdout
    assert "unconfirmed: a scan without text" in several.stdout
    assert "unconfirmed: the first pages are images" in saved.stdout


@pytest.mark.promise("sandbox.stays-apart")
@pytest.mark.parametrize("beside", [False, True])
def test_nothing_of_a_sandbox_that_was_set_by_hand_is_among_real_data(
    environment, cli, tmp_path, beside
):
    """The config file names the user's own places, and a library is in the working directory."""
    folders = ("DOIGET_STORE_ROOT", "DOIGET_LOG_PATH", "AUDIT_OUTPUT_PATH", "CACHE_DIR")
    config = tmp_path / ".config" / "sourcewright" / "config.toml"
    config.parent.mkdir(parents=True)
    mine = tmp_path / "mine"
    lines = "" if beside else "\n".join(f'{name} = "{mine / name}"' for name in folders)
    config.write_text(lines, encoding="utf-8")
    (tmp_path / "papers" / ".metadata").mkdir(parents=True)
    unset = dict.fromkeys((*folders, *(name for name in environment if "XDG" in name)), "")

    fetched = cli("fetch", "10.5555/fine-paper", **unset)
    cli("search", "tidal energy", **unset)

    files = [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()]
    assert fetched.returncode == 0, fetched.stderr
    assert any(path.suffix == ".pdf" for path in files)
    assert [
        path
        for path in files
        if "sourcewright/sandbox" not in path.as_posix() and path.name != "config.toml"
    ] == []
