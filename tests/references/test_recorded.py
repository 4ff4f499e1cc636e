"""Real bibliographies of many programs are read: every entry, and every DOI in them."""

import json
import re

import pytest
from tests.material import SHARED

from sourcewright.references.bibliography import IdentifiedEntry, read_bibliography

UPSTREAM = SHARED / "upstream"
FILES = sorted(
    path
    for folder in ("biblio_bib", "biblio_csljson", "biblio_ris")
    for path in (UPSTREAM / folder).glob("*.*")
)
DOI = re.compile(r"10\.\d{4,9}/[^\s\"}]+")

pytestmark = pytest.mark.skipif(not FILES, reason="the recorded bibliographies are not here")


def entries_in(path):
    """How many entries a file has, counted without reading it."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".json":
        return len(json.loads(text))
    if path.suffix == ".ris":
        tags = re.findall(r"^\W?([A-Z][A-Z0-9]) {1,2}-", text, re.MULTILINE)
        begun = [
            tag for tag, before in zip(tags, ["ER", *tags], strict=False) if tag == "TY" != before
        ]
        return max(len(begun), tags.count("ER"))
    blocks = re.findall(r"^\s*@\s*(\w+)\s*[{(]", text, re.MULTILINE)
    no_entries = {"comment", "preamble", "string", "ieeetranbstctl"}
    return len([b for b in blocks if b.lower() not in no_entries])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_entry_of_a_recorded_bibliography_is_answered_for(path):
    results = read_bibliography(path.read_bytes(), name=path.name)

    assert len(results) == entries_in(path)
    assert all(one.entry for one in results)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_doi_of_a_recorded_bibliography_is_found(path):
    text = path.read_text(encoding="utf-8", errors="replace")

    results = read_bibliography(path.read_bytes(), name=path.name)

    found = {str(one.reference) for one in results if isinstance(one, IdentifiedEntry)}
    assert found >= {doi.lower().rstrip(",;") for doi in DOI.findall(text)}


@pytest.mark.parametrize(
    ("name", "entry", "paper"),
    [
        ("biblio_bib/manubot-bibliography-2.bib", "arxiv:1407.3561", "1407.3561"),
        ("biblio_ris/jabref-risimportertest9.ris", None, "10.1016/j.neuron.2016.10.006"),
        ("biblio_bib/papis-nber-w33843.bib", "NBERw33843", "10.3386/w33843"),
    ],
)
def test_a_recorded_entry_is_the_paper_that_it_names(name, entry, paper):
    path = UPSTREAM / name
    (result,) = read_bibliography(path.read_bytes(), name=path.name)

    assert str(result.reference) == paper
    assert entry in {None, result.entry}
