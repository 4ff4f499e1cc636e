"""Identifies the papers of a BibTeX file by the fields of its entries."""

import re
from collections.abc import Iterator, Mapping

from sourcewright.logic.references.bibtex_entries import (
    BibtexEntry,
    BrokenBibtex,
    bibtex_entries,
)
from sourcewright.logic.references.entry_identifiers import (
    EntryClues,
    EntryProblem,
    IdentifiedEntry,
    identify_entry,
)
from sourcewright.logic.references.latex import from_latex, identifier_from_latex

_URL_FIELDS = ("url", "ee", "link", "howpublished", "bdsk-url-1")
_NOTE_FIELDS = ("note", "annote", "addendum", "journal", "journaltitle", "howpublished", "number")
_ARXIV_FIELDS = ("arxivid", "arxiv")
_PUBMED_ARCHIVES = ("pubmed", "pmid", "medline")
_RELEVANT_FIELDS = frozenset(
    {
        *("title", "doi", "eprint", "archiveprefix", "eprinttype", "volume"),
        *("pmid", "pmcid", "pmc", *_ARXIV_FIELDS, *_URL_FIELDS, *_NOTE_FIELDS),
    }
)
_ABSTRACT_PAGE = re.compile(r"abs/(\S{1,40})")


def read_bibtex(text: str) -> tuple[IdentifiedEntry | EntryProblem, ...]:
    """One result for each entry, in order; comments and preambles are skipped.

    Raises:
        InvalidInput: It has too many entries.
    """
    return tuple(
        _problem_of(entry) if isinstance(entry, BrokenBibtex) else identify_entry(_clues(entry))
        for entry in bibtex_entries(text, _RELEVANT_FIELDS)
    )


def _problem_of(broken: BrokenBibtex) -> EntryProblem:
    return EntryProblem(
        entry=broken.key or f"entry on line {broken.line}", reason=broken.reason, line=broken.line
    )


def _clues(entry: BibtexEntry) -> EntryClues:
    fields, line = entry.fields, entry.line
    title = from_latex(fields.get("title", ""))
    return EntryClues(
        entry=entry.key or title or f"entry on line {line}",
        line=line,
        title=title or None,
        stated=tuple(map(identifier_from_latex, _identifiers(fields))),
        addresses=tuple(
            identifier_from_latex(fields[name]) for name in _URL_FIELDS if name in fields
        ),
        notes=tuple(map(from_latex, _note_texts(fields))),
    )


def _identifiers(fields: Mapping[str, str]) -> Iterator[str]:
    """Identifiers from the fields that are meant for them."""
    archive = _archive(fields)
    if "doi" in fields:
        yield fields["doi"]
    if archive == "arxiv" and "eprint" in fields:
        yield fields["eprint"]
    yield from (fields[name] for name in _ARXIV_FIELDS if name in fields)
    yield from (_labelled("pmid:", fields[name]) for name in ("pmid",) if name in fields)
    if archive in _PUBMED_ARCHIVES and "eprint" in fields:
        yield _labelled("pmid:", fields["eprint"])
    yield from (_labelled("PMC", fields[name]) for name in ("pmcid", "pmc") if name in fields)


def _note_texts(fields: Mapping[str, str]) -> Iterator[str]:
    """Texts that may contain an identifier."""
    yield from (fields[name] for name in _NOTE_FIELDS if name in fields)
    if "eprint" in fields and not _archive(fields):
        yield f"arXiv:{fields['eprint']}"
    # DBLP writes arXiv papers as journal CoRR, volume abs/1706.03762.
    if page := _ABSTRACT_PAGE.fullmatch(fields.get("volume", "")):
        yield f"arXiv:{page[1]}"


def _archive(fields: Mapping[str, str]) -> str:
    return (fields.get("archiveprefix") or fields.get("eprinttype") or "").casefold()


def _labelled(label: str, value: str) -> str:
    return label + value if value.isdecimal() else value
