"""A process that moves one paper to the trash, or back, and can be killed at any line."""

from pathlib import Path

from killable_writers import open_log, serve

from sourcewright.base.clocks import SystemClock
from sourcewright.domain.ports import ProvenanceRow
from sourcewright.stores.papers.store import PaperStore

KEY = "doi_10.1234_a"


async def move_once(folder: Path) -> None:
    log, _ = open_log(folder / "access.jsonl", rotate_bytes=0)
    store = PaperStore(folder / "papers", clock=SystemClock(), sandbox=False)
    entry = await store.read(KEY)
    event = "store_remove" if entry else "store_restore"

    async def record() -> None:
        for name in (f"{KEY}.pdf", f".metadata/{KEY}.toml"):
            row = ProvenanceRow(event=event, result="ok", capability="oa", store_path=name)
            await log.record(row)

    if entry:
        await store.remove(KEY, record)
    else:
        [paper] = await store.trash()
        await store.restore(paper.item, record)
    await store.aclose()
    await log.aclose()


if __name__ == "__main__":
    serve({"once": (move_once, ["papers/trash", "papers/placement", "files"])})
