"""Concurrency limits for pages: a slow page gives its slot back."""

import asyncio

import pytest

from sourcewright.services.pages.room import PageSlots

pytestmark = pytest.mark.anyio


@pytest.fixture
def enter():
    """Occupies a slot until the test is over."""
    tasks = []

    async def go(room):
        inside = asyncio.Event()

        async def stay():
            async with room.place():
                inside.set()
                await asyncio.Event().wait()

        tasks.append(asyncio.create_task(stay()))
        for _ in range(5):
            await asyncio.sleep(0)
        return inside

    yield go
    for task in tasks:
        task.cancel()


async def test_a_page_that_takes_long_gives_its_place_away(enter):
    room = PageSlots(1, patience_seconds=0.01)
    await enter(room)

    second = await enter(room)

    await asyncio.wait_for(second.wait(), 300)


async def test_a_page_that_is_quick_keeps_its_place(enter):
    room = PageSlots(1, patience_seconds=3600)
    await enter(room)

    assert not (await enter(room)).is_set()


async def test_there_are_never_too_many_pages_under_way(enter):
    room = PageSlots(1, patience_seconds=0.0, slow=1)
    await (await enter(room)).wait()
    await (await enter(room)).wait()

    assert not (await enter(room)).is_set()


async def test_a_place_that_was_given_away_is_not_given_away_twice(enter):
    room = PageSlots(1, patience_seconds=0.0)
    for _ in range(3):
        async with room.place():
            await asyncio.sleep(0.01)
    still = PageSlots(1, patience_seconds=3600)
    async with still.place():
        pass
    await enter(still)

    assert not (await enter(still)).is_set()
