"""A fork server: a Python process with all of Sourcewright imported, forked for each command.

Starting Python and importing takes a second of a busy machine; a fork takes milliseconds. The
child is a process like any other: it has its own arguments, environment, working directory,
streams and exit code.

Started with the descriptor of the socket to listen on; stops when its stdin ends. A request is a
length, with the descriptors of stdin, stdout and stderr beside it, and a JSON object. If the
request is for a "child", the new process is a child of the fork server's parent, and the response
is its id. Otherwise the response is its exit status, bytes received until then are signals for
it, and it is killed when the connection is closed.
"""

import atexit
import ctypes
import gc
import importlib
import json
import os
import pkgutil
import platform
import runpy
import selectors
import signal
import socket
import struct
import sys
import tempfile
import threading
import time
import types
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

LENGTH = struct.Struct(">Q")
IMPORTED_ON_USE = (
    "anyio._backends._asyncio",
    "brotli",
    "encodings.idna",
    "h2.connection",
    "httpcore2",
    "httpx2",
    "lxml.html",
    "pypdfium2",
    "rich.console",
    "rich.progress",
    "rich.table",
    "sqlite3",
)
PATIENCE_SECONDS = 500
"""Each step may take this long on a busy machine."""
HUGE_PAGE = 2 << 20
MADV_COLLAPSE = 25
CLONE_PARENT = 0x00008000
CLONE_CALLS = {"x86_64": 56, "aarch64": 220}


class Forked(Exception):
    """Leaves the loop of the fork server, in a child."""

    def __init__(self, command: Sequence[str]) -> None:
        super().__init__()
        self.command = command


class ForkServer:
    """Forks a process for each request, and passes signals and exit codes on."""

    def __init__(self, listener: int) -> None:
        self._selector = selectors.DefaultSelector()
        self._listener = socket.socket(fileno=listener)
        self._children: dict[int, socket.socket] = {}

    def serve(self) -> None:
        """Answer requests until stdin ends; raises `Forked` in each child."""
        woken, wakes = socket.socketpair()
        wakes.setblocking(False)
        woken.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
        for source in (self._listener, woken, sys.stdin.buffer):
            self._selector.register(source, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is sys.stdin.buffer:
                    return self._stop()
                if key.fileobj is woken:
                    woken.recv(4096)
                    self._report_exits()
                elif key.fileobj is self._listener:
                    self._accept()
                elif key.data in self._children:  # which may have ended in this very turn
                    self._pass_signals_on(key.data, key.fileobj)

    def _accept(self) -> None:
        connection, _ = self._listener.accept()
        connection.settimeout(PATIENCE_SECONDS)
        streams: list[int] = []
        try:
            head, streams, _, _ = socket.recv_fds(connection, LENGTH.size, 3)
            (length,) = LENGTH.unpack(head)
            request = json.loads(_exactly(connection, length))
        except (EOFError, OSError, struct.error):  # the launcher was killed
            for stream in streams:
                os.close(stream)
            connection.close()
            return
        child = request["child"]
        pid = fork_sibling() if child else os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            become(request, streams)
            raise Forked(request["command"])
        for stream in streams:
            os.close(stream)
        if child:
            with suppress(OSError):  # whoever requested it has given up
                connection.sendall(f"{pid}\n".encode())
            connection.close()
        else:
            self._children[pid] = connection
            self._selector.register(connection, selectors.EVENT_READ, pid)

    def _pass_signals_on(self, pid: int, connection: Any) -> None:
        """The connection of a child is closed only once it was told of the child's end."""
        try:
            numbers = connection.recv(64)
        except ConnectionError:  # the launcher was killed
            numbers = b""
        for number in numbers or [signal.SIGKILL]:
            os.kill(pid, number)
        if not numbers:
            self._selector.unregister(connection)

    def _report_exits(self) -> None:
        while self._children:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            connection = self._children.pop(pid)
            if connection in self._selector.get_map():
                self._selector.unregister(connection)
                with suppress(OSError):  # the launcher may have been killed
                    connection.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
            connection.close()

    def _stop(self) -> None:
        for pid in self._children:
            os.kill(pid, signal.SIGKILL)


def _exactly(connection: socket.socket, length: int) -> bytes:
    data = b""
    while len(data) < length:
        part = connection.recv(length - len(data))
        if not part:
            raise EOFError
        data += part
    return data


def fork_sibling() -> int:
    """Fork as `os.fork` does, but the child becomes a child of our parent, which can wait for it."""
    python = ctypes.PyDLL(None, use_errno=True)
    python.PyOS_BeforeFork()
    pid: int = python.syscall(
        CLONE_CALLS[platform.machine()], CLONE_PARENT | signal.SIGCHLD, 0, 0, 0, 0
    )
    if pid == 0:
        python.PyOS_AfterFork_Child()
    else:
        python.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(ctypes.get_errno(), "clone failed")
    return pid


def become(request: Mapping[str, Any], streams: Sequence[int]) -> None:
    """Take over what makes a process: streams, environment, working directory, signals."""
    if request["new_session"]:
        os.setsid()
    if request["umask"] >= 0:
        os.umask(request["umask"])
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for target, stream in enumerate(streams):
        os.dup2(stream, target, inheritable=True)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["folder"])
    time.tzset()
    tempfile.tempdir = None
    for name in ("stdin", "stdout", "stderr"):
        _open_again(name)
    gc.enable()


