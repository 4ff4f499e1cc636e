"""A page of scripts and pictures through our interception, against Chromium left alone.

Both are the same Chromium and show the same page of the same loopback server, in turns; ours
has every request answered by our own client, pictures included. What is measured is the way
from nothing to the page's markup, without the wait for a page that may still change.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter

from loopback_pages import PICTURES, SCRIPTS
from sourcewright.base.http_messages import Request
from sourcewright.net.fetch.subrequests import PageRequests, Subrequests
from sourcewright.net.http.client import Client
from sourcewright.reading.browser.browser import find_chromium
from sourcewright.reading.browser.chromium import LaunchConfig, launch
from sourcewright.reading.browser.devtools import MAX_MESSAGE_BYTES, Devtools
from sourcewright.reading.browser.engine import RunningBrowser, resident_bytes, start_browser
from sourcewright.reading.browser.interception import PageOpening
from sourcewright.reading.browser.profile import Profile
from sourcewright.reading.browser.tab import Tab
from talking import milliseconds_since

GOAL, FLAT = 1.5, 1.25
ROUNDS, WARM_UP = 25, 5
PAGES, EARLY = 200, 20
AT_ONCE = 2
_URL = "http://pages.example/"
_SECONDS = 30.0
_MEBIBYTE = 1024 * 1024

Row = tuple[str, str, float, float, float]
"""What was measured, against what, ours, theirs, and the goal of their ratio."""


def measure() -> Iterator[Row]:
    """Give one row after the other; none where there is no Chromium."""
    found = find_chromium()
    if found.path is None:
        print(f"the browser is not measured: {found.reason}")
        return
    with subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("loopback_pages.py"))],
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            port = int(server.stdout.readline()) if server.stdout else 0
            yield from asyncio.run(_measure(found.path, port))
        finally:
            server.kill()


async def _measure(path: str, port: int) -> list[Row]:
    client = Client(user_agent="bench", sandbox_url=f"http://127.0.0.1:{port}")
    requests = Subrequests(client, hosts=None)
    engine = await start_browser(LaunchConfig(path=path, user_agent="bench"))
    try:
        async with _alone(engine.how, port) as devtools:
            pairs = [
                (await _shown(engine, requests), await _shown_alone(devtools, requests))
                for _ in range(WARM_UP + ROUNDS)
            ]
        mine, others = (median(taken) for taken in zip(*pairs[WARM_UP:], strict=True))
        name = f"a page of {SCRIPTS + PICTURES} parts, shown"
        return [
            (name, "Chromium alone", mine, others, GOAL),
            *await _memory(engine, requests),
        ]
    finally:
        await engine.aclose()
        await client.aclose()


async def _memory(engine: RunningBrowser, requests: Subrequests) -> list[Row]:
    """Megabytes after many pages in one browser."""
    await _many(engine, requests, EARLY)
    early = _weight(engine)
    await _many(engine, requests, PAGES - EARLY)
    late = _weight(engine)
    return [
        (f"MB of {who} after {PAGES} pages", f"after {EARLY}", late[at], early[at], FLAT)
        for at, who in enumerate(("the browser", "ours"))
    ]


async def _many(engine: RunningBrowser, requests: Subrequests, count: int) -> None:
    for _ in range(0, count, AT_ONCE):
        await asyncio.gather(*(_shown(engine, requests) for _ in range(AT_ONCE)))


def _weight(engine: RunningBrowser) -> tuple[float, float]:
    own = resident_bytes([os.getpid()])
    return engine.resident_bytes / _MEBIBYTE, own / _MEBIBYTE


async def _shown(engine: RunningBrowser, requests: Subrequests) -> float:
    """Give the milliseconds from the first request to the markup."""
    began = perf_counter()
    asking = requests.of_page(seconds=_SECONDS)
    first = await asking.ask(Request(url=_URL))
    async with engine.tab(_opening(first.body, asking), seconds=_SECONDS) as tab:
        await _show(tab)
    return milliseconds_since(began)


async def _shown_alone(devtools: Devtools, requests: Subrequests) -> float:
    began = perf_counter()
    tab = Tab(devtools, _opening(b"", requests.of_page(seconds=_SECONDS)))
    try:
        await tab.open()
        await _show(tab)
    finally:
        tab.close()
    return milliseconds_since(began)


def _opening(body: bytes, requests: PageRequests) -> PageOpening:
    return PageOpening(
        url=_URL, body=body, content_type="text/html", requests=requests, images=True
    )


async def _show(tab: Tab) -> None:
    until = asyncio.get_running_loop().time() + _SECONDS
    await tab.show(quiet_seconds=0.0, until=until)
    markup = await tab.take(seconds=10.0)
    if markup.html.count("a part") != SCRIPTS or markup.cut:
        raise RuntimeError(f"the page was not shown: {markup.html[:500]}")


@asynccontextmanager
async def _alone(how: LaunchConfig, port: int) -> AsyncIterator[Devtools]:
    """The same browser, which finds the loopback server by itself and asks nobody."""
    flags = (f"--host-resolver-rules=MAP * 127.0.0.1:{port}", "--no-proxy-server")
    profile = Profile(how.user)
    try:
        loose = replace(how, without_network=False, more=flags)
        process = await launch(loose, profile.home, longest=MAX_MESSAGE_BYTES)
        if process.stdout is None or process.stdin is None:
            raise RuntimeError("a process without pipes")
        devtools = Devtools(process.stdout, process.stdin)
        listening = asyncio.create_task(devtools.listen())
        yield devtools
        devtools.close()
        await asyncio.gather(process.wait(), listening)
    finally:
        profile.remove()


if __name__ == "__main__":
    for name, against, ours, theirs, goal in measure():
        print(f"{name:<34} {against:<18} {ours:>9.2f} {theirs:>9.2f} {ours / theirs:>7.3f} {goal}")
