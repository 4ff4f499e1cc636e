"""Content encodings: decompresses bodies whose label is wrong, missing or doubled.

Servers pack what was packed before, label what they did not pack, and name a charset where an
encoding belongs. Browsers read many such pages, and so do we.
"""

import re
from collections.abc import Iterator, Mapping

from sourcewright.domain.errors import BadAnswer
from sourcewright.net.body import Decoder, Plain, check_size, decoders
from sourcewright.net.exchange import Policy

_SIGNS = {b"\x1f\x8b\x08": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}
_SIGNED = frozenset({"gzip", "x-gzip", "zstd"})
_MARKUP = re.compile(rb"\s*<(?:!doctype|!--|html|head|body|\?xml)", re.IGNORECASE)
_ENOUGH = 4
_TEXTS = ("text/", "application/json", "application/xml", "application/xhtml")
_SLACK = 64 * 1024


def unpacker(headers: Mapping[str, str], policy: Policy) -> Decoder:
    """How to expand a body, by its label and by its own first bytes.

    Raises:
        BadAnswer: It says that it was packed more than twice.
    """
    said = headers.get("content-encoding", "").lower().split(",")
    labels = [name for part in said if (name := part.strip()) not in ("", "identity")]
    if len(labels) > 2:
        shown = ", ".join(labels)[:80]
        raise BadAnswer(policy.source, f"sent a body encoded as {shown!r}", cause="format")
    if not labels and not headers.get("content-type", "text/").lower().startswith(_TEXTS):
        return Plain()  # an archive that was asked for stays one
    outer, inner = [*reversed(labels), "", ""][:2]
    return _Twice(_Stage(outer), _Stage(inner), policy)


class _Stage:
    """One packing; which one is known when the first bytes have come."""

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
            if len(self._head) < _ENOUGH and self._is_open():
                return
            data, self._head = self._head, b""
            self._decoder = decoders().get(_packing(self._label, data), Plain)()
        yield from self._decoder.feed(data)

    def _is_open(self) -> bool:
        """Whether more bytes may change what this is."""
        return bool(self._label) or any(sign.startswith(self._head) for sign in _SIGNS)


def _packing(label: str, head: bytes) -> str:
    """The name of the encoding, or an empty one for none."""
    for sign, name in _SIGNS.items():
        if head.startswith(sign):
            return name
    return "" if label in _SIGNED or _MARKUP.match(head) else label


class _Twice:
    """A packing inside another; what is between them is bounded as well."""

    def __init__(self, outer: _Stage, inner: _Stage, policy: Policy) -> None:
        self._outer = outer
        self._inner = inner
        self._policy = policy
        self._between = 0

    @property
    def finished(self) -> bool:
        return self._outer.finished and self._inner.finished

    def feed(self, data: bytes) -> Iterator[bytes]:
        for piece in self._outer.feed(data):
            self._between += len(piece)
            check_size(self._between, self._policy, slack=_SLACK)
            if piece:
                yield from self._inner.feed(piece)
