"""Runs commands on a pseudo-terminal of a given width."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

import pytest
import warm_python

COMMAND = [sys.executable, "-m", "sourcewright"]


@pytest.fixture
def terminal(environment, tmp_path):
    """Runs a command on a terminal of some width; returns what it shows, lines and colours."""

    def run(*words: str, columns: int = 80, **changes: str) -> str:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        process = warm_python.Popen(
            [*COMMAND, *words],
            env={**environment, "TERM": "xterm-256color", **changes},
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        shown = bytearray()
        try:
            while part := os.read(ours, 65536):
                shown += part
        except OSError:  # how Linux tells that the other end has gone
            pass
        os.close(ours)
        process.wait(timeout=300)
        return shown.decode().replace("\r\n", "\n")

    return run
