"""The paper store on a full disk, without permission, and with many writers at once."""

import asyncio
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import StoreError
from sourcewright.references.entries import Acquisition, Entry
from sourcewright.stores.papers.store import PaperStore

pytestmark = pytest.mark.anyio

KEY = "doi_10.1234_tides"
PDF = b"%PDF-1.7 tides"
ENTRY = Entry(
    key=KEY,
    title="Tides",
    authors=("Moon, A.",),
    holding=Acquisition(fetched_at="2031-05-04T12:00:00Z", source="oa-publisher"),
    doi="10.1234/tides",
)

LIMITED_PROCESS = """
import asyncio, os, resource, sys
from pathlib import Path
from sourcewright.references.entries import Entry, Acquisition
from sourcewright.base.errors import ResearchError
from sourcewright.base.clocks import SystemClock
from sourcewright.stores.papers.store import PaperStore

async def main(root, key, most_bytes, pdf_bytes, abstract_bytes):
    if most_bytes:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
    elif os.geteuid() == 0:
        os.seteuid(65534)
    store = PaperStore(root, clock=SystemClock(), sandbox=False, lock_seconds=0.0)
    entry = Entry(
        key=key, title="Other", authors=(), abstract="x" * abstract_bytes,
        holding=Acquisition(fetched_at="2032-01-01T00:00:00Z", source="hal"),
    )
    try:
        if pdf_bytes:
            await store.save(entry, b"%" * pdf_bytes)
        else:
            await store.read(key)
    except ResearchError as error:
        sys.stdout.write(f"{type(error).__name__}: {error}")

asyncio.run(main(Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:])))
"""


def run_in_limited_process(root, key=KEY, most_bytes=0, pdf_bytes=20, abstract_bytes=0):
    """How a save fails where files may be only so long, or (with 0) where none may be made.

    Without bytes for a PDF, it is reading that fails.
    """
    arguments = [str(number) for number in (most_bytes, pdf_bytes, abstract_bytes)]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED_PROCESS, root, key, *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return done.stdout


def set_modes(root: Path, root_mode: int, metadata_mode: int) -> None:
    """Make the files writable for everybody, and set these modes for the folders."""
    metadata = root / ".metadata"
    root.chmod(0o700)
    metadata.chmod(0o700)
    for path in (*root.iterdir(), *metadata.iterdir()):
        if path.is_file():
            path.chmod(0o666)
    metadata.chmod(metadata_mode)
    root.chmod(root_mode)


def everything(root: Path) -> dict[str, bytes]:
    files = (path for path in root.rglob("*") if path.is_file() and path.suffix != ".lock")
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


async def saved(root: Path, entry: Entry = ENTRY, pdf: bytes | None = PDF) -> Entry:
    store = PaperStore(root, clock=SystemClock(), sandbox=False)
    try:
        return await store.save(entry, pdf)
    finally:
        await store.aclose()


@pytest.mark.parametrize("key", [KEY, "doi_10.1234_new"])
@pytest.mark.parametrize(("pdf_bytes", "abstract_bytes"), [(5000, 0), (20, 5000)])
async def test_a_full_disk_is_a_store_error_and_leaves_what_was_there(
    tmp_path, key, pdf_bytes, abstract_bytes
):
    """Whether the PDF or the metadata does not fit: neither gets its name."""
    await saved(tmp_path)
    before = everything(tmp_path)

    output = run_in_limited_process(tmp_path, key, 3000, pdf_bytes, abstract_bytes)

    assert output.startswith("StoreError: ")
    assert "could not be written (file too large)" in output
    assert everything(tmp_path) == before


@pytest.mark.parametrize(
    ("root_mode", "metadata_mode"), [(0o555, 0o555), (0o555, 0o777), (0o777, 0o555)]
)
@pytest.mark.parametrize("key", [KEY, "doi_10.1234_new"])
async def test_a_folder_that_may_not_be_written_is_a_store_error_and_is_left_alone(
    key, root_mode, metadata_mode
):
    # Not under the test's own folder, which only its owner may enter.
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        await saved(root)
        before = everything(root)
        set_modes(root, root_mode, metadata_mode)

        output = run_in_limited_process(root, key)

        set_modes(root, 0o700, 0o700)
        assert output.startswith("StoreError: ")
        assert "could not be written (permission denied)" in output
        assert everything(root) == before


