"""doiget_list_recent, through the whole pipeline."""

import pytest

pytestmark = pytest.mark.anyio


async def test_the_newest_papers_come_first(call, internet, shelve):
    for day in ("03", "01", "02"):
        shelve(f"doi_10.1234_{day}", year=2024, held={"fetched_at": f"2026-01-{day}T00:00:00Z"})

    result = await call("doiget_list_recent", {"limit": 2})

    assert (result["ok"], result["count"]) == (True, 2)
    assert [(e["safekey"], e["fetched_at"], e["year"]) for e in result["entries"]] == [
        ("doi_10.1234_03", "2026-01-03T00:00:00Z", 2024),
        ("doi_10.1234_02", "2026-01-02T00:00:00Z", 2024),
    ]
    assert internet.seen == []


async def test_without_arguments_there_are_fifty_at_most(call, shelve):
    for number in range(60):
        shelve(f"doi_10.1234_{number}")

    assert (await call("doiget_list_recent", None))["count"] == 50
    assert (await call("doiget_list_recent", {"limit": 1000}))["count"] == 60


async def test_a_library_that_is_not_there_is_empty_and_stays_away(call, tmp_path):
    empty_fields = {"note": None, "damaged": None, "trust": "untrusted-external-content"}
    expected = {"ok": True, "count": 0, "total": 0, "entries": [], **empty_fields}
    assert await call("doiget_list_recent", {}) == expected
    assert not (tmp_path / "papers").exists()


async def test_a_paper_that_was_deleted_is_not_listed(application, shelve):
    app = await application()
    shelve("doi_10.1234_stays")
    gone = shelve("doi_10.1234_goes")
    before = (await app.call("doiget_list_recent", {})).structured

    gone.unlink()
    after = (await app.call("doiget_list_recent", {})).structured

    assert before["count"] == 2
    assert [e["safekey"] for e in after["entries"]] == ["doi_10.1234_stays"]
