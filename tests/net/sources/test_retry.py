"""Retries: for which failures, after which delay, and how many."""

from dataclasses import replace
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from sourcewright.base.errors import BadAnswer, Denial, Denied, RateLimited, Refused, Unavailable

pytestmark = pytest.mark.anyio


def ok(got):
    return got["ok"]


def trouble(cause):
    return Unavailable("any", "no luck", cause=cause)


@pytest.mark.parametrize("cause", ["connect", "cut"])
async def test_a_connection_that_failed_is_tried_again(source, say, cause):
    upstream, sender = source(trouble(cause), trouble(cause), say())

    assert await upstream.search("/works", read=ok)
    assert len(sender.requests) == 3


async def test_a_silent_source_is_tried_once_more_and_then_left(source, say):
    upstream, sender = source(trouble("timeout"), say(), trouble("timeout"))

    assert await upstream.search("/works", read=ok)
    with pytest.raises(Unavailable) as caught:
        await upstream.search("/works", read=ok)

    assert caught.value.cause == "timeout"
    assert len(sender.requests) == 4


def part_of(say, cause, body=b"half"):
    return replace(say(body=body), cut=True, problem=trouble(cause))


async def test_a_part_that_broke_off_is_asked_for_once_more(carry, say):
    whole = say(body=b"w")

    assert await carry(part_of(say, "cut"), whole) == (whole, 2)


async def test_a_part_that_the_last_try_brought_is_not_asked_for_again(carry, say):
    part = part_of(say, "cut")

    assert await carry(say(503), say(503), part) == (part, 3)


@pytest.mark.parametrize("again", ["shorter", "failure"])
async def test_the_longer_part_is_given_when_a_body_breaks_off_twice(carry, say, again):
    first = part_of(say, "cut")
    second = part_of(say, "cut", b"h") if again == "shorter" else trouble("connect")

    assert await carry(first, second) == (first, 2)


async def test_a_part_that_took_all_the_time_is_given_at_once(carry, say):
    part = part_of(say, "timeout")

    assert await carry(part, say()) == (part, 1)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 520])
async def test_a_passing_failure_is_tried_again_after_growing_pauses(source, say, clock, status):
    upstream, sender = source(say(status), say(status), say())

    assert await upstream.search("/works", read=ok)
    assert len(sender.requests) == 3
    assert clock.naps == [0.5, 1.0]


async def test_pauses_are_spread_by_chance(source, say, clock):
    upstream, _ = source(say(500), say(), chance=0.9)

    await upstream.search("/works", read=ok)

    assert clock.naps == pytest.approx([0.95])


@pytest.mark.parametrize("failure", [503, "cut", "connect"])
async def test_after_three_tries_the_failure_stands(source, say, failure):
    upstream, sender = source(say(failure) if failure == 503 else trouble(failure))

    with pytest.raises(Unavailable) as caught:
        await upstream.search("/works", read=ok)

    assert caught.value.status == (503 if failure == 503 else None)
    assert len(sender.requests) == 3


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 409, 451])
async def test_a_settled_answer_is_not_asked_for_again(source, say, status):
    upstream, sender = source(say(status, content_type="text/html"))

    with pytest.raises((BadAnswer, Refused)):
        await upstream.search("/works", read=ok)

    assert len(sender.requests) == 1


async def test_a_failing_certificate_is_not_tried_again(source):
    upstream, sender = source(trouble("tls"))

    with pytest.raises(Unavailable) as caught:
        await upstream.search("/works", read=ok)

    assert caught.value.cause == "tls"
    assert len(sender.requests) == 1


@pytest.mark.parametrize("line", ["timeout", "cut", 429, 500, 503])
async def test_a_posted_question_may_have_been_billed_and_is_not_sent_again(source, say, line):
    upstream, sender = source(say(line) if isinstance(line, int) else trouble(line))

    with pytest.raises((Unavailable, RateLimited)):
        await upstream.search("/search", read=ok, post={"q": "moon"})

    assert len(sender.requests) == 1


async def test_a_posted_question_that_reached_nobody_is_sent_again(source, say):
    upstream, sender = source(trouble("connect"), say())

    assert await upstream.search("/search", read=ok, post={"q": "moon"})
    assert len(sender.requests) == 2


@pytest.mark.promise("pace.retry-after-is-obeyed")
async def test_a_wait_that_the_source_asks_for_is_kept(source, say, clock):
    upstream, sender = source(say(429, retry_after="7"), say())

    assert await upstream.search("/works", read=ok)
    assert clock.naps == [7.0]
    assert sender.times[1] - sender.times[0] == 7.0


@pytest.mark.parametrize("shown", [None, -3600])
@pytest.mark.promise("pace.retry-after-is-obeyed")
async def test_a_wait_given_as_a_date_is_kept(source, say, clock, shown):
    """Also where the source's clock is an hour off, as its own Date tells."""
    skew = shown or 0
    until = format_datetime(datetime.fromtimestamp(clock.time + 12 + skew, UTC), usegmt=True)
    headers = {"retry_after": until}
    if shown is not None:
        headers["date"] = format_datetime(
            datetime.fromtimestamp(clock.time + skew, UTC), usegmt=True
        )
    upstream, _ = source(say(503, **headers), say())

    assert await upstream.search("/works", read=ok)
    assert clock.naps == [12.0]


@pytest.mark.parametrize(
    "nonsense", ["soon", "-5", "nan", "1e9", "", "Wed, 99 Foo 2099 99:99:99 GMT", "٣", "9" * 400]
)
async def test_a_wait_that_makes_no_sense_is_as_good_as_none(source, say, clock, nonsense):
    upstream, _ = source(say(429, retry_after=nonsense), say())

    assert await upstream.search("/works", read=ok)
    assert clock.naps == [0.5]


async def test_a_date_that_has_passed_asks_for_no_wait(source, say, clock):
    upstream, _ = source(say(429, retry_after="Fri, 01 Jan 2010 00:00:00 GMT"), say())

    assert await upstream.search("/works", read=ok)
    assert sum(clock.naps) == 0


@pytest.mark.parametrize("status", [429, 503])
async def test_a_long_wait_is_told_and_not_waited_for(source, say, clock, status):
    upstream, sender = source(say(status, retry_after="7200"))

    with pytest.raises(RateLimited) as caught:
        await upstream.search("/works", read=ok)

    assert caught.value.retry_after == 7200
    assert caught.value.status == status
    assert len(sender.requests) == 1
    assert clock.naps == []


@pytest.mark.parametrize("far", ["Thu, 01 Jan 2099 00:00:00 GMT", "9999999999"])
async def test_a_wait_of_years_is_reported_as_a_day(source, say, far):
    upstream, _ = source(say(429, retry_after=far))

    with pytest.raises(RateLimited) as caught:
        await upstream.lookup("/works", read=ok)

    assert caught.value.retry_after == 86_400


async def test_our_own_refusal_is_not_tried_again(source):
    async def deny():
        raise Denied("no", Denial(reason="ssrf_private_address"))

    upstream, sender = source(deny)

    with pytest.raises(Denied):
        await upstream.search("/works", read=ok)

    assert len(sender.requests) == 1
