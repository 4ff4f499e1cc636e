"""Which tests one worker of pytest-xdist runs together, and which of them start first."""

from typing import Any

TOGETHER = ("tests/reading/browser", "tests/journeys/test_browser.py")
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
        done = 0

        def schedule(self) -> None:
            reporter = config.pluginmanager.get_plugin("terminalreporter")
            if reporter:
                reporter._get_progress_information_message = self.progress
            super().schedule()

        def mark_test_complete(self, *values: Any, **options: Any) -> None:
            super().mark_test_complete(*values, **options)
            self.done += 1

        def progress(self) -> str:
            """The progress in files: how many tests they have is not known before they are run."""
            return f" [{self.done * 100 // len(self.collection):3d}%]"

    return Scheduling(config, log)
