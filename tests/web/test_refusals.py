"""Refused credentials in the audit log: each is counted, and no number of them fills it."""

import json

import pytest

from sourcewright.base.text.redaction import Masker
from sourcewright.stores.logs.audit import AuditLog
from sourcewright.web.refusals import MAX_ADDRESSES, MINUTE_SECONDS, RefusalLog

pytestmark = pytest.mark.anyio
SCOPE = {"request_id": "r"}


class Clock:
    """A clock that the test sets."""

    def __init__(self):
        self.seconds = 1_800_000_000.0

    def now(self):
        return self.seconds

    def monotonic(self):
        return self.seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
async def log(tmp_path, clock):
    audit = AuditLog(tmp_path / "audit.jsonl", clock=clock, mask=Masker(frozenset()))
    yield RefusalLog(audit, clock)
    await audit.aclose()


def failures(folder):
    lines = (folder / "audit.jsonl").read_text("utf-8").splitlines()
    events = [json.loads(line) for line in lines]
    assert {one["event_type"] for one in events} <= {"auth.failure"}
    return [(one["source_ip"], one["metadata"].get("count", 1)) for one in events]


async def test_the_first_refusal_of_an_address_is_written_at_once(log, tmp_path):
    await log.record(SCOPE, "192.0.2.1", "expired")
    await log.record(SCOPE, "192.0.2.2", "expired")

    assert failures(tmp_path) == [("192.0.2.1", 1), ("192.0.2.2", 1)]


async def test_those_after_it_are_one_event_when_the_minute_is_over(log, clock, tmp_path):
    for reason in ("expired", "unknown key", "expired", "unknown key", "unknown key"):
        await log.record(SCOPE, "192.0.2.1", reason)
    assert failures(tmp_path) == [("192.0.2.1", 1)]

    clock.seconds += MINUTE_SECONDS
    await log.record(SCOPE, "192.0.2.1", "expired")

    assert failures(tmp_path) == [("192.0.2.1", 1), ("192.0.2.1", 4), ("192.0.2.1", 1)]
    summary = json.loads((tmp_path / "audit.jsonl").read_text("utf-8").splitlines()[1])
    assert summary["metadata"]["reasons"] == {"expired": 1, "unknown key": 3}


async def test_any_number_of_addresses_leaves_a_bounded_number_of_events(log, tmp_path):
    for number in range(3000):
        await log.record(SCOPE, f"10.0.{number // 250}.{number % 250}", "expired")
        await log.record(SCOPE, f"2001:db8::{number:x}", "expired")
    await log.flush()

    counts = failures(tmp_path)
    assert len(counts) <= 2 * MAX_ADDRESSES + 1
    assert sum(count for _, count in counts) == 6000, "none is left out of the numbers"


async def test_a_server_that_stops_writes_what_it_has_counted(start_site, one_world, tmp_path):
    async with start_site(one_world, tmp_path, SOURCEWRIGHT_API_KEYS="true") as site:
        log = site.application.services.parts.settings.audit_output_path
        for number in range(50):
            refused = await site.post("ping", authorization=f"Bearer sw_{number:016x}_forged")
            assert refused.status_code == 401

    assert failures(log.parent) == [("127.0.0.1", 1), ("127.0.0.1", 49)]
