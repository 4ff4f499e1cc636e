"""Requests a process from the fork server and forwards its streams, signals and exit code.

For programs that start a process by its command, such as a shell or the client of the SDK. It is
run without `site` and imports little, since it is there to save time.
"""

import _socket
import array
import json
import os
import signal
import struct
import sys

FORWARDED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1)


def main(path: str, *command: str) -> None:
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.connect(path)
    for number in FORWARDED:
        signal.signal(number, lambda number, _: connection.send(bytes([number])))
    umask = os.umask(0)
    os.umask(umask)
    request = json.dumps(
        {
            "command": command,
            "environment": dict(os.environ),
            "folder": os.path.realpath("."),
            "new_session": False,
            "umask": umask,
            "child": False,
        }
    ).encode()
    rights = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))
    connection.sendmsg([struct.pack(">Q", len(request))], [rights])
    connection.sendall(request)
    # The pipes are the child's alone: whoever reads them sees its end, not ours.
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    code = int(connection.recv(64))
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


main(*sys.argv[1:])
