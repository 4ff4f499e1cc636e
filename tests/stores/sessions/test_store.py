"""Research sessions on the disk: private, bounded, renewed by use, appended at constant cost."""

import asyncio
import json
import random
import sqlite3
from contextlib import AsyncExitStack, closing

import pytest

from sourcewright.base.errors import InvalidInput, NotConfigured, SessionNotFound
from sourcewright.domain.users.sessions import Limits, Outcome, Owner, SessionSource
from sourcewright.services.sessions.sources import record
from sourcewright.services.sessions.steps import StepDraft, first_step, next_step
from sourcewright.stores.keyvalue.records import RecordDatabase
from sourcewright.stores.keyvalue.sealed import Sealing
from sourcewright.stores.keyvalue.sealed_records import SealedRecords
from sourcewright.stores.sessions.store import RecordedSessions

pytestmark = pytest.mark.anyio

ANN, BOB = Owner(tenant="default", user="ann"), Owner(tenant="default", user="bob")
NOW = "2026-01-02T03:04:05.000Z"
HOUR = 3600.0
OTHER = SessionSource(url="https://b.example/", title="B")


@pytest.fixture
async def opened(clock, tmp_path):
    """Opens the store as a process of its own would."""
    async with AsyncExitStack() as stack:

        def open_store(key="0f" * 32, scope="internet", **limits):
            database = RecordDatabase(tmp_path / "state" / "sessions.sqlite3", clock=clock)
            sealed = SealedRecords(database, Sealing(key=key))
            store = RecordedSessions(records=sealed, limits=Limits(**limits), scope=scope)
            stack.push_async_callback(store.aclose)
            return store

        yield open_store


async def begin(store, session_id="s", owner=ANN, **fields):
    draft = StepDraft(number=1, description="first", is_last=False, **fields)
    return await store.create(owner, first_step(draft, session_id=session_id, now=NOW))


async def append(store, number, session_id="s", owner=ANN, *, most=200, **fields):
    draft = StepDraft(number=number, description=f"step {number}", is_last=False, **fields)
    return await store.change(
        owner, session_id, lambda parts: next_step(draft, parts, most_steps=most, now=NOW).change
    )


async def note(store, sources=(), outcomes=(), session_id="s"):
    limits = store.limits
    return await store.change(
        ANN, session_id, lambda parts: record(parts, sources, outcomes, limits=limits, now=NOW)
    )


async def test_a_session_is_read_back_by_another_process(opened):
    await begin(opened(), goal="the goal", gap="what is missing")
    await append(opened(), 2, revises=1, summary="so far", reasoning="because")
    await append(opened(), 3, branch="side", branch_from=1, closes_gap=1)

    session = await opened().read(ANN, "s")

    assert session.subject.goal == "the goal"
    assert (session.subject.summary, session.subject.summary_step) == ("so far", 2)
    assert [step.description for step in session.steps] == ["first", "step 2", "step 3"]
    assert session.superseded_by() == {1: 2}
    [branch] = session.branches
    assert (branch.id, branch.from_step, branch.first_step) == ("side", 1, 3)
    [gap] = session.gaps
    assert (gap.found_in, gap.closed_in) == (1, 3)


@pytest.mark.parametrize("seed", range(5))
async def test_a_session_in_memory_is_what_the_disk_holds_whoever_changed_it(opened, seed):
    stores, number = [opened(), opened()], 1
    choose = random.Random(seed)
    await begin(stores[0])
    for turn in range(30):
        store = choose.choice(stores)
        match choose.randrange(5):
            case 0:
                await note(store, [SessionSource(url=f"https://a.example/{turn}", title="A")])
            case 1:
                await append(store, number := number + 1, gap=f"gap {turn}")
            case 2:
                await append(store, number := number + 1, branch=f"b{turn}", branch_from=1)
            case _:
                await append(store, number := number + 1)
        kept = await choose.choice(stores).read(ANN, "s")

        assert kept == await opened().read(ANN, "s")


@pytest.mark.parametrize("number", [1, 2])
async def test_a_number_that_is_taken_says_which_is_next(opened, number):
    store = opened()
    await begin(store)
    await append(store, 2)

    with pytest.raises(InvalidInput, match="the next one is 3"):
        await append(store, number, reasoning="something else")

    assert (await store.read(ANN, "s")).head.step_count == 2


async def test_steps_are_found_by_their_numbers_on_their_lines(opened):
    store = opened()
    await begin(store)
    await append(store, 7)
    await append(store, 7, branch="b", branch_from=7)
    await append(store, 9, branch="b", revises=7)
    await append(opened(), 8, revises=7, summary="so far")

    session = await opened().read(ANN, "s")

    assert [(one.number, one.position) for one in session.steps] == [
        *((1, 1), (7, 2), (7, 3), (9, 4), (8, 5)),
    ]
    assert [one.revises for one in session.steps] == [None, None, None, 3, 2]
    assert session.branches[0].from_step == 2
    assert session.subject.summary_step == 5
    assert [session.step_name(one) for one in range(1, 6)] == ["1", "7", "7 of branch b", "9", "8"]


