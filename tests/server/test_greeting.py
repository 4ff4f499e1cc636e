"""The text for a person who starts the server at a terminal; a client never gets it."""

import os
import pty
import subprocess
import sys

import pytest
import warm_python

SERVE = [sys.executable, "-m", "sourcewright", "serve", "--toolset", "papers"]


def test_a_terminal_is_told_what_runs_and_how_to_connect(environment, tmp_path):
    ours, theirs = pty.openpty()
    process = warm_python.Popen(
        SERVE,
        env=environment,
        cwd=tmp_path,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    os.close(theirs)
    os.write(ours, b"\x04")  # Ctrl-D
    output, messages = process.communicate(timeout=300)
    os.close(ours)

    assert output == b""
    assert b"MCP server" in messages
    assert b"sourcewright setup" in messages


@pytest.mark.parametrize("stdin", [subprocess.DEVNULL, subprocess.PIPE])
def test_a_client_is_told_nothing(stdin, environment, tmp_path):
    process = warm_python.Popen(
        SERVE,
        env=environment,
        cwd=tmp_path,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )

    assert process.communicate(timeout=300) == (b"", b"")
