"""Request limits: how many requests are answered, and how long the others are told to wait."""

import asyncio

import identity
import pytest
from identity import SIGN_IN, token

pytestmark = pytest.mark.anyio


async def statuses(site, number, **headers):
    return [(await site.post("ping", **headers)).status_code for _ in range(number)]


async def test_a_tenant_that_asks_too_much_waits_and_others_do_not(serve, internet):
    identity.IdentityProvider(internet)
    site = await serve(**SIGN_IN, RATE_LIMIT_PER_TENANT="3")
    north = {"authorization": f"Bearer {token(tenant_id='north')}"}
    south = {"authorization": f"Bearer {token(tenant_id='south')}"}

    assert await statuses(site, 4, **north) == [200, 200, 200, 429]
    refused = await site.post("ping", **north)
    assert refused.json() == {"error": "rate_limited"}
    assert 1 <= int(refused.headers["retry-after"]) <= 20
    assert await statuses(site, 1, **south) == [200]


async def test_an_address_is_limited_before_it_signs_in(serve, internet):
    identity.IdentityProvider(internet)
    site = await serve(**SIGN_IN, RATE_LIMIT_PER_IP="2", TRUST_PROXY="true")

    assert await statuses(site, 3, x_forwarded_for="192.0.2.1") == [401, 401, 429]
    assert await statuses(site, 1, x_forwarded_for="192.0.2.1, 192.0.2.2") == [401]
    own = ("2001:db8::1", "2001:db8::2", "2001:db8::ffff")
    assert [(await statuses(site, 1, x_forwarded_for=one))[0] for one in own] == [401, 401, 429]
    assert await statuses(site, 1, x_forwarded_for="2001:db8:1::1") == [401]
    assert (await site.http.get("/health/live")).status_code == 200


async def test_the_port_that_a_proxy_adds_is_no_part_of_an_address(serve):
    site = await serve(**SIGN_IN, RATE_LIMIT_PER_IP="2", TRUST_PROXY="true")

    four = [f"192.0.2.1:{port}" for port in (1111, 2222, 3333)]
    six = [f"[2001:db8::{port}]:{port}" for port in (1111, 2222, 3333)]
    for own in (four, six):
        found = [(await statuses(site, 1, x_forwarded_for=one))[0] for one in own]
        assert found == [401, 401, 429]
    assert await statuses(site, 1, x_forwarded_for="192.0.2.2:1111") == [401]


async def test_everybody_together_is_limited(serve):
    site = await serve(RATE_LIMIT_GLOBAL="1", RATE_LIMIT_PER_TENANT="0")

    responses = await asyncio.gather(*(site.post("ping") for _ in range(10)))

    assert {answer.status_code for answer in responses} == {200, 429}


async def test_a_day_has_so_many_requests(serve):
    site = await serve(DAILY_QUOTA_PER_TENANT="2")

    assert await statuses(site, 3) == [200, 200, 429]
    assert 1 <= int((await site.post("ping")).headers["retry-after"]) <= 86_400


async def test_limits_that_are_zero_limit_nothing(serve):
    names = ("RATE_LIMIT_PER_TENANT", "RATE_LIMIT_GLOBAL", "DAILY_QUOTA_PER_TENANT")
    site = await serve(**dict.fromkeys(names, "0"))

    assert await statuses(site, 130) == [200] * 130


async def test_each_user_of_a_tenant_has_calls_of_their_own(serve, internet):
    identity.IdentityProvider(internet)
    site = await serve(**SIGN_IN, MAX_CALLS_PER_DAY="1")
    call = {"name": "doiget_resolve_paper", "arguments": {"ref": "10.5555/fine-paper"}}
    ada, bob, far = (
        {"authorization": f"Bearer {token(**claims)}"}
        for claims in ({"sub": "ada"}, {"sub": "bob"}, {"sub": "ada", "tenant_id": "south"})
    )

    answers = [(await site.post("tools/call", call, **who)).text for who in (ada, ada, bob, far)]

    assert ["MAX_CALLS_PER_DAY" in text for text in answers] == [False, True, False, False]
