"""Main content of real pages, against trafilatura and readability over the same pages.

The pages and what is known of them stand beside the project and are no part of it. Quality is
the F1 of word multisets; what is scored of ours is the Markdown without its marks. The shipped
model was learned from all pages, so it is only timed, and each is read again with a model of the
same make that was learned from other sites alone. Rules and settings were chosen with the pages in sight, so that fresh
pages may score a little lower. Run alone, it prints a table by kind:
`python bench/extraction.py --peer .venv-bench/bin/python [--every 6]`.
"""

import argparse
import gc
import gzip
import json
import re
import subprocess
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any
from urllib.parse import urlsplit

from broken_pages import KINDS, broken
from sourcewright.reading.html.classifier import Model, parse_model
from sourcewright.reading.html.extraction import read_html
from sourcewright.reading.interstitials import classify_page
from sourcewright.reading.readings import Reading
from sourcewright.reading.worker.program import GC_THRESHOLDS

PAGES = Path(__file__).parents[2] / "shared" / "pages"
GOAL = 0.85
LOST = 0.2
"""The share of the text without which a page is partial."""
BROKEN_STEP = 4
"""One in so many of the whole pages is broken on purpose."""
PEERS = ("trafilatura", "favor_precision", "readability")
FOLDS = Path(__file__).with_name("folds")
"""Models that were each learned without some of the sites, and which pages those have."""
_IMAGE = re.compile(r"!\[(?:[^\]\\]|\\.)*\]\([^)]*\)")
_FIGURE = re.compile(
    rf"(?:{_IMAGE.pattern}[ \t]*\n[ \t>]*)+\*(?!\*)(?:[^*\\\n]|\\.)*\*$", re.MULTILINE
)
"""Images and their caption, which are not part of the known texts."""
_LINK = re.compile(r"\[((?:[^\[\]\\]|\\.)*)\]\([^)]*\)")
_MARKS = re.compile(r"[\\`*#>|~]|^\s*(?:[-+]|\d+\.)\s|^[\s|:-]+$", re.MULTILINE)
_WORD = re.compile(r"\w+")
_COUNTRY_HOST = re.compile(r"\.(?:co|com|org|net|ac|gov|edu)\.[a-z]{2}$")
_CHARSET = re.compile(rb"charset=[\"']?([\w-]+)")

Scores = dict[str, list[float]]
"""F1 of each page, by its kind."""


def plain(markdown: str) -> str:
    """Markdown without images and their captions, with links as their text, without marks."""
    unillustrated = _IMAGE.sub(" ", _FIGURE.sub(" ", markdown))
    return _MARKS.sub(" ", _LINK.sub(r"\1", unillustrated))


def f1(found: str, truth: str) -> float:
    ours, theirs = (Counter(_WORD.findall(text.lower())) for text in (found, truth))
    common = sum((ours & theirs).values())
    return 2 * common / ((ours.total() + theirs.total()) or 1)


def decoded(body: bytes) -> str:
    charset = _CHARSET.search(body[:3000])
    for name in ("utf-8", charset[1].decode() if charset else "cp1252"):
        try:
            return body.decode(name)
        except (UnicodeDecodeError, LookupError):
            continue
    return body.decode("utf-8", "replace")


def truths(step: int = 1) -> list[dict[str, Any]]:
    """What is known of the pages, or of every so manyth."""
    lines = (PAGES / "truth.jsonl").read_text(encoding="utf-8").strip().split("\n")
    return [json.loads(line) for line in lines[::step]]


def unseeing_models() -> dict[str, Model]:
    """For each page a model that has seen neither it nor its site."""
    found: dict[str, Model] = {}
    for path in FOLDS.glob("*.json"):
        text = path.read_bytes()
        found |= dict.fromkeys(json.loads(text)["pages"], parse_model(text))
    return found


def html_of(page: Mapping[str, Any]) -> str:
    return decoded(gzip.decompress((PAGES / "html" / f"{page['id']}.html.gz").read_bytes()))


def pace(pages: Sequence[Mapping[str, Any]]) -> float:
    """Seconds that the shipped model needs, as in the process that reads a server's documents."""
    gc.set_threshold(*GC_THRESHOLDS)
    read_html("<p>All is loaded before.</p>", url="")
    spent = 0.0
    for page in pages:
        html = html_of(page)
        start = time.process_time()
        read_html(html, url=page["url"] or "")
        spent += time.process_time() - start
    return spent


def ours(
    pages: Sequence[Mapping[str, Any]],
) -> Iterator[tuple[str, dict[str, bool | None], bool]]:
    """Plain text, which of the fields that are known were found, and whether it is partial."""
    models = unseeing_models()
    for page in pages:
        reading = read_html(html_of(page), url=page["url"] or "", model=models[page["id"]])
        metadata = {"title": reading.title, "author": reading.author, "date": reading.published}
        yield plain(reading.content), facts(page, metadata), is_partial(reading)


def is_partial(reading: Reading) -> bool:
    """Whether the page reader would call this partial."""
    is_short = classify_page(reading.content, markup_bytes=0) in ("empty", "shell")
    return is_short or reading.quality == "partial"


def is_lost(found: str, truth: str) -> bool:
    """Whether a fifth or more of the words are missing."""
    ours, theirs = (Counter(_WORD.findall(text.lower())) for text in (found, truth))
    return (ours & theirs).total() < (1 - LOST) * theirs.total()


