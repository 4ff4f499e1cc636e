"""Citation strings: how many fields are read right, per style; and how fast, against BibTeX.

The strings are those of `shared/trust` and `shared/csl` beside the checkout; without them nothing
is measured. A field counts where the string has it: some styles have no titles, noise breaks
words. Run alone: `python bench/citation_strings.py`.
"""

import gzip
import json
import re
import time
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sourcewright.references.model import Reference
from sourcewright.references.reader import read_references
from sourcewright.references.strings.reference import read_reference

SHARED = Path(__file__).parents[2] / "shared"
FIELDS = ("title", "first author", "year", "venue", "volume", "pages")
Truth = Mapping[str, Any]


def folded(value: object) -> str:
    plain = unicodedata.normalize("NFKD", str(value or "")).encode("ascii", "ignore").decode()
    return " ".join(re.findall(r"[a-z0-9]+", plain.casefold()))


def items(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(
        SHARED / "trust" / "items" / f"{name}.jsonl.gz", "rt", encoding="utf-8"
    ) as file:
        yield from map(json.loads, file)


def works_by_doi() -> dict[str, Truth]:
    works: dict[str, Truth] = {}
    with gzip.open(SHARED / "trust" / "works.jsonl.gz", "rt", encoding="utf-8") as file:
        for work in map(json.loads, file):
            if work.get("doi") and not work.get("trap"):
                works.setdefault(work["doi"].casefold(), work)
    return works


def samples() -> Iterator[tuple[str, str, Truth]]:
    """Style, string and true fields of every item whose truth is known."""
    works = works_by_doi()
    for item in items("crossref_styles"):
        if work := works.get((item.get("gold_doi") or "").casefold()):
            yield item["kind"], item["string"], work
    for name in ("hallmark", "citetracer"):
        for item in items(name):
            yield name, item["string"], item["fields"]
    for line in (SHARED / "csl" / "works.jsonl").read_text(encoding="utf-8").splitlines():
        work = json.loads(line)
        for style in ("apa", "mla"):
            yield f"csl {style}", work[style], csl_truth(work["item"])


def csl_truth(item: Truth) -> Truth:
    return {
        "title": item.get("title"),
        "authors": [name.get("family") or name.get("literal") for name in item.get("author", ())],
        "venue": item.get("container-title"),
        "year": (item.get("issued", {}).get("date-parts") or [[None]])[0][0],
        "volume": item.get("volume"),
        "pages": item.get("page"),
    }


def judged(reference: Reference, text: str, truth: Truth) -> Iterator[tuple[str, bool]]:
    """Each field that the string has, and whether it was read right."""
    whole = folded(text)
    for name in ("title", "venue"):
        if truth.get(name) and folded(truth[name]) in whole:
            yield name, folded(getattr(reference, name)) == folded(truth[name])
    if truth.get("authors"):
        first, true = reference.authors[:1], folded(truth["authors"][0])
        family = folded(first[0].family or first[0].name) if first else ""
        yield "first author", bool(family) and (family in true or true in family)
    for name in ("year", "volume"):
        value = str(truth.get(name) or "")
        if value and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text):
            yield name, folded(getattr(reference, name)) == folded(value)
    page = folded(truth.get("pages")).split(" ")[0]
    if page and re.search(rf"(?<!\w){re.escape(page)}(?!\w)", text, re.IGNORECASE):
        yield "pages", folded(reference.pages).split(" ")[0] == page


def rows() -> Iterator[str]:
    """The table of shares, and the time per string as a ratio to that of a BibTeX entry."""
    if not (SHARED / "trust").is_dir():
        yield "citation strings: the development items are not here"
        return
    shares: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    strings: list[str] = []
    for style, text, truth in samples():
        strings.append(text)
        for name, is_right in judged(read_reference(text), text, truth):
            shares[style][name].append(is_right)
    yield f"{'citation strings: share read right':<40}" + "".join(f"{n:>13}" for n in FIELDS)
    for style, fields in sorted(shares.items()):
        cells = (fields.get(name) for name in FIELDS)
        yield f"{style:<40}" + "".join(
            f"{sum(cell) / len(cell):>13.3f}" if cell else f"{'-':>13}" for cell in cells
        )
    yield speed(strings)


def speed(strings: list[str]) -> str:
    entries = [item["bibtex"] for item in items("hallmark")]
    start = time.process_time()
    for text in strings:
        read_reference(text)
    middle = time.process_time()
    read_references("\n".join(entries), format="bibtex")
    ours, theirs = (
        (middle - start) / len(strings),
        (time.process_time() - middle) / len(entries),
    )
    return f"one string {ours * 1e3:.2f} ms, one BibTeX entry {theirs * 1e3:.2f} ms, ratio {ours / theirs:.2f}"


if __name__ == "__main__":
    for row in rows():
        print(row)
