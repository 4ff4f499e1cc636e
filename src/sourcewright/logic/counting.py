"""Says how many there are of something, so that one is never called many."""


def counted(number: int | str, noun: str) -> str:
    """A number as it is written, and what it counts, named in the singular."""
    return f"{number} {noun}" if str(number) == "1" else f"{number} {noun}s"
