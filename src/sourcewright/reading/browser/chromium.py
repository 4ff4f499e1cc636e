"""Finds Chromium and starts it sandboxed: no DNS, no proxy, no network, no open port.

Also builds the command prefixes that remove its network and its privileges and that kill it with
the server, and defines the browser's options.
"""

import asyncio
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

NOBODY_UID = 65534
"""The user id of `nobody`, who by convention owns no files."""


def no_network_prefix() -> tuple[str, ...]:
    """Command prefix for a network namespace without any interface but loopback."""
    own = () if os.geteuid() == 0 else ("--user", "--map-current-user")
    return ("unshare", *own, "--net", "--")


def die_with_parent_prefix() -> tuple[str, ...]:
    """Command prefix that makes the kernel kill the process when the server dies, even by SIGKILL."""
    return ("setpriv", "--pdeathsig", "KILL", "--")


async def prefix_works(before: tuple[str, ...]) -> bool:
    """Whether a command prefix works on this system."""
    if shutil.which(before[0]) is None:
        return False
    nothing = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *before, "true", stdin=nothing, stdout=nothing, stderr=nothing
    )
    return await process.wait() == 0


def run_as_user_prefix(user: int) -> tuple[str, ...]:
    """Command prefix that switches to a user and drops all groups."""
    return ("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--")


def candidate_users() -> Iterator[int | None]:
    """User ids to run as, least privileged first; None for the current user."""
    if os.geteuid() == 0 and shutil.which("setpriv") is not None:
        yield NOBODY_UID
    yield None


def can_sandbox(user: int | None) -> bool:
    """Whether Chromium's sandbox can work: it never does as root."""
    return user is not None or os.geteuid() != 0


PROCESS_BYTES = 1536 * 1024 * 1024
"""Memory limit of one browser process."""

DISABLED = "disabled"
"""Value of the setting that disables the browser."""

# The binaries come before the wrapper scripts of distributions.
_PATHS = (
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")

# The DevTools pipe is our stdin and stdout; Chromium expects it at descriptors 3 and 4.
_REDIRECT = 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null'

_NETWORK_FLAGS = (
    # Requests that escape interception resolve no name, not even that of the proxy; IP addresses
    # count as names here.
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://0.0.0.0:1",
    "--proxy-bypass-list=<-loopback>",
    # Both spellings, old and new: otherwise WebRTC sends UDP packets past the proxy.
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
_DISABLED_FEATURES = (
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
_BASE_FLAGS = (
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
    # Pages have no credentials to steal from each other, and a page with its frames in one process
    # needs less memory and starts sooner. Two pages never share a process.
    "--disable-site-isolation-trials",
    f"--disable-features={','.join(_DISABLED_FEATURES)}",
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
    """The path of the browser, or the reason why there is none."""

    path: str | None = None
    reason: str = ""
    """Why there is none, and how to fix it."""
    broken: bool = False
    """Whether a browser was configured that does not exist."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchConfig:
    """Launch configuration of a browser."""

    path: str
    user_agent: str
    sandboxed: bool = True
    """Whether Chromium's own sandbox is on, which it cannot be as root."""
    without_network: bool = True
    """Whether it runs in an empty network namespace."""
    bound: bool = False
    """Whether the kernel kills it when we die; otherwise it exits when its pipe closes."""
    user: int | None = None
    """User id to run as; None for our own."""
    process_bytes: int = PROCESS_BYTES
    """Memory limit of one browser process."""
    profiles: Path | None = None
    """Where its profile folder is created; None for the system's temporary folder."""
    more: tuple[str, ...] = ()

    def command(self, profile: Path) -> Iterator[str]:
        if self.without_network:
            yield from no_network_prefix()
        if self.user is not None:
            yield from run_as_user_prefix(self.user)
        if self.bound:
            # Last, because changing the user resets the death signal.
            yield from die_with_parent_prefix()
        yield from ("/bin/sh", "-c", _REDIRECT, "sh", self.path)
        yield from (*_BASE_FLAGS, *_NETWORK_FLAGS, *self.more)
        yield from (f"--user-agent={self.user_agent}", f"--user-data-dir={profile}")
        if not self.sandboxed:
            yield "--no-sandbox"


def find_chromium(setting: str = "") -> Chromium:
    """Find the configured browser, or one in the usual places."""
    if setting.strip().lower() == DISABLED:
        return Chromium(reason=f"disabled by CHROME_PATH={DISABLED}")
    if setting:
        program = shutil.which(setting)
        if program is None:
            return Chromium(
                reason=f"CHROME_PATH is {setting}, which is not an executable program", broken=True
            )
        return Chromium(path=program)
    for candidate in (*_PATHS, *_NAMES):
        program = shutil.which(candidate)
        if program is not None:
            return Chromium(path=program)
    command = (
        "brew install --cask chromium" if sys.platform == "darwin" else "apt install chromium"
    )
    advice = f"install one ({command}) or set CHROME_PATH"
    return Chromium(reason=f"no Chromium was found; {advice}")


async def launch(how: LaunchConfig, profile: Path, *, longest: int) -> asyncio.subprocess.Process:
    """Start it with the DevTools pipe as stdin and stdout; it exits when the pipe closes.

    `longest` is the limit of one message on the pipe, in bytes.
    """
    pipe = asyncio.subprocess.PIPE
    home = str(profile)
    # A session of its own, so that Ctrl+C at the terminal reaches only the server.
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
class BrowserOptions:
    """Options of the browser."""

    page_seconds: float = 30.0
    """Time limit for one page."""
    quiet_seconds: float = 0.5
    """How long a page must be unchanged to count as finished."""
    patient_seconds: float = 2.0
    """The same, for a page that is known to render slowly."""
    snapshot_seconds: float = 6.0
    """Time limit for taking the HTML of a page that is finished."""
    pages_at_once: int = 2
    idle_seconds: float = 300.0
    images: bool = False
    """Whether images are really fetched; a page's text does not need them."""
    without_network: bool = True
    """Whether to run it in an empty network namespace, if the system allows that."""
    profiles: Path | None = None
    """Where its profile folder is created; None for the system's temporary folder."""
    pages_per_browser: int = 200
    """After so many pages it is restarted, to bound its memory leaks."""
    process_bytes: int = PROCESS_BYTES
    """Memory limit of one page."""
