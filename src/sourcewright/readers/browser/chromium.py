"""Finds Chromium and starts it sandboxed: no DNS, no proxy, no network, no port.

What the system can take from a program before it starts: its network, rights and afterlife.
How pages are shown, as far as it can be chosen.
"""

import asyncio
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

NOBODY = 65534
"""Who owns nothing, by the custom of every system."""


def unplugging() -> tuple[str, ...]:
    """What to put before a command, so that it runs with an empty network."""
    own = () if os.geteuid() == 0 else ("--user", "--map-current-user")
    return ("unshare", *own, "--net", "--")


def binding() -> tuple[str, ...]:
    """What to put before a command, so that the system ends it when we end, also by force."""
    return ("setpriv", "--pdeathsig", "KILL", "--")


async def works(before: tuple[str, ...]) -> bool:
    """Whether the system lets us put this before a command."""
    if shutil.which(before[0]) is None:
        return False
    nothing = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *before, "true", stdin=nothing, stdout=nothing, stderr=nothing
    )
    return await process.wait() == 0


def becoming(user: int) -> tuple[str, ...]:
    """What to put before a command, so that it runs with the rights of a user and no others."""
    return ("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--")


def users() -> Iterator[int | None]:
    """Whom a program may run as, the one with the fewest rights first; None for ourselves."""
    if os.geteuid() == 0 and shutil.which("setpriv") is not None:
        yield NOBODY
    yield None


def can_sandbox(user: int | None) -> bool:
    """Whether it is worth trying: Chromium never confines what runs as root."""
    return user is not None or os.geteuid() != 0


PROCESS_BYTES = 1536 * 1024 * 1024
"""How much memory one of its processes may take."""

OFF = "disabled"
"""What the setting says where no browser is wanted."""

# The programs themselves come before the scripts that distributions put in front of them.
_PLACES = (
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")

# The pipe is what the process has as input and output; Chromium expects it at 3 and 4.
_REDIRECT = 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null'

_NO_WAY_OUT = (
    # Whatever is not intercepted finds no name, not even that of the proxy it is sent to;
    # addresses count as names here.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://0.0.0.0:1",
    "--proxy-bypass-list=<-loopback>",
    # The old spelling and the new one: without them WebRTC sends datagrams around it all.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--block-new-web-contents",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-client-side-phishing-detection",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-pings",
    "--disable-breakpad",
    "--disable-crash-reporter",
)
_NOT_WANTED = (
    "IsolateOrigins",
    "site-per-process",
    "Translate",
    "OptimizationHints",
    "MediaRouter",
    "DialMediaRouteProvider",
    "AutofillServerCommunication",
    "PaintHolding",
    "Prerender2",
    "CertificateTransparencyComponentUpdater",
    "InterestFeedContentSuggestions",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
)
_PLAIN = (
    "--headless",
    "--remote-debugging-pipe",
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-blink-features=AutomationControlled",
    # Pages have no credentials that one could take from another, and a page with its frames
    # in one process takes less memory and starts sooner. Two pages never share a process.
    "--disable-site-isolation-trials",
    f"--disable-features={','.join(_NOT_WANTED)}",
    "--js-flags=--max-old-space-size=1024",
    "--password-store=basic",
    "--use-mock-keychain",
    "--mute-audio",
    "--hide-scrollbars",
    "--lang=en-US",
    "--accept-lang=en-US",
    "--window-size=1366,900",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chromium:
    """Where the browser is, or why there is none."""

    path: str | None = None
    reason: str = ""
    """Why there is none, and what to do about it."""
    broken: bool = False
    """Whether one was set that is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """How a browser is started."""

    path: str
    user_agent: str
    sandboxed: bool = True
    """Whether Chromium confines its own processes, which it cannot as root."""
    unplugged: bool = True
    """Whether the system gives it a network with nothing in it."""
    bound: bool = False
    """Whether the system ends it with us; without that it ends itself when its pipe does."""
    user: int | None = None
    """Whose rights it has; None for our own."""
    process_bytes: int = PROCESS_BYTES
    """How much memory one of its processes may take."""
    more: tuple[str, ...] = ()

    def command(self, profile: Path) -> Iterator[str]:
        if self.unplugged:
            yield from unplugging()
        if self.user is not None:
            yield from becoming(self.user)
        if self.bound:
            # Last, because a change of rights undoes it.
            yield from binding()
        yield from ("/bin/sh", "-c", _REDIRECT, "sh", self.path)
        yield from (*_PLAIN, *_NO_WAY_OUT, *self.more)
        yield from (f"--user-agent={self.user_agent}", f"--user-data-dir={profile}")
        if not self.sandboxed:
            yield "--no-sandbox"


def find_chromium(setting: str = "") -> Chromium:
    """Find the browser that was set, or one in the usual places."""
    if setting.strip().lower() == OFF:
        return Chromium(reason=f"turned off by CHROME_PATH={OFF}")
    if setting:
        found = shutil.which(setting)
        if found is None:
            return Chromium(reason=f"CHROME_PATH is {setting}, which is no program", broken=True)
        return Chromium(path=found)
    for place in (*_PLACES, *_NAMES):
        found = shutil.which(place)
        if found is not None:
            return Chromium(path=found)
    how = "install one (apt install chromium) or set CHROME_PATH"
    return Chromium(reason=f"no Chromium was found; {how}")


async def launch(how: Launch, profile: Path, *, longest: int) -> asyncio.subprocess.Process:
    """Start it; its input and output are the pipe, at whose end it ends itself.

    No message on the pipe may be longer than so many bytes.
    """
    pipe = asyncio.subprocess.PIPE
    home = str(profile)
    # A session of its own: an interrupt at the terminal is for the one who starts it.
    return await asyncio.create_subprocess_exec(
        *how.command(profile),
        stdin=pipe,
        stdout=pipe,
        stderr=asyncio.subprocess.DEVNULL,
        limit=longest,
        start_new_session=True,
        env={
            "HOME": home,
            "TMPDIR": home,
            "XDG_CONFIG_HOME": home,
            "XDG_CACHE_HOME": home,
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "en_US.UTF-8",
            "TZ": "UTC",
            "DBUS_SESSION_BUS_ADDRESS": "disabled:",
            "DBUS_SYSTEM_BUS_ADDRESS": "disabled:",
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What may differ from one browser to another."""

    quiet_seconds: float = 0.5
    """For how long nothing may have changed in a page that is taken for finished."""
    patient_seconds: float = 2.0
    """The same, for a page that is known to build itself slowly."""
    pages_at_once: int = 2
    idle_seconds: float = 300.0
    images: bool = False
    """Whether pictures are really fetched; a page's text does not need them."""
    unplugged: bool = True
    """Whether the browser gets an empty network from the system, where that can be had."""
    pages_per_browser: int = 200
    """After so many it is replaced, so that what it leaks stays small."""
    process_bytes: int = PROCESS_BYTES
    """How much memory one page may take."""
