"""Known-item search: papers by a noisy title in a closed world, all indexes against one.

The world is that of `shared/trust` beside the checkout; without it nothing is measured. What it
answers says nothing about the live indexes: the figures compare versions of ours.
"""

import asyncio
import gzip
import importlib
import json
import random
import re
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

TRUST = Path(__file__).parents[2] / "shared" / "trust"
QUESTIONS = 1000
AT_ONCE = 4
SHOWN = 12
SEARCHED = ("crossref", "openalex", "s2", "dblp", "arxiv", "datacite")
"""The indexes of the world that can be searched."""
FIRST_GOAL, FIVE_GOAL, REPEATED_GOAL = 0.95, 0.99, 0.01
OURS = "all indexes"
WAYS: Mapping[str, dict[str, Any]] = {
    OURS: {"sources": "all"},
    "OpenAlex alone": {"provider": "openalex"},
    "default order": {},
}
Noise = Callable[[str, Mapping[str, Any], random.Random], str | None]
Work = Mapping[str, Any]


class Score(NamedTuple):
    """How a way of searching did."""

    first: float
    five: float
    repeated: float
    """Share of the papers shown that repeat one above."""
    merged: int
    """Papers shown that are two different works."""
    nothing: float
    missed: list[str]


def lose_word(title: str, _: Work, dice: random.Random) -> str | None:
    words = title.split()
    if len(words) < 5:
        return None
    del words[dice.randrange(len(words))]
    return " ".join(words)


def lose_accents(title: str, work: Work, dice: random.Random) -> str | None:
    del dice
    plain = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", f"{title} {' '.join(work['authors'][:1])}")
        if not unicodedata.combining(letter)
    )
    return None if plain.split() == f"{title} {' '.join(work['authors'][:1])}".split() else plain


def mistype(title: str, _: Work, dice: random.Random) -> str | None:
    places = [at for at in range(1, len(title) - 2) if title[at : at + 2].isalpha()]
    if len(places) < 10:
        return None
    at = dice.choice(places)
    swapped = title[:at] + title[at + 1] + title[at] + title[at + 2 :]
    return dice.choice((swapped, title[:at] + title[at + 1 :]))


def cut_subtitle(title: str, _: Work, dice: random.Random) -> str | None:
    del dice
    head, colon, rest = title.partition(": ")
    return head if colon and len(head.split()) > 3 and rest else None


def mix_authors(title: str, work: Work, dice: random.Random) -> str | None:
    families = [name.split()[-1] for name in work["authors"][:3] if name.split()]
    if not families:
        return None
    year = f" {work['year']}" if dice.random() < 0.5 else ""
    return f"{' '.join(families)} {title}{year}"


NOISES: Mapping[str, Noise] = {
    "word lost": lose_word,
    "accents lost": lose_accents,
    "typo": mistype,
    "subtitle cut": cut_subtitle,
    "authors mixed in": mix_authors,
}


def questions(number: int) -> list[tuple[str, str, Work]]:
    """Give kinds of noise, noisy titles and the works that are meant, the same in every run."""
    with gzip.open(TRUST / "works.jsonl.gz", "rt", encoding="utf-8") as lines:
        works = [json.loads(line) for line in lines]
    titles: dict[str, int] = {}
    for work in works:
        titles[_letters(work["title"])] = titles.get(_letters(work["title"]), 0) + 1
    # A title that two works have names neither of them.
    plain = [
        work
        for work in works
        if "trap" not in work
        and titles[_letters(work["title"])] == 1
        and len(work["title"].split()) > 3
    ]
    dice = random.Random(16)  # noqa: S311 -- the same questions in every run
    held = _holder()
    items: list[tuple[str, str, Work]] = []
    while len(items) < number:
        work = dice.choice(plain)
        if not held(work):
            continue
        kind = list(NOISES)[len(items) % len(NOISES)]
        noisy = NOISES[kind](work["title"], work, dice)
        if noisy:
            items.append((kind, noisy[:480], work))
    return items


