"""Reads BibTeX and biblatex, continuing after a broken entry."""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence

from bibtexparser import model
from bibtexparser.splitter import Splitter

from sourcewright.domain.errors import InvalidInput
from sourcewright.logic.references.entry_identifiers import (
    EntryClues,
    EntryProblem,
    IdentifiedEntry,
    identify_entry,
)
from sourcewright.logic.references.latex import from_latex, identifier_from_latex

MAX_ENTRIES = 50_000
MAX_STRING = 200
"""`@string` abbreviations may contain each other, so that a short file could expand without limit."""

MAX_VALUE = 20_000
"""The rest of a longer field is ignored; no title or URL is as long."""

_BLOCK = re.compile(r"@\s{0,9}\w{1,40}\s{0,9}[{(]")
_OPENING = re.compile(r"@\s{0,9}\w{1,40}\s{0,9}[{(]\s{0,9}([^\s,{}()=]{1,200})")
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
    if sum(1 for _ in _BLOCK.finditer(text)) > MAX_ENTRIES:
        raise InvalidInput(f"it has more than {MAX_ENTRIES} entries")
    strings: dict[str, str] = {}
    results: list[IdentifiedEntry | EntryProblem] = []
    for block in _blocks(text):
        # A duplicate entry is still available here, and may name another paper.
        entry = block.ignore_error_block if isinstance(block, model.ParsingFailedBlock) else block
        if isinstance(entry, model.String):
            _define_string(strings, entry)
        elif isinstance(entry, model.Entry):
            results.append(identify_entry(_clues(entry, strings)))
        elif isinstance(block, model.ParsingFailedBlock):
            results.append(_problem_of(block))
    return tuple(results)


def _blocks(text: str) -> Sequence[model.Block]:
    # Its log repeats, over several lines, the errors that are reported as problems.
    logging.getLogger(Splitter.__module__).disabled = True
    return Splitter(text).split().blocks


def _define_string(strings: dict[str, str], string: model.String) -> None:
    value = _value(string.value, strings)
    if len(value) <= MAX_STRING:
        strings[string.key.strip().casefold()] = value


def _problem_of(block: model.ParsingFailedBlock) -> EntryProblem:
    line = None if block.start_line is None else block.start_line + 1
    opening = _OPENING.match(block.raw or "")
    reason = " ".join(str(getattr(block.error, "abort_reason", block.error)).split())
    return EntryProblem(
        entry=opening[1] if opening else f"entry on line {line}",
        reason=f"it is not well-formed BibTeX: {reason[:1].lower()}{reason[1:200].rstrip('. ')}",
        line=line,
    )


def _clues(entry: model.Entry, strings: Mapping[str, str]) -> EntryClues:
    fields = _fields(entry, strings)
    line = None if entry.start_line is None else entry.start_line + 1
    title = from_latex(fields.get("title", ""))
    return EntryClues(
        entry=entry.key.strip() or title or f"entry on line {line}",
        line=line,
        title=title or None,
        stated=tuple(map(identifier_from_latex, _identifiers(fields))),
        addresses=tuple(
            identifier_from_latex(fields[name]) for name in _URL_FIELDS if name in fields
        ),
        notes=tuple(map(from_latex, _note_texts(fields))),
    )


def _fields(entry: model.Entry, strings: Mapping[str, str]) -> dict[str, str]:
    """The relevant fields; of duplicates, the first."""
    fields: dict[str, str] = {}
    for field in entry.fields:
        name = field.key.casefold()
        if name in _RELEVANT_FIELDS and name not in fields:
            fields[name] = _value(str(field.value), strings)[:MAX_VALUE]
    return {name: value for name, value in fields.items() if value}


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


def _value(raw: str, strings: Mapping[str, str]) -> str:
    """A field's text: without braces and quotes, abbreviations expanded, pieces joined."""
    pieces = (_piece(piece.strip(), strings) for piece in _pieces(raw.strip()))
    return "".join(pieces).strip()


def _pieces(raw: str) -> Iterator[str]:
    """The text split at each `#` outside braces and quotes."""
    depth, in_quotes, start = 0, False, 0
    for index, character in enumerate(raw if "#" in raw else ""):
        if character in "{}":
            depth += 1 if character == "{" else -1
        elif character == '"' and not depth:
            in_quotes = not in_quotes
        elif character == "#" and not depth and not in_quotes:
            yield raw[start:index]
            start = index + 1
    yield raw[start:]


def _piece(piece: str, strings: Mapping[str, str]) -> str:
    if len(piece) > 1 and piece[0] + piece[-1] in ("{}", '""'):
        return piece[1:-1]
    return strings.get(piece.casefold(), piece)
