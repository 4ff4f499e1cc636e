"""One running Chromium: its process tree, its DevTools pipe, and its open tabs."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from sourcewright.base.errors import Unavailable
from sourcewright.base.pages import BROWSER
from sourcewright.reading.browser.chromium import (
    LaunchConfig,
    can_sandbox,
    candidate_users,
    die_with_parent_prefix,
    launch,
    no_network_prefix,
    prefix_works,
)
from sourcewright.reading.browser.devtools import (
    MAX_MESSAGE_BYTES,
    BrowserGone,
    CommandRejected,
    Devtools,
)
from sourcewright.reading.browser.interception import (
    Interception,
    PageOpening,
    PausedRequest,
    read_paused_request,
)
from sourcewright.reading.browser.profile import Profile
from sourcewright.reading.browser.tab import Tab

_PROC = Path("/proc")


def process_tree(pid: int) -> list[int]:
    """The process and its descendants where /proc lists them, else the process alone."""
    pids = [pid]
    for one in pids:
        with contextlib.suppress(OSError):
            for task in (_PROC / str(one) / "task").iterdir():
                children = (task / "children").read_text(encoding="ascii")
                pids.extend(int(child) for child in children.split())
    return pids


def resident_bytes(pids: list[int]) -> int:
    """Their resident memory in bytes; shared pages count for each process."""
    page = os.sysconf("SC_PAGE_SIZE")
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError):
            pages = (_PROC / str(pid) / "statm").read_text(encoding="ascii").split()[1]
            total += int(pages) * page
    return total


def kill_all(pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def reap(pids: list[int]) -> None:
    """Reap orphans that became our children, as they do when we run as process 1."""
    for pid in pids:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


_START_SECONDS = 20.0
"""Shorter than the time of a page, so that its caller learns why the start failed."""
_END_SECONDS = 2.0
_WATCH_SECONDS = 0.25
_TRIES, _TRY_SECONDS = 10, 0.05
_FAIR_SECONDS = 1.5
"""With less time than this, a missing response is not the browser's fault."""


class BrowserNotStarted(Exception):
    """The browser could not be started; the message says why."""


class NotResponding(BrowserNotStarted):
    """It runs but does not respond, which more privileges would not change."""


