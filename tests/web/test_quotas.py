"""Request limits: how many requests are answered, and how long the others are told to wait."""

import asyncio
import sqlite3

import identity
import pytest
from identity import SIGN_IN, token

from sourcewright.domain.quotas import DailyQuota, RequestRate
from sourcewright.stores.quotas.ledger import SqliteQuotas

pytestmark = pytest.mark.anyio
NOON = 1_800_014_400.0
"""A noon in UTC."""


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


async def test_everybody_together_is_limited(serve):
    site = await serve(RATE_LIMIT_GLOBAL="1", RATE_LIMIT_PER_TENANT="0")

    told = await asyncio.gather(*(site.post("ping") for _ in range(10)))

    assert {answer.status_code for answer in told} == {200, 429}


async def test_a_day_has_so_many_requests(serve):
    site = await serve(DAILY_QUOTA_PER_TENANT="2")

    assert await statuses(site, 3) == [200, 200, 429]
    assert 1 <= int((await site.post("ping")).headers["retry-after"]) <= 86_400


async def test_limits_that_are_zero_limit_nothing(serve):
    names = ("RATE_LIMIT_PER_TENANT", "RATE_LIMIT_GLOBAL", "DAILY_QUOTA_PER_TENANT")
    site = await serve(**dict.fromkeys(names, "0"))

    assert await statuses(site, 130) == [200] * 130


def test_the_time_to_wait_is_true(tmp_path):
    ledger = SqliteQuotas(tmp_path / "limits.sqlite3")
    rates = [RequestRate(name="a", requests=6, seconds=60.0)]

    assert [ledger.take(rates, None, NOON) for _ in range(7)] == [0] * 6 + [10]
    assert ledger.take(rates, None, NOON + 9.9) == pytest.approx(0.1)
    assert ledger.take(rates, None, NOON + 10) == 0
    assert ledger.take(rates, None, NOON + 10) == 10
    assert [ledger.take(rates, None, NOON + 999) for _ in range(7)] == [0] * 6 + [10]


def test_a_refused_request_counts_nowhere(tmp_path):
    ledger = SqliteQuotas(tmp_path / "limits.sqlite3")
    narrow = RequestRate(name="narrow", requests=1, seconds=60.0)
    wide = RequestRate(name="wide", requests=3, seconds=60.0)
    quota = DailyQuota(name="day", requests=3)

    assert ledger.take([narrow, wide], quota, NOON) == 0
    assert all(ledger.take([narrow, wide], quota, NOON) for _ in range(20))
    assert [ledger.take([wide], quota, NOON) for _ in range(2)] == [0, 0]
    assert ledger.take([], quota, NOON) == 43_200
    assert ledger.take([], quota, NOON + 43_200) == 0


def test_two_processes_count_together(tmp_path):
    one, other = (SqliteQuotas(tmp_path / "limits.sqlite3") for _ in range(2))
    rates = [RequestRate(name="a", requests=4, seconds=60.0)]

    told = [ledger.take(rates, None, NOON) for _ in range(3) for ledger in (one, other)]

    assert [wait == 0 for wait in told] == [True] * 4 + [False] * 2


def test_a_clock_that_was_ahead_locks_nobody_out(tmp_path):
    ledger = SqliteQuotas(tmp_path / "limits.sqlite3")
    rates = [RequestRate(name="a", requests=2, seconds=60.0)]
    ledger.take(rates, None, NOON + 1_000_000)

    assert ledger.take(rates, None, NOON) <= 60


def test_the_ledger_forgets_what_says_nothing_any_more(tmp_path):
    ledger = SqliteQuotas(tmp_path / "limits.sqlite3")
    for number in range(500):
        rate = RequestRate(name=f"address {number}", requests=60, seconds=60.0)
        ledger.take([rate], DailyQuota(name=f"tenant {number}", requests=9), NOON)
    ledger.take([], DailyQuota(name="tenant", requests=9), NOON + 86_400)

    with sqlite3.connect(tmp_path / "limits.sqlite3") as db:
        rows = [
            db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("marks", "days")
        ]
    db.close()
    assert rows == [0, 1]
