"""The audit log: events, rotation, limits and damage."""

import asyncio
import hashlib
import json

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import LogError
from sourcewright.base.text.redaction import Masker
from sourcewright.stores.logs.audit import AuditLog, AuditPolicy, NoAuditLog, verify

pytestmark = pytest.mark.anyio

CALL = {
    "tool_name": "doiget_health",
    "request_id": "r1",
    "duration_ms": 12,
    "success": True,
    "query": "naïve question",
}
FIELDS = {
    "timestamp",
    "event_type",
    "tenant_id",
    "user_id",
    "session_id",
    "tool_name",
    "request_id",
    "pod_id",
    "source_ip",
    "duration_ms",
    "success",
    "error_code",
    "metadata",
    "prev_hash",
    "hash",
}


class Clock(SystemClock):
    """A clock that stands still."""

    def now(self) -> float:
        return 1_900_000_000.5


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "audit.jsonl"


def opened(path, secrets=(), **policy):
    return AuditLog(path, clock=Clock(), mask=Masker(secrets), policy=AuditPolicy(**policy))


async def write(path, *events, secrets=(), **policy):
    log = opened(path, secrets, **policy)
    for event in events:
        await log.audit(event)
    await log.aclose()
    return [json.loads(line) for line in path.read_bytes().splitlines()]


