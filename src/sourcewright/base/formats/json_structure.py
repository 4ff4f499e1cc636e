"""The structure of a JSON text: how many values it has and how deep, before it is parsed.

Parsing cannot be interrupted, so that a text of many values would stop the event loop: it is
looked at in pieces first.
"""

from collections.abc import Iterator
from itertools import accumulate

from sourcewright.base.formats.answer_limits import MAX_DEPTH, MAX_VALUES, LimitExceeded

_PIECE = 1 << 18
_DELIMITERS = (b",", b"[", b"{")
_BRACKETS = b"[]{}"
_OTHERS = bytes(set(range(256)) - set(_BRACKETS))
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


class TooDeep(LimitExceeded):
    """A text is nested deeper than parsers follow."""


def structure_checks(text: bytes) -> Iterator[None]:
    """Looks at one piece of the text for each step; a text of few values needs none.

    Raises:
        LimitExceeded: It has more values than any message.
        TooDeep: It is nested deeper.
    """
    opening = text.count(b"[") + text.count(b"{")
    if opening <= MAX_DEPTH and opening + text.count(b",") <= MAX_VALUES:
        return
    values, depth, is_in_string, escape = 0, 0, False, b""
    for at in range(0, len(text), _PIECE):
        piece = escape + text[at : at + _PIECE]
        escape = b"\\" if (len(piece) - len(piece.rstrip(b"\\"))) % 2 else b""
        piece = piece.removesuffix(escape)
        if b"\\" in piece:
            piece = piece.replace(b"\\\\", b"").replace(b'\\"', b"")
        parts = piece.split(b'"')
        outside = b"".join(parts[is_in_string::2])
        is_in_string ^= len(parts) % 2 == 0
        values += sum(map(outside.count, _DELIMITERS))
        if values > MAX_VALUES:
            raise LimitExceeded(f"it has more than {MAX_VALUES} values")
        steps = map(_STEPS.__getitem__, outside.translate(None, _OTHERS))
        *_, depth = depths = list(accumulate(steps, initial=depth))
        if max(depths) > MAX_DEPTH:
            raise TooDeep(f"it is nested more than {MAX_DEPTH} levels deep")
        yield


def check_structure(text: bytes) -> None:
    """Look at the whole text.

    Raises:
        LimitExceeded: It has more values than any message, or is nested deeper.
    """
    for _ in structure_checks(text):
        pass
