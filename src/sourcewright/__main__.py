"""The `sourcewright` command.

`serve` is felt at every start of an agent, so it goes to the server before the
command-line library is even imported; everything else goes to the command line.
"""

import sys


def main() -> int:
    """Run the command named on the command line; returns its exit code."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["serve"]:
        from sourcewright.server.start import serve_from

        code = serve_from(arguments[1:])
        if code is not None:
            return code
    from sourcewright.cli.main import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
