"""Which process a line in the ledger belongs to, and whether that process still runs."""

import os
from pathlib import Path


def identity(pid: int) -> str:
    """A process, told apart from every other that has had or will have its number."""
    return f"{_machine()}|{pid}|{_birth(pid)}"


def is_gone(owner: str) -> bool:
    """Whether the owner certainly runs no more; where that cannot be seen, time decides."""
    machine, _, rest = owner.partition("|")
    pid, _, birth = rest.partition("|")
    if not pid.isdecimal():
        return False
    here = _machine()
    if machine == here:
        return not _exists(int(pid)) or str(_birth(int(pid))) != birth
    # The same boot with other process numbers is a container beside us: not ours to judge.
    return _boot(machine) != _boot(here)


def _machine() -> str:
    """Where process numbers mean what they mean here: this boot, this process namespace."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""


def _boot(machine: str) -> str:
    return machine.partition(" ")[0]


def _birth(pid: int) -> str | None:
    """When the process began, in the kernel's own count."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    # The program's name stands in brackets and may itself hold spaces and brackets.
    return stat.rpartition(b")")[2].split()[19].decode("ascii")


def _exists(pid: int) -> bool:
    if os.name != "posix":
        return True  # asking by signal would end the process there
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
