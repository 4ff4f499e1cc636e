"""ULIDs: identifiers that sort by creation time."""

import secrets

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_ulid(now: float) -> str:
    """A new identifier of 26 characters for this time, in seconds since the epoch."""
    number = (int(now * 1000) & (2**48 - 1)) << 80 | secrets.randbits(80)
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))
