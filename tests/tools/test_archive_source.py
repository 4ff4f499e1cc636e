"""archive_source, through the tool, in the simulated world."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest

from sourcewright.world.sites import save_page_now

pytestmark = pytest.mark.anyio

LIVE = "https://signposts.example/article/1"
KNOWN = "https://www.harbour-times.example/2014/gone"
NEW = "https://museum.faro.example/visit"
SLOW = f"https://{save_page_now.SLOW}/report"
NOBODY = "https://nobody.example/never-copied"
COPY = r"https://web\.archive\.org/web/[0-9]{14}/"
SAVE, AVAILABLE = "web.archive.org", "archive.org"
KEYS = {"IA_ACCESS_KEY": "AKabcdef0123456789", "IA_SECRET_KEY": "SKfedcba9876543210"}


@pytest.fixture
def archive(call):
    return lambda url, **changes: call("archive_source", {"url": url}, **changes)


async def test_a_fresh_snapshot_is_made_and_dated(archive):
    started = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"

    answer = await archive(NEW)

    assert (answer["status"], answer["captured"]) == ("archived", True)
    stamp = re.sub(r"\D", "", answer["snapshotTakenAt"])
    assert answer["snapshotUrl"] == f"https://web.archive.org/web/{stamp}/{NEW}"
    assert started <= answer["snapshotTakenAt"]
    assert answer["archivedAt"].endswith("Z")
    assert answer["httpStatus"] == 200
    assert answer["requestedUrl"] == NEW
    assert answer["source"] == "web.archive.org Save Page Now"
    assert answer["trust"] == "untrusted-external-content"
    assert answer["provenance"]
    assert "reason" not in answer
    assert "pollUrl" not in answer


async def test_a_query_is_part_of_the_page(archive):
    answer = await archive(f"{NEW}?hall=2&lang=en")

    assert answer["snapshotUrl"].endswith(f"{NEW}?hall=2&lang=en")


async def test_with_keys_the_job_is_followed_to_its_end_and_no_key_is_shown(archive, internet):
    answer = await archive(LIVE, **KEYS)

    assert answer["status"] == "archived"
    assert re.fullmatch(rf"{COPY}{re.escape(LIVE)}", answer["snapshotUrl"])
    paths = [seen.path for seen in internet.requests_to(SAVE)]
    assert paths[1].startswith("/save/status/spn2-")
    assert not [key for key in KEYS.values() if key in json.dumps(answer)]


async def test_one_key_alone_is_not_sent(archive, internet):
    await archive(NEW, IA_ACCESS_KEY=KEYS["IA_ACCESS_KEY"])

    assert "authorization" not in internet.requests_to(SAVE)[0].headers


FAULTS = {
    "down": lambda world: world.breaks(SAVE, status=503),
    "throttled": lambda world: world.breaks(SAVE, status=429),
    "throttled for long": lambda world: world.breaks(SAVE, status=429, retry_after=3600),
    "unplugged": lambda world: world.unplugs(SAVE),
    "another page": lambda world: world.says(SAVE, b"<html>Sorry", content_type="text/html"),
    "led elsewhere": lambda world: world.redirects(SAVE, "https://evil.example/web/1"),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_capture_that_fails_falls_back_to_the_latest_snapshot(archive, internet, fault):
    FAULTS[fault](internet)

    answer = await archive(KNOWN)

    assert (answer["status"], answer["captured"]) == ("existing", False)
    assert answer["snapshotUrl"] == f"https://web.archive.org/web/20190615083000/{KNOWN}"
    assert "no fresh snapshot" in answer["reason"]
    assert "archivedAt" not in answer


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_capture_that_fails_without_an_earlier_one_is_pending(archive, internet, fault):
    FAULTS[fault](internet)

    answer = await archive(NEW)

    assert (answer["status"], answer["captured"]) == ("pending", False)
    assert answer["pollUrl"] == f"https://web.archive.org/web/*/{NEW}"
    assert answer["reason"]
    assert "snapshotUrl" not in answer


async def test_a_job_that_takes_long_is_pending(archive):
    answer = await archive(SLOW)

    assert (answer["status"], answer["pollUrl"]) == (
        "pending",
        f"https://web.archive.org/web/*/{SLOW}",
    )
    assert "still making" in answer["reason"]


@pytest.mark.parametrize("keys", [{}, KEYS])
async def test_a_page_that_the_archive_does_not_copy_is_unavailable(archive, keys):
    answer = await archive(NOBODY, **keys)

    assert (answer["status"], answer["captured"]) == ("unavailable", False)
    assert "resolve the host" in answer["reason"]
    assert "pollUrl" not in answer


async def test_whether_there_is_an_earlier_snapshot_may_be_unknown(archive, internet):
    internet.breaks(SAVE, status=503)
    internet.breaks(AVAILABLE, status=503)

    answer = await archive(KNOWN)

    assert answer["status"] == "pending"
    assert "unknown" in answer["reason"]


async def test_a_snapshot_that_was_there_before_is_no_capture(archive, internet):
    internet.redirects(SAVE, f"/web/20190615083000/{KNOWN}", path="/save/*")

    answer = await archive(KNOWN)

    assert (answer["status"], answer["captured"]) == ("existing", False)


@pytest.mark.parametrize("keys", [{}, KEYS])
@pytest.mark.parametrize("age", [timedelta(days=300), timedelta(minutes=30)])
async def test_an_old_snapshot_is_no_capture_even_if_the_archive_lists_none(
    archive, internet, age, keys
):
    stamp = f"{datetime.now(UTC) - age:%Y%m%d%H%M%S}"
    internet.redirects(SAVE, f"/web/{stamp}/{NEW}", path="/save*")

    answer = await archive(NEW, **keys)

    assert (answer["status"], answer["captured"]) == ("existing", False)
    assert answer["snapshotUrl"] == f"https://web.archive.org/web/{stamp}/{NEW}"
    assert f"a snapshot of {answer['snapshotTakenAt']}, before this call" in answer["reason"]
    assert "archivedAt" not in answer


@pytest.mark.parametrize("url", [KNOWN, NEW])
async def test_an_old_snapshot_is_no_capture_if_those_from_before_are_unknown(
    archive, internet, url
):
    internet.redirects(SAVE, f"/web/20190615083000/{url}", path="/save/*")
    internet.breaks(AVAILABLE, status=503)

    answer = await archive(url)

    assert (answer["status"], answer["captured"]) == ("existing", False)
    assert answer["snapshotUrl"] == f"https://web.archive.org/web/20190615083000/{url}"
    assert "a snapshot of 2019-06-15T08:30:00Z, before this call" in answer["reason"]
    assert "archivedAt" not in answer


@pytest.mark.parametrize("keys", [{}, KEYS])
async def test_a_snapshot_of_now_is_a_capture_even_if_those_from_before_are_unknown(
    archive, internet, keys
):
    now = f"{datetime.now(UTC):%Y%m%d%H%M%S}"
    internet.redirects(SAVE, f"/web/{now}/{KNOWN}", path="/save*")
    internet.breaks(AVAILABLE, status=503)

    answer = await archive(KNOWN, **keys)

    assert (answer["status"], answer["captured"]) == ("archived", True)
    assert answer["snapshotUrl"] == f"https://web.archive.org/web/{now}/{KNOWN}"
    assert answer["archivedAt"]
    assert "reason" not in answer


async def test_a_snapshot_older_than_the_latest_one_is_no_capture(archive, internet):
    internet.redirects(SAVE, f"/web/20180101000000/{KNOWN}", path="/save/*")

    answer = await archive(KNOWN)

    assert (answer["status"], answer["captured"]) == ("existing", False)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/admin",
        "http://localhost/",
        "https://10.0.0.7/x",
        "http://169.254.169.254/latest/meta-data/",
        "https://wiki.internal/page",
        "https://reader:secret@signposts.example/",
        "ftp://signposts.example/file",
        "file:///etc/passwd",
        "not a url",
        "",
    ],
)
async def test_what_is_not_public_is_told_to_nobody(archive, internet, url):
    answer = await archive(url)

    assert answer["error"]["kind"] == "validation"
    assert internet.seen == []
    if url:
        assert answer["error"]["detail"].startswith("URL rejected for ")
        assert "secret" not in answer["error"]["detail"]


async def test_the_command_prints_the_snapshot(cli):
    done = cli("archive", NEW)

    assert done.returncode == 0
    assert re.search(rf"{COPY}{re.escape(NEW)}", done.stdout)


async def test_the_command_fails_where_there_is_no_snapshot(cli):
    done = cli("archive", "--json", NOBODY, NEW)

    assert done.returncode == 1
    statuses = [json.loads(line)["status"] for line in done.stdout.splitlines()]
    assert statuses == ["unavailable", "archived"]
