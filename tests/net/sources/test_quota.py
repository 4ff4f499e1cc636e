"""Sources with a quota of requests, which report its end by a 403."""

import pytest

from sourcewright.base.errors import RateLimited, Refused

pytestmark = pytest.mark.anyio


def ok(answer):
    return answer["ok"]


@pytest.mark.parametrize("status", [403, 429])
@pytest.mark.parametrize("reset", ["7200", "1800007200"])
@pytest.mark.promise("pace.retry-after-is-obeyed")
async def test_a_quota_that_is_used_up_asks_to_wait_until_its_reset(source, say, status, reset):
    """Given as the seconds that are left, or as a moment."""
    headers = {"x_ratelimit_remaining": "0", "x_ratelimit_reset": reset}
    upstream, sender = source(say(status, **headers))

    with pytest.raises(RateLimited) as caught:
        await upstream.lookup("/repos", read=ok)

    assert (caught.value.status, caught.value.retry_after) == (status, 7200)
    assert len(sender.requests) == 1


async def test_a_reset_that_is_near_is_waited_for(source, say, clock):
    headers = {"x_ratelimit_remaining": "0", "x_ratelimit_reset": str(int(clock.time) + 4)}
    upstream, _ = source(say(403, **headers), say())

    assert await upstream.lookup("/repos", read=ok)
    assert clock.naps == [4.0]


async def test_what_the_source_asks_for_itself_counts_more_than_its_quota(source, say):
    headers = {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "7200"}
    upstream, _ = source(say(403, retry_after="3600", **headers))

    with pytest.raises(RateLimited) as caught:
        await upstream.lookup("/repos", read=ok)

    assert caught.value.retry_after == 3600


async def test_a_refusal_that_says_how_long_to_stay_away_asks_to_wait(source, say):
    upstream, sender = source(say(403, retry_after="3600", x_ratelimit_remaining="12"))

    with pytest.raises(RateLimited) as caught:
        await upstream.lookup("/repos", read=ok)

    assert caught.value.retry_after == 3600
    assert len(sender.requests) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x_ratelimit_remaining": "12", "x_ratelimit_reset": "7200"},
        {"x_ratelimit_remaining": "none", "x_ratelimit_reset": "7200"},
    ],
)
async def test_any_other_403_is_a_refusal(source, say, headers):
    upstream, sender = source(say(403, **headers))

    with pytest.raises(Refused):
        await upstream.lookup("/repos", read=ok)

    assert len(sender.requests) == 1


@pytest.mark.parametrize("reset", ["", "soon", "nan", "-5", "9" * 400, "1, 3600"])
async def test_a_reset_that_makes_no_sense_is_as_good_as_none(source, say, clock, reset):
    headers = {"x_ratelimit_remaining": "0", "x_ratelimit_reset": reset}
    upstream, _ = source(say(403, **headers), say())

    assert await upstream.lookup("/repos", read=ok)
    assert clock.naps == [0.5]


async def test_a_wish_to_wait_that_only_the_words_tell_is_heeded(source, say, clock):
    upstream, sender = source(say(), say())

    def read(_answer):
        raise RateLimited("somewhere", "the quota is used up", retry_after=30.0)

    with pytest.raises(RateLimited):
        await upstream.search("/repos", read=read)
    with pytest.raises(RateLimited) as caught:
        await upstream.search("/repos", read=ok)
    clock.time += 30.0

    assert await upstream.search("/repos", read=ok)
    assert (caught.value.cause, caught.value.retry_after) == ("breaker", 30.0)
    assert len(sender.requests) == 2
