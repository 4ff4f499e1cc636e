"""Which tests one worker of pytest-xdist runs together, and which of them start first."""

from typing import Any

TOGETHER = ("tests/readers/browser/", "tests/journeys/test_browser.py")
"""What one worker runs: two browsers at once would get into each other's way."""
APART = ("tests/contracts/test_every_provider.py", "tests/contracts/test_every_tool.py")
"""Files that are so long that each of their functions is given to the next free worker."""
FIRST = (
    *TOGETHER,
    "tests/house/test_additions.py",
    *APART,
    "tests/house/",
    "tests/journeys/",
    "tests/cli/",
)
"""What takes longest starts first, so that no worker has nothing to do at the end."""


def unit(nodeid: str) -> str:
    """The name of the tests that one worker runs: those of a file share what it has set up."""
    function, _, _ = nodeid.partition("[")
    file, _, _ = function.partition("::")
    if file.startswith(TOGETHER):
        return TOGETHER[0]
    return function if file in APART else file


def place(nodeid: str) -> int:
    return next((n for n, one in enumerate(FIRST) if nodeid.startswith(one)), len(FIRST))


def scheduler(config: Any, log: Any) -> Any:
    """The mark `xdist_group` would do the same, but this release of pytest-xdist writes it into a
    place where this release of pytest no longer reads it, and each test went where it could.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        _split_scope = staticmethod(unit)

    return Scheduling(config, log)
