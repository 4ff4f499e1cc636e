"""Life cycle of the browser: started on demand, replaced when it dies, never left running."""

import asyncio
import contextlib
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from sourcewright.base.calls import time_limit
from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import Unavailable
from sourcewright.reading.browser.browser import find_chromium
from sourcewright.reading.browser.profile import Profile, is_abandoned

pytestmark = pytest.mark.anyio
PATIENCE = 300.0
PAGE = "<!doctype html><title>t</title><p>here</p>"
ENDLESS = f"{PAGE}<script>fetch('/never')</script>"
SERVER = """
import asyncio, sys
from sourcewright.base.pages import FetchedDocument
from sourcewright.net.http.client import Client
from sourcewright.net.fetch.subrequests import Subrequests
from sourcewright.reading.browser.browser import Browser
async def main(path):
    requests = Subrequests(Client(user_agent="us"), hosts=None)
    browser = Browser(path, requests=requests)
    page = b"<!doctype html><title>t</title><p>here</p>"
    served = FetchedDocument(body=page, url="https://1.1.1.1/", content_type="text/html", mode="source")
    await browser.render(served.url, served=served)
    sys.stdout.write("shown\\n")
    sys.stdout.flush()
    await asyncio.sleep(600)
asyncio.run(main(sys.argv[1]))
"""


def browsers(kind: str = "") -> set[int]:
    """Every process of a browser on this machine."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "cmdline").read_bytes().decode(errors="replace")
            if "chrom" in words.partition("\0")[0] and kind in words:
                found.add(int(folder.name))
    return found


def started_by(pid: int, kind: str = "") -> set[int]:
    return {one for one in browsers(kind) if pid in ancestors(one)}


def ours() -> set[int]:
    """The browsers that run below us; what each has started comes and goes."""
    return started_by(os.getpid(), "--remote-debugging-pipe")


def families(pids: set[int], kind: str = "") -> set[int]:
    every = browsers(kind)
    return {one for one in every if one in pids or pids & ancestors(one)}


def ancestors(pid: int) -> set[int]:
    found = set()
    with contextlib.suppress(OSError, ValueError):
        while pid > 1:
            status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
            pid = int(status.rpartition(")")[2].split()[1])
            found.add(pid)
    return found


def send(number: signal.Signals, pids: set[int]) -> None:
    """Signal these processes; one that the browser has just forked may have ended since."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def profile_of(pids: set[int]) -> Path:
    """The folder that a browser was started with; some of its processes may have gone since."""
    found = set()
    for pid in pids:
        with contextlib.suppress(OSError):
            line = Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8")
            found.update(re.findall(r"--user-data-dir=([^\0 ]+)", line))
    (folder,) = found
    return Path(folder).parent


def abandoned(parent: Path) -> set[Path]:
    folders = parent.glob("sourcewright-browser-*")
    return {folder for folder in folders if is_abandoned(folder, 0.0)}


def exists(folder: Path) -> bool:
    return folder.exists()


def test_a_folder_that_another_server_removed_meanwhile_is_left_to_it(tmp_path):
    assert not is_abandoned(tmp_path / "sourcewright-browser-removed", 0.0)


def test_a_folder_is_locked_as_soon_as_others_can_see_its_lock(tmp_path):
    """Whoever starts a browser at the same time looks into the folder at any moment."""
    seen = []

    def look(_frame, event, _argument):
        if event == "c_return":
            seen.extend(abandoned(tmp_path))

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        profile = Profile(parent=tmp_path)
    finally:
        sys.setprofile(before)
    profile.remove()

    assert seen == []
    assert abandoned(tmp_path) == set()


async def test_nothing_is_started_before_the_first_page_and_nothing_is_left_after_the_last(
    browser_with, until, serve
):
    url, before = serve(page=PAGE), ours()
    browser = await browser_with()
    assert ours() == before

    await browser.render(url)
    during = families(ours() - before)
    folder = profile_of(during)
    await browser.aclose()

    assert len(during) >= 3
    await until(lambda: not during & browsers())
    assert not exists(folder)
    with pytest.raises(Unavailable, match="browser: could not be started: it has been closed"):
        await browser.render(url)


async def test_a_browser_that_nobody_needs_ends(browser_with, until, serve):
    before = ours()
    browser = await browser_with(idle_seconds=0.05)

    await browser.render(serve(page=PAGE))

    await until(lambda: not ours() - before)


async def test_a_browser_whose_first_caller_has_given_up_is_not_forgotten(
    browser_with, until, serve
):
    before = ours()
    browser = await browser_with(idle_seconds=0.05)
    call = asyncio.create_task(browser.render(serve(page=PAGE)))
    await until(lambda: ours() - before)

    call.cancel()

    await until(lambda: not ours() - before)


async def test_a_browser_that_has_shown_enough_pages_is_replaced(browser_with, until, serve):
    before = ours()
    browser = await browser_with(pages_per_browser=1)

    await browser.render(serve(page=PAGE))

    await until(lambda: not ours() - before)
    held = await browser.examine()
    assert held.version


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("--remote-debugging-pipe", "browser: exited while it rendered the page"),
        ("--type=renderer", "browser: the page crashed its renderer process"),
    ],
)
async def test_a_browser_that_dies_harms_one_page_only(
    browser_with, until, serve, internet, kind, why
):
    internet.delays("pages.example", PATIENCE, "/never")
    url, before = serve(endless=ENDLESS), ours()
    browser = await browser_with()
    call = asyncio.create_task(browser.render(url))
    await until(lambda: "/never" in [seen.path for seen in internet.seen])

    send(signal.SIGKILL, families(ours() - before, kind))

    with pytest.raises(Unavailable, match=why):
        await asyncio.wait_for(call, PATIENCE)
    after = await browser.render(serve(page=PAGE))
    assert "here" in after.body.decode()