async def test_a_session_of_an_earlier_version_is_read_and_continued(opened):
    """Its records have no positions of steps, and do not say what became of its sources."""
    store = opened()
    await begin(store)
    await append(store, 2, branch="b", branch_from=1)
    await note(store, [SessionSource(url="https://a.example/", tag="scraped"), OTHER])
    group = json.dumps(["session", "internet", ANN.tenant, ANN.user, "s"])
    lacking = {"step": {"position"}, "head": {"highest_number"}, "source": {"use"}}

    def as_before(records):
        held = records.get(records.names())
        return {
            name: json.dumps(
                {k: v for k, v in json.loads(held[name]).items() if k not in fields}
            ).encode()
            for name in held
            if (fields := lacking.get(name.partition("/")[0]))
        }

    await store.records.update(group, as_before, ttl_seconds=3600)

    later = opened()
    before = await later.read(ANN, "s")
    await append(later, 2, revises=1)
    session = await opened().read(ANN, "s")
    assert [one.use for one in before.sources] == ["read", "found"]
    assert [(one.number, one.position, one.branch) for one in session.steps] == [
        *((1, 1, None), (2, 2, "b"), (2, 3, None)),
    ]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (
            {"revises": 7},
            "revisesStep: there is no step 7; the session has 1 step, the highest number is 1",
        ),
        ({"is_revision": True}, "revisesStep: a revision must name"),
        ({"branch": "b", "branch_from": 2}, "branchFromStep: there is no step 2"),
        ({"closes_gap": 4}, "closesGap: there is no gap 4; open gaps: 1"),
    ],
)
async def test_a_step_that_refers_to_nothing_changes_nothing(opened, fields, words):
    store = opened()
    await begin(store, gap="something")

    with pytest.raises(InvalidInput, match=words):
        await append(store, 2, **fields)

    assert len((await store.read(ANN, "s")).steps) == 1


async def test_a_full_session_takes_no_more_steps(opened):
    store = opened()
    await begin(store)
    await append(store, 2, most=2)

    change = await append(store, 3, most=2)

    assert change.steps == ()
    assert (await store.read(ANN, "s")).head.step_count == 2


async def test_nobody_else_can_read_change_or_delete_a_session(opened):
    store = opened()
    await begin(store)
    words = r"^Session not found or expired\. Sessions last 4 hours from last activity\.$"

    with pytest.raises(SessionNotFound, match=words):
        await store.read(BOB, "s")
    with pytest.raises(SessionNotFound, match=words):
        await append(store, 2, owner=BOB)
    with pytest.raises(SessionNotFound, match=words):
        await store.delete(BOB, "s")
    with pytest.raises(SessionNotFound, match=words):
        await opened(scope="http://127.0.0.1:1").read(ANN, "s")

    assert (await store.read(ANN, "s")).id == "s"
    assert await store.sessions(BOB) == ()


async def test_an_unknown_session_is_not_created_by_a_change(opened):
    store = opened()

    with pytest.raises(SessionNotFound):
        await append(store, 2)

    assert await store.sessions(ANN) == ()


async def test_reading_and_writing_renew_a_session_and_idleness_ends_it(opened, clock):
    store = opened()
    await begin(store)
    clock.time += 4 * HOUR - 1
    await store.read(ANN, "s")
    clock.time += 4 * HOUR - 1
    await append(store, 2)
    clock.time += 4 * HOUR - 1
    assert [one.id for one in await store.sessions(ANN)] == ["s"]
    clock.time += 120

    with pytest.raises(SessionNotFound):
        await store.read(ANN, "s")
    assert await store.sessions(ANN) == ()


async def test_the_least_recently_used_session_goes_first_and_is_named(opened, clock):
    store = opened(sessions=3)
    for name in ("a", "b", "c"):
        assert await begin(store, name) == ()
        clock.time += 300
    await store.read(ANN, "a")
    clock.time += 300

    assert await begin(store, "d") == ("b",)

    assert [one.id for one in await store.sessions(ANN)] == ["d", "a", "c"]
    with pytest.raises(SessionNotFound):
        await store.read(ANN, "b")


async def test_a_read_that_was_not_worth_a_write_counts_after_the_next_write_or_the_end(
    opened, clock
):
    store, other = opened(sessions=3), opened(sessions=3)
    for name in ("a", "b", "c"):
        await begin(store, name)
        clock.time += 1
    await store.read(ANN, "a")
    with pytest.raises(InvalidInput):
        await append(store, 1, "b")
    clock.time += 1
    await other.read(ANN, "b")
    await other.aclose()
    clock.time += 1

    assert [one.id for one in await store.sessions(ANN)] == ["b", "a", "c"]
    assert await begin(store, "d") == ("c",)
    assert [one.id for one in await opened().sessions(ANN)] == ["d", "b", "a"]


