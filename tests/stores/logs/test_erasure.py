"""A person is erased from a log without breaking its chain, and nobody can pretend to be erased."""

import gzip
import json

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.base.text.redaction import Masker
from sourcewright.domain.users.sessions import Owner
from sourcewright.stores.logs.audit import SHAPE, AuditLog, AuditPolicy, verify
from sourcewright.stores.logs.chain import canonical_json
from sourcewright.stores.logs.segments import pack_segments, segments_of

pytestmark = pytest.mark.anyio

ANN, BOB = (Owner(tenant="default", user=user) for user in ("ann", "bob"))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "audit.jsonl"


@pytest.fixture
async def opened(path):
    logs = []

    def open_log(**policy):
        logs.append(
            AuditLog(
                path, clock=SystemClock(), mask=Masker(frozenset()), policy=AuditPolicy(**policy)
            )
        )
        return logs[-1]

    yield open_log
    for log in logs:
        await log.aclose()


async def write(log, *users, **fields):
    for user in users:
        event = {"tool_name": "web_search", "success": True, "source_ip": "192.0.2.7"}
        await log.audit({**event, "tenant_id": "default", "user_id": user, **fields})


def rows(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


async def test_the_person_is_gone_and_the_chain_is_valid(opened, path):
    log = opened(include_request_body=True)
    await write(log, "ann", "bob", "ann", session_id="s-1", query="tides of ann")

    pseudonym, count = log.erase(ANN)

    assert count == 2
    assert pseudonym.startswith("erased-")
    text = path.read_text("utf-8")
    assert text.count("ann") == 1  # in what Bob asked
    assert [row["user_id"] for row in rows(path)] == [pseudonym, "bob", pseudonym]
    erased = rows(path)[0]
    assert (erased["source_ip"], erased["session_id"], erased["metadata"]) == (None, None, {})
    assert erased["tool_name"] == "web_search"
    assert verify(path).ok
    assert list(log.rows_of(ANN)) == []
    assert len(list(log.rows_of(BOB))) == 1


async def test_writers_go_on_after_an_erasure_by_another_process(opened, path):
    first, second = opened(), opened()
    await write(first, "ann")
    second.erase(ANN)
    await write(first, "bob")
    await write(second, "bob")

    assert len(rows(path)) == 3
    assert verify(path).ok


async def test_rotated_and_compressed_segments_are_erased_too(opened, path):
    log = opened(rotate_bytes=900)
    await write(log, *["ann", "bob"] * 6)
    await log.aclose()
    pack_segments(path)
    plain = segments_of(path)[1]
    plain.plain.write_bytes(gzip.decompress(plain.packed.read_bytes()))
    assert len(segments_of(path)) > 2

    _, count = opened(rotate_bytes=900).erase(ANN)

    assert count == 6
    for segment in segments_of(path):
        with segment.open() as stream:
            assert b'"ann"' not in stream.read()
    assert not plain.packed.exists()
    assert verify(path).ok
    assert list(path.parent.glob("*.tmp")) == []


async def test_erasing_again_changes_nothing(opened, path):
    log = opened()
    await write(log, "ann")
    log.erase(ANN)
    before = path.read_bytes()

    assert log.erase(ANN)[1] == 0
    assert path.read_bytes() == before


@pytest.mark.parametrize("tenant", ["other", "", "Default"])
async def test_somebody_of_that_name_elsewhere_stays(opened, path, tenant):
    log = opened()
    await write(log, "ann")

    assert log.erase(Owner(tenant=tenant, user="ann"))[1] == 0
    assert rows(path)[0]["user_id"] == "ann"


async def test_rows_without_a_person_are_hashed_whole_as_before(opened, path):
    log = opened()
    await write(log, "anonymous", None)

    assert all(row.keys() == SHAPE.keys for row in rows(path))
    assert log.erase(Owner(tenant="default", user="anonymous"))[1] == 0
    assert verify(path).ok


@pytest.mark.parametrize(
    "forgery",
    [
        {"user_id": "bob"},
        {"user_id": "erased-0000000000000000"},
        {"metadata": {"x": 1}},
        {"source_ip": None},
        {"personal_salt": "00"},
        {"personal_digest": "00"},
        {"personal_salt": ...},
        {"personal_salt": ..., "user_id": "bob"},
        {"personal_salt": ..., "personal_digest": ...},
        {"personal_salt": ..., "user_id": "erased-1", "metadata": {"by": "bob"}},
        {"tenant_id": "other"},
        {"tool_name": "other"},
    ],
)
async def test_any_other_change_is_still_found(opened, path, forgery):
    log = opened()
    await write(log, "ann", session_id="s")
    await log.aclose()
    row = {**rows(path)[0], **forgery}
    kept = {key: value for key, value in row.items() if value is not ...}
    path.write_bytes(canonical_json(kept) + b"\n")

    assert not verify(path).ok


async def test_nothing_to_erase_creates_nothing(tmp_path):
    nowhere = AuditLog(
        tmp_path / "none" / "audit.jsonl", clock=SystemClock(), mask=Masker(frozenset())
    )

    assert nowhere.erase(ANN)[1] == 0
    assert list(nowhere.rows_of(ANN)) == []
    assert not (tmp_path / "none").exists()
