"""Saving downloads: atomically, under unique names, without touching other files."""

import asyncio
import os
import threading
from contextvars import ContextVar
from pathlib import Path

import pytest

from sourcewright.base.errors import LogError, StoreError
from sourcewright.domain.papers.file_names import file_name
from sourcewright.stores.downloads.deposit import SavedFile, save

pytestmark = pytest.mark.anyio

BODY = b"%PDF-1.7 tides " * 1000
OTHER = b"%PDF-1.7 waves " * 1000
NAME = "[2031] - Tides.pdf"


def names(number: int) -> str:
    return file_name(title="Tides", year=2031, fallback="10.5555/tides", counter=number)


def listed(folder: Path) -> dict[str, bytes | None]:
    """The files of a folder, hidden ones included."""
    return {path.name: path.read_bytes() if path.is_file() else None for path in folder.iterdir()}


def end_threads() -> None:
    """Wait for threads that no caller waits for any more."""
    for thread in threading.enumerate():
        if thread.name.startswith("downloads"):
            thread.join(60)
            assert not thread.is_alive()


async def test_a_paper_is_saved_and_its_folder_made(tmp_path):
    folder = tmp_path / "new" / "papers"

    saved = await save(folder, names, BODY)

    assert saved == SavedFile(folder / NAME, reused=False)
    assert listed(folder) == {NAME: BODY}


async def test_a_name_that_is_taken_stays_with_its_file(tmp_path):
    (tmp_path / NAME).write_bytes(OTHER)
    (tmp_path / names(1)).mkdir()
    (tmp_path / names(2)).symlink_to("nowhere")
    os.mkfifo(tmp_path / names(3))

    saved = await save(tmp_path, names, BODY)

    assert saved == SavedFile(tmp_path / names(4), reused=False)
    assert (tmp_path / NAME).read_bytes() == OTHER
    assert (tmp_path / names(2)).readlink() == Path("nowhere")


async def test_a_file_of_the_same_length_is_another_one(tmp_path):
    (tmp_path / NAME).write_bytes(BODY[:-1] + b"!")

    saved = await save(tmp_path, names, BODY)

    assert saved == SavedFile(tmp_path / names(1), reused=False)


@pytest.mark.parametrize("number", [0, 1, 3])
async def test_an_identical_file_is_used_again_and_nothing_is_written(tmp_path, number):
    """Also behind names that are free by now."""
    (tmp_path / names(number)).write_bytes(BODY)
    before = (tmp_path.stat().st_mtime_ns, (tmp_path / names(number)).stat().st_mtime_ns)
    calls = []

    async def record() -> None:
        calls.append(1)

    saved = await save(tmp_path, names, BODY, record)

    assert saved == SavedFile(tmp_path / names(number), reused=True)
    assert calls == []
    assert (tmp_path.stat().st_mtime_ns, saved.path.stat().st_mtime_ns) == before


async def test_a_link_to_an_identical_file_is_not_taken_for_it(tmp_path):
    (tmp_path / "mine.pdf").write_bytes(BODY)
    (tmp_path / NAME).symlink_to("mine.pdf")

    saved = await save(tmp_path, names, BODY)

    assert saved == SavedFile(tmp_path / names(1), reused=False)


async def test_the_record_is_written_when_the_body_is_there_and_has_no_name(tmp_path):
    mark = ContextVar("mark", default="nobody's")
    mark.set("the caller's")
    seen = []

    async def record() -> None:
        seen.append((mark.get(), *listed(tmp_path).items()))

    await save(tmp_path, names, BODY, record)

    [(whose, (name, content))] = seen
    assert whose == "the caller's"
    assert name.startswith(".")
    assert content == BODY
    assert listed(tmp_path) == {NAME: BODY}


async def test_without_a_record_nothing_is_kept(tmp_path):
    async def record() -> None:
        raise LogError("the log is full")

    with pytest.raises(LogError, match="the log is full"):
        await save(tmp_path / "new", names, BODY, record)

    assert listed(tmp_path / "new") == {}


async def test_a_caller_who_leaves_during_the_record_leaves_nothing_or_all(tmp_path):
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def record() -> None:
        begun.set()
        await go_on.wait()

    saving = asyncio.create_task(save(tmp_path, names, BODY, record))
    await asyncio.wait_for(begun.wait(), 300)
    saving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await saving
    go_on.set()
    await asyncio.to_thread(end_threads)

    assert listed(tmp_path) == {NAME: BODY}


async def test_a_caller_who_leaves_before_the_record_leaves_nothing(tmp_path):
    """The names are asked for by the saver's thread, which this holds up."""
    begun, go_on, recorded = threading.Event(), threading.Event(), []

    def slow_names(number: int) -> str:
        begun.set()
        assert go_on.wait(10)
        return names(number)

    async def record() -> None:
        recorded.append(1)

    saving = asyncio.create_task(save(tmp_path, slow_names, BODY, record))
    await asyncio.to_thread(begun.wait, 10)
    saving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await saving
    go_on.set()
    await asyncio.to_thread(end_threads)

    assert (listed(tmp_path), recorded) == ({}, [])


