"""What every store of records in groups must do, in a file or in Redis, sealed or plain."""

import asyncio

import pytest

from sourcewright.base.errors import NotConfigured

pytestmark = pytest.mark.anyio

HOUR = 3600.0
KEY, OTHER_KEY = "0f" * 32, "1e" * 32


@pytest.fixture(params=["file", "redis"])
def opened(request, record_store):
    """Opens the records as a process of its own would."""
    return record_store(request.param)


@pytest.fixture(params=[KEY, None], ids=["sealed", "plain"])
def records(request, opened):
    return opened(request.param)


def add_one(group):
    return {"n": str(int(group.get(["n"]).get("n", b"0")) + 1).encode()}


async def test_records_are_read_back_by_name_or_all_together(records, put):
    await put(records, a="1", b="2", times="3")

    assert await records.read("g") == {"a": b"1", "b": b"2", "times": b"3"}
    assert await records.read("g", ["b", "c"]) == {"b": b"2"}
    assert await records.read("other") == {}
    assert await records.names("g") == ["a", "b", "times"]


async def test_an_update_sees_what_is_there_and_removes_what_it_says(records, put):
    await put(records, a="1", b="2")

    def update(group):
        first = group.get(["a"])["a"]
        return {"a": first + b"+", "b": None, "c": ",".join(group.names()).encode()}

    await records.update("g", update, ttl_seconds=HOUR)

    assert await records.read("g") == {"a": b"1+", "c": b"a,b"}


async def test_an_update_that_raises_changes_nothing(records, put):
    await put(records, a="1")

    def update(group):
        raise ValueError(group.get(["a"]))

    with pytest.raises(ValueError, match="1"):
        await records.update("g", update, ttl_seconds=HOUR)

    assert await records.read("g") == {"a": b"1"}


async def test_an_update_is_made_only_while_another_group_permits_it(records, clock, put):
    def permit(group):
        if group.get(["a"]) != {"a": b"1"} or list(group.names()) != ["a"]:
            raise ValueError("not permitted")

    async def add_guarded():
        await records.update("g", add_one, ttl_seconds=HOUR, guards={"permits": permit})

    await put(records, "permits", a="1")
    await add_guarded()
    await put(records, "permits", b="2")
    with pytest.raises(ValueError, match="not permitted"):
        await add_guarded()
    await put(records, "permits", a="1", ttl_seconds=1)
    await records.update("permits", lambda _: {"b": None}, ttl_seconds=1)
    clock.time += 60
    with pytest.raises(ValueError, match="not permitted"):
        await add_guarded()

    assert await records.read("g") == {"n": b"1"}


async def test_no_update_is_made_after_its_permission_was_taken_away(opened):
    servers = [opened(KEY) for _ in range(4)]
    await servers[0].update("permits", lambda _: {"a": b"1"}, ttl_seconds=HOUR)

    def permit(group):
        if not group.names():
            raise ValueError("not permitted")

    has_begun = asyncio.Event()

    async def add_for_ever(server):
        while True:
            await server.update("g", add_one, ttl_seconds=HOUR, guards={"permits": permit})
            has_begun.set()

    adding = [asyncio.create_task(add_for_ever(one)) for one in servers[1:]]
    await has_begun.wait()
    await servers[0].delete(["permits"])
    count = await servers[0].read("g")
    ends = await asyncio.gather(*adding, return_exceptions=True)

    assert [str(one) for one in ends] == ["not permitted"] * 3
    assert await servers[0].read("g") == count


@pytest.mark.parametrize("key", [KEY, None], ids=["sealed", "plain"])
@pytest.mark.parametrize("number", [1, 5])
async def test_fifty_updates_by_several_servers_at_once_lose_nothing(opened, key, number):
    servers = [opened(key) for _ in range(number)]

    await asyncio.gather(
        *(servers[n % number].update("g", add_one, ttl_seconds=HOUR) for n in range(50))
    )

    assert await servers[0].read("g") == {"n": b"50"}


async def test_a_group_expires_as_a_whole_and_reading_or_writing_renews_it(records, clock, put):
    await put(records, a="1")
    await put(records, "unused", a="1")
    clock.time += HOUR - 1
    await records.read("g", ttl_seconds=HOUR, renewing=["with it"])
    clock.time += HOUR - 1
    await put(records, b="2")
    clock.time += HOUR - 1

    assert await records.read("g") == {"a": b"1", "b": b"2"}
    assert await records.read("unused") == {}
    clock.time += HOUR
    assert await records.read("g") == {}
    assert await records.names("g") == []
    assert await records.times(["g", "with it"]) == {}


async def test_a_group_that_expired_begins_empty(records, clock, put):
    await put(records, a="1")
    clock.time += 2 * HOUR

    await put(records, b="2")

    assert await records.read("g") == {"b": b"2"}


async def test_groups_in_renewing_are_renewed_where_they_exist(records, clock, put):
    await put(records, "list", a="1")
    clock.time += HOUR - 1

    await records.update("g", lambda _: {"a": b"1"}, ttl_seconds=HOUR, renewing=["list", "none"])
    clock.time += HOUR - 1

    assert await records.read("list") == {"a": b"1"}
    assert await records.times(["none"]) == {}


async def test_deleted_groups_are_gone(records, put):
    await put(records, "g", a="1")
    await put(records, "h", a="1")

    await records.delete(["g", "unknown"])
    await records.delete([])

    assert await records.read("g") == {}
    assert await records.read("h") == {"a": b"1"}


@pytest.mark.parametrize(("wrote", "reads"), [(KEY, OTHER_KEY), (KEY, None), (None, KEY)])
async def test_a_wrong_key_is_an_error_that_deletes_nothing(opened, put, wrote, reads):
    await put(opened(wrote), a="1")
    wrong = opened(reads)

    with pytest.raises(NotConfigured, match=r"CACHE_ENCRYPTION_KEY.*nothing was deleted"):
        await wrong.read("g", ttl_seconds=HOUR)
    with pytest.raises(NotConfigured, match="nothing was deleted"):
        await wrong.update("g", lambda group: group.get(["a"]), ttl_seconds=HOUR)

    assert await opened(wrote).read("g") == {"a": b"1"}


async def test_what_the_previous_key_wrote_is_read_and_encrypted_anew(opened, put):
    await put(opened(KEY), a="1")

    assert await opened(OTHER_KEY, KEY).read("g", ttl_seconds=HOUR) == {"a": b"1"}
    assert await opened(OTHER_KEY).read("g") == {"a": b"1"}


async def test_the_times_of_all_groups_with_a_record_of_one_name_are_found(records, clock, put):
    await put(records, group="one", head="1", step="2")
    clock.time += 60
    await put(records, group="two", head="3")
    await put(records, group="list", two="")
    await put(records, group="short", head="4", ttl_seconds=1)
    clock.time += 1800

    times = await records.times_of_all("head")

    assert sorted(clock.time - one.used_at for one in times) == [1800, 1860]
    assert await records.times_of_all("nothing") == []


async def test_all_groups_with_a_record_of_one_name_are_deleted_and_no_others(records, put):
    await put(records, group="one", head="1", step="2")
    await put(records, group="two", head="3")
    await put(records, group="list", two="")

    assert await records.delete_all("head") == 2

    assert (await records.names("one"), await records.names("list")) == ([], ["two"])
    assert await records.delete_all("head") == 0
