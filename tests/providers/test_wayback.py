"""The Wayback Machine, against the simulated site and with unusual answers."""

import json
from urllib.parse import parse_qsl

import pytest
from tests.material import SHARED

from sourcewright.base.errors import BadAnswer, NotFound, Refused, Unavailable
from sourcewright.base.links import Snapshot
from sourcewright.providers.wayback import read_index, read_snapshot

pytestmark = pytest.mark.anyio

GONE = "https://www.harbour-times.example/2014/a%20b?c=d&e"
RECORDED = SHARED / "upstream" / "wayback"


def closest(**changes):
    result = {
        "status": "200",
        "available": True,
        "url": "http://web.archive.org/web/20190615083000/https://a.example/",
        "timestamp": "20190615083000",
    }
    return {"archived_snapshots": {"closest": result | changes}}


async def test_a_copy_is_found_by_the_whole_address(provide, internet):
    wayback = await provide("wayback")

    found = await wayback.find_snapshot(GONE)

    [seen] = internet.requests_to("archive.org")
    assert dict(parse_qsl(seen.query)) == {"url": GONE}
    assert found.url == f"https://web.archive.org/web/20190615083000/{GONE}"
    assert found.taken_at == "2019-06-15T08:30:00Z"


async def test_a_copy_that_the_availability_api_misses_is_found_in_the_index(provide, internet):
    page = "https://www.pier-museum.example/a?b=c"

    found = await (await provide("wayback")).find_snapshot(page)

    assert found.url == f"https://web.archive.org/web/20190615083000/{page}"
    [seen] = internet.requests_to("web.archive.org")
    sent = dict(parse_qsl(seen.query))
    assert (sent["url"], sent["filter"], sent["sort"]) == (page, "statuscode:200", "closest")


async def test_only_the_index_says_that_there_is_no_copy(provide, internet):
    wayback, page = await provide("wayback"), "https://nobody-copied.example/"

    with pytest.raises(NotFound, match="no snapshot"):
        await wayback.find_snapshot(page)
    internet.breaks("web.archive.org", status=503)
    with pytest.raises(Unavailable):
        await wayback.find_snapshot(page)


@pytest.mark.parametrize(
    "rows",
    [
        {},
        [["timestamp", "original"]],
        [["urlkey", "timestamp"], ["a", "20190615083000"]],
        [["timestamp", "original"], ["yesterday", "https://a.example/"]],
        [["timestamp", "original"], ["20190615083000"]],
        ["org.archive.util.io.RuntimeIOException"],
    ],
)
def test_an_index_of_another_shape_does_not_deny_a_copy(rows):
    with pytest.raises((ValueError, TypeError)):
        read_index(rows)


@pytest.mark.parametrize(
    "answer", [{"url": "x", "archived_snapshots": {}}, closest(available=False)]
)
def test_a_page_without_a_copy_is_said_to_have_none(answer):
    with pytest.raises(NotFound, match="wayback: no"):
        read_snapshot(answer)


@pytest.mark.parametrize(
    "change",
    [
        {"url": "https://evil.example/web/20190615083000/x"},
        {"url": "javascript:alert(1)"},
        {"url": "http://web.archive.org.evil.example/web/20190615083000/x"},
        {"url": None},
        {"timestamp": "yesterday"},
        {"timestamp": 2019},
    ],
)
def test_an_address_elsewhere_or_an_odd_time_is_no_answer(change):
    with pytest.raises((ValueError, TypeError, KeyError)):
        read_snapshot(closest(**change))


@pytest.mark.parametrize(
    ("page", "content_type"),
    [(b"<!DOCTYPE html><html><body>gone</body></html>", "text/html"), (b"gone", "text/plain")],
)
@pytest.mark.parametrize("status", [404, 403])
async def test_a_failing_archive_is_no_absence_of_a_copy(
    provide, internet, status, page, content_type
):
    internet.says("archive.org", page, status=status, content_type=content_type)
    wayback = await provide("wayback")

    with pytest.raises((BadAnswer, Refused)):
        await wayback.find_snapshot(GONE)


@pytest.mark.skipif(not RECORDED.is_dir(), reason="no recorded answers here")
def test_a_recorded_answer_is_read():
    answer = json.loads((RECORDED / "available-closest.json").read_bytes())

    assert read_snapshot(answer) == Snapshot(
        url="https://web.archive.org/web/20260901120301/https://myfigurecollection.net/item/287",
        taken_at="2026-09-01T12:03:01Z",
    )


async def test_a_changed_shape_is_named(provide, internet):
    internet.says("archive.org", {"snapshots": []})
    wayback = await provide("wayback")

    with pytest.raises(BadAnswer, match="unexpected structure"):
        await wayback.find_snapshot(GONE)
