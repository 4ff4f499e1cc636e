"""Starts Python processes from a fork server, as `subprocess` starts them from a program."""

import functools
import inspect
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PATIENCE_SECONDS = 500
"""Importing everything may take this long on a busy machine."""
READ_AT_THE_START = ("PYTHON", "LC_", "LANG", "LD_", "MALLOC_")
"""Beginnings of variables that Python or the C library reads before any code of ours."""

ENCODING = "PYTHONIOENCODING"
"""The one of them that the fork server understands."""

SPECIAL = ("pass_fds", "preexec_fn", "uid", "gid", "gids", "shell", "executable")
"""Options of a process that only a real start can have."""


class ForkServer:
    """The fork server of this process, and two commands by which other programs use it."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="warm-", ignore_cleanup_errors=True)
        self._path = str(Path(self._folder.name) / "socket")
        own = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self._path)
            listener.listen(64)
            self._process = subprocess.Popen(
                [sys.executable, HERE / "fork_server.py", str(listener.fileno())],
                env=own,
                cwd="/",
                stdin=subprocess.PIPE,
                pass_fds=[listener.fileno()],
            )
        self.python = self._command("python", "")
        self._command("sourcewright", "-m sourcewright ")

    def _command(self, name: str, words: str) -> Path:
        path = Path(self._folder.name) / name
        start = f"exec '{sys.executable}' -IS '{HERE / 'launcher.py'}' '{self._path}'"
        path.write_text(f'#!/bin/sh\n{start} {words}"$@"\n', encoding="utf-8")
        path.chmod(0o755)
        return path

    def fork(self, streams: Sequence[int], **request: Any) -> int:
        """Start a process, which is a child of this one; returns its id."""
        data = json.dumps({"child": True, **request}).encode()
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(PATIENCE_SECONDS)
            connection.connect(self._path)
            socket.send_fds(connection, [struct.pack(">Q", len(data))], streams)
            connection.sendall(data)
            return int(connection.recv(64))

    def close(self) -> None:
        self._process.communicate(timeout=300)
        self._folder.cleanup()


@functools.cache
def server() -> ForkServer:
    """The fork server, which starts when the first process is requested."""
    return ForkServer()


def python() -> str:
    """The command by which another program starts Python."""
    return str(server().python) if sys.platform == "linux" else sys.executable


def folder() -> str:
    """The folder of the command `sourcewright`."""
    return str((server().python if sys.platform == "linux" else Path(sys.executable)).parent)


def environment() -> dict[str, str]:
    """Ours, without what is for the interpreter."""
    names = [name for name in os.environ if not name.startswith(READ_AT_THE_START)]
    return {name: os.environ[name] for name in names}


def close() -> None:
    if server.cache_info().currsize:
        server().close()
        server.cache_clear()


def is_forked(command: Any, env: Mapping[str, str] | None) -> bool:
    """Whether a fork is the same as a start; other commands are started as they always are."""
    names = os.environ if env is None else env
    return (
        sys.platform == "linux"
        and not isinstance(command, str)
        and command[0] == sys.executable
        and not str(command[1]).startswith(("-I", "-S", "-X", "-W"))
        and not any(name.startswith(READ_AT_THE_START) for name in names if name != ENCODING)
    )


class Popen(subprocess.Popen):
    """`subprocess.Popen` whose Python processes are forks of a process that has imported all."""

    def _execute_child(self, *values: Any) -> None:
        bound = inspect.signature(super()._execute_child).bind(*values).arguments
        is_special = any(bound[name] for name in SPECIAL if bound[name] is not None)
        if is_special or not is_forked(bound["args"], bound["env"]):
            super()._execute_child(*values)
            return
        ours = [bound[name] for name in ("p2cread", "c2pwrite", "errwrite")]
        self.pid = server().fork(
            [number if given == -1 else given for number, given in enumerate(ours)],
            command=[os.fspath(word) for word in bound["args"][1:]],
            environment=dict(os.environ if bound["env"] is None else bound["env"]),
            folder=os.fspath(bound["cwd"] or Path.cwd()),
            new_session=bound["start_new_session"],
            umask=bound["umask"],
        )
        self._child_created = True
        names = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
        self._close_pipe_fds(*(bound[name] for name in names))


def run(
    command: Sequence[Any],
    *,
    input: Any = None,  # noqa: A002 -- it is called so in `subprocess.run`
    timeout: float = PATIENCE_SECONDS,
    check: bool = False,
    capture_output: bool = False,
    **options: Any,
) -> subprocess.CompletedProcess[Any]:
    """As `subprocess.run`."""
    pipe = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} if capture_output else {}
    if input is not None:
        pipe["stdin"] = subprocess.PIPE
    with Popen(command, **{**pipe, **options}) as process:
        try:
            output, errors = process.communicate(input, timeout=timeout)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(command, process.returncode, output, errors)
    if check:
        done.check_returncode()
    return done
