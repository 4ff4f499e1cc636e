"""Several requests to one provider at once, each of which may fail alone."""

import asyncio

import pytest

from sourcewright.base.errors import BadAnswer, Denial, Denied, NotFound, UpstreamError
from sourcewright.net.sources.partial_results import optional_outcome, outcome, outcomes

pytestmark = pytest.mark.anyio


async def answer(thing):
    if thing == "missing":
        raise NotFound("shelf", "no such record")
    if thing == "forbidden":
        raise Denied("not allowed", Denial(reason="host_in_block_list"))
    if thing == "broken":
        raise KeyError(thing)
    return thing.upper()


async def test_a_failure_is_an_outcome_like_any_other():
    missing = await outcome(answer("missing"))

    assert await outcome(answer("a")) == "A"
    assert isinstance(missing, NotFound)


async def test_what_can_be_spared_may_lead_away_from_its_source():
    denial = Denial(
        reason="redirect_not_in_allowlist", source="shelf", attempted="elsewhere.example"
    )

    async def led_away():
        raise Denied("not among its hosts", denial)

    failed = await optional_outcome(led_away())
    with pytest.raises(Denied):
        await outcome(led_away())
    with pytest.raises(Denied):
        await optional_outcome(answer("forbidden"))

    assert isinstance(failed, BadAnswer)
    assert str(failed) == "shelf: redirects to elsewhere.example"


async def test_outcomes_come_in_the_order_of_the_questions():
    first, second, third = await outcomes(answer, ["b", "missing", "a"], at_once=2)

    assert (first, third) == ("B", "A")
    assert isinstance(second, UpstreamError)


@pytest.mark.parametrize(("thing", "kind"), [("forbidden", Denied), ("broken", KeyError)])
async def test_what_is_no_failure_of_the_source_ends_them_all(thing, kind):
    with pytest.raises(kind):
        await outcomes(answer, ["a", thing, "b"], at_once=5)


async def test_no_more_are_under_way_than_was_said():
    under_way, most = 0, 0

    async def slowly(thing):
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        return thing

    assert await outcomes(slowly, list("abcdefgh"), at_once=3) == list("abcdefgh")
    assert most == 3
