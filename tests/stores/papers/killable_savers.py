"""Processes that save papers and can be killed: a script that the kill test talks to.

They share a library and its log in one folder. Each PDF ends in the SHA-256 of what comes
before, so that anyone can tell a whole one. `ack PID KEY TAG` follows each tag that was
acknowledged. The commands are those of `killable_writers`.
"""

import hashlib
import itertools
import os
import random
from dataclasses import replace
from pathlib import Path

from killable_writers import open_log, say, serve

from sourcewright.base.clocks import SystemClock
from sourcewright.base.identifiers import Doi
from sourcewright.domain.papers.file_names import store_key
from sourcewright.domain.ports import ProvenanceRow
from sourcewright.references.entries import Acquisition, Entry
from sourcewright.stores.logs.provenance import ProvenanceLog
from sourcewright.stores.papers.store import PaperStore

DOIS = [Doi(f"10.1234/{name}") for name in ("a", "b/c", "d")]


def pdf_of(key: str, number: int) -> bytes:
    """One of a few bodies, each of its own length."""
    data = f"%PDF-1.7 {key} {number}".encode() + b"." * (number * 70_000)
    return data + hashlib.sha256(data).hexdigest().encode()


async def save(store: PaperStore, log: ProvenanceLog, doi: Doi, pdf: bytes | None) -> None:
    key = store_key(doi)

    async def record() -> None:
        name = f"{key}.pdf" if pdf else f".metadata/{key}.toml"
        row = ProvenanceRow(
            event="store_write", result="ok", capability="oa", ref=str(doi), store_path=name
        )
        await log.record(replace(row, size_bytes=len(pdf or b"")))

    holding = Acquisition(fetched_at="2031-05-04T12:00:00Z", source="oa-publisher")
    entry = Entry(key=key, title="About it", authors=(), holding=holding, doi=str(doi))
    await store.save(entry, pdf, record)


def tagging(tag: str):
    def change(entry: Entry) -> Entry:
        return replace(entry, holding=replace(entry.holding, tags=(*entry.holding.tags, tag)))

    return change


async def save_for_ever(folder: Path) -> None:
    log, session_id = open_log(folder / "access.jsonl", rotate_bytes=100_000)
    store = PaperStore(folder / "papers", clock=SystemClock(), sandbox=False)
    chance = random.Random(session_id)
    for number in itertools.count():
        doi = chance.choice(DOIS)
        key = store_key(doi)
        pdf = pdf_of(key, chance.randrange(3)) if chance.random() < 0.8 else None
        await save(store, log, doi, pdf)
        tag = f"{session_id}-{number}"
        await store.update(key, tagging(tag))
        say("ack", os.getpid(), f"{key}:{tag}")


async def replace_once(folder: Path) -> None:
    log, _ = open_log(folder / "access.jsonl", rotate_bytes=0)
    store = PaperStore(folder / "papers", clock=SystemClock(), sandbox=False)
    key = store_key(DOIS[0])
    size = (folder / "papers" / f"{key}.pdf").stat().st_size
    await save(store, log, DOIS[0], pdf_of(key, 1 if size < 70_000 else 0))
    await store.aclose()
    await log.aclose()


if __name__ == "__main__":
    serve(
        {
            "start": (save_for_ever, [""]),
            "once": (replace_once, ["papers/placement", "files"]),
        }
    )
