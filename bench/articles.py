"""Article pages of our own making, read by ours and by trafilatura: precision, recall and F1.

Scored by shingles of four words (of four characters in scripts without spaces). Images and their
captions, and the headline, count neither for nor against a reader. Precision has a floor, below
which the bench fails. Templates that are held out are printed by themselves: no rule was made with
them in sight. Run alone: `python bench/articles.py --peer .venv-bench/bin/python [--each]`.
"""

import argparse
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from article_pages import ArticlePage, article_pages
from extraction import plain
from sourcewright.reading.html.extraction import read_html

FLOOR = 0.98
BROKEN = "broken"
_WORD = re.compile("[\u3040-\u30ff\u3400-\u9fff]|[^\\W\u3040-\u30ff\u3400-\u9fff]+")
_SHINGLE = 4


class Score(NamedTuple):
    """Precision, recall and F1 of one page."""

    precision: float
    recall: float
    f1: float


def words_of(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def shingles(text: str) -> Counter[tuple[str, ...]]:
    words = words_of(text)
    return Counter(zip(*(words[start:] for start in range(_SHINGLE)), strict=False))


def score(found: str, page: ArticlePage) -> Score:
    headline = words_of(page.headline)
    lines = (line for line in found.split("\n") if words_of(line) != headline)
    ours, known = shingles("\n".join(lines)), shingles(page.truth)
    common = (ours & known).total()
    return Score(
        common / (ours.total() or 1),
        common / (known.total() or 1),
        2 * common / ((ours.total() + known.total()) or 1),
    )


def read(page: ArticlePage) -> str:
    return plain(read_html(page.html, url=page.url).content)


def peer_texts(peer: str, pages: Sequence[ArticlePage]) -> list[str]:
    """What trafilatura extracts, in the peers' environment."""
    program = (
        "import json, logging, sys, trafilatura\n"
        "logging.disable(logging.CRITICAL)\n"
        "for line in sys.stdin:\n"
        "    print(json.dumps(trafilatura.extract(json.loads(line)) or ''))\n"
    )
    lines = "".join(json.dumps(page.html) + "\n" for page in pages)
    done = subprocess.run(
        [peer, "-c", program], input=lines, capture_output=True, check=True, text=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def _means(scores: Sequence[Score]) -> Score:
    return Score(*map(fmean, zip(*scores, strict=True)))


def _groups(pages: Sequence[ArticlePage], scores: Sequence[Score]) -> Mapping[str, list[Score]]:
    groups: dict[str, list[Score]] = defaultdict(list)
    for page, one in zip(pages, scores, strict=True):
        for name in ("all", "held out" if page.held_out else "seen", page.language):
            groups[name].append(one)
    return groups


def _line(name: str, groups: Mapping[str, list[Score]], measure: str) -> str:
    values = (f"{getattr(_means(scores), measure):>9.3f}" for _, scores in sorted(groups.items()))
    return f"{name:<14}{measure:<10}" + "".join(values)


def report(peer: str | None) -> Iterator[str]:
    """The lines of the table; the last says whether the floor is kept."""
    pages = list(article_pages())
    own = _groups(pages, [score(read(page), page) for page in pages])
    yield f"{'articles made':<14}{'':<10}" + "".join(f"{name:>9}" for name in sorted(own))
    readers = {"sourcewright": own}
    if peer:
        texts = peer_texts(peer, pages)
        readers["trafilatura"] = _groups(pages, list(map(score, texts, pages)))
    for name, groups in readers.items():
        yield from (_line(name, groups, measure) for measure in Score._fields)
    precision = _means(own["all"]).precision
    state = "kept" if precision >= FLOOR else BROKEN
    yield f"floor of precision over {len(pages)} pages: {FLOOR}, {state}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", help="a Python that has trafilatura")
    parser.add_argument("--each", action="store_true", help="print each page that is not held out")
    options = parser.parse_args()
    if options.each:
        for page in article_pages():
            if not page.held_out:
                print(page.name, *(f"{value:.3f}" for value in score(read(page), page)))
    lines = list(report(str(Path(options.peer).absolute()) if options.peer else None))
    print("\n".join(lines), flush=True)
    sys.exit(int(lines[-1].endswith(BROKEN)))


if __name__ == "__main__":
    main()
