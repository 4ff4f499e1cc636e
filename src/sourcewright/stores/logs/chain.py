"""The format of a hash-chained log: one JSON object per line with the hash of the previous one.

A row's hash covers its canonical JSON (compact, keys sorted, UTF-8) without the hash
itself, and the row contains the hash of the previous row, so that any change breaks the
chain. The chain continues across rotated segments: the first row of a segment has the hash
of the last row of the previous segment. A chain alone cannot show that its newest rows were
cut off: to detect that, store the last hash elsewhere and compare.

What a row says of a person can be erased without breaking the chain: its hash then covers a
salted digest of those fields instead of the fields. While the row has the salt, any change of
them is a defect; without it, they must be empty.
"""

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal

GENESIS = "GENESIS"
MAX_LINE_BYTES = 256 * 1024
SALT_KEY, PERSONAL_DIGEST_KEY = "personal_salt", "personal_digest"
ERASED = "erased-"
"""How the pseudonym of an erased person begins."""

DefectKind = Literal[
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


_UNKNOWN_HASH = secrets.token_hex(32)
"""Written for the hash of a row until it is known; nobody can guess it."""


def _encoder(*, sort_keys: bool) -> json.JSONEncoder:
    return json.JSONEncoder(
        ensure_ascii=False,
        allow_nan=False,
        sort_keys=sort_keys,
        separators=(",", ":"),
        # Rows are data of bounded depth, and looking for cycles takes a sixth of the time.
        check_circular=False,
    )


_CANONICAL = _encoder(sort_keys=True)
_AS_READ = _encoder(sort_keys=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFormat:
    """The keys that the rows of a log have."""

    keys: frozenset[str]
    hash_key: str
    event_key: str
    time_key: str
    details_key: str
    """The key under which a row about the log itself describes removed rows."""
    sequence_key: str | None = None
    optional: frozenset[str] = frozenset({"sandbox"})
    person_key: str | None = None
    """The key of the person whom a row is about."""
    personal: Mapping[str, Any] = field(default_factory=dict)
    """Further keys with what is known of the person, and their values once that is erased."""


@dataclass(frozen=True, slots=True)
class ChainLink:
    """The hash and sequence number of a row, from which the next row continues."""

    hash: str
    sequence: int


START = ChainLink(GENESIS, 0)


@dataclass(frozen=True, slots=True)
class RowDefect:
    """A defect of one row."""

    kind: DefectKind
    detail: str


class InvalidRow(ValueError):
    """A line that is not a valid row of its log."""


def chained_line(shape: RowFormat, body: Body, before: ChainLink) -> tuple[bytes, ChainLink]:
    """The line for the row after `before`, and the link for the next row.

    Raises:
        InvalidRow: It would be too long to be read again.
    """
    row = {**body, "prev_hash": before.hash}
    number = before.sequence + 1
    if shape.sequence_key:
        row[shape.sequence_key] = number
    if SALT_KEY in row:
        row[PERSONAL_DIGEST_KEY] = _personal_digest(shape, row)
    # Encoded once, although the hash covers a row without it: encoding takes most of the time.
    row[shape.hash_key] = _UNKNOWN_HASH
    line = canonical_json(row)
    if len(line) > MAX_LINE_BYTES:
        raise InvalidRow(f"longer than {MAX_LINE_BYTES} bytes")
    own_hash = (
        _digest(_hashed_fields(shape, row))
        if SALT_KEY in row
        else _sha256(line.replace(f',"{shape.hash_key}":"{_UNKNOWN_HASH}"'.encode(), b"", 1))
    )
    line = line.replace(_UNKNOWN_HASH.encode(), own_hash.encode(), 1)
    return line + b"\n", ChainLink(own_hash, number)


def read_row(shape: RowFormat, line: bytes) -> dict[str, Any]:
    """Parse one line, without its newline.

    The row must serialise to the very same bytes: a line with only the same meaning is
    not the line that was written.

    Raises:
        InvalidRow: It is not a row of this log.
    """
    if len(line) > MAX_LINE_BYTES:
        raise InvalidRow(f"longer than {MAX_LINE_BYTES} bytes")
    try:
        text = line.decode()
        row = json.loads(text, parse_constant=_reject_constant)
        same = _AS_READ.encode(row) == text
    except (ValueError, RecursionError) as error:
        raise InvalidRow("no JSON") from error
    if not isinstance(row, dict) or row.keys() - shape.optional != shape.keys:
        raise InvalidRow("unexpected keys")
    if not same:
        raise InvalidRow("not in canonical form")
    _check_types(shape, row)
    return row


def row_defects(
    shape: RowFormat, row: Mapping[str, Any], before: ChainLink | None
) -> list[RowDefect]:
    """The defects of a row that follows `before`, which is None where it is unknown."""
    result = []
    is_hashed = row[shape.hash_key] == _digest(_hashed_fields(shape, row))
    if not is_hashed or not _is_personal_part_intact(shape, row):
        result.append(RowDefect("this-hash", "the row does not match its own hash"))
    if before and row["prev_hash"] != before.hash:
        result.append(RowDefect("prev-hash", "the row does not link to the previous one"))
    if before and shape.sequence_key and row[shape.sequence_key] <= before.sequence:
        result.append(RowDefect("sequence", f"{shape.sequence_key} does not increase"))
    return result


def erased_row(shape: RowFormat, row: Mapping[str, Any], pseudonym: str) -> dict[str, Any]:
    """The row without what it says of a person; its hash stays valid. It must have a salt."""
    rest = {key: value for key, value in row.items() if key != SALT_KEY}
    return {**rest, **shape.personal, shape.person_key or "": pseudonym}


def _personal_digest(shape: RowFormat, row: Mapping[str, Any]) -> str:
    keys = (SALT_KEY, shape.person_key, *shape.personal)
    return _digest({key: row[key] for key in keys if key})


def _hashed_fields(shape: RowFormat, row: Mapping[str, Any]) -> dict[str, Any]:
    """What the hash of a row covers."""
    omitted = {shape.hash_key}
    if PERSONAL_DIGEST_KEY in row:
        omitted |= {SALT_KEY, shape.person_key or "", *shape.personal}
    return {key: value for key, value in row.items() if key not in omitted}


def _is_personal_part_intact(shape: RowFormat, row: Mapping[str, Any]) -> bool:
    """Whether the erasable fields are as they were written, or erased."""
    if PERSONAL_DIGEST_KEY not in row:
        return SALT_KEY not in row
    if SALT_KEY in row:
        return bool(row[PERSONAL_DIGEST_KEY] == _personal_digest(shape, row))
    is_empty = all(row[key] == value for key, value in shape.personal.items())
    return is_empty and str(row[shape.person_key or ""]).startswith(ERASED)


def link_of(shape: RowFormat, row: Mapping[str, Any]) -> ChainLink:
    sequence = row[shape.sequence_key] if shape.sequence_key else 0
    return ChainLink(row[shape.hash_key], sequence)


def canonical_json(value: Any) -> bytes:
    """Compact JSON with sorted keys, in UTF-8."""
    return _CANONICAL.encode(value).encode()


def printable(text: str) -> str:
    """The text with lone surrogates replaced, so that it can be encoded as UTF-8."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def printable_values(value: Any) -> Any:
    """The value with `printable` applied to every text in it."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {printable(key): printable_values(item) for key, item in value.items()}
    return [printable_values(item) for item in value] if isinstance(value, list) else value


def timestamp(now: float) -> str:
    """RFC 3339 in UTC, with milliseconds."""
    milliseconds = round(now * 1_000_000) // 1000
    return f"{_second(milliseconds // 1000)}.{milliseconds % 1000:03d}Z"


# Many rows are written in the same second.
@lru_cache(maxsize=2)
def _second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).isoformat().removesuffix("+00:00")


def _digest(row: Mapping[str, Any]) -> str:
    return _sha256(canonical_json(row))


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _reject_constant(constant: str) -> None:
    raise ValueError(constant)


def _check_types(shape: RowFormat, row: Mapping[str, Any]) -> None:
    if not (isinstance(row["prev_hash"], str) and isinstance(row[shape.hash_key], str)):
        raise InvalidRow("the hash is not a string")
    if shape.sequence_key and type(row[shape.sequence_key]) is not int:
        raise InvalidRow(f"{shape.sequence_key} is not an integer")
