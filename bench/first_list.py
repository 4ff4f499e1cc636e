"""From the start of the process to the answered initialize and tools/list."""

from talking import Contender, milliseconds_since, started

GOAL = 0.10


def measure(contender: Contender) -> float:
    """Give milliseconds."""
    with started(contender) as (talk, start):
        talk.greet()
        talk.ask("tools/list")
        return milliseconds_since(start)


def size(contender: Contender) -> int:
    """Give the bytes of the answer to tools/list."""
    with started(contender) as (talk, _):
        talk.greet()
        return len(talk.ask("tools/list"))
