"""Processes that store values and can be killed: a script for the kill test.

They share one file, small enough that old values make room for new ones all the time.
`ack PID KEY` follows each value that was acknowledged, and every process also adds its
keys to one list under the key `all`. The commands are those of `killable_writers`.
"""

import itertools
import os
from pathlib import Path

from killable_writers import say, serve

from sourcewright.base.clocks import SystemClock
from sourcewright.stores.keyvalue.disk import DiskStore
from sourcewright.stores.ulids import new_ulid

MODULES = ["keyvalue/", "sqlite"]


def value_of(key: str) -> bytes:
    return key.encode() * 200


async def keep(store: DiskStore, key: str) -> None:
    await store.put(key, value_of(key), ttl_seconds=None)
    await store.update("all", lambda old: (old or b"") + f"{key}\n".encode(), ttl_seconds=None)
    say("ack", os.getpid(), key)


async def keep_for_ever(path: Path) -> None:
    clock = SystemClock()
    store = DiskStore(path, clock=clock)
    name = new_ulid(clock.now())
    for number in itertools.count():
        await keep(store, f"{name}-{number}")


async def keep_once(path: Path) -> None:
    clock = SystemClock()
    store = DiskStore(path, clock=clock, max_bytes=1_000_000)
    await keep(store, new_ulid(clock.now()))
    await store.aclose()


if __name__ == "__main__":
    serve({"start": (keep_for_ever, MODULES), "once": (keep_once, MODULES)})
