"""ULIDs: identifiers that sort by the time they were made."""

import secrets

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_ulid(now: float) -> str:
    """A fresh identifier of 26 characters for this moment, in seconds since the epoch."""
    number = (int(now * 1000) & (2**48 - 1)) << 80 | secrets.randbits(80)
    return "".join(_LETTERS[number >> shift & 31] for shift in range(125, -1, -5))
