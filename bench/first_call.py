"""From the start of the process to the first answered tools/call."""

from talking import Contender, milliseconds_since, started

GOAL = 1.0


def measure(contender: Contender) -> float:
    """Give milliseconds."""
    with started(contender) as (talk, start):
        talk.greet()
        talk.call(contender)
        return milliseconds_since(start)
