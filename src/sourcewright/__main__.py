"""The `sourcewright` command.

`serve` is felt at every start of an agent, so it goes to the server before the
command-line library is even imported; everything else goes to the command line.
"""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Imported for type checking only: the command must start fast.
    from sourcewright.settings import Settings

_INTERRUPTED = 130
_UNSUPPORTED = "error[NOT_IMPLEMENTED]: sourcewright runs on Linux and macOS, and not on Windows itself: install and start it in WSL, the Windows Subsystem for Linux (`wsl --install`).\n"


def main() -> int:
    """Run the command named on the command line; returns its exit code."""
    if not _has_file_locks():
        sys.stderr.write(_UNSUPPORTED)
        return 1
    try:
        return _run(sys.argv[1:])
    except KeyboardInterrupt:
        # While the command is imported; after that, it handles Ctrl-C itself.
        return _INTERRUPTED


def _has_file_locks() -> bool:
    """Whether this Python can lock files as every store and log does; none on Windows can."""
    try:
        import fcntl  # noqa: F401 -- the question is whether there is one
    except ImportError:
        return False
    return True


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["serve"]:
        from sourcewright.server.start import serve_from

        code = serve_from(arguments[1:], _serve_http)
        if code is not None:
            return code
    from sourcewright.cli.main import run

    return run(arguments)


def _serve_http(settings: "Settings") -> int:
    """Serve HTTP; imported only then."""
    from sourcewright.web.start import serve_http

    return serve_http(settings)


if __name__ == "__main__":
    sys.exit(main())
