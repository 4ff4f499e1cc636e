"""One running Chromium: its process tree, its pipe, and its open pages.

What the system knows of a process and of all that it has started.
"""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from sourcewright.domain.errors import Unavailable
from sourcewright.domain.pages import BROWSER
from sourcewright.readers.browser.chromium import (
    Launch,
    binding,
    can_sandbox,
    launch,
    unplugging,
    users,
    works,
)
from sourcewright.readers.browser.devtools import LONGEST, Declined, Devtools, Gone
from sourcewright.readers.browser.interception import Interception, Opening, Paused, read_paused
from sourcewright.readers.browser.profile import Profile
from sourcewright.readers.browser.tab import Tab

_PROC = Path("/proc")


def family(pid: int) -> list[int]:
    """The process and its descendants, where the system lists them; else the process alone."""
    found = [pid]
    for one in found:
        with contextlib.suppress(OSError):
            for task in (_PROC / str(one) / "task").iterdir():
                children = (task / "children").read_text(encoding="ascii")
                found.extend(int(child) for child in children.split())
    return found


def resident_bytes(pids: list[int]) -> int:
    """The memory that they hold; what they share counts for each of them."""
    page = os.sysconf("SC_PAGE_SIZE")
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError, ValueError, IndexError):
            held = (_PROC / str(pid) / "statm").read_text(encoding="ascii").split()[1]
            total += int(held) * page
    return total


