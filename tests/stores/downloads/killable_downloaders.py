"""Processes that save downloads and can be killed: a script that the kill test talks to.

All save into one folder under one name. Each body ends in the SHA-256 of what comes before,
so that anyone can tell a whole one. The commands are those of `killable_writers`.
"""

import hashlib
import os
import random
from pathlib import Path

from killable_writers import say, serve

from sourcewright.domain.papers.file_names import file_name
from sourcewright.stores.downloads.deposit import save

BODIES = 4


def name_of(number: int) -> str:
    return file_name(title="Tides", year=2031, fallback="", counter=number)


def body_of(number: int) -> bytes:
    """One of a few bodies, each of its own length."""
    data = f"%PDF-1.7 {number}".encode() + b"." * (number * 70_000)
    return data + hashlib.sha256(data).hexdigest().encode()


async def save_for_ever(folder: Path) -> None:
    chance = random.Random(os.getpid())
    while True:
        saved = await save(folder / "new" / "papers", name_of, body_of(chance.randrange(BODIES)))
        say("ack", os.getpid(), saved.path.name.replace(" ", "_"), "." * 900)


async def save_once(folder: Path) -> None:
    await save(folder / "new" / "papers", name_of, body_of(1))


if __name__ == "__main__":
    modules = ["downloads/", "files"]
    serve({"start": (save_for_ever, [""]), "once": (save_once, modules)})
