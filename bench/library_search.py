"""Searching a library of 100,000 papers, against tantivy over the same papers in the same run.

Both give the best 50 papers with their fields and a snippet each. The peer keeps its index
in memory and searches a closed collection; ours also looks whether files have changed, and
takes the last word for the beginning of longer ones where few papers hold it as it is.
"""

import json
import random
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from sourcewright.references.entries import Acquisition, Entry
from sourcewright.stores.index import LibraryIndex

PAPERS, FEW = 100_000, 1_000
LIMIT = 50
QUERIES, AT_ONCE, ROUNDS = 200, 20, 9
GOAL = 1.0
GROWTH_GOAL = 1.5
KINDS = {"one word": "words", "two words": "words", "a beginning": "prefix"}

Row = tuple[str, str, float, float, float]
"""What was measured, against whom, our milliseconds, theirs, and the goal of their ratio."""


class Language:
    """Invented words, some of them far commoner than others, as in any language."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 -- the same papers in every run
        self._words = [_word(number) for number in range(60_000)]
        self._weights = list(accumulate(1 / (rank + 1) ** 0.9 for rank in range(60_000)))

    def words(self, count: int) -> list[str]:
        return self._random.choices(self._words, cum_weights=self._weights, k=count)

    def paper(self, number: int) -> dict[str, Any]:
        words = self.words(92)
        return {
            "key": f"doi_10.5555_{number}",
            "title": " ".join(words[:10]),
            "authors": [" ".join(words[start : start + 2]) for start in (10, 12, 14)],
            "tags": words[16:18],
            "venue": " ".join(words[18:22]),
            "abstract": " ".join(words[22:]),
        }


def measure(peer: str) -> Iterator[Row]:
    """Give one row after the other, as they are measured."""
    language = Language(1)
    papers = {paper["key"]: paper for paper in map(language.paper, range(PAPERS))}
    queries_by_kind = {
        "one word": language.words(QUERIES),
        "two words": [" ".join(language.words(2)) for _ in range(QUERIES)],
        "a beginning": [word[:4] for word in language.words(QUERIES)],
    }
    with (
        tempfile.TemporaryDirectory() as place,
        _ours(Path(place, "many"), papers) as many,
        _ours(Path(place, "few"), dict(list(papers.items())[:FEW])) as few,
        _theirs(peer, Path(place), papers) as ask,
    ):
        for name, queries in queries_by_kind.items():
            yield from _searching(name, queries, many, ask)
        yield from _growing(few, many)


def _searching(
    name: str, queries: Sequence[str], index: "Library", ask: Callable[[Any], Any]
) -> Iterator[Row]:
    # The first round warms both up. Then a query takes what it took in the best of its rounds,
    # because what else the machine does meanwhile is neither's work.
    rounds = [_round(KINDS[name], queries, index, ask) for _ in range(ROUNDS + 1)][1:]
    ours, theirs = (
        [min(times) for times in zip(*side, strict=True)] for side in zip(*rounds, strict=True)
    )
    for label, rank in (("p50", 49), ("p99", 98)):
        yield (
            f"library search, {name}, {label}",
            "tantivy",
            quantiles(ours, n=100)[rank],
            quantiles(theirs, n=100)[rank],
            GOAL,
        )


def _round(
    kind: str, queries: Sequence[str], index: "Library", ask: Callable[[Any], Any]
) -> tuple[list[float], list[float]]:
    """Milliseconds of each query, ours and theirs, a few at a time in turns."""
    ours: list[float] = []
    theirs: list[float] = []
    for start in range(0, len(queries), AT_ONCE):
        few = queries[start : start + AT_ONCE]
        ours += [_timed(index.search, query) for query in few]
        theirs += ask({"kind": kind, "queries": few})
    return ours, theirs


def _growing(few: "Library", many: "Library") -> Iterator[Row]:
    """The same work in a small library and in a large one, in turns."""
    for name, work in (("newest 50 papers", Library.recent), ("adding a paper", Library.add)):
        pairs = [(_timed(work, many), _timed(work, few)) for _ in range(100)]
        ours, theirs = zip(*pairs, strict=True)
        yield f"library, {name}", f"{FEW} papers", median(ours), median(theirs), GROWTH_GOAL


class Library:
    """Our index over a folder whose files are empty, because what they say is at hand."""

    def __init__(self, place: Path, papers: dict[str, dict[str, Any]]) -> None:
        self._folder = place / ".metadata"
        self._folder.mkdir(parents=True)
        for key in papers:
            (self._folder / f"{key}.toml").touch()
        self._papers = papers
        self._added = 0
        self._index = LibraryIndex(place / "index.sqlite3", self._folder, read=self._read)
        self.recent()

    def search(self, query: str) -> None:
        self._index.search(query, LIMIT)

    def recent(self) -> None:
        self._index.recent(LIMIT)

    def add(self) -> None:
        self._added += 1
        key = f"doi_10.5555_0{self._added}"
        ticket = self._index.announce(key)
        (self._folder / f"{key}.toml").touch()
        self._index.index_announced(ticket, [key])

    def close(self) -> None:
        self._index.close()

    def _read(self, key: str) -> Entry:
        paper = self._papers.get(key) or next(iter(self._papers.values()))
        return Entry(
            key=key,
            title=paper["title"],
            authors=tuple(paper["authors"]),
            venue=paper["venue"],
            abstract=paper["abstract"],
            holding=Acquisition(
                fetched_at="2026-01-01T00:00:00Z", source="bench", tags=tuple(paper["tags"])
            ),
        )


@contextmanager
def _ours(place: Path, papers: dict[str, dict[str, Any]]) -> Iterator[Library]:
    library = Library(place, papers)
    try:
        yield library
    finally:
        library.close()


@contextmanager
def _theirs(
    peer: str, place: Path, papers: dict[str, dict[str, Any]]
) -> Iterator[Callable[[Any], Any]]:
    """The peer in a process of its own; gives a function that asks it."""
    data = place / "papers.jsonl"
    data.write_text("\n".join(map(json.dumps, papers.values())), encoding="utf-8")
    script = Path(__file__).with_name("tantivy_peer.py")
    process = subprocess.Popen(
        [peer, str(script), str(data), str(LIMIT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("a process without pipes")
    source, sink = process.stdout, process.stdin

    def ask(question: Any) -> Any:
        sink.write(json.dumps(question) + "\n")
        sink.flush()
        return json.loads(source.readline())

    try:
        source.readline()
        with sink, source:
            yield ask
    finally:
        process.wait(timeout=60)


def _timed(work: Callable[..., None], *given: object) -> float:
    """Give milliseconds."""
    start = time.perf_counter()
    work(*given)
    return (time.perf_counter() - start) * 1000


def _word(number: int) -> str:
    """Syllables in place of digits."""
    letters, number = "", number + 7
    while number:
        number, consonant = divmod(number, 16)
        number, vowel = divmod(number, 5)
        letters += "bcdfghklmnprstvz"[consonant] + "aeiou"[vowel]
    return letters
