"""Open files of the process: their limit is raised, and says how many connections there may be."""

import resource
from contextlib import suppress

_OTHER_FILES = 512
"""Databases, logs, requests to sources, pipes of the reading processes and the browser."""
_FEWEST = 16


def connections_that_fit(most: int) -> int:
    """Return how many connections may wait for their clients, at most this many.

    As many again may be busy. Many systems begin with a limit of 1,024 files, and if connections
    took them all, calls in flight could open neither a log nor a connection to a source; so it
    is raised as far as it has to be, and as the system allows.
    """
    needed = 2 * most + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    if soft != unlimited and soft < needed:
        soft = needed if hard == unlimited else min(needed, hard)
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == unlimited or soft >= needed:
        return most
    return max((soft - _OTHER_FILES) // 2, _FEWEST)
