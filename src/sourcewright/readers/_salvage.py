"""Gives an archive that was cut off the list of contents that it has lost with its end."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_LOCAL = struct.Struct("<4s5H3L2H")
_SIZES = struct.Struct("<4s3L")
_LISTED = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_BEGINS, _FOLLOWS = b"PK\x03\x04", b"PK\x07\x08"
_SIZE_FOLLOWS = 8
"""The sign of a part whose size stands behind it."""
_UNKNOWN = 2**31 - 1
_MOST = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A part as it stands in the archive."""

    at: int
    name: bytes
    flags: int
    method: int
    check: int
    packed: int
    size: int
    end: int


def completed(body: bytes) -> bytes:
    """The archive with a list of the parts that it still has; the last may be cut itself."""
    listed = [_listing(part) for part in _parts(body)]
    directory = b"".join(listed)
    count = len(listed)
    end = _END.pack(b"PK\x05\x06", 0, 0, count, count, len(directory), len(body), 0)
    return body + directory + end


def _parts(body: bytes) -> Iterator[_Part]:
    at = 0
    for _ in range(_MOST):
        if body[at : at + 4] != _BEGINS or len(body) < at + _LOCAL.size:
            return
        part = _part(body, at)
        yield part
        at = part.end


def _part(body: bytes, at: int) -> _Part:
    head = _LOCAL.unpack_from(body, at)
    flags, method, check, packed, size, named, extra = (
        head[one] for one in (2, 3, 6, 7, 8, 9, 10)
    )
    begin = at + _LOCAL.size
    data = begin + named + extra
    end = data + packed
    if flags & _SIZE_FOLLOWS and not packed:
        found = body.find(_FOLLOWS, data)
        packed, size = (found if found >= 0 else len(body)) - data, _UNKNOWN
        end = data + packed + _SIZES.size
        if found >= 0 and end <= len(body):
            _, check, _, size = _SIZES.unpack_from(body, found)
    return _Part(
        at=at,
        name=body[begin : begin + named],
        flags=flags & ~_SIZE_FOLLOWS,
        method=method,
        check=check,
        packed=max(0, min(packed, len(body) - data)),
        size=size,
        end=end,
    )


def _listing(part: _Part) -> bytes:
    sizes = (part.check, part.packed, part.size)
    place = (len(part.name), 0, 0, 0, 0, 0, part.at)
    head = _LISTED.pack(b"PK\x01\x02", 20, 20, part.flags, part.method, 0, 0, *sizes, *place)
    return head + part.name
