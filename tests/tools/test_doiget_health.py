"""doiget_health, through the whole pipeline."""

import os

import pytest

from sourcewright import __version__

pytestmark = pytest.mark.anyio


async def test_a_fresh_instance_is_in_order_and_nothing_was_created(call, internet, tmp_path):
    result = await call("doiget_health", {})

    assert result == {
        "ok": True,
        "version": __version__,
        "schema_version": "1.0",
        "store_writable": True,
        "log_writable": True,
        "audit_ok": True,
        "audit_synced": False,
        "sandbox": True,
    }
    assert not (tmp_path / "papers").exists()
    assert internet.seen == []


async def test_a_store_behind_a_file_is_not_writable(call, tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")

    result = await call("doiget_health", {}, DOIGET_STORE_ROOT=str(tmp_path / "file" / "papers"))

    assert result["store_writable"] is False


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write in read-only folders")
async def test_a_store_in_a_read_only_folder_is_not_writable(call, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)

    result = await call("doiget_health", {}, DOIGET_STORE_ROOT=str(tmp_path / "locked" / "papers"))

    assert result["store_writable"] is False


async def test_a_log_whose_place_is_taken_by_a_folder_is_not_writable(call, tmp_path):
    (tmp_path / "log").mkdir()

    result = await call("doiget_health", {}, DOIGET_LOG_PATH=str(tmp_path / "log"))

    assert result["log_writable"] is False


@pytest.mark.parametrize("arguments", [{"dry_run": True}, {"ref": "10.5555/x"}, [], 7])
async def test_arguments_that_it_does_not_take_are_refused(call, arguments):
    result = await call("doiget_health", arguments)

    assert (result["ok"], result["error"]["code"]) == (False, "INVALID_REF")
