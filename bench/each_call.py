"""The median duration of a call to a warm server, one after the other."""

import time
from statistics import median

from talking import Contender, milliseconds_since, started

GOAL = 1.3
_WARM_UP = 50
_CALLS = 500


def measure(contender: Contender) -> float:
    """Give milliseconds."""
    with started(contender) as (talk, _):
        talk.greet()
        for _ in range(_WARM_UP):
            talk.call(contender)
        taken = []
        for _ in range(_CALLS):
            start = time.perf_counter()
            talk.call(contender)
            taken.append(milliseconds_since(start))
        return median(taken)
