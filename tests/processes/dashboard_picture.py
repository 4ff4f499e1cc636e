"""Takes the picture of the dashboard in the guides: an invented hour of a real server.

Usage: python tests/processes/dashboard_picture.py FILE.png
"""

import asyncio
import logging
import math
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

from page_viewer import viewer

from sourcewright.base.clocks import SystemClock
from sourcewright.domain.users.sessions import Owner
from sourcewright.domain.users.tenants import Caller, calling_as
from sourcewright.reading.browser.browser import find_chromium
from sourcewright.settings import Settings
from sourcewright.settings.process import sandbox_overrides
from sourcewright.web.start import http_server, listen
from sourcewright.wiring import Machine, build
from sourcewright.world.internet import World

KEY = "the key of the picture"
WIDTH, HEIGHT = 1100, 860
MINUTES = 60
TENANTS = ("chemistry", "library", "library", "newsroom")
TOPICS = ("tidal power", "bees", "urban trees", "sleep and memory")
STEP = {
    "searchStep": "What is known?",
    "stepNumber": 1,
    "totalStepsEstimate": 4,
    "nextStepNeeded": True,
    "researchGoal": "Do bees sleep?",
}


class SkippingClock(SystemClock):
    """The system's clock, which the script sets forward between calls."""

    def __init__(self) -> None:
        self.skipped = 0.0

    def now(self) -> float:
        return super().now() + self.skipped

    def monotonic(self) -> float:
        return super().monotonic() + self.skipped


class Traffic:
    """Calls of several tenants: many searches, some papers and pages, a few mistakes."""

    def __init__(self, application, clock):
        self._application = application
        self._clock = clock
        self._calls = 0

    async def call(self, tool, **arguments):
        tenant = TENANTS[self._calls * 7 % len(TENANTS)]
        self._calls += 1
        with calling_as(Caller(owner=Owner(tenant=tenant, user=f"user-{self._calls % 5}"))):
            await self._application.call(tool, arguments)

    async def minute(self, number):
        self._clock.skipped = 60.0 * number
        searches = round(6 + 4 * math.sin(number / 7) + 3 * math.sin(number * 1.7))
        for at in range(searches):
            topic = TOPICS[(number + at) % len(TOPICS)]
            await self.call("web_search", query=topic, num_results=3 + number % 3)
        if number % 3 == 0:
            await self.call("academic_search", query=f"{TOPICS[number % 4]} {number}")
            await self.call("doiget_resolve_paper", ref="10.5555/fine-paper")
        if number % 11 == 4:
            await self.call("doiget_fetch_paper", ref="10.5555/fine-paper")
            await self.call("sequential_search", **STEP)
        if number % 17 == 6:
            await self.call("scrape_page", url="https://unknown.example/report")

    async def trouble(self, world):
        """Two sources fail, and a caller asks for a paper that no index can know."""
        for host in ("*duckduckgo.com", "api.crossref.org"):
            world.breaks(host, status=503)
        for number in range(6):
            await self.call("web_search", query=f"herons {number}")
            await self.call("academic_search", query=f"tides {number}")
        await self.call("doiget_resolve_paper", ref="a book about birds")


async def take() -> bytes:
    program = find_chromium().path
    if program is None:
        raise SystemExit("the picture needs a Chromium")
    clock = SkippingClock()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        world = stack.enter_context(World())
        settings = Settings.load(
            {
                "HOME": str(folder),
                **sandbox_overrides(world.url, str(folder)),
                "CHROME_PATH": "disabled",
                "ADMIN_API_KEY": KEY,
            },
            cwd=folder,
        )
        application = await stack.enter_async_context(build(settings, Machine(clock=clock)))
        logging.getLogger().setLevel(logging.ERROR)
        server = http_server(settings, application)
        listener = stack.enter_context(listen("127.0.0.1", 0))
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/dashboard"
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        await server.listening.wait()
        traffic = Traffic(application, clock)
        for number in range(MINUTES + 1):
            await traffic.minute(number)
        await traffic.trouble(world)
        browser = await stack.enter_async_context(viewer(program, folder))
        tab = await stack.enter_async_context(browser.tab())
        await tab.look(width=WIDTH, height=HEIGHT)
        await tab.open(address)
        await tab.until("document.activeElement.id === 'key'")
        await tab.type(KEY)
        await tab.press("Enter")
        await tab.until("document.getElementById('connection')?.dataset.state === 'live'")
        picture = await tab.picture(whole=False)
        server.stop()
        server.stop()
        await serving
        return picture


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(asyncio.run(take()))
