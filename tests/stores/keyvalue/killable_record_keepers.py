"""Processes that keep sealed records for the first time and can be killed: a script for the kill test."""

import os
from pathlib import Path

from killable_writers import say, serve

from sourcewright.base.clocks import SystemClock
from sourcewright.stores.inventory import Inventory
from sourcewright.stores.keyvalue.key_file import KeyFile
from sourcewright.stores.keyvalue.records import RecordDatabase
from sourcewright.stores.keyvalue.sealed import Sealing
from sourcewright.stores.keyvalue.sealed_records import SealedRecords
from sourcewright.stores.ulids import new_ulid

MODULES = ["keyvalue/", "sqlite", "inventory", "files", "locks"]


def records_in(folder: Path) -> SealedRecords:
    clock = SystemClock()
    inventory = Inventory(folder / "stores.json", clock)
    sealing = Sealing(key_file=KeyFile(folder / "sealing.key", inventory))
    path = folder / "records.sqlite3"
    database = RecordDatabase(path, clock=clock, inventory=inventory)
    return SealedRecords(database, sealing, accepts_plain=True)


async def keep_once(folder: Path) -> None:
    records, name = records_in(folder), new_ulid(SystemClock().now())
    await records.update("g", lambda _: {name: name.encode()}, ttl_seconds=3600.0)
    say("ack", os.getpid(), name)
    await records.aclose()


if __name__ == "__main__":
    serve({"once": (keep_once, MODULES)})
