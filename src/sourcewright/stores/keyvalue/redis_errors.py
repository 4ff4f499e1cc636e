"""Errors of Redis: whether it is away, or answers and refuses, and why."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from sourcewright.base.errors import NotConfigured, StoreError

SETTING = "REDIS_URL"
_CREDENTIALS = f"refuses the user or the password in {SETTING}"
_CLUSTER = f"is a node of a cluster, which cannot be used; {SETTING} needs a single server"
_CONDITIONS: Mapping[str, str] = MappingProxyType(
    {
        "AuthenticationError": _CREDENTIALS,
        "AuthorizationError": _CREDENTIALS,
        "NoPermissionError": f"does not permit a command to the user in {SETTING}",
        "BusyLoadingError": "is loading its data",
        "ReadOnlyError": "is a replica, to which nothing can be written",
        "MasterDownError": "is a replica that has lost its primary server",
        "OutOfMemoryError": "is out of memory",
        "ClusterDownError": _CLUSTER,
        "MovedError": _CLUSTER,
        "AskError": _CLUSTER,
        "InvalidResponse": "answers what is not the protocol of Redis",
    }
)
"""What is state of a server, by the class of the library's error."""
NOT_PERMITTED = _CONDITIONS["NoPermissionError"]


@contextmanager
def library_errors(
    name: str, *, when_slow: Callable[[StoreError], None] | None = None
) -> Iterator[None]:
    """Turn errors of the library into ours; `name` is that of the server.

    `when_slow` is called with the error if the server did not answer in time.
    """
    try:
        from redis.exceptions import RedisError
        from redis.exceptions import TimeoutError as NoAnswer
    except ImportError as error:
        raise NotConfigured(
            f"{SETTING} needs a library that is not installed: pip install 'sourcewright[redis]'",
            setting=SETTING,
        ) from error
    try:
        yield
    except (RedisError, OSError) as error:
        state = condition(error) or f"does not answer ({type(error).__name__})"
        advice = "" if SETTING in state else "; try again later"
        failure = StoreError(f"{name} {state}{advice}")
        if when_slow and isinstance(error, TimeoutError | NoAnswer):
            when_slow(failure)
        raise failure from error


def condition(error: BaseException | None) -> str | None:
    """Return what is the matter with a server that answers; None if it does not answer."""
    from redis.exceptions import ResponseError

    # The library raises a lost connection from the refusal that ended it.
    while error is not None:
        if text := _CONDITIONS.get(type(error).__name__):
            return text
        if type(error) is ResponseError:
            word = str(error).split(" ", 1)[0]
            return f"refuses a command ({word[:40] if word.isupper() else 'error'})"
        error = error.__cause__
    return None