class RunningBrowser:
    """A running browser. Requests that belong to no known tab are refused."""

    def __init__(self, how: LaunchConfig, process: asyncio.subprocess.Process) -> None:
        if process.stdout is None or process.stdin is None:
            raise BrowserNotStarted("no pipe to Chromium")
        self.how = how
        self.pages = 0
        self.version = ""
        self.users = 0
        self.doubted = False
        """Whether it stopped responding; it may do so again for every page, so it is replaced."""
        self.belongings = AsyncExitStack()
        """Resources that are released with it."""
        self._process = process
        self._devtools = Devtools(process.stdout, process.stdin)
        self._interception = Interception(self._devtools)
        self._tabs: set[Tab] = set()
        self._owners: dict[str, str] = {}
        """Browser context of each known page and worker, by target id."""
        self._memory_task: asyncio.Task[None] | None = None
        self._devtools.on("", self._on_event)
        self._listen_task = asyncio.create_task(self._devtools.listen())

    @property
    def has_gone(self) -> bool:
        return self._devtools.gone.is_set()

    @property
    def resident_bytes(self) -> int:
        return resident_bytes(process_tree(self._process.pid))

    @asynccontextmanager
    async def tab(self, opening: PageOpening, *, seconds: float) -> AsyncIterator[Tab]:
        """Open a tab within so many seconds; it is closed without waiting.

        Raises:
            BrowserGone: The browser has exited.
            Unavailable: It does not respond.
        """
        self.pages += 1
        tab = Tab(self._devtools, opening)
        self._tabs.add(tab)
        if self._memory_task is None:
            self._memory_task = asyncio.create_task(self._watch_memory())
        try:
            await _open(tab, seconds)
            yield tab
        except (CommandRejected, KeyError) as error:
            raise BrowserGone from error
        finally:
            self.doubted |= tab.silent and seconds >= _FAIR_SECONDS
            self._tabs.discard(tab)
            tab.close()
            if not self._tabs and self._memory_task is not None:
                self._memory_task.cancel()
                self._memory_task = None

    async def greet(self) -> None:
        """Wait until it responds, and enable request interception.

        Raises:
            BrowserGone: It exited instead.
            CommandRejected: It does not support the protocol.
        """
        response = await self._devtools.ask("Browser.getVersion")
        self.version = str(response.get("product", ""))
        await self._devtools.ask("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
        await self._devtools.ask("Target.setDiscoverTargets", {"discover": True})

    async def aclose(self) -> None:
        await self.belongings.aclose()

    async def end(self) -> None:
        """Kill it with all its descendants; nothing in it needs a clean shutdown."""
        members = process_tree(self._process.pid)
        kill_all(members)
        self._devtools.close()
        # Another process that inherited the pipe may keep it open forever.
        await asyncio.wait([self._listen_task], timeout=_END_SECONDS)
        self._listen_task.cancel()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _END_SECONDS)
        reap(members)

    async def _watch_memory(self) -> None:
        """Kill every process that exceeds the memory limit; its page fails, the browser goes on."""
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            pids = process_tree(self._process.pid)
            kill_all([pid for pid in pids if resident_bytes([pid]) > self.how.process_bytes])

    def _on_event(self, method: str, params: Mapping[str, Any]) -> None:
        match method:
            case "Fetch.requestPaused":
                with contextlib.suppress(BrowserGone):
                    self._on_request(params)
            case "Target.targetCreated":
                self._add_target(params.get("targetInfo"))
            case "Target.targetDestroyed":
                self._owners.pop(str(params.get("targetId")), None)
            case "Target.targetCrashed":
                for tab in self._tabs:
                    if str(params.get("targetId")) in tab.frames:
                        tab.crash()

    def _on_request(self, params: Mapping[str, Any]) -> None:
        paused = read_paused_request(params)
        if paused is None:
            self._interception.refuse(str(params.get("requestId")))
        else:
            self._dispatch(paused, _TRIES)

    def _dispatch(self, paused: PausedRequest, tries: int) -> None:
        """Pass a request to its tab; a frame may be announced only after its first request."""
        tab = self._tab_of(paused.frame)
        if tab is not None:
            tab.requests.take(paused)
        elif tries:
            loop = asyncio.get_running_loop()
            loop.call_later(_TRY_SECONDS, self._dispatch, paused, tries - 1)
        else:
            with contextlib.suppress(BrowserGone):
                self._interception.refuse(paused.number)

    def _tab_of(self, frame: str) -> Tab | None:
        """The tab to which a frame or a worker belongs."""
        context = self._owners.get(frame)
        for tab in self._tabs:
            if frame in tab.frames or (context and context == tab.context):
                return tab
        return None

    def _add_target(self, info: Any) -> None:
        if isinstance(info, Mapping) and info.get("browserContextId"):
            self._owners[str(info.get("targetId"))] = str(info["browserContextId"])


async def _open(tab: Tab, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await tab.open()
    except TimeoutError as error:
        tab.silent = True
        raise Unavailable(BROWSER, "does not respond", cause="timeout") from error


async def start_browser(how: LaunchConfig) -> RunningBrowser:
    """Start a browser with the strictest sandbox that works.

    Raises:
        WorkerNotStarted: It could not be started.
    """
    without_network = how.without_network and await prefix_works(no_network_prefix())
    how = replace(
        how, without_network=without_network, bound=await prefix_works(die_with_parent_prefix())
    )
    last_error = BrowserNotStarted("no launcher is available")
    for configuration in _configurations(how):
        try:
            return await _start(configuration)
        except NotResponding:
            raise
        except BrowserNotStarted as error:
            last_error = error
    raise last_error


def _configurations(how: LaunchConfig) -> Iterator[LaunchConfig]:
    """Launch configurations, strictest first; only the known one if one has worked before."""
    if how.user is not None:
        yield how
        return
    for user in candidate_users():
        if how.sandboxed and can_sandbox(user):
            yield replace(how, user=user)
        yield replace(how, user=user, sandboxed=False)


async def _start(how: LaunchConfig) -> RunningBrowser:
    async with AsyncExitStack() as stack:
        try:
            profile = Profile(how.user, parent=how.profiles)
            stack.callback(profile.remove)
            process = await launch(how, profile.home, longest=MAX_MESSAGE_BYTES)
        except OSError as error:
            raise BrowserNotStarted(str(error)) from error
        engine = RunningBrowser(how, process)
        stack.push_async_callback(engine.end)
        try:
            async with asyncio.timeout(_START_SECONDS):
                await engine.greet()
        except (BrowserGone, CommandRejected) as error:
            raise BrowserNotStarted("it exited immediately") from error
        except TimeoutError as error:
            raise NotResponding(f"it did not respond within {_START_SECONDS:g} s") from error
        engine.belongings = stack.pop_all()
        return engine
