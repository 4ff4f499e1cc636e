"""Audit events: the contract's fields, and nothing in them that must not be kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sourcewright.logic.masking import Masker
from sourcewright.stores.chain import Body, Shape, canonical, plain, printable, timestamp

_TEXTS = (
    "event_type",
    "tenant_id",
    "user_id",
    "session_id",
    "tool_name",
    "request_id",
    "pod_id",
    "source_ip",
    "error_code",
)
SHAPE = Shape(
    keys=frozenset(_TEXTS)
    | {"timestamp", "duration_ms", "success", "metadata", "prev_hash", "hash"},
    hash_key="hash",
)
_LONGEST_TEXT = 4096
_BETWEEN = " \n\t,;&\"'"
_MOST_METADATA_BYTES = 32 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPolicy:
    """What events say, and how long they are kept."""

    include_request_body: bool = False
    rotate_bytes: int = 104_857_600
    retention_days: int = 180
    buffer_size: int = 1000
    sandbox: bool = False
    always: Mapping[str, str] | None = None
    """Fields that are the same in every event of this process, such as `pod_id`."""


class Drafting:
    """Turns what a caller says into an event, with nothing in it that must not be kept."""

    def __init__(self, mask: Masker, policy: AuditPolicy) -> None:
        self._mask = mask
        self._policy = policy

    def body(self, event: Mapping[str, Any], now: float) -> Body:
        said = {"event_type": "tool_call", **(self._policy.always or {}), **event}
        body: dict[str, Any] = {
            "timestamp": timestamp(now),
            "duration_ms": _number(said.pop("duration_ms", None)),
            "success": said.pop("success", None) is True,
            **{key: self._text(said.pop(key, None)) for key in _TEXTS},
        }
        body["metadata"] = self._metadata(said)
        if self._policy.sandbox:
            body["sandbox"] = True
        return body

    def _text(self, value: object) -> str | None:
        if value is None:
            return None
        text = str(value)
        if len(text) > 4 * _LONGEST_TEXT:
            # Cut between words and before masking, so that no secret is cut out of recognition.
            text = text[: 1 + max(text.rfind(mark, 0, 4 * _LONGEST_TEXT) for mark in _BETWEEN)]
        return printable(self._mask(text))[:_LONGEST_TEXT]

    def _metadata(self, said: dict[str, Any]) -> Any:
        given = said.pop("metadata", None)
        rest = {**(given if isinstance(given, Mapping) else {}), **said}
        asked = self._asked(rest.pop("query", None))
        kept = plain({**self._mask.deep(rest), **asked})
        size = len(canonical(kept))
        return kept if size <= _MOST_METADATA_BYTES else {"left_out_bytes": size, **asked}

    def _asked(self, query: object) -> dict[str, Any]:
        if query is None:
            return {}
        if self._policy.include_request_body:
            return {"query": self._text(query)}
        return {"query_length": len(printable(str(query)).encode())}


def repaired_name(row: Body) -> str | None:
    metadata = row["metadata"] if row["event_type"] == "log_repaired" else None
    name = metadata.get("file") if isinstance(metadata, Mapping) else None
    return name if isinstance(name, str) else None


def _number(value: object) -> int | None:
    return int(value) if isinstance(value, int | float) and abs(value) < 2**63 else None
