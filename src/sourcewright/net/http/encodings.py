"""Content encodings: decompresses bodies whose label is wrong, missing or doubled.

Servers compress what is already compressed, label what they did not compress, and give a
charset as the encoding. Browsers read many such pages, and so do we.
"""

import re
from collections.abc import Iterator, Mapping

from sourcewright.base.errors import BadAnswer
from sourcewright.net.http.body import Decoder, Plain, check_size, decoders
from sourcewright.net.http.exchange import Policy

_MAGIC = {b"\x1f\x8b\x08": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
_WITH_MAGIC = frozenset({"gzip", "x-gzip", "zstd"})
_MARKUP = re.compile(rb"\s*<(?:!doctype|!--|html|head|body|\?xml)", re.IGNORECASE)
_HEAD_BYTES = 4
_TEXT_TYPES = ("text/", "application/json", "application/xml", "application/xhtml")
_SLACK = 64 * 1024


def lenient_decoder(headers: Mapping[str, str], policy: Policy) -> Decoder:
    """The decoder for a body, chosen by its Content-Encoding and its magic bytes.

    Raises:
        BadAnswer: The header names more than two encodings.
    """
    parts = headers.get("content-encoding", "").lower().split(",")
    labels = [name for part in parts if (name := part.strip()) not in ("", "identity")]
    if len(labels) > 2:
        encodings = ", ".join(labels)[:80]
        raise BadAnswer(
            policy.source, f"unsupported content encoding {encodings!r}", cause="format"
        )
    if not labels and not headers.get("content-type", "text/").lower().startswith(_TEXT_TYPES):
        return Plain()  # a requested .gz archive must stay compressed
    outer, inner = [*reversed(labels), "", ""][:2]
    return _TwoStages(_Stage(outer), _Stage(inner), policy)


class _Stage:
    """One decompression step; its encoding is decided by the first bytes."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._head = b""
        self._decoder: Decoder | None = None

    @property
    def finished(self) -> bool:
        return not self._head if self._decoder is None else self._decoder.finished

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._decoder is None:
            self._head += data
            if len(self._head) < _HEAD_BYTES and self._is_undecided():
                return
            data, self._head = self._head, b""
            self._decoder = decoders().get(_encoding_of(self._label, data), Plain)()
        yield from self._decoder.feed(data)

    def _is_undecided(self) -> bool:
        """Whether more bytes may change the decision."""
        return bool(self._label) or any(magic.startswith(self._head) for magic in _MAGIC)


def _encoding_of(label: str, head: bytes) -> str:
    """The name of the encoding; empty for none."""
    for magic, name in _MAGIC.items():
        if head.startswith(magic):
            return name
    return "" if label in _WITH_MAGIC or _MARKUP.match(head) else label


class _TwoStages:
    """One encoding inside another; the intermediate size is limited too."""

    def __init__(self, outer: _Stage, inner: _Stage, policy: Policy) -> None:
        self._outer = outer
        self._inner = inner
        self._policy = policy
        self._between_bytes = 0

    @property
    def finished(self) -> bool:
        return self._outer.finished and self._inner.finished

    def feed(self, data: bytes) -> Iterator[bytes]:
        for piece in self._outer.feed(data):
            self._between_bytes += len(piece)
            check_size(self._between_bytes, self._policy, slack=_SLACK)
            if piece:
                yield from self._inner.feed(piece)
