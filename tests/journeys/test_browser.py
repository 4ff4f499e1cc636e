"""A page that is rendered by scripts, read by a client of the real server over stdio."""

import json
import os
import select
import signal
import sys
from pathlib import Path

import anyio
import pytest

from sourcewright.reading.browser.browser import find_chromium

pytestmark = pytest.mark.anyio

HOST = "pages.meridian.example"
SHELL = {"url": f"https://{HOST}/built"}
CHECKS = {
    "verify_recommendation": {"recommendations": [{"title": "Tides", **SHELL}]},
    "verify_citation": {"citation": SHELL["url"]},
}
SCRIPT = """
    fetch('/tides.json').then(r => r.json()).then(tides => {
        document.querySelector('main').innerHTML =
            '<h1>High water</h1>' + tides.map(one => `<p>${one}</p>`).join('')
            + '<p style="display: none">Unseen words</p>';
    });
"""
WAIT = "Loading the tide tables of the harbour, a moment."
TIDES = [
    f"On day {day} the water stood at {day + 200} cm, an hour after noon." for day in range(9)
]


@pytest.fixture
def connected(connect_by):
    """By a process of the client's own, as it counts and kills what is below itself."""
    return connect_by(sys.executable)


@pytest.fixture
def chromium():
    found = find_chromium()
    if found.path is None:
        pytest.skip(f"the browser's tests need one: {found.reason}")
    return found.path


@pytest.fixture
def shell(internet):
    page = f"<html><title>Tides</title><main><p>{WAIT}</p></main><script>{SCRIPT}</script></html>"
    internet.says(HOST, page.encode(), content_type="text/html", path="/built")
    internet.says(HOST, TIDES, path="/tides.json")
    return SHELL


def below(pid):
    """Every process that descends from one."""
    try:
        own = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    except OSError:
        return []
    return [one for child in map(int, own) for one in (child, *below(child))]


def browsers_below(pid):
    found = []
    for one in below(pid):
        try:
            line = Path(f"/proc/{one}/cmdline").read_bytes()
        except OSError:
            continue
        if b"--user-data-dir" in line or b"--type=" in line:
            found.append(one)
    return found


def ends(handle):
    """Whether a process ends within a generous time limit."""
    try:
        return bool(select.select([handle], [], [], 300)[0])
    finally:
        os.close(handle)


async def test_a_page_that_builds_itself_is_read_and_nothing_stays_behind(
    connected, internet, shell, chromium
):
    async with connected(CHROME_PATH=chromium) as client:
        result = await client.call_tool("scrape_page", shell)
        left = [os.pidfd_open(pid) for pid in browsers_below(server_below(os.getpid()))]

    response = result.structured_content
    assert response["extractedBy"] == "browser"
    assert response["extractionQuality"] == "complete"
    assert all(line in response["content"] for line in TIDES)
    assert "Unseen" not in response["content"]
    assert internet.requests_to(HOST)[-1].path == "/tides.json"
    assert left
    assert all([await anyio.to_thread.run_sync(ends, one) for one in left])


async def test_a_server_that_is_killed_takes_its_browser_with_it(connected, shell, chromium):
    async with connected(CHROME_PATH=chromium) as client:
        await client.call_tool("scrape_page", shell)
        server = server_below(os.getpid())
        left = [os.pidfd_open(pid) for pid in browsers_below(server)]
        os.kill(server, signal.SIGKILL)

    assert left
    assert all([await anyio.to_thread.run_sync(ends, one) for one in left])


def server_below(pid):
    """The process that has a browser; other tests may have left theirs running."""
    [server] = [one for one in below(pid) if browsers_below(one) and is_server(one)]
    return server


def is_server(pid):
    return b"sourcewright\0serve" in Path(f"/proc/{pid}/cmdline").read_bytes()


async def test_a_machine_without_a_browser_gives_the_part_that_there_is(connected, shell):
    async with connected(CHROME_PATH="disabled") as client:
        result = await client.call_tool("scrape_page", shell)

    assert result.structured_content["extractionQuality"] == "partial"
    assert result.structured_content["content"].strip() == WAIT


@pytest.mark.parametrize("tool", CHECKS)
async def test_the_last_request_to_a_page_that_refuses_is_made_by_the_browser(
    connected, internet, chromium, tool
):
    internet.breaks(HOST, status=403)

    async with connected(CHROME_PATH=chromium) as client:
        result = await client.call_tool(tool, CHECKS[tool])

    assert "link check: HTTP 403, browser: HTTP 403" in json.dumps(result.structured_content)
    assert [one.method for one in internet.requests_to(HOST)] == ["HEAD", "GET", "GET"]


@pytest.mark.parametrize("tool", CHECKS)
async def test_a_page_that_reloads_itself_is_requested_three_times_at_most(
    connected, internet, chromium, tool
):
    page = '<meta http-equiv="refresh" content="0"><p>One moment.</p>'
    internet.says(HOST, page.encode(), content_type="text/html")

    async with connected(CHROME_PATH=chromium) as client:
        await client.call_tool(tool, CHECKS[tool])

    assert len(internet.requests_to(HOST)) == 3


async def test_a_refusal_that_reloads_itself_is_requested_three_times_at_most(
    connected, internet, chromium
):
    page = "<p>One moment.</p><script>setTimeout(() => location.reload(), 100)</script>"
    internet.says(HOST, page.encode(), content_type="text/html", status=403)

    async with connected(CHROME_PATH=chromium) as client:
        result = await client.call_tool("scrape_page", SHELL)

    assert result.structured_content["error"]["kind"] == "blocked"
    assert len(internet.requests_to(HOST)) == 3