async def test_one_who_gives_up_ends_what_the_page_was_waiting_for(
    browser_with, until, serve, internet
):
    internet.delays("pages.example", PATIENCE, "/never")
    browser = await browser_with(pages_at_once=1)
    call = asyncio.create_task(browser.render(serve(endless=ENDLESS)))
    await until(lambda: "/never" in [seen.path for seen in internet.seen])

    call.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.wait_for(call, PATIENCE)

    assert call.cancelled()
    assert await asyncio.to_thread(internet.waits_for_hang_up, "pages.example")
    after = await browser.render(serve(page=PAGE))
    assert "here" in after.body.decode()


async def test_a_browser_that_hangs_is_replaced(browser_with, serve):
    url, before = serve(page=PAGE), ours()
    browser = await browser_with()
    await browser.render(url)
    send(signal.SIGSTOP, ours() - before)

    with time_limit(5.0, SystemClock()), pytest.raises(Unavailable, match="does not respond"):
        await browser.render(url)

    after = await browser.render(url)
    assert "here" in after.body.decode()


async def test_one_who_gives_up_at_once_leaves_no_context_behind(one_browser, serve):
    async def contexts():
        return (await engine._devtools.ask("Target.getBrowserContexts"))["browserContextIds"]

    url = serve(page=PAGE)
    await one_browser.render(url)
    async with one_browser._get_renderer().supply.engine() as engine:
        known = set(await contexts())
        call = asyncio.create_task(one_browser.render(url))
        for _ in range(1000):
            if engine._tabs:
                break
            await asyncio.sleep(0)

        call.cancel()
        await asyncio.wait([call], timeout=PATIENCE)

        left = set(await contexts()) - known
        for _ in range(100):
            left &= set(await contexts())
        assert not left


@pytest.mark.parametrize("path", ["/bin/true", "/nowhere/at/all", "/bin/cat"])
async def test_what_is_no_browser_is_said(browser_with, serve, path, tmp_path):
    browser = await browser_with(path=path, profiles=tmp_path)

    with pytest.raises(Unavailable, match="could not be started") as caught:
        await asyncio.wait_for(browser.render(serve(page=PAGE)), PATIENCE)

    assert caught.value.source == "browser"
    assert abandoned(tmp_path) == set()


async def test_what_ends_and_leaves_its_pipe_to_others_does_not_keep_us(
    browser_with, until, serve, tmp_path
):
    program, left = tmp_path / "chromium", tmp_path / "left"
    program.write_text(f"#!/bin/sh\nsleep 60 >&4 & echo $! > {left}\n")
    program.chmod(0o755)
    browser = await browser_with(path=str(program))
    call = asyncio.create_task(browser.render(serve(page=PAGE)))
    await until(lambda: exists(left) and left.read_text())

    await asyncio.wait_for(browser.aclose(), PATIENCE)

    os.kill(int(left.read_text()), signal.SIGKILL)
    await asyncio.wait([call], timeout=PATIENCE)
    assert call.done()
    assert call.cancelled() or isinstance(call.exception(), Unavailable)


async def test_a_server_that_is_killed_leaves_no_browser_and_the_next_one_clears_up(
    chromium, until, browser_with, serve
):
    """Not even one that hangs, and would not see that its pipe has ended."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", SERVER, chromium), stdout=asyncio.subprocess.PIPE
    )
    line = await asyncio.wait_for(process.stdout.readline(), PATIENCE)
    family = started_by(process.pid)
    folder = profile_of(family)
    send(signal.SIGSTOP, started_by(process.pid, "--remote-debugging-pipe"))

    process.kill()
    await process.communicate()

    assert line == b"shown\n"
    assert len(family) >= 3
    await until(lambda: not family & browsers())
    await (await browser_with()).render(serve(page=PAGE))
    assert not exists(folder)


async def test_how_the_browser_is_held_can_be_seen(browser_with):
    browser = await browser_with()

    held = await browser.examine()

    assert "Chrom" in held.version
    assert held.rightless is (os.geteuid() == 0)


async def test_a_browser_that_cannot_confine_itself_is_used_and_that_is_said(
    browser_with, chromium, tmp_path
):
    program = tmp_path / "chromium"
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *--no-sandbox*) exec {chromium} "$@";; esac\nexit 1\n'
    )
    program.chmod(0o755)

    held = await (await browser_with(path=str(program))).examine()

    assert not held.sandboxed


async def test_a_page_that_takes_too_much_memory_is_ended_and_the_next_one_is_shown(
    browser_with, serve, internet
):
    # A busy machine fills memory slowly: until then the page must not be finished.
    internet.delays("pages.example", PATIENCE, "/never")
    hog = "const all = []; setInterval(() => all.push(new Uint8Array(32e6).fill(1)), 5)"
    browser = await browser_with(
        process_bytes=500 * 1024 * 1024,
        page_seconds=PATIENCE,
        allowance={"each_seconds": PATIENCE},
    )

    with pytest.raises(Unavailable, match="the page crashed its renderer process"):
        await browser.render(serve(hog=f"{ENDLESS}<script>{hog}</script>"), patient=True)

    after = await browser.render(serve(page=PAGE))
    assert "here" in after.body.decode()


def test_the_browser_that_was_set_is_the_one_and_there_may_be_none(tmp_path):
    program = tmp_path / "chromium"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)

    assert find_chromium(str(program)).path == str(program)
    assert find_chromium("disabled").path is None
    assert "disabled" in find_chromium("disabled").reason
    missing = find_chromium(str(tmp_path / "missing"))
    assert missing.path is None
    assert "is not an executable program" in missing.reason
