"""The audit command on 200 references: against the permitted pace of the indexes, and offline.

Every index answers after 80 ms, and the pace that its operator permits is kept. The peer of the
first row is that pace: the time that the busiest source needs for its requests alone. The peer of
the second is the time to parse the file; both are CPU time, since that is what a command without
a network spends. The citations are those of `shared/trust` beside the checkout; without them
nothing is measured. Run alone: `python bench/audit_speed.py`.
"""

import gzip
import json
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from sourcewright import providers
from sourcewright.references.reader import read_references

TRUST = Path(__file__).parents[2] / "shared" / "trust"
ENTRIES = 200
LATENCY_MS = 80
PACE_GOAL = 1.3
REQUESTS_GOAL = 1.5
OFFLINE_GOAL = 25.0
_ROUNDS = 4
"""Questions that follow from the answers to others: identifiers, titles, what is open, notices."""
_NAMES = {"s2": "semanticscholar", "doi": "doi_org"}
"""Indexes that the world counts under another name than ours."""
_PAGES = ("page", "empty")


def measure() -> Iterator[tuple[str, str, float, float, float]]:
    """Give the rows of the table: ours and the peer's milliseconds."""
    if not (TRUST / "world.py").is_file():
        print("audit of 200 references: not measured; shared/trust is not beside the checkout")
        return
    with tempfile.TemporaryDirectory() as folder, _world() as url:
        path = Path(folder, "references.bib")
        path.write_text(_bibliography(), encoding="utf-8")
        seconds, _ = _audit(path, url)
        counts = _requests(url)
        needed = _paced_seconds(counts)
        each = sum(counts.values()) / ENTRIES
        verdict = "PASS" if each <= REQUESTS_GOAL else "MISS"
        print(f"audit of {ENTRIES} references: {each:.2f} requests each  {verdict}; {counts}")
        yield "audit 200 references, 80 ms", "permitted pace", *_ms(seconds, needed), PACE_GOAL
        wall, cpu = _audit(path, url, "--offline")
        print(f"audit of {ENTRIES} references offline: {wall:.2f} s, {cpu:.2f} s of CPU time")
        parse = _seconds_to_parse(path)
        yield "audit 200 references offline", "parsing the file", *_ms(cpu, parse), OFFLINE_GOAL


def _ms(ours: float, theirs: float) -> tuple[float, float]:
    return 1000 * ours, 1000 * theirs


def _bibliography() -> str:
    """The first citations of different works, each under a key of its own."""
    entries: dict[str, str] = {}
    with gzip.open(TRUST / "items" / "hallmark.jsonl.gz", "rt", encoding="utf-8") as lines:
        for item in map(json.loads, lines):
            if len(entries) == ENTRIES:
                break
            opening, _, rest = item["bibtex"].partition(",")
            head = opening[: opening.index("{") + 1]
            title = item["fields"]["title"]
            entries.setdefault(title, f"{head}key{len(entries)},{rest}")
    return "\n\n".join(entries.values())


@contextmanager
def _world() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = ("world.py", "--port", port, "--style", "hard", "--latency", str(LATENCY_MS))
    process = subprocess.Popen(
        (sys.executable, *command), cwd=TRUST, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                _requests(url)
                break
            except OSError:
                time.sleep(0.1)
        yield url
    finally:
        process.kill()
        process.wait()


def _requests(url: str) -> Mapping[str, int]:
    """How often each index was asked; links in the references are not indexes."""
    with urlopen(f"{url}/__stats", timeout=5) as answer:  # noqa: S310 -- of the loopback world
        counts: dict[str, int] = json.load(answer)["requests"]
    return {
        _NAMES.get(name, name): count
        for name, count in counts.items()
        if "." not in name and name not in _PAGES
    }


def _audit(path: Path, url: str, *options: str) -> tuple[float, float]:
    """Seconds on the clock, and seconds of CPU time."""
    environment = {
        "HOME": str(path.parent),
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "SOURCEWRIGHT_SANDBOX_URL": url,
    }
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = (sys.executable, "-m", "sourcewright", "audit", str(path), *options)
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - started, cpu


def _paced_seconds(counts: Mapping[str, int]) -> float:
    """How long the busiest index needs for its requests at the pace that it permits."""
    kinds = providers.discover()
    seconds = [_ROUNDS * LATENCY_MS / 1000]
    for name, count in counts.items():
        rate = kinds[name].info.rate if name in kinds else None
        if rate is not None:
            seconds.append((count - rate.starts) / rate.starts * rate.per_seconds)
    return max(seconds) + LATENCY_MS / 1000


def _seconds_to_parse(path: Path) -> float:
    text = path.read_text(encoding="utf-8")
    read_references(text)
    started = time.process_time()
    read_references(text)
    return time.process_time() - started


if __name__ == "__main__":
    for name, against, ours, theirs, goal in measure():
        ratio = ours / theirs
        print(f"{name:<34} {against:<18} {ours:>9.2f} {theirs:>9.2f} {ratio:>7.3f} {goal:>6.2f}")