async def test_a_store_that_may_not_be_read_is_an_error_and_no_absence():
    with tempfile.TemporaryDirectory() as name:
        await saved(Path(name))
        set_modes(Path(name), 0o000, 0o000)

        output = run_in_limited_process(name, pdf_bytes=0)

        set_modes(Path(name), 0o700, 0o700)
        assert "could not be read (permission denied)" in output


@pytest.mark.parametrize("there", ["root", ".metadata"])
async def test_a_file_in_the_place_of_a_folder_is_a_store_error(tmp_path, there):
    root = tmp_path / "root"
    if there == ".metadata":
        root.mkdir()
        (root / there).touch()
    else:
        root.touch()
    store = PaperStore(root, clock=SystemClock(), sandbox=False)

    with pytest.raises(StoreError, match="could not be written"):
        await store.save(ENTRY, PDF)
    with pytest.raises(StoreError, match=r"root.* could not be read \(not a directory\)"):
        await store.read(KEY)


def tagging(tag: str):
    def change(entry: Entry) -> Entry:
        return replace(entry, holding=replace(entry.holding, tags=(*entry.holding.tags, tag)))

    return change


async def test_fifty_at_once_on_one_paper_lose_nothing(tmp_path):
    await saved(tmp_path)
    stores = [PaperStore(tmp_path, clock=SystemClock(), sandbox=False) for _ in range(2)]
    tags = [str(number) for number in range(50)]

    await asyncio.gather(
        *(stores[int(tag) % 2].update(KEY, tagging(tag)) for tag in tags),
        *(store.save(replace(ENTRY, venue="Sea"), PDF * 2) for store in stores),
    )

    entry = await stores[0].read(KEY)
    assert sorted(entry.holding.tags, key=int) == tags
    assert (entry.venue, entry.holding.size_bytes) == ("Sea", 2 * len(PDF))
    for store in stores:
        await store.aclose()


MANY = """
import asyncio, sys
from dataclasses import replace
from pathlib import Path
from sourcewright.base.clocks import SystemClock
from sourcewright.stores.papers.store import PaperStore

async def main(root, key, name):
    store = PaperStore(Path(root), clock=SystemClock(), sandbox=False)
    for number in range(15):
        tag = f"{name}{number}"
        def change(entry):
            return replace(entry, holding=replace(entry.holding, tags=(*entry.holding.tags, tag)))
        entry = await store.update(key, change)
        await store.save(entry, b"%PDF-" + tag.encode() * (1 + number % 3))
    await store.aclose()

asyncio.run(main(*sys.argv[1:]))
"""


def run_together(commands) -> list[int]:
    processes = [subprocess.Popen(command) for command in commands]
    return [process.wait(timeout=300) for process in processes]


async def test_three_processes_on_one_paper_lose_nothing(tmp_path):
    await saved(tmp_path)
    commands = [[sys.executable, "-c", MANY, tmp_path, KEY, name] for name in "abc"]

    ended = run_together(commands)

    store = PaperStore(tmp_path, clock=SystemClock(), sandbox=False)
    entry = await store.read(KEY)
    await store.aclose()
    assert ended == [0, 0, 0]
    assert set(entry.holding.tags) == {f"{name}{number}" for name in "abc" for number in range(15)}
    assert (tmp_path / f"{KEY}.pdf").stat().st_size == entry.holding.size_bytes


async def test_papers_of_different_names_do_not_wait_for_each_other(tmp_path):
    store = PaperStore(tmp_path, clock=SystemClock(), sandbox=False)
    go_on = asyncio.Event()
    held = asyncio.create_task(store.save(ENTRY, PDF, go_on.wait))

    other = replace(ENTRY, key="doi_10.1234_other", doi="10.1234/other")
    saved_other = await asyncio.wait_for(store.save(other, PDF), 300)

    assert saved_other.key == "doi_10.1234_other"
    assert not held.done()
    go_on.set()
    assert (await held).key == KEY
    await store.aclose()