def kill_all(pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def reap(pids: list[int]) -> None:
    """Let the system forget those that have become our own, as they do where we are its first."""
    for pid in pids:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


_START_SECONDS = 20.0
"""Less than a page has, so that its caller hears why there is none."""
_END_SECONDS = 2.0
_WATCH_SECONDS = 0.25
_TRIES, _TRY_SECONDS = 10, 0.05
_FAIR_SECONDS = 1.5
"""A browser that had less to answer in is not to blame for its silence."""


class NotStarted(Exception):
    """The browser could not be started; the message says why."""


class Silent(NotStarted):
    """It runs and says nothing, which it would do with more rights too."""


class Engine:
    """A browser that runs. Whatever asks for something from outside a known page is refused."""

    def __init__(self, how: Launch, process: asyncio.subprocess.Process) -> None:
        if process.stdout is None or process.stdin is None:
            raise NotStarted("it has no pipe")
        self.how = how
        self.pages = 0
        self.version = ""
        self.users = 0
        self.doubted = False
        """Whether it runs and yet fell silent; it may do so at every page to come."""
        self.belongings = AsyncExitStack()
        """What is gone with it."""
        self._process = process
        self._devtools = Devtools(process.stdout, process.stdin)
        self._answers = Interception(self._devtools)
        self._tabs: set[Tab] = set()
        self._owners: dict[str, str] = {}
        """The context of each worker and page that the browser has told of."""
        self._watching: asyncio.Task[None] | None = None
        self._devtools.on("", self._hear)
        self._listening = asyncio.create_task(self._devtools.listen())

    @property
    def has_gone(self) -> bool:
        return self._devtools.gone.is_set()

    @property
    def resident_bytes(self) -> int:
        return resident_bytes(family(self._process.pid))

    @asynccontextmanager
    async def tab(self, opening: Opening, *, seconds: float) -> AsyncIterator[Tab]:
        """A page of its own, had within so many seconds and closed without waiting for it.

        Raises:
            Gone: The browser has ended.
            Unavailable: It does not answer.
        """
        self.pages += 1
        tab = Tab(self._devtools, opening)
        self._tabs.add(tab)
        if self._watching is None:
            self._watching = asyncio.create_task(self._watch())
        try:
            await _opened(tab, seconds)
            yield tab
        except (Declined, KeyError) as error:
            raise Gone from error
        finally:
            self.doubted |= tab.silent and seconds >= _FAIR_SECONDS
            self._tabs.discard(tab)
            tab.close()
            if not self._tabs and self._watching is not None:
                self._watching.cancel()
                self._watching = None

    async def greet(self) -> None:
        """Wait until it answers, and have it ask before every request.

        Raises:
            Gone: It ended instead.
            Declined: It is no browser of the kind that is needed.
        """
        said = await self._devtools.ask("Browser.getVersion")
        self.version = str(said.get("product", ""))
        await self._devtools.ask("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
        await self._devtools.ask("Target.setDiscoverTargets", {"discover": True})

    async def aclose(self) -> None:
        await self.belongings.aclose()

    async def end(self) -> None:
        """End it and all that it has started. Nothing in it is worth a farewell."""
        members = family(self._process.pid)
        kill_all(members)
        self._devtools.close()
        # Whoever else it gave its pipe to may hold it for ever.
        await asyncio.wait([self._listening], timeout=_END_SECONDS)
        self._listening.cancel()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _END_SECONDS)
        reap(members)

    async def _watch(self) -> None:
        """End every process that takes too much; its page fails, and the browser goes on."""
        while True:
            await asyncio.sleep(_WATCH_SECONDS)
            pids = family(self._process.pid)
            kill_all([pid for pid in pids if resident_bytes([pid]) > self.how.process_bytes])

    def _hear(self, method: str, params: Mapping[str, Any]) -> None:
        match method:
            case "Fetch.requestPaused":
                with contextlib.suppress(Gone):
                    self._take(params)
            case "Target.targetCreated":
                self._note(params.get("targetInfo"))
            case "Target.targetDestroyed":
                self._owners.pop(str(params.get("targetId")), None)
            case "Target.targetCrashed":
                for tab in self._tabs:
                    if str(params.get("targetId")) in tab.frames:
                        tab.crash()

    def _take(self, params: Mapping[str, Any]) -> None:
        paused = read_paused(params)
        if paused is None:
            self._answers.refuse(str(params.get("requestId")))
        else:
            self._hand_on(paused, _TRIES)

    def _hand_on(self, paused: Paused, tries: int) -> None:
        """Give a request to its page; that a frame has come may be told after what it asks for."""
        tab = self._owner(paused.frame)
        if tab is not None:
            tab.requests.take(paused)
        elif tries:
            loop = asyncio.get_running_loop()
            loop.call_later(_TRY_SECONDS, self._hand_on, paused, tries - 1)
        else:
            with contextlib.suppress(Gone):
                self._answers.refuse(paused.number)

    def _owner(self, frame: str) -> Tab | None:
        """The page to which a frame or a worker belongs."""
        context = self._owners.get(frame)
        for tab in self._tabs:
            if frame in tab.frames or (context and context == tab.context):
                return tab
        return None

    def _note(self, info: Any) -> None:
        if isinstance(info, Mapping) and info.get("browserContextId"):
            self._owners[str(info.get("targetId"))] = str(info["browserContextId"])


async def _opened(tab: Tab, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await tab.open()
    except TimeoutError as error:
        tab.silent = True
        raise Unavailable(BROWSER, "does not answer", cause="timeout") from error


async def start(how: Launch) -> Engine:
    """Start a browser as confined as the system allows.

    Raises:
        NotStarted: It could not be.
    """
    unplugged = how.unplugged and await works(unplugging())
    how = replace(how, unplugged=unplugged, bound=await works(binding()))
    why = NotStarted("there is no way to start it")
    for way in _ways(how):
        try:
            return await _start(way)
        except Silent:
            raise
        except NotStarted as error:
            why = error
    raise why


def _ways(how: Launch) -> Iterator[Launch]:
    """From the most confined to the least; one that has worked is the only one."""
    if how.user is not None:
        yield how
        return
    for user in users():
        if how.sandboxed and can_sandbox(user):
            yield replace(how, user=user)
        yield replace(how, user=user, sandboxed=False)


async def _start(how: Launch) -> Engine:
    async with AsyncExitStack() as stack:
        try:
            profile = Profile(how.user)
            stack.callback(profile.remove)
            process = await launch(how, profile.home, longest=LONGEST)
        except OSError as error:
            raise NotStarted(str(error)) from error
        engine = Engine(how, process)
        stack.push_async_callback(engine.end)
        try:
            async with asyncio.timeout(_START_SECONDS):
                await engine.greet()
        except (Gone, Declined) as error:
            raise NotStarted("it ended at once") from error
        except TimeoutError as error:
            raise Silent(f"it did not answer within {_START_SECONDS:g} s") from error
        engine.belongings = stack.pop_all()
        return engine
