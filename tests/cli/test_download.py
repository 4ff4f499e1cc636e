"""`sourcewright download`, as a person runs it."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys

import pytest
import warm_python

FINE, CLOSED, MISSING = (
    "10.5555/fine-paper",
    "10.5555/closed-paper",
    "10.5555/never-registered-2019",
)
NAME = "[2019] - Tidal mixing and the memory of estuaries.pdf"
NO_EMAIL = "set CONTACT_EMAIL to your own e-mail address: Unpaywall requires one from every caller"
MIRRORED = {
    "SCIHUB_MIRRORS": "https://mirror.shadow.example",
    "SCIHUB_ACCEPT_RESPONSIBILITY": "1",
}
DOWNLOAD = [sys.executable, "-m", "sourcewright", "download"]


def rows_of(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_paper_lands_under_a_readable_name_and_is_shown_in_full(cli, tmp_path):
    done = cli("download", FINE)

    path = tmp_path / "downloads" / NAME
    assert done.returncode == 0, done.stderr
    assert path.read_bytes().startswith(b"%PDF")
    shown = done.stdout.splitlines()
    assert shown[0] == "Tidal mixing and the memory of estuaries (2019)"
    assert f"  file        {path}" in shown
    assert "  source      Unpaywall" in shown
    assert any(line.startswith("  file check  confirmed") for line in shown)
    assert any(line.startswith("  queried  Crossref") for line in shown)
    assert "\x1b" not in done.stdout


def test_the_same_paper_again_is_recognised_and_not_copied(cli, tmp_path):
    cli("download", FINE)

    again = cli("download", f"https://doi.org/{FINE.upper()}")

    assert "(already present)" in again.stdout
    assert [path.name for path in (tmp_path / "downloads").iterdir()] == [NAME]


def test_a_retracted_paper_is_saved_with_a_warning(cli):
    one = cli("download", "10.5555/retracted-paper")
    many = cli("download", "10.5555/retracted-paper", FINE)

    assert "  RETRACTED" in one.stdout.splitlines()
    assert many.stdout.splitlines()[0].endswith(".pdf  (RETRACTED)")


@pytest.mark.parametrize(
    ("identifier", "code", "opening", "advice"),
    [
        (CLOSED, 1, "error[NO_OA_AVAILABLE]: Paper not available from any source", "Ask your"),
        (MISSING, 1, "error[NOT_FOUND]: Paper not found in any source", "Verify that the DOI"),
        ("nonsense", 2, "error[INVALID_REF]: Invalid input: 'nonsense'", "Give a DOI such as"),
    ],
)
def test_a_failure_says_who_was_asked_and_what_to_do(
    cli, tmp_path, identifier, code, opening, advice
):
    done = cli("download", identifier)

    first, *notes = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (code, "")
    assert first.startswith(opening)
    assert any(note.startswith(f"  = help: {advice}") for note in notes)
    assert any(note.startswith("  = queried: Crossref, ") for note in notes) == (code == 1)
    assert "paper_metadata" not in done.stderr
    assert not (tmp_path / "downloads").exists()


def test_a_source_that_does_not_answer_is_not_an_absence(cli, internet):
    internet.breaks("api.crossref.org", status=503)

    done = cli("download", MISSING)

    assert done.returncode == 1
    assert "could not be downloaded" in done.stderr
    assert "this does not mean that the paper does not exist" in done.stderr
    assert "not found in any source" not in done.stderr


@pytest.mark.parametrize(
    ("folder", "identifiers"),
    [("/etc/papers", [FINE]), ("../elsewhere", [FINE, CLOSED]), (".hidden", [FINE, CLOSED])],
)
def test_a_folder_that_is_not_open_to_downloads_is_refused_once_and_before_anybody_is_asked(
    cli, internet, folder, identifiers
):
    done = cli("download", *identifiers, "-o", folder)

    assert done.returncode in {2, 3}
    assert done.stderr.count("error[") == 1
    assert f"output_dir '{folder}'" in done.stderr
    assert internet.seen == []


def test_a_folder_that_the_operator_opened_is_made_and_used(cli, tmp_path_factory):
    shared = tmp_path_factory.mktemp("shared")

    done = cli("download", FINE, "-o", str(shared / "new"), PAPER_ALLOWED_DIRS=str(shared))

    assert done.returncode == 0, done.stderr
    assert (shared / "new" / NAME).is_file()


@pytest.mark.parametrize("identifiers", [[FINE], [FINE, CLOSED]], ids=["one", "many"])
def test_without_an_address_the_setting_is_called_as_the_readme_calls_it(
    cli, internet, identifiers
):
    done = cli("download", *identifiers, CONTACT_EMAIL="")

    assert done.returncode == 3
    assert done.stderr.count(NO_EMAIL) == 1
    assert "SCIHUB" not in done.stderr
    assert internet.seen == []


def test_several_papers_have_a_line_each_and_a_summary(cli, internet, tmp_path):
    cli("download", FINE)
    internet.forget()
    spelled = f"https://doi.org/{FINE.upper()}"

    done = cli("download", CLOSED, "10.5555/retracted-paper", FINE, spelled)

    saved, there, again = done.stdout.splitlines()
    path = tmp_path / "downloads" / NAME
    assert done.returncode == 1
    assert saved.startswith(f"saved     10.5555/retracted-paper  {tmp_path / 'downloads'}/[")
    assert there == f"there     {FINE}  {path}"
    assert again == f"there     {spelled}  {path}"
    failure, summary = done.stderr.splitlines()
    assert failure == (
        f"error[NO_OA_AVAILABLE]: {CLOSED}: Paper not available from any source: "
        "no open copy is known"
    )
    assert re.fullmatch(r"1 saved, 2 already present, 1 failed, in \d+\.\d s", summary)
    paths = [seen.path for seen in internet.requests_to("api.unpaywall.org")]
    assert sum("fine-paper" in path for path in paths) == 1


def test_a_person_is_not_limited_to_what_one_call_may_carry(cli):
    done = cli("download", *(f"nonsense-{number}" for number in range(51)), FINE)

    assert done.returncode == 1
    assert "1 saved, 0 already present, 51 failed" in done.stderr
    assert done.stdout.startswith(f"saved     {FINE}")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("refs.bib", f"@article{{a, title={{A}}, doi={{{FINE}}}}}\n"),
        ("refs.json", json.dumps([{"id": "a", "type": "article", "DOI": FINE}])),
    ],
)
def test_a_file_of_papers_may_have_any_usual_form(cli, tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8")

    done = cli("download", "--from", name, "-o", "thesis")

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "thesis" / NAME).is_file()


def test_a_list_may_come_through_a_pipe_and_hold_addresses_of_pages(environment, tmp_path):
    lines = "https://signposts.example/article/1\nnot a reference\n"

    done = warm_python.run(
        [*DOWNLOAD, "--from", "-", "--json"],
        env=environment,
        cwd=tmp_path,
        input=lines,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    unread, saved = rows_of(done)
    assert done.returncode == 1, done.stderr
    assert (unread["identifier"], unread["code"]) == (
        "not a reference",
        "INVALID_REF",
    )
    assert saved["identifier"] == "https://signposts.example/article/1"
    assert saved["path"] == str(tmp_path / "downloads" / NAME)
    assert "1 saved, 0 already present, 0 failed, 1 unreadable" in done.stderr


@pytest.mark.parametrize("command", [("batch",), ("download", "--from")])
@pytest.mark.parametrize("failures", [3, 300])
def test_any_number_of_failures_ends_with_the_one_documented_code(
    cli, tmp_path, command, failures
):
    lines = "".join(f"not a reference {number}\n" for number in range(failures))
    (tmp_path / "list.txt").write_text(lines, encoding="utf-8")

    assert cli(*command, "list.txt").returncode == 1


def test_json_is_one_object_per_paper_and_what_the_tool_says_of_it(cli, tmp_path):
    (tmp_path / "list.txt").write_text(f"{MISSING}\n{FINE}\n", encoding="utf-8")

    done = cli("download", "--from", "list.txt", "--json")

    missing, fine = rows_of(done)
    assert done.returncode == 1
    assert (missing["identifier"], missing["error"]) == (MISSING, "Paper not found in any source")
    assert (missing["code"], missing["retryable"]) == ("NOT_FOUND", False)
    assert fine["identifier"] == FINE
    assert fine["path"] == str(tmp_path / "downloads" / NAME)
    assert fine["checked"]


def test_one_paper_as_json_is_one_line(cli):
    [row] = rows_of(cli("download", FINE, "--json"))

    assert (row["identifier"], row["year"]) == (FINE, 2019)


def test_a_paper_has_to_be_named(cli):
    done = cli("download")

    assert done.returncode == 2
    assert "name a paper, or a file of papers with --from" in done.stderr


@pytest.mark.parametrize("as_json", [(), ("--json",)], ids=["plain", "json"])
def test_whoever_stops_keeps_what_was_saved_and_is_told_of_it(
    environment, internet, tmp_path, as_json
):
    internet.delays("api.unpaywall.org", 30, f"*{CLOSED.partition('/')[2]}*")
    process = warm_python.Popen(
        [*DOWNLOAD, FINE, CLOSED, MISSING, *as_json],
        env=environment,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert internet.waits_for_request("api.unpaywall.org", 2)

    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=300)

    path = tmp_path / "downloads" / NAME
    assert process.returncode == 130
    assert path.read_bytes().startswith(b"%PDF")
    assert str(path) in output
    assert len(output.splitlines()) == 1
    assert "stopped after 1 of 3: 1 saved, 0 already present, 0 failed" in errors
    assert "Traceback" not in errors
    assert not any("never-registered" in seen.path for seen in internet.seen)


def test_on_a_terminal_every_paper_stands_on_a_line_of_its_own(environment, tmp_path):
    ours, theirs = pty.openpty()
    process = warm_python.Popen(
        [*DOWNLOAD, FINE, MISSING, "10.5555/retracted-paper"],
        env={**environment, "TERM": "xterm-256color"},
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)

    shown = _screen(_all_of(ours))

    assert process.wait(timeout=300) == 1
    starts = [line.split()[0] for line in shown if not line.startswith(" ")]
    assert starts == ["saved", "error[NOT_FOUND]:", "saved", "2"]
    assert shown[-1].startswith("2 saved, 0 already present, 1 failed, in ")


def test_a_bar_on_the_terminal_leaves_a_pipe_clean(environment, tmp_path):
    ours, theirs = pty.openpty()
    process = warm_python.Popen(
        [*DOWNLOAD, FINE, MISSING, "--json"],
        env={**environment, "TERM": "xterm-256color"},
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)

    drawn = _all_of(ours)

    piped, _ = process.communicate(timeout=300)
    assert [json.loads(line)["identifier"] for line in piped.splitlines()] == [FINE, MISSING]
    assert "1/2" in drawn
    assert "/min" in drawn


def test_doctor_says_whether_downloads_can_work_and_whether_mirrors_are_asked(cli):
    def graded(**changes):
        rows = json.loads(cli("doctor", "--json", **changes).stdout)["findings"]
        return {row["subject"]: (row["grade"], row["detail"]) for row in rows}

    plain, unset, mirrored = graded(), graded(CONTACT_EMAIL=""), graded(**MIRRORED)

    assert plain["downloads"] == ("ok", "configured")
    assert "scihub" not in plain
    assert unset["downloads"] == ("note", "no e-mail address is set")
    assert mirrored["scihub"][0] == "note"
    assert mirrored["scihub"][1].startswith("enabled: ")


def test_the_tools_can_be_called_by_their_own_names(cli):
    both = ("paper_batch_download", "--identifiers", FINE, "--identifiers", MISSING)

    done, missing = cli("tool", *both), cli("tool", "paper_download", "--identifier", MISSING)
    response = json.loads(cli("tool", *both, "--json").stdout)

    assert (done.returncode, missing.returncode) == (0, 1), done.stderr
    assert NAME in done.stdout
    assert missing.stderr.startswith("error[NOT_FOUND]: Paper not found in any source")
    assert (response["successful"], response["failed"]) == (1, 1)


def _all_of(terminal):
    """Everything written to a terminal until its last writer closed it; bounded."""
    shown = b""
    while select.select([terminal], [], [], 300)[0]:
        try:
            shown += os.read(terminal, 65536)
        except OSError:
            break
    os.close(terminal)
    return shown.decode()


def _screen(written):
    """The lines on the screen at the end, without those that were erased or overwritten."""
    lines, row = [""], 0
    for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\n]|[^\x1b\r\n]+", written):
        if part == "\n":
            row += 1
            lines += [""] * (row + 1 - len(lines))
        elif part == "\x1b[1A":
            row -= 1
        elif part == "\x1b[2K":
            lines[row] = ""
        elif not part.startswith("\x1b") and part != "\r":
            lines[row] += part
    return [line for line in lines if line]
