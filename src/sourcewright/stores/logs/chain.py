"""The form of a hash-chained log: one JSON object per line, each naming the one before it.

A row's hash covers its canonical JSON (compact, keys sorted, UTF-8) without the hash
itself, and the row carries the hash of the row before it, so a change anywhere shows
from there on. The chain goes on over rotated segments: the first row of a segment names
the last row of the segment before it. What a chain alone cannot show is that its newest
rows were cut off: whoever must know that keeps the last hash elsewhere and compares.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

GENESIS = "GENESIS"
MAX_LINE_BYTES = 256 * 1024

Kind = Literal[
    "parse",
    "prev-hash",
    "this-hash",
    "sequence",
    "torn",
    "gap",
    "missing-file",
    "changed-file",
]
Body = Mapping[str, Any]


def _encoder(*, sort_keys: bool) -> json.JSONEncoder:
    return json.JSONEncoder(
        ensure_ascii=False, allow_nan=False, sort_keys=sort_keys, separators=(",", ":")
    )


_SORTED = _encoder(sort_keys=True)
_AS_READ = _encoder(sort_keys=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Which keys a log's rows have."""

    keys: frozenset[str]
    hash_key: str
    event_key: str
    time_key: str
    details_key: str
    """Where a row about the log itself says what became of other rows."""
    sequence_key: str | None = None
    optional: frozenset[str] = frozenset({"sandbox"})


@dataclass(frozen=True, slots=True)
class Link:
    """What the next row must know about the one before it."""

    hash: str
    sequence: int


START = Link(GENESIS, 0)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one row."""

    kind: Kind
    detail: str


class Unreadable(ValueError):
    """A line that is no row of its log."""


def seal(shape: Shape, body: Body, before: Link) -> tuple[bytes, Link]:
    """The line that follows `before`, and the link to what comes after it."""
    row = {**body, "prev_hash": before.hash}
    link_sequence = before.sequence + 1
    if shape.sequence_key:
        row[shape.sequence_key] = link_sequence
    row[shape.hash_key] = _digest(row)
    return canonical(row) + b"\n", Link(row[shape.hash_key], link_sequence)


def read_row(shape: Shape, line: bytes) -> dict[str, Any]:
    """One line, without its newline, as a row.

    The row must print back to the very same bytes: a line that only means the
    same is not the line that was written.

    Raises:
        Unreadable: It is no row of this log.
    """
    if len(line) > MAX_LINE_BYTES:
        raise Unreadable(f"longer than {MAX_LINE_BYTES} bytes")
    try:
        text = line.decode()
        row = json.loads(text, parse_constant=_refuse)
        same = _AS_READ.encode(row) == text
    except (ValueError, RecursionError) as error:
        raise Unreadable("no JSON") from error
    if not isinstance(row, dict) or row.keys() - shape.optional != shape.keys:
        raise Unreadable("not the keys of this log")
    if not same:
        raise Unreadable("not in its canonical form")
    _check_types(shape, row)
    return row


def problems(shape: Shape, row: Mapping[str, Any], before: Link | None) -> list[Problem]:
    """What is wrong with a row that follows `before`; None when that is not known."""
    found = []
    unhashed = {key: value for key, value in row.items() if key != shape.hash_key}
    if row[shape.hash_key] != _digest(unhashed):
        found.append(Problem("this-hash", "the row does not match its own hash"))
    if before and row["prev_hash"] != before.hash:
        found.append(Problem("prev-hash", "the row does not follow the one before it"))
    if before and shape.sequence_key and row[shape.sequence_key] <= before.sequence:
        found.append(Problem("sequence", f"{shape.sequence_key} does not increase"))
    return found


def link_of(shape: Shape, row: Mapping[str, Any]) -> Link:
    sequence = row[shape.sequence_key] if shape.sequence_key else 0
    return Link(row[shape.hash_key], sequence)


def canonical(value: Any) -> bytes:
    """Compact JSON with sorted keys, in UTF-8."""
    return _SORTED.encode(value).encode()


def printable(text: str) -> str:
    """The text with whatever UTF-8 cannot carry replaced."""
    return text.encode(errors="replace").decode()


def plain(value: Any) -> Any:
    """The value with every text in it made printable."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {printable(key): plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list) else value


def timestamp(now: float) -> str:
    """RFC 3339 in UTC, with milliseconds."""
    moment = datetime.fromtimestamp(now, UTC).isoformat(timespec="milliseconds")
    return moment.replace("+00:00", "Z")


def _digest(row: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical(row)).hexdigest()


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _check_types(shape: Shape, row: Mapping[str, Any]) -> None:
    if not (isinstance(row["prev_hash"], str) and isinstance(row[shape.hash_key], str)):
        raise Unreadable("a hash that is no text")
    if shape.sequence_key and type(row[shape.sequence_key]) is not int:
        raise Unreadable(f"a {shape.sequence_key} that is no whole number")