def _holder() -> Callable[[Work], bool]:
    """Give a function that says whether any index of the world has a work; some are in none."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(TRUST))
    world, sets = importlib.import_module("world"), importlib.import_module("sets")
    index = world.Index(world.index_path(sets.works(None)), "hard")
    numbers = {
        (json.loads(record)["title"], doi): number
        for number, doi, record in index.db.execute("SELECT id, doi, rec FROM work")
    }

    def held(work: Work) -> bool:
        doi = work.get("doi") or (
            f"10.48550/arxiv.{work['arxiv_id']}" if work.get("arxiv_id") else ""
        )
        number = numbers[work["title"], doi.lower()]
        return any(index.rows(name, "id=?", number) for name in SEARCHED)

    return held


async def _score(app: Any, items: list[tuple[str, str, Work]], **arguments: Any) -> Score:
    gate = asyncio.Semaphore(AT_ONCE)

    async def ask(text: str) -> list[dict[str, Any]]:
        async with gate:
            result = await app.call("academic_search", {"query": text, **arguments})
        papers: list[dict[str, Any]] = result.structured.get("papers", [])
        return papers

    answers = await asyncio.gather(*(ask(text) for _, text, _ in items))
    ranks = [_rank(work, papers) for (_, _, work), papers in zip(items, answers, strict=True)]
    shown = sum(map(len, answers))
    missed = [
        f"{kind}: {text!r} for {work['title']!r} (rank {rank})"
        for (kind, text, work), rank in zip(items, ranks, strict=True)
        if rank != 1
    ]
    return Score(
        first=sum(rank == 1 for rank in ranks) / len(items),
        five=sum(rank is not None and rank <= 5 for rank in ranks) / len(items),
        repeated=sum(map(_repeats, answers)) / max(shown, 1),
        merged=sum(map(_is_merged, (paper for papers in answers for paper in papers))),
        nothing=sum(not papers for papers in answers) / len(items),
        missed=missed,
    )


def _rank(work: Work, papers: list[dict[str, Any]]) -> int | None:
    for rank, paper in enumerate(papers, 1):
        dois = {paper.get("doi"), *(one.get("doi") for one in paper.get("versions", []))}
        by_id = (work.get("doi") or "").lower() in dois - {None}
        if by_id or _letters(paper["title"]) == _letters(work["title"]):
            return rank
    return None


def _repeats(papers: list[dict[str, Any]]) -> int:
    """How many papers have a title and a first author that stand above already."""
    keys = [
        (_letters(paper["title"]), _letters((paper.get("authors") or [""])[0].split()[-1:]))
        for paper in papers
    ]
    return len(keys) - len(set(keys))


def _is_merged(paper: dict[str, Any]) -> bool:
    """Whether a paper has two DOIs of publications, which two works have."""
    dois = {one.get("doi") for one in paper.get("versions", []) if one["kind"] == "published"}
    return len(dois - {None, paper.get("doi")}) > 0


def _letters(text: Any) -> str:
    joined = " ".join(text) if isinstance(text, list) else text
    plain = unicodedata.normalize("NFKD", re.sub(r"<[^<>]{1,20}>", "", joined)).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


async def _measure(url: str, items: list[tuple[str, str, Work]], way: dict[str, Any]) -> Score:
    from sourcewright import wiring
    from sourcewright.settings import Settings
    from sourcewright.settings.process import sandbox_overrides

    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "HOME": folder,
            **sandbox_overrides(url, folder),
            "SOURCEWRIGHT_SANDBOX_PACE": "0",
            "CHROME_PATH": "disabled",
        }
        async with wiring.build(Settings.load(environment, cwd=Path(folder))) as app:
            return await _score(app, items, num_results=5, **way)


def measure(number: int = QUESTIONS) -> Iterator[str]:
    """Give the lines of a table; one line that says why, without the closed world."""
    if not TRUST.is_dir():
        yield "known-item search: no closed world beside the checkout, not measured"
        return
    items = questions(number)
    program = [sys.executable, str(TRUST / "world.py"), "--port", "0", "--style", "hard"]
    yield f"known-item search, {number} noisy titles: first / among five / repeated / merged / none"
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as world:
        try:
            url = json.loads(next(iter(world.stdout or ())))["url"]
            for name, way in WAYS.items():
                score = asyncio.run(_measure(url, items, way))
                yield (
                    f"  {name:<16} {score.first:.3f} {score.five:.3f} {score.repeated:.4f}"
                    f" {score.merged} {score.nothing:.3f}"
                )
                if name == OURS:
                    yield from _verdict(score)
        finally:
            world.terminate()


def _verdict(score: Score) -> Iterator[str]:
    passed = (
        score.first >= FIRST_GOAL
        and score.five >= FIVE_GOAL
        and score.repeated <= REPEATED_GOAL
        and not score.merged
    )
    goals = f"{FIRST_GOAL:.3f} {FIVE_GOAL:.3f} {REPEATED_GOAL:.4f} 0"
    yield f"  {'goal':<16} {goals}  {'PASS' if passed else 'MISS'}"
    yield from (f"    {line}" for line in score.missed[:SHOWN])


if __name__ == "__main__":
    for line in measure(int(sys.argv[1]) if sys.argv[1:] else QUESTIONS):
        print(line, flush=True)
