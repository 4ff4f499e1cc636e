"""PDFs made from known Markdown by several producers, read by ours and by peers in the same run.

The documents are of our own writing, so that the truth is known by construction; a program makes
each PDF once, and dist/ keeps it. Producers and peers that are not installed are named and left
out. Ours is read through the process that reads a server's documents. Run alone, it also prints
the scores of each document, and `--show` what a reader makes of one:
`python bench/pdf_documents.py --peer .venv-bench/bin/python [--only tide] [--each] [--show]`.
"""

import argparse
import asyncio
import json
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import pypdfium2

from pdf_corpus import Sample, corpus
from pdf_scores import Scores, Share, scores
from sourcewright.base.errors import BadAnswer
from sourcewright.base.pages import FetchedDocument
from sourcewright.reading.documents import DocumentReader

OURS = "sourcewright"
PEERS = ("pdf-inspector", "edgeparse", "markitdown", "PDFium")
COLUMNS = ("text", "order", "cells", "headings", "mean", "items")
_MEAN = COLUMNS.index("mean")
_SECONDS = 900


class Answer(NamedTuple):
    """What a reader made of one PDF, and how long it took."""

    seconds: float
    text: str


async def _ours(samples: Sequence[Sample]) -> list[Answer]:
    reader = DocumentReader(processes=1)
    try:
        await _read(reader, samples[0])
        return [await _read(reader, sample) for sample in samples]
    finally:
        await reader.aclose()


async def _read(reader: DocumentReader, sample: Sample) -> Answer:
    visit = FetchedDocument(
        url="https://example.org/document.pdf",
        content_type="application/pdf",
        body=sample.path.read_bytes(),
        mode="source",
    )
    start = time.perf_counter()
    try:
        text = (await reader.read(visit)).content
    except BadAnswer as error:
        text = ""
        print(f"{OURS}: {sample.path.name}: {error}")
    return Answer(time.perf_counter() - start, text)


def _theirs(peer: str, name: str, samples: Sequence[Sample]) -> list[Answer]:
    script = Path(__file__).with_name("pdf_peer.py")
    done = subprocess.run(
        [peer, str(script), name, *(str(sample.path) for sample in samples)],
        stdout=subprocess.PIPE,
        check=True,
        timeout=_SECONDS,
    )
    return [Answer(**json.loads(line)) for line in done.stdout.splitlines()]


def answers(peer: str, samples: Sequence[Sample], notes: list[str]) -> dict[str, list[Answer]]:
    """What each reader made of the samples."""
    found = {OURS: asyncio.run(_ours(samples))}
    for name in PEERS:
        replies = _theirs(peer, name, samples)
        if replies:
            found[name] = replies
        else:
            notes.append(f"{name}: skipped, it is not in the peers' environment")
    return found


def summary(each: Sequence[Scores]) -> tuple[float, ...]:
    """Means of text and order, F1 over all cells and headings, their mean, and F1 over items."""
    values = (
        fmean(one.text for one in each),
        fmean(one.order for one in each),
        sum((one.cells for one in each), Share()).f1,
        sum((one.headings for one in each), Share()).f1,
    )
    items = sum((one.items for one in each), Share()).f1
    return (*values, fmean(values), items)


Scored = Mapping[str, Mapping[str, Sequence[Scores]]]
"""The scores of each document, by reader and producer."""


def scored(samples: Sequence[Sample], read: Mapping[str, Sequence[Answer]]) -> Scored:
    found: dict[str, dict[str, list[Scores]]] = {}
    for name, texts in read.items():
        found[name] = defaultdict(list)
        for sample, answer in zip(samples, texts, strict=True):
            found[name][sample.producer].append(scores(sample.source, answer.text))
    return found


def report(peer: str, *, only: str = "", each: bool = False) -> Iterator[str]:
    """The lines of the table."""
    notes: list[str] = []
    samples = [one for one in corpus(peer, notes) if only in one.path.name]
    if not samples:
        yield from [*notes, "PDF documents: skipped, none could be made"]
        return
    read = answers(peer, samples, notes)
    pages = sum(len(pypdfium2.PdfDocument(sample.path)) for sample in samples)
    found = scored(samples, read)
    yield from notes
    if each:
        yield from _each(samples, read)
    yield (
        f"{'PDF documents':<16}{'producer':<14}"
        + "".join(f"{name:>10}" for name in COLUMNS)
        + "   ms/page"
    )
    means: dict[str, float] = {}
    for name, by_producer in found.items():
        rows = {producer: summary(values) for producer, values in by_producer.items()}
        over_all = tuple(map(fmean, zip(*rows.values(), strict=True)))
        means[name] = over_all[_MEAN]
        yield from (_row(name, producer, row) for producer, row in rows.items())
        spent = 1000 * sum(answer.seconds for answer in read[name]) / pages
        yield _row(name, "mean", over_all) + f"{spent:>10.1f}"
    yield from _verdicts(means)


def _row(name: str, producer: str, values: Sequence[float]) -> str:
    return f"{name:<16}{producer:<14}" + "".join(f"{value:>10.3f}" for value in values)


def _each(samples: Sequence[Sample], read: Mapping[str, Sequence[Answer]]) -> Iterator[str]:
    for at, sample in enumerate(samples):
        for name, texts in read.items():
            values = summary([scores(sample.source, texts[at].text)])
            yield f"{sample.path.stem[:-13]:<44}" + _row(name, "", values)


def _verdicts(means: Mapping[str, float]) -> Iterator[str]:
    for name, value in means.items():
        if name != OURS:
            verdict = "PASS" if means[OURS] > value else "MISS"
            yield f"{'ours ahead of':<16}{name:<14}{means[OURS]:>10.3f}{value:>10.3f}  {verdict}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", required=True, help="a Python that has the peers")
    parser.add_argument("--only", default="", help="a part of the names of the PDFs to read")
    parser.add_argument("--each", action="store_true", help="print the scores of each document")
    parser.add_argument("--show", metavar="READER", help="print what one reader makes of them")
    options = parser.parse_args()
    peer = str(Path(options.peer).absolute())
    if options.show:
        samples = [one for one in corpus(peer, []) if options.only in one.path.name]
        replies = (
            asyncio.run(_ours(samples))
            if options.show == OURS
            else _theirs(peer, options.show, samples)
        )
        for sample, answer in zip(samples, replies, strict=True):
            print(f"==== {sample.path}\n{answer.text}\n")
        return
    for line in report(peer, only=options.only, each=options.each):
        print(line, flush=True)


if __name__ == "__main__":
    main()
