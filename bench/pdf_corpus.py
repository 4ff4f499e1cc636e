"""The PDFs of the bench, each made once by each producer and kept in dist/, out of git."""

import hashlib
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pdf_markdown
from pdf_markdown import Layout, Source
from pdf_producers import chromium, latex, libreoffice, reportlab, typst

CACHE = Path(__file__).parents[1] / "dist" / "pdf-bench"


class Producer(NamedTuple):
    """A program that makes PDFs; each of its two questions is answered by a reason, or None."""

    name: str
    unavailable: Callable[[], str | None]
    unsettable: Callable[[Source], str | None]
    produce: Callable[[Source, Layout, Path], None]
    script: Path


class Sample(NamedTuple):
    """One PDF and what it was made from."""

    producer: str
    source: Source
    layout: Layout
    path: Path


def producers(peer: str) -> Iterator[Producer]:
    compiler = typst.Typst(peer)
    here = Path(__file__).with_name("pdf_producers")
    for name, unavailable, unsettable, produce in (
        (chromium.NAME, chromium.unavailable, _no_reason, chromium.produce),
        (libreoffice.NAME, libreoffice.unavailable, _no_reason, libreoffice.produce),
        (latex.NAME, latex.unavailable, latex.unsettable, latex.produce),
        (typst.NAME, compiler.unavailable, _no_reason, compiler.produce),
        (reportlab.NAME, _no_reason, reportlab.unsettable, reportlab.produce),
    ):
        script = here / f"{name.lower()}.py"
        yield Producer(name, unavailable, unsettable, produce, script)


def _no_reason(*_: Source) -> None:
    """Whatever is asked, there is nothing against it."""


def corpus(peer: str, notes: list[str]) -> list[Sample]:
    """Every document in every layout by every producer; what was left out goes to the notes."""
    CACHE.mkdir(parents=True, exist_ok=True)
    samples: list[Sample] = []
    for producer in producers(peer):
        reason = producer.unavailable()
        if reason is not None:
            notes.append(f"{producer.name}: skipped, {reason}")
            continue
        for source in pdf_markdown.sources():
            reason = producer.unsettable(source)
            if reason is not None:
                notes.append(f"{producer.name}: {source.name} skipped, {reason}")
                continue
            samples += _made(producer, source, notes)
    return samples


def _made(producer: Producer, source: Source, notes: list[str]) -> Iterator[Sample]:
    for layout in source.layouts:
        text = f"{source.text}{layout}".encode()
        digest = hashlib.sha256(producer.script.read_bytes() + text).hexdigest()[:12]
        name = f"{producer.name.lower()}-{source.name}-{'-'.join(map(str, layout))}"
        path = CACHE / f"{name}-{digest}.pdf"
        if not path.exists():
            for old in CACHE.glob(f"{name}-*.pdf"):
                old.unlink()
            unfinished = path.with_suffix(".part")
            try:
                producer.produce(source, layout, unfinished)
                unfinished.rename(path)
            except (subprocess.SubprocessError, OSError) as error:
                notes.append(f"{producer.name}: {name} could not be made, {error}")
                continue
        yield Sample(producer.name, source, layout, path)
