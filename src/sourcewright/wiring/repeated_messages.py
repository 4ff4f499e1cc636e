"""Repeated log messages: written ten times a minute, so that no client can fill the log.

What a server says of each bad request, or of each call while a store is away, is as often as
strangers like.
"""

import logging
from collections import Counter
from collections.abc import Callable

_MINUTE_SECONDS = 60.0
_MOST = 10
_MAX_KINDS = 1000
"""Kinds of messages in a minute; all further ones are counted as one."""

Kind = tuple[str, str]


class RepeatedMessages(logging.Filter):
    """Lets a warning through ten times a minute, whatever its values are, and then counts it."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        super().__init__()
        self._monotonic = monotonic
        self._ends_at = float("-inf")
        self._seen = Counter[Kind]()
        self._before = Counter[Kind]()
        """What was left out in the minute before, until it is said."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        self._begin_minute()
        kind = (record.name, str(record.msg))
        if kind not in self._seen and len(self._seen) >= _MAX_KINDS:
            kind = ("", "")
        self._seen[kind] += 1
        if self._seen[kind] > _MOST:
            return False
        if count := self._before.pop(kind, 0):
            record.msg = f"{record.getMessage()} (and {count} times more, which were left out)"
            record.args = ()
        return True

    def _begin_minute(self) -> None:
        now = self._monotonic()
        if now >= self._ends_at:
            self._ends_at = now + _MINUTE_SECONDS
            left_out = {kind: count - _MOST for kind, count in self._seen.items()}
            self._before = Counter({kind: count for kind, count in left_out.items() if count > 0})
            self._seen.clear()
