"""Slow and large bodies: minimum transfer rate, and the slots that they hold."""

import asyncio
from dataclasses import replace

import pytest

from sourcewright.base.errors import Unavailable
from sourcewright.base.http_messages import Request
from sourcewright.net.http.exchange import MEBIBYTE, Policy
from sourcewright.net.http.transfer_rate import at_minimum_rate

pytestmark = pytest.mark.anyio

ASK = Request(url="https://journal.example/x")
HURRIED = Policy(source="oa-publisher", grace_seconds=0.05, min_bytes_per_second=10**9)


async def drip(_head, writer):
    """Send a little, and then a byte at a time without end."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + b"x" * 100)
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.005)


async def test_a_body_that_drips_is_given_up_and_called_slow(serve, connect):
    site = await serve(drip)

    with pytest.raises(Unavailable) as caught:
        await connect(sandbox_url=site.origin).send(ASK, HURRIED)

    assert caught.value.cause == "slow"
    assert "too slow" in caught.value.detail


async def test_a_body_in_single_bytes_is_given_up_long_before_its_end(serve, connect):
    async def crumble(_head, writer):
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            writer.write(b"1\r\nx\r\n" * 500)
            await writer.drain()

    site = await serve(crumble)
    with pytest.raises(Unavailable) as caught:
        await connect(sandbox_url=site.origin).send(ASK, Policy(source="oa-publisher"))

    assert caught.value.cause == "slow"
    assert caught.value.detail.startswith("sent in pieces of a few bytes, 10001 bytes")


@pytest.mark.parametrize("begun", [b"", b"x" * 100])
async def test_a_body_that_stops_coming_is_as_slow_as_one_that_drips(serve, connect, begun):
    site = await serve(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + begun)

    with pytest.raises(Unavailable) as caught:
        await connect(sandbox_url=site.origin).send(ASK, HURRIED)

    assert caught.value.cause == "slow"


async def test_the_part_of_a_slow_page_is_given_with_the_reason(serve, connect):
    site = await serve(drip)

    answer = await connect(sandbox_url=site.origin).send(
        ASK, replace(HURRIED, accepts_partial=True)
    )

    assert answer.body.startswith(b"x" * 100)
    assert answer.problem.cause == "slow"


async def test_an_error_that_drips_keeps_its_status(serve, connect):
    async def sorry(_head, writer):
        writer.write(b"HTTP/1.1 404 No\r\nContent-Length: 100000\r\n\r\nsorry")
        await asyncio.Event().wait()

    site = await serve(sorry)

    answer = await connect(sandbox_url=site.origin).send(ASK, HURRIED)

    assert (answer.status, answer.body) == (404, b"sorry")


@pytest.mark.parametrize("line", [b"HTTP/1.1 100 Continue\r\n\r\n", b"x: y\r\n"])
async def test_headers_that_never_end_are_no_answer(serve, connect, line):
    async def endless(_head, writer):
        writer.write(b"" if line.startswith(b"HTTP") else b"HTTP/1.1 200 OK\r\n")
        while True:
            writer.write(line)
            await writer.drain()
            await asyncio.sleep(0.005)

    site = await serve(endless)
    policy = Policy(source="crossref", connect_seconds=0.2, read_seconds=0.2)

    with pytest.raises(Unavailable) as caught:
        await connect(sandbox_url=site.origin).send(ASK, policy)

    assert caught.value.cause == "timeout"


async def test_a_body_that_comes_fast_enough_may_take_longer_than_the_grace():
    async def chunks():
        for _ in range(20):
            await asyncio.sleep(0.01)
            yield b"x" * 1000

    policy = Policy(source="any", grace_seconds=0.05, min_bytes_per_second=1)

    assert len([chunk async for chunk in at_minimum_rate(chunks(), policy)]) == 20


async def test_large_bodies_are_held_two_at_a_time_until_they_are_done_with(serve, connect, say):
    site = await serve(say(200, body=bytes(9 * MEBIBYTE)))
    client = connect(sandbox_url=site.origin)
    doing = [asyncio.Event() for _ in range(3)]
    came = asyncio.Queue()

    async def ask(number):
        with client.holding_bodies():
            answer = await client.send(
                Request(url=f"https://a.example/{number}"), Policy(source="a")
            )
            came.put_nowait((number, len(answer.body)))
            await doing[number].wait()

    tasks = [asyncio.create_task(ask(number)) for number in range(3)]
    first, second = [await came.get() for _ in range(2)]
    small = await client.send(
        Request(url="https://a.example/x", method="HEAD"), Policy(source="a")
    )
    waiting = came.empty()
    doing[first[0]].set()
    third = await came.get()
    for one in doing:
        one.set()
    await asyncio.gather(*tasks)

    assert waiting
    assert small.status == 200
    assert {first[1], second[1], third[1]} == {9 * MEBIBYTE}


async def test_a_large_body_that_is_given_up_leaves_its_place(serve, connect, say):
    site = await serve(say(200, body=bytes(9 * MEBIBYTE)))
    client = connect(sandbox_url=site.origin)

    for _ in range(3):
        with pytest.raises(Unavailable):
            await client.send(ASK, replace(HURRIED, total_seconds=0.0))
    for _ in range(3):
        with client.holding_bodies():
            for _ in range(2):  # one page may be asked for twice
                assert (await client.send(ASK, Policy(source="a"))).status == 200
