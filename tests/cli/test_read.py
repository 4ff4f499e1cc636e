"""`sourcewright read`, as a person runs it."""

import json
import os
import pty
import subprocess
import sys

import pytest
import warm_python

HOST = "pages.meridian.example"
ARTICLE, NOTES = f"https://{HOST}/article", f"https://{HOST}/notes.md"
MARKDOWN = "# Tide notes\n\nThe water rises.\n\n## Moon\n\nIt pulls, é, far away.\n"


@pytest.fixture
def notes(tmp_path):
    path = tmp_path / "notes.md"
    path.write_text(MARKDOWN, encoding="utf-8")
    return path


def test_the_output_is_the_text_alone_and_its_source_is_said_beside_it(cli):
    done = cli("read", ARTICLE)

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("# The harbour\n\n## Part 1\n\nThe harbour at Meridian")
    assert done.stderr.splitlines()[:3] == ["The harbour", "Ada Quill, 2024-03-09", ARTICLE]


def test_the_whole_page_is_shown_unless_less_is_wanted(cli):
    whole = cli("read", f"https://{HOST}/huge.txt")
    part = cli("read", NOTES, "--max-length", "500", "--offset", "14")

    assert len(whole.stdout.encode()) > 4_900_000
    assert part.stdout.startswith("## Year 1900")
    assert len(part.stdout.encode()) <= 501
    assert "more text follows: continue with --offset " in part.stderr


def test_a_section_is_shown_by_its_heading(cli):
    done = cli("read", NOTES, "--section", "year 1950")

    assert done.stdout.startswith("## Year 1950\n")
    assert "1951" not in done.stdout


def test_the_structured_form_is_what_a_client_gets(cli):
    page = json.loads(cli("read", ARTICLE, "--json").stdout)

    assert (page["url"], page["extractedBy"]) == (ARTICLE, "stealth")
    assert page["trust"] == "untrusted-external-content"


@pytest.mark.parametrize(("path", "size"), [("data.json", 20), ("big.json", 80_001)])
def test_raw_is_as_served_however_large(cli, path, size):
    done = cli("read", f"https://{HOST}/{path}", "--raw")

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)
    assert len(done.stdout) == size


@pytest.mark.parametrize(
    ("url", "code", "words"),
    [
        (f"https://{HOST}/none", 1, "error[not_found]: Not found: "),
        (f"https://{HOST}/wall", 3, "error[blocked]: Blocked: "),
        (f"https://{HOST}/blank", 1, "error[content_empty]: No content extracted"),
        (f"https://{HOST}/members", 3, "error[auth_required]: Auth required: "),
        ("http://10.0.0.1/", 2, "error[validation]: URL rejected for http://10.0.0.1/"),
        ("ftp://a.example/", 2, "error[validation]: URL rejected for ftp://a.example/"),
    ],
)
def test_a_failure_is_a_sentence_and_an_exit_code(cli, url, code, words):
    done = cli("read", url)

    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith(words)


def test_a_file_is_read_here_and_sent_nowhere(cli, internet, notes):
    done = cli("read", str(notes))

    assert done.returncode == 0, done.stderr
    assert done.stdout == MARKDOWN
    assert done.stderr.splitlines() == ["Tide notes", str(notes)]
    assert internet.seen == []


def test_a_damaged_file_is_not_called_too_large(cli, tmp_path):
    file = tmp_path / "tides.xml"
    file.write_text("<tides><lake>High & low</lake></tides>")

    result = cli("read", str(file))

    assert result.returncode == 0
    assert "the text is incomplete: the document is damaged" in " ".join(result.stderr.split())


def test_a_part_of_a_file_is_asked_for_as_of_a_page(cli, notes):
    section = cli("read", notes.name, "--section", "moon")
    part = json.loads(cli("read", "notes.md", "--max-length", "14", "--json").stdout)

    assert section.stdout == "## Moon\n\nIt pulls, é, far away.\n"
    assert part["content"] == "# Tide notes\n\n"
    assert (part["nextOffset"], part["truncated"]) == (14, True)
    assert part["contentType"] == "markdown"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("nothing.md",), 2, "'nothing.md' is neither a local file nor a URL"),
        ((".",), 2, "'.' is not a regular file"),
        (("",), 2, "'' is not a regular file"),
        (("notes.md", "--raw"), 2, "--raw is for URLs only"),
        (
            ("notes.md", "--section", "sun"),
            2,
            'no heading "sun"; available headings: Tide notes, Moon',
        ),
        (("notes.md", "--max-length", "0"), 2, "--max-length"),
        (("picture.png",), 1, "error[FAILED]: picture.png: a PNG image has no readable text"),
    ],
)
def test_what_cannot_be_read_is_said(cli, notes, words, code, message):
    (notes.parent / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\x00" * 64)

    done = cli("read", *words)

    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr


def test_no_page_can_act_on_a_terminal(cli, tmp_path):
    (tmp_path / "bad.txt").write_text("red \x1b[31m\u202e backwards\n\tand on\x07", "utf-8")

    done = cli("read", "bad.txt")

    assert "\tand on" in done.stdout
    assert not set(done.stdout) & set("\x1b\u202e\x07")


@pytest.fixture
def on_terminal(environment, tmp_path):
    """Reads a file on a terminal; gives what is shown there."""

    def run(name, **changes):
        ours, theirs = pty.openpty()
        done = warm_python.run(
            [sys.executable, "-m", "sourcewright", "read", name],
            env={**environment, "TERM": "xterm", **changes},
            cwd=tmp_path,
            stdin=theirs,
            stdout=theirs,
            stderr=subprocess.PIPE,
            timeout=300,
            check=False,
        )
        os.close(theirs)
        shown = os.read(ours, 4096).decode()
        os.close(ours)
        assert done.returncode == 0, done.stderr
        return shown

    return run


@pytest.mark.parametrize(("lines", "paged"), [(3, False), (300, True)])
def test_a_terminal_pages_what_is_long(on_terminal, tmp_path, lines, paged):
    (tmp_path / "long.txt").write_text("tide\n" * lines, encoding="utf-8")

    shown = on_terminal("long.txt", PAGER="sed s/tide/paged/", LINES="24")

    assert ("paged" in shown) is paged


@pytest.mark.parametrize("columns", [40, 100])
def test_a_terminal_breaks_lines_between_words(on_terminal, tmp_path, columns):
    (tmp_path / "wide.txt").write_text("the tide rises " * 20, encoding="utf-8")

    shown = on_terminal("wide.txt", LINES="60", COLUMNS=str(columns))

    assert shown.split() == ["the", "tide", "rises"] * 20
    assert columns - 6 < max(map(len, shown.splitlines())) <= columns
