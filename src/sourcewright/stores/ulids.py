"""ULIDs: identifiers that sort by creation time."""

import secrets

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_ulid(now: float) -> str:
    """A new identifier of 26 characters for this time, in seconds since the epoch."""
    number = (int(now * 1000) & (2**48 - 1)) << 80 | secrets.randbits(80)
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))


def ulid_time(ulid: str) -> float:
    """The time of an identifier in seconds since the epoch; 0 for any other text."""
    if not set(ulid) <= set(_ALPHABET) or len(ulid) != 26:
        return 0.0
    number = 0
    for letter in ulid:
        number = number << 5 | _ALPHABET.index(letter)
    return (number >> 80) / 1000
