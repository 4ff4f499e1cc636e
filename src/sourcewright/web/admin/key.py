"""The admin key: compared in constant time with the current and the previous one."""

import hashlib
import hmac
import secrets
from typing import Literal

Match = Literal["current", "previous"]


class AdminKeys:
    """The keys that are accepted; only their digests are kept."""

    def __init__(self, current: str, previous: str | None = None) -> None:
        self._current = _digest(current)
        # No text has a random digest, so both comparisons are always made.
        self._previous = _digest(previous) if previous else secrets.token_bytes(32)

    def match(self, given: str) -> Match | None:
        """Return which key this is; the time taken says nothing about either of them."""
        digest = _digest(given)
        is_current = hmac.compare_digest(digest, self._current)
        is_previous = hmac.compare_digest(digest, self._previous)
        return "current" if is_current else "previous" if is_previous else None

    def sign(self, text: str) -> str:
        """Return a signature of the text, which only the owner of the key can make."""
        return _signature(self._current, text)

    def is_signed(self, text: str, signature: str) -> bool:
        """Whether the signature was made with one of the keys."""
        is_current = hmac.compare_digest(_signature(self._current, text), signature)
        is_previous = hmac.compare_digest(_signature(self._previous, text), signature)
        return is_current or is_previous


def _signature(digest: bytes, text: str) -> str:
    return hmac.new(digest, text.encode(), hashlib.sha256).hexdigest()


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()