def breakage(pages: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, bool, bool]]:
    """Broken pages, each kind in turn: the kind, whether a fifth is lost, whether it is partial."""
    models = unseeing_models()
    random = Random(7)  # noqa: S311 -- the same pages at every run
    for number, page in enumerate(pages):
        kind = KINDS[number % len(KINDS)]
        html = broken(kind, html_of(page), page["main_content"], random)
        if html is not None:
            reading = read_html(html, url=page["url"] or "", model=models[page["id"]])
            lost = is_lost(plain(reading.content), page["main_content"])
            yield kind, lost, is_partial(reading)


def _quality_line(name: str, labels: Sequence[tuple[bool, bool]]) -> str:
    """Precision and recall of both labels; each pair is whether text is lost, and partial."""
    counts = Counter(labels)
    parts = []
    for label, value in (("complete", False), ("partial", True)):
        right = counts[value, value]
        called = right + counts[not value, value]
        true = right + counts[value, not value]
        parts.append(f"{label} precision {right}/{called}, recall {right}/{true}")
    return f"quality, {name}: " + "; ".join(parts)


def facts(page: Mapping[str, Any], metadata: Mapping[str, str | None]) -> dict[str, bool | None]:
    """Which of title, author and date are right; None for one that is not known."""
    return {
        name: _same(name, metadata.get(name), page[name]) for name in ("title", "author", "date")
    }


def _same(name: str, found: str | None, truth: str | None) -> bool | None:
    if not truth:
        return None
    if name == "date":
        return (found or "")[:10] == truth[:10]
    first, second = ("".join(_WORD.findall((text or "").lower())) for text in (found, truth))
    return bool(first) and (first in second or second in first)


def theirs(
    peer: str, name: str, pages: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[float, str, dict[str, bool | None]]]:
    script = Path(__file__).with_name("extraction_peer.py")
    done = subprocess.run(
        [peer, str(script), str(PAGES), name, *(page["id"] for page in pages)],
        capture_output=True,
        check=True,
    )
    for page, line in zip(pages, done.stdout.splitlines(), strict=True):
        reply = json.loads(line)
        yield reply["seconds"], reply["text"], facts(page, reply)


def scored(pages: Sequence[Mapping[str, Any]], texts: Iterable[str]) -> Scores:
    scores: Scores = defaultdict(list)
    for page, text in zip(pages, texts, strict=True):
        value = f1(text, page["main_content"])
        scores[page["type"]].append(value)
        scores["all"].append(value)
    return scores


def report(peer: str, *, step: int = 1) -> Iterator[str]:
    """The lines of the table, or one that says why there is none."""
    if not PAGES.is_dir():
        yield f"extraction: skipped, there are no pages in {PAGES.name}/ beside the project"
        return
    pages = truths(step)
    kinds = [*sorted({page["type"] for page in pages}), "all"]
    yield f"{'extraction, F1':<18}" + "".join(f"{kind[:10]:>11}" for kind in kinds) + "   pages/s"
    spent = pace(pages)
    own = list(ours(pages))
    lines: list[str] = []
    yield _line("sourcewright", kinds, scored(pages, [text for text, _, _ in own]), spent)
    for name in PEERS:
        results = list(theirs(peer, name, pages))
        spent = sum(seconds for seconds, _, _ in results)
        yield _line(name, kinds, scored(pages, [text for _, text, _ in results]), spent)
        if name == "trafilatura":
            facts_of_ours = [one for _, one, _ in own]
            known = {"sourcewright": facts_of_ours, name: [one for _, _, one in results]}
            lines = [_facts_line(pages, who, fields) for who, fields in known.items()]
    yield from lines
    served = [
        (is_lost(text, page["main_content"]), partial)
        for page, (text, _, partial) in zip(pages, own, strict=True)
    ]
    yield _quality_line("pages as served", served)
    whole = [
        page for page, (lost, _) in zip(pages, served, strict=True) if not lost and page["url"]
    ]
    made = list(breakage(whole[::BROKEN_STEP]))
    for kind in KINDS:
        yield _quality_line(kind, [(lost, partial) for one, lost, partial in made if one == kind])
    yield _quality_line("all of them", [*served, *((lost, partial) for _, lost, partial in made)])
    yield f"goal over all kinds: {GOAL}"


def is_tuned_site(page: Mapping[str, Any]) -> bool:
    """Whether the rules for author and date were made with this page's site in sight."""
    host = (urlsplit(page["url"] or "").hostname or "").removeprefix("www.")
    size = 3 if _COUNTRY_HOST.search(host) else 2
    return zlib.crc32(".".join(host.split(".")[-size:]).encode()) % 2 == 0


def _facts_line(
    pages: Sequence[Mapping[str, Any]], who: str, fields: Sequence[Mapping[str, bool | None]]
) -> str:
    """Shares of right facts; in brackets, on the sites that the rules were not made with."""
    shares = []
    for name in ("title", "author", "date"):
        every = [one[name] for one in fields]
        other = [one for one, page in zip(every, pages, strict=True) if not is_tuned_site(page)]
        shares.append(f"{name} {_share(every)} ({_share(other)})")
    return f"right facts, {who}: " + ", ".join(shares)


def _line(name: str, kinds: Sequence[str], scores: Scores, seconds: float) -> str:
    speed = len(scores["all"]) / (seconds or 1)
    return (
        f"{name:<18}"
        + "".join(f"{fmean(scores[kind]):>11.3f}" for kind in kinds)
        + f"{speed:>10.1f}"
    )


def _share(values: Sequence[bool | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{fmean(known):.3f} of {len(known)}" if known else "unknown"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", required=True, help="a Python that has the peers")
    parser.add_argument("--every", type=int, default=1, help="count one page in so many")
    options = parser.parse_args()
    for line in report(str(Path(options.peer).absolute()), step=options.every):
        print(line, flush=True)


if __name__ == "__main__":
    main()
