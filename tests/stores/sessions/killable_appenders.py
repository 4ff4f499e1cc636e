"""Processes that append to one session and can be killed: a script that the kill test talks to.

`ack PID TEXT` follows each step that was acknowledged; the text is the step's reasoning.
The commands are those of `killable_writers`.
"""

import itertools
import os
from dataclasses import replace
from pathlib import Path

from killable_writers import say, serve

from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import SessionNotFound
from sourcewright.domain.users.sessions import Limits, Owner, SessionChange, SessionReader
from sourcewright.services.sessions.steps import StepDraft, first_step, next_step
from sourcewright.stores.keyvalue.records import RecordDatabase
from sourcewright.stores.keyvalue.sealed import Sealing
from sourcewright.stores.keyvalue.sealed_records import SealedRecords
from sourcewright.stores.sessions.store import RecordedSessions
from sourcewright.stores.ulids import new_ulid

MODULES = ["keyvalue/", "sessions/", "sqlite"]
OWNER = Owner(tenant="default", user="anonymous")
SESSION = "the session"
NOW = "2026-01-01T00:00:00.000Z"
MOST = 1_000_000


def open_store(path: Path) -> RecordedSessions:
    records = SealedRecords(RecordDatabase(path, clock=SystemClock()), Sealing(key="0f" * 32))
    return RecordedSessions(records=records, limits=Limits(), scope="test")


async def append(store: RecordedSessions, text: str) -> None:
    """Append a step in the next place, and begin the session if there is none."""
    draft = StepDraft(number=1, description="A step", is_last=False, reasoning=text)

    def next_in_place(parts: SessionReader) -> SessionChange:
        following = replace(draft, number=parts.head.step_count + 1)
        return next_step(following, parts, most_steps=MOST, now=NOW).change

    try:
        await store.change(OWNER, SESSION, next_in_place)
    except SessionNotFound:
        await store.create(OWNER, first_step(draft, session_id=SESSION, now=NOW))
    say("ack", os.getpid(), text)


async def append_for_ever(path: Path) -> None:
    store, name = open_store(path), new_ulid(SystemClock().now())
    for number in itertools.count():
        await append(store, f"{name}-{number}")


async def append_once(path: Path) -> None:
    store = open_store(path)
    await append(store, new_ulid(SystemClock().now()))
    await store.aclose()


if __name__ == "__main__":
    serve({"start": (append_for_ever, MODULES), "once": (append_once, MODULES)})
