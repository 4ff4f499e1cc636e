"""What the system can take from a program before it starts: its network, rights and afterlife."""

import asyncio
import os
import shutil
from collections.abc import Iterator

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
