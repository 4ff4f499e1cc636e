"""Which paper a PDF may be, according to itself: identifiers and titles to be looked up.

A candidate proves nothing: the file is compared with the record of each, like any other file.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from sourcewright.base.doi_prefix import DOI_PREFIX
from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import ArxivId, Doi, parse_doi, parse_reference
from sourcewright.reading.excerpts import Excerpt
from sourcewright.services.papers.file_check.identifiers import (
    ExpectedIdentifiers,
    find_identifiers,
)
from sourcewright.services.papers.file_check.pages import PageText, dois_in, prepare_pages

MAX_CANDIDATES = 5
"""A paper prints its own identifier before those of others; a list of references is not read."""
_TITLE_LINES = 25
_MIN_TITLE_LETTERS = 20
_MAX_TITLES = 3
_NO_TITLE = re.compile(
    DOI_PREFIX + r"|://|@|\d{4}\)|^\W*(?:vol|volume|issn|doi|arxiv|received|page)\b"
)
_NOTHING = ExpectedIdentifiers(frozenset(), frozenset(), None, frozenset())


class CandidateId(NamedTuple):
    """An identifier that may be the file's own, and where it is."""

    reference: Doi | ArxivId
    where: str


def candidate_ids(excerpt: Excerpt, file_name: str) -> tuple[CandidateId, ...]:
    """Return the identifiers to look up, the most likely first."""
    unique: dict[str, CandidateId] = {}
    for candidate in _ids(excerpt, prepare_pages(excerpt), file_name):
        unique.setdefault(str(candidate.reference), candidate)
    return tuple(unique.values())[:MAX_CANDIDATES]


def candidate_titles(excerpt: Excerpt) -> tuple[str, ...]:
    """Return what may be the title: that of the metadata, then headings of the first page."""
    lines = excerpt.pages[0].splitlines()[:_TITLE_LINES] if excerpt.pages else []
    texts = [" ".join(line.split()) for line in lines]
    headings = [at for at, text in enumerate(texts) if _is_heading(text)][:_MAX_TITLES]
    # A title may take two lines, and the words of both find it.
    pairs = [" ".join(texts[at : at + 2]) for at in headings]
    of_metadata = [excerpt.title] if excerpt.title and _is_heading(excerpt.title) else []
    return tuple(dict.fromkeys((*of_metadata, *pairs)))[:_MAX_TITLES]


def _ids(excerpt: Excerpt, pages: tuple[PageText, ...], file_name: str) -> Iterator[CandidateId]:
    own = find_identifiers(excerpt, pages, _NOTHING)
    # Without its version: the library keeps one entry, and says which version the file is.
    yield from (CandidateId(ArxivId(one.value), "arXiv's stamp") for one in own.stamps)
    if own.rival:
        yield CandidateId(Doi(own.rival.id), own.rival.where)
    for text in (excerpt.subject, excerpt.title, excerpt.keywords):
        yield from _parsed(dois_in(text or ""), "in the PDF metadata")
    for page in pages:
        yield from _parsed([doi for _, doi in page.dois], f"on page {page.number}")
    stem = file_name.removesuffix(".pdf")
    for text in (stem, stem.replace("_", "/", 1)):
        reference = _reference(text)
        if reference is not None:
            yield CandidateId(reference, "in the name of the file")


def _parsed(dois: list[str], where: str) -> Iterator[CandidateId]:
    for text in dois:
        try:
            yield CandidateId(parse_doi(text), where)
        except InvalidInput:
            continue


def _reference(text: str) -> Doi | ArxivId | None:
    try:
        reference = parse_reference(text)
    except InvalidInput:
        return None
    return reference if isinstance(reference, Doi | ArxivId) else None


def _is_heading(text: str) -> bool:
    letters = sum(letter.isalpha() for letter in text)
    is_prose = letters >= _MIN_TITLE_LETTERS and letters > 0.6 * len(text)
    return is_prose and not _NO_TITLE.search(text.casefold())