async def test_sessions_that_are_begun_at_once_do_not_pass_the_limit(opened):
    stores = [opened(sessions=5) for _ in range(4)]

    dropped = await asyncio.gather(
        *(begin(stores[n % 4], f"s{n}") for n in range(12)), return_exceptions=False
    )
    await begin(stores[0], "last")

    assert len(await stores[0].sessions(ANN)) <= 5
    assert any(dropped)


async def test_a_wrong_key_says_so_and_deletes_nothing(opened):
    await begin(opened())
    wrong = opened(key="1e" * 32)

    with pytest.raises(NotConfigured, match="nothing was deleted"):
        await wrong.read(ANN, "s")
    assert await begin(wrong, "another") == ()
    [_, unreadable] = sorted(await wrong.sessions(ANN), key=lambda one: not one.readable)

    assert (unreadable.id, unreadable.readable) == ("s", False)
    assert (await opened().read(ANN, "s")).id == "s"


async def test_sources_are_recorded_once_per_canonical_url_and_doi(opened):
    store = opened()
    await begin(store)
    await note(store, [SessionSource(url="https://a.example/x?utm_source=n", title="X")])
    await append(store, 2)
    await note(
        store,
        [
            SessionSource(url="https://a.example/x", author="Ann", tag="scraped"),
            SessionSource(url="https://doi.org/10.5555/ABC", title="Paper"),
            SessionSource(url="https://b.example/paper", doi="10.5555/abc", date="2024"),
        ],
    )

    first, second = (await store.read(ANN, "s")).sources

    assert (first.url, first.title, first.author, first.tag, first.found_in) == (
        "https://a.example/x",
        "X",
        "Ann",
        "scraped",
        1,
    )
    assert (second.doi, second.title, second.date, second.found_in) == (
        "10.5555/abc",
        "Paper",
        "2024",
        2,
    )


async def test_two_sources_that_prove_to_be_one_become_one(opened):
    store = opened()
    await begin(store)
    await note(
        store,
        [SessionSource(url="https://a.example/x"), SessionSource(url="https://doi.org/10.5555/b")],
    )

    await note(store, [SessionSource(url="https://a.example/x", doi="10.5555/b", title="Both")])
    await note(store, [SessionSource(url="https://doi.org/10.5555/b")])

    session = await store.read(ANN, "s")
    assert [(one.url, one.doi, one.title) for one in session.sources] == [
        ("https://a.example/x", "10.5555/b", "Both")
    ]
    assert session.head.source_count == 1


async def test_sources_are_bounded_and_what_was_left_out_is_counted(opened):
    store = opened(sources=3)
    await begin(store)

    await note(store, [SessionSource(url=f"https://a.example/{n}") for n in range(5)])

    session = await store.read(ANN, "s")
    assert [one.url[-1] for one in session.sources] == ["0", "1", "2"]
    assert session.head.omitted_sources == 2


async def test_only_the_newest_outcomes_are_kept(opened):
    store = opened(outcomes=4)
    await begin(store)

    for number in range(7):
        await note(store, outcomes=[Outcome(tool="t", provider=str(number), success=True)])

    session = await store.read(ANN, "s")
    assert [one.provider for one in session.outcomes] == ["3", "4", "5", "6"]


async def test_a_step_writes_the_same_number_of_records_and_bytes_however_many_there_are(
    opened, tmp_path
):
    store = opened()
    await begin(store, goal="g" * 4000)
    database = tmp_path / "state" / "sessions.sqlite3"
    sizes = {}

    for number in range(2, 201):
        await append(store, number)
        if number in (2, 200):
            with closing(sqlite3.connect(database)) as db:
                [size] = db.execute(
                    "SELECT sum(length(value)) FROM records WHERE name IN (?, ?)",
                    ("head", f"step/{number:06d}"),
                ).fetchone()
            sizes[number] = size

    assert sizes[200] - sizes[2] < 20
    session = await store.read(ANN, "s")
    assert [step.number for step in session.steps] == list(range(1, 201))


async def test_many_appenders_of_one_session_lose_nothing(opened):
    stores = [opened() for _ in range(4)]
    await begin(stores[0])

    async def add(store, texts):
        for text in texts:
            recorded = False
            while not recorded:
                count = (await store.read(ANN, "s")).head.step_count
                try:
                    await append(store, count + 1, reasoning=text)
                    recorded = True
                except InvalidInput:
                    continue

    await asyncio.gather(
        *(add(store, [f"{at}-{n}" for n in range(5)]) for at, store in enumerate(stores))
    )

    session = await stores[0].read(ANN, "s")
    assert [step.number for step in session.steps] == list(range(1, 22))
    assert {step.reasoning for step in session.steps[1:]} == {
        f"{at}-{n}" for at in range(4) for n in range(5)
    }