async def test_the_end_of_the_event_loop_leaves_nothing_unfinished(tmp_path):
    """Whoever stops the server while a record is being written."""

    found = []

    async def begin() -> None:
        begun = asyncio.Event()

        async def never() -> None:
            found.extend(listed(tmp_path).values())
            begun.set()
            await asyncio.Event().wait()

        saving = asyncio.create_task(save(tmp_path, names, BODY, never))
        await asyncio.wait_for(begun.wait(), 300)
        assert not saving.done()

    await asyncio.to_thread(lambda: asyncio.run(begin()))
    await asyncio.to_thread(end_threads)

    assert found == [BODY]
    assert listed(tmp_path) == {}


@pytest.mark.parametrize(
    "name", ["../out.pdf", "a/b.pdf", "/etc/x.pdf", ".hidden", "..", "", "a\0b"]
)
async def test_a_name_that_would_lead_out_or_hide_is_refused(tmp_path, name):
    folder = tmp_path / "in"

    with pytest.raises(StoreError, match="not a valid download file name"):
        await save(folder, lambda _number: name, BODY)

    assert listed(folder) == {}
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


@pytest.mark.parametrize("title", ["\u8a9e" * 120, "\U0001f600" * 100, "x" * 300, "a\u0301" * 99])
async def test_the_longest_names_that_are_given_can_be_saved(tmp_path, title):
    def long_names(number: int) -> str:
        return file_name(title=title, year=2031, fallback="", counter=number)

    first = await save(tmp_path, long_names, BODY)
    second = await save(tmp_path, long_names, OTHER)

    assert first.path.read_bytes() == BODY
    assert second.path.read_bytes() == OTHER
    assert second.path.name.endswith(" (2).pdf")


async def test_a_name_that_is_too_long_for_the_disk_is_said_to_be(tmp_path):
    with pytest.raises(StoreError, match=f"{tmp_path}: .*does not accept the file name"):
        await save(tmp_path, lambda _number: "x" * 300, BODY)

    assert listed(tmp_path) == {}


async def test_a_name_that_everybody_has_is_given_up(tmp_path):
    (tmp_path / NAME).write_bytes(OTHER)

    with pytest.raises(StoreError, match="too many files already have this name"):
        await save(tmp_path, lambda _number: NAME, BODY)

    assert listed(tmp_path) == {NAME: OTHER}


@pytest.mark.parametrize("depth", ["", "papers", "papers/deep"])
async def test_a_link_in_the_place_of_a_chosen_folder_is_not_followed(tmp_path, depth):
    """The folder was chosen before somebody put a link there."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "chosen").symlink_to("outside")

    with pytest.raises(StoreError, match="was replaced in the meantime"):
        await save(tmp_path / "chosen" / depth, names, BODY)

    assert listed(tmp_path / "outside") == {}


async def test_a_folder_swapped_for_a_link_meanwhile_gets_nothing(tmp_path):
    folder, outside = tmp_path / "chosen", tmp_path / "outside"
    folder.mkdir()
    outside.mkdir()

    async def swap() -> None:
        folder.rename(tmp_path / "moved")
        folder.symlink_to("outside")

    with pytest.raises(StoreError, match="was replaced in the meantime"):
        await save(folder, names, BODY, swap)

    assert listed(outside) == listed(tmp_path / "moved") == {}


async def test_a_folder_removed_meanwhile_is_an_error(tmp_path):
    folder = tmp_path / "chosen"

    async def remove() -> None:
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()

    with pytest.raises(StoreError, match="was replaced in the meantime"):
        await save(folder, names, BODY, remove)

    assert list(tmp_path.iterdir()) == []


async def test_a_file_in_the_place_of_the_folder_is_left_alone(tmp_path):
    (tmp_path / "taken").write_bytes(OTHER)

    for folder in (tmp_path / "taken", tmp_path / "taken" / "below"):
        with pytest.raises(StoreError, match=f"{folder}: the paper could not be saved"):
            await save(folder, names, BODY)

    assert listed(tmp_path) == {"taken": OTHER}


async def test_a_name_taken_during_the_record_is_not_taken_away(tmp_path):
    async def somebody_else() -> None:
        (tmp_path / NAME).write_bytes(OTHER)

    saved = await save(tmp_path, names, BODY, somebody_else)

    assert saved == SavedFile(tmp_path / names(1), reused=False)
    assert listed(tmp_path) == {NAME: OTHER, names(1): BODY}


async def test_an_identical_file_that_came_during_the_record_is_used(tmp_path):
    async def somebody_else() -> None:
        (tmp_path / NAME).write_bytes(BODY)

    saved = await save(tmp_path, names, BODY, somebody_else)

    assert saved == SavedFile(tmp_path / NAME, reused=True)
    assert listed(tmp_path) == {NAME: BODY}


async def test_many_at_once_keep_every_paper_once(tmp_path):
    bodies = [BODY + bytes([number % 5]) for number in range(20)]

    saved = await asyncio.gather(*(save(tmp_path, names, body) for body in bodies))

    assert set(listed(tmp_path)) == {names(number) for number in range(5)}
    assert [one.path.read_bytes() for one in saved] == bodies
    assert sum(not one.reused for one in saved) == 5