async def test_an_event_has_the_contracts_fields_and_a_hash_that_anyone_can_recompute(path):
    [event] = await write(path, CALL, always={"pod_id": "pod-7", "session_id": "S"})

    hashed = {key: value for key, value in event.items() if key != "hash"}
    text = json.dumps(hashed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert event.keys() == FIELDS
    assert event["timestamp"] == "2030-03-17T17:46:40.500Z"
    assert (event["event_type"], event["pod_id"]) == ("tool_call", "pod-7")
    assert (event["duration_ms"], event["success"], event["error_code"]) == (12, True, None)
    assert event["prev_hash"] == "GENESIS"
    assert event["hash"] == hashlib.sha256(text.encode()).hexdigest()


async def test_the_question_is_kept_only_where_the_operator_said_so(path, tmp_path):
    nested = {"tool_name": "t", "success": True, "metadata": {"query": "naïve question"}}

    [silent, also_silent] = await write(path, CALL, nested)
    [result] = await write(tmp_path / "told.jsonl", CALL, include_request_body=True)

    assert silent["metadata"] == also_silent["metadata"] == {"query_length": 15}
    assert "question" not in path.read_text(encoding="utf-8")
    assert result["metadata"] == {"query": "naïve question"}


@pytest.mark.promise("wire.secrets-never-show")
async def test_secrets_are_masked_by_value_and_by_pattern_wherever_they_stand(path):
    event = {
        **CALL,
        "query": "see https://api.example.org/?api_key=abc123 and hunter22",
        "error_code": "tvly-0123456789abcdef",
        "user_id": "hunter22",
        "metadata": {"error": ["Bearer abcdef123"], "password": "open", "hunter22": 1},
        "extra": {"deep": ("sk-0123456789abcdefghij",)},
    }

    [kept] = await write(path, event, secrets=["hunter22"], include_request_body=True)

    text = path.read_text(encoding="utf-8")
    leaked = ["hunter22", "abc123", "tvly-", "abcdef123", "open", "sk-01"]
    assert [secret for secret in leaked if secret in text] == []
    assert kept["metadata"]["query"] == "see https://api.example.org/?api_key=*** and ***"
    assert kept["metadata"]["extra"] == {"deep": ["***"]}


@pytest.mark.parametrize(
    "odd",
    [
        {"duration_ms": float("nan"), "success": "yes"},
        {"metadata": {"n": float("inf"), "big": 10**5000, 3: {"x": object()}}},
        {"metadata": "no mapping"},
        {"tool_name": "\ud800", "metadata": {"\udfff": "\ud800"}},
        {"metadata": {"long": "x" * 500_000}},
        {"query": ["x" * 500_000]},
    ],
)
async def test_whatever_a_caller_says_leaves_an_event_that_verifies(path, odd):
    [event] = await write(path, odd, include_request_body=True)

    assert event.keys() == FIELDS
    assert event["success"] is False
    assert path.stat().st_size < 40_000
    assert verify(path).ok


async def test_a_long_question_is_cut_without_cutting_a_secret_out_of_recognition(path):
    # The words before it shrink when they are masked, so that what was cut comes into view.
    question = ("token=" + "s" * 93 + " ") * 163 + "AKIA" + "Z" * 16

    [event] = await write(path, {"query": question}, include_request_body=True)

    assert "AKIA" not in event["metadata"]["query"]
    assert "sss" not in event["metadata"]["query"]


async def test_a_thousand_events_at_once_are_all_kept_by_the_time_it_closes(path):
    log = opened(path)

    await asyncio.gather(*(log.audit({**CALL, "request_id": str(n)}) for n in range(1000)))
    await log.aclose()

    health = log.health()
    kept = {json.loads(line)["request_id"] for line in path.read_bytes().splitlines()}
    assert (health.written, health.waiting, health.failed) == (1000, 0, 0)
    assert kept == {str(number) for number in range(1000)}
    assert verify(path).ok


@pytest.mark.promise("kept.no-answer-without-record")
async def test_an_event_is_written_when_its_caller_goes_on(path):
    log = opened(path)

    await log.audit(CALL)

    [event] = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert event["request_id"] == "r1"
    await log.aclose()


async def test_a_log_that_cannot_be_written_says_so_and_later_how_much_was_lost(path, log_records):
    log = opened(path)
    path.parent.write_text("in the way", encoding="utf-8")
    for _ in range(3):
        with pytest.raises(LogError, match="could not be written"):
            await log.audit(CALL)
    with pytest.raises(LogError, match="could not be written"):
        await log.check()
    broken = log.health()
    path.parent.unlink()

    await log.check()
    for _ in range(3):
        await log.check()
        await log.audit(CALL)
    await log.aclose()

    events = [json.loads(line) for line in path.read_bytes().splitlines()]
    lost = [event["metadata"] for event in events if event["event_type"] == "audit.lost"]
    assert (broken.ok, broken.failed, broken.written) == (False, 3, 0)
    assert "could not be written" in broken.last_error
    assert [record.message for record in log_records] == [
        f"audit events are being lost: {broken.last_error}"
    ]
    assert lost == [{"count": 3}]
    assert (log.health().ok, log.health().failed, log.health().written) == (True, 3, 4)


async def test_an_event_after_closing_is_refused_and_counted_as_lost(path):
    log = opened(path)
    await log.aclose()

    with pytest.raises(LogError, match="closed"):
        await log.audit(CALL)

    assert log.health().failed == 1
    assert "closed" in log.health().last_error


async def test_a_torn_line_is_moved_aside_and_an_event_carries_its_hash(path):
    await write(path, CALL)
    with path.open("ab") as log:
        log.write(b'{"dura')

    events = await write(path, CALL)

    assert [event["event_type"] for event in events] == ["tool_call", "log_repaired", "tool_call"]
    assert events[1]["metadata"]["sha256"] == hashlib.sha256(b'{"dura').hexdigest()
    assert path.with_name(events[1]["metadata"]["file"]).read_bytes() == b'{"dura'
    assert verify(path).ok


async def test_it_rotates_by_size_and_says_when_it_is_a_sandbox(path):
    [*_, last] = await write(path, *[CALL] * 10, rotate_bytes=1500, sandbox=True)

    report = verify(path)
    assert last["sandbox"] is True
    assert (report.ok, report.rows) == (True, 10)
    assert report.segments >= 2


async def test_a_changed_event_shows(path):
    await write(path, CALL, CALL)
    path.write_bytes(path.read_bytes().replace(b'"success":true', b'"success":false', 1))

    [issue] = verify(path).issues
    assert (issue.kind, issue.line) == ("this-hash", 1)


async def test_auditing_that_is_switched_off_keeps_nothing(tmp_path):
    off = NoAuditLog()

    await off.check()
    await off.audit(CALL)
    await off.aclose()

    assert list(tmp_path.iterdir()) == []
