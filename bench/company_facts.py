"""A 60 MB file of company facts, through the provider: memory at its peak against its size.

The server reads such a file as its bytes and parses only the concepts that it needs; the peer
is `json.loads` of the same bytes.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from search_calls import Row

GOAL = 2.0
MEGABYTE = 1_000_000
SIZE = 60 * MEGABYTE
_READ = """
import asyncio, resource, sys
from pathlib import Path
from sourcewright import wiring
from sourcewright.settings import Settings
from sourcewright.world.internet import World
from sourcewright.settings.process import sandbox_overrides


def now_and_peak():
    lines = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return tuple(int(lines[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM"))


async def main(url, folder, size):
    settings = Settings.load({"HOME": folder, **sandbox_overrides(url, folder)}, cwd=Path(folder))
    async with wiring.build(settings) as app:
        # A small file first, so that what is imported and built once does not count.
        await app.call("filing_search", {"query": "9000002", "facts": True})
        Path("/proc/self/clear_refs").write_text("5")
        before, _ = now_and_peak()
        reply = await app.call("filing_search", {"query": "9000001", "facts": True})
        _, peak = now_and_peak()
        assert reply.structured["resultCount"], reply.text
    print((peak - before) / 1e6)


asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3]))
"""


def measure() -> Iterator[Row]:
    """Give the row: megabytes at the peak, and those of the file."""
    from sourcewright.world.internet import World

    body = company_facts(SIZE)
    with tempfile.TemporaryDirectory() as folder, World() as world:
        world.says("data.sec.gov", body, path="*companyfacts/CIK0009000001.json")
        command = [sys.executable, "-c", _READ, world.url, folder, str(len(body))]
        process = subprocess.run(command, check=True, capture_output=True, text=True)
    peak = float(process.stdout)
    yield "60 MB of company facts", "size of the file", peak, len(body) / MEGABYTE, GOAL


def company_facts(size: int) -> bytes:
    """A file of about this size, in which a few of many concepts are wanted."""
    entry = {
        "start": "2023-01-01",
        "end": "2023-12-31",
        "val": 123456789,
        "accn": "0009000001-24-000001",
        "fy": 2023,
        "fp": "FY",
        "form": "10-K",
        "filed": "2024-02-15",
    }
    values = json.dumps([entry | {"val": 123456789 + n} for n in range(200)])
    concept = f'{{"label": "x", "description": "y", "units": {{"USD": {values}}}}}'
    names = ["Revenues", "Assets", "NetIncomeLoss"]
    names += [f"Invented{n}" for n in range(size // len(concept) - len(names))]
    inside = ",".join(f'"{name}": {concept}' for name in names)
    head = '{"cik": 9000001, "entityName": "Meridian", "facts": {"us-gaap": {'
    return f"{head}{inside}}}}}}}".encode()


if __name__ == "__main__":
    for line in measure():
        print(*line, round(line[2] / line[3], 3))