def _open_again(name: str) -> None:
    """A text stream as Python opens it at its start."""
    old = getattr(sys, name)
    number = ("stdin", "stdout", "stderr").index(name)
    chosen = os.environ.get("PYTHONIOENCODING")
    raw = open(number, "rb" if number == 0 else "wb", buffering=-1, closefd=False)  # noqa: SIM115 -- the standard streams stay open
    raw.raw.name = f"<{name}>"
    stream = type(old)(
        raw,
        encoding=chosen or old.encoding,
        errors="strict" if chosen and number < 2 else old.errors,
        line_buffering=number == 2 or raw.isatty(),
    )
    stream.mode = "r" if number == 0 else "w"
    setattr(sys, name, stream)
    setattr(sys, f"__{name}__", stream)


def run(command: Sequence[str]) -> None:
    """Run what follows `python` on a command line: `-m module`, `-c script` or a path."""
    # Isolated mode: the folder of the program is no part of the path.
    is_isolated = command[0] == "-I"
    first, *rest = command[is_isolated:]
    if first == "-m":
        sys.argv[:] = ["-m", *rest[1:]]
        sys.path.insert(0, str(Path.cwd()))
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif first == "-c":
        sys.argv[:] = ["-c", *rest[1:]]
        sys.path.insert(0, "")
        sys.modules["__main__"] = main_module = types.ModuleType("__main__")
        exec(compile(rest[0], "<string>", "exec"), main_module.__dict__)
    else:
        sys.argv[:] = [first, *rest]
        if not is_isolated:
            sys.path.insert(0, str(Path(first).parent))
        runpy.run_path(first, run_name="__main__")


def leave(code: object) -> None:
    """End the process as Python does, without freeing each object of every module first.

    Returns if there is more to do than that: a message to print, or a stream that fails.
    """
    if not isinstance(code, int | None):
        return
    threading._shutdown()
    atexit._run_exitfuncs()
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return
    os._exit((code or 0) & 0xFF)


def import_everything() -> None:
    import sourcewright

    names = [
        module.name for module in pkgutil.walk_packages(sourcewright.__path__, "sourcewright.")
    ]
    for name in (*IMPORTED_ON_USE, *names):
        if not name.endswith("__main__"):
            importlib.import_module(name)


def use_huge_pages() -> None:
    """Put what was imported on huge pages, whose tables a fork copies in half the time.

    Kernels before Linux 6.1 refuse it, and the pages stay as they are.
    """
    if sys.platform != "linux":
        return
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        addresses, mode, *_, name = [*line.split(maxsplit=5), ""][:6]
        if mode == "rw-p" and name in ("", "[heap]"):
            start, end = (int(address, 16) for address in addresses.split("-"))
            start, end = -(-start // HUGE_PAGE) * HUGE_PAGE, end // HUGE_PAGE * HUGE_PAGE
            if start < end:
                madvise(start, end - start, MADV_COLLAPSE)


def main() -> None:
    # The folder of this file is no part of the path of what is run.
    del sys.path[0]
    server = ForkServer(int(sys.argv[1]))
    import_everything()
    gc.collect()
    gc.disable()
    gc.freeze()
    use_huge_pages()
    try:
        server.serve()
    except Forked as forked:
        command = forked.command
    else:
        return
    try:
        run(command)
    except SystemExit as end:
        leave(end.code)
        raise
    leave(0)


if __name__ == "__main__":
    main()
