"""Reads BibTeX and biblatex, continuing after a broken entry."""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence

from bibtexparser import model
from bibtexparser.splitter import Splitter

from sourcewright.domain.errors import InvalidInput
from sourcewright.logic.references.entry_identifiers import Clues, Found, Problem, identified
from sourcewright.logic.references.latex import address_in, from_latex

MAX_ENTRIES = 50_000
MAX_STRING = 200
"""Abbreviations may be made of each other, so that a short file could hold an endless one."""

MAX_VALUE = 20_000
"""More of a field is not looked at; no title or address is as long."""

_BLOCK = re.compile(r"@\s{0,9}\w{1,40}\s{0,9}[{(]")
_OPENING = re.compile(r"@\s{0,9}\w{1,40}\s{0,9}[{(]\s{0,9}([^\s,{}()=]{1,200})")
_ADDRESSES = ("url", "ee", "link", "howpublished", "bdsk-url-1")
_NOTES = ("note", "annote", "addendum", "journal", "journaltitle", "howpublished", "number")
_ARXIV = ("arxivid", "arxiv")
_PUBMED = ("pubmed", "pmid", "medline")
_WANTED = frozenset(
    {
        *("title", "doi", "eprint", "archiveprefix", "eprinttype", "volume"),
        *("pmid", "pmcid", "pmc", *_ARXIV, *_ADDRESSES, *_NOTES),
    }
)
_ABSTRACT_PAGE = re.compile(r"abs/(\S{1,40})")


def read_bibtex(text: str) -> tuple[Found | Problem, ...]:
    """One result for each entry, in order; comments and preambles are none.

    Raises:
        InvalidInput: It has more entries than any bibliography.
    """
    if sum(1 for _ in _BLOCK.finditer(text)) > MAX_ENTRIES:
        raise InvalidInput(f"it has more than {MAX_ENTRIES} entries")
    strings: dict[str, str] = {}
    results: list[Found | Problem] = []
    for block in _blocks(text):
        # What was written twice is still there, and may name another paper.
        entry = block.ignore_error_block if isinstance(block, model.ParsingFailedBlock) else block
        if isinstance(entry, model.String):
            _define(strings, entry)
        elif isinstance(entry, model.Entry):
            results.append(identified(_clues(entry, strings)))
        elif isinstance(block, model.ParsingFailedBlock):
            results.append(_broken(block))
    return tuple(results)


def _blocks(text: str) -> Sequence[model.Block]:
    # Its log repeats, over several lines, what the broken blocks say and we tell once.
    logging.getLogger(Splitter.__module__).disabled = True
    return Splitter(text).split().blocks


def _define(strings: dict[str, str], string: model.String) -> None:
    value = _value(string.value, strings)
    if len(value) <= MAX_STRING:
        strings[string.key.strip().casefold()] = value


def _broken(block: model.ParsingFailedBlock) -> Problem:
    line = None if block.start_line is None else block.start_line + 1
    named = _OPENING.match(block.raw or "")
    reason = " ".join(str(getattr(block.error, "abort_reason", block.error)).split())
    return Problem(
        entry=named[1] if named else f"entry in line {line}",
        reason=f"it is not well-formed BibTeX: {reason[:1].lower()}{reason[1:200].rstrip('. ')}",
        line=line,
    )


def _clues(entry: model.Entry, strings: Mapping[str, str]) -> Clues:
    fields = _fields(entry, strings)
    line = None if entry.start_line is None else entry.start_line + 1
    title = from_latex(fields.get("title", ""))
    return Clues(
        entry=entry.key.strip() or title or f"entry in line {line}",
        line=line,
        title=title or None,
        stated=tuple(map(address_in, _stated(fields))),
        addresses=tuple(address_in(fields[name]) for name in _ADDRESSES if name in fields),
        notes=tuple(map(from_latex, _noted(fields))),
    )


def _fields(entry: model.Entry, strings: Mapping[str, str]) -> dict[str, str]:
    """The fields that matter here, each as it stands first."""
    fields: dict[str, str] = {}
    for field in entry.fields:
        name = field.key.casefold()
        if name in _WANTED and name not in fields:
            fields[name] = _value(str(field.value), strings)[:MAX_VALUE]
    return {name: value for name, value in fields.items() if value}


def _stated(fields: Mapping[str, str]) -> Iterator[str]:
    archive = _archive(fields)
    if "doi" in fields:
        yield fields["doi"]
    if archive == "arxiv" and "eprint" in fields:
        yield fields["eprint"]
    yield from (fields[name] for name in _ARXIV if name in fields)
    yield from (_labelled("pmid:", fields[name]) for name in ("pmid",) if name in fields)
    if archive in _PUBMED and "eprint" in fields:
        yield _labelled("pmid:", fields["eprint"])
    yield from (_labelled("PMC", fields[name]) for name in ("pmcid", "pmc") if name in fields)


def _noted(fields: Mapping[str, str]) -> Iterator[str]:
    yield from (fields[name] for name in _NOTES if name in fields)
    if "eprint" in fields and not _archive(fields):
        yield f"arXiv:{fields['eprint']}"
    # As one index writes them: journal CoRR, volume abs/1706.03762.
    if page := _ABSTRACT_PAGE.fullmatch(fields.get("volume", "")):
        yield f"arXiv:{page[1]}"


def _archive(fields: Mapping[str, str]) -> str:
    return (fields.get("archiveprefix") or fields.get("eprinttype") or "").casefold()


def _labelled(label: str, value: str) -> str:
    return label + value if value.isdecimal() else value


def _value(raw: str, strings: Mapping[str, str]) -> str:
    """A field's text: braces and quotes taken off, abbreviations spelled out, pieces joined."""
    pieces = (_piece(piece.strip(), strings) for piece in _pieces(raw.strip()))
    return "".join(pieces).strip()


def _pieces(raw: str) -> Iterator[str]:
    """Apart at each `#` that is neither in braces nor in quotes."""
    depth, quoted, start = 0, False, 0
    for place, character in enumerate(raw if "#" in raw else ""):
        if character in "{}":
            depth += 1 if character == "{" else -1
        elif character == '"' and not depth:
            quoted = not quoted
        elif character == "#" and not depth and not quoted:
            yield raw[start:place]
            start = place + 1
    yield raw[start:]


def _piece(piece: str, strings: Mapping[str, str]) -> str:
    if len(piece) > 1 and piece[0] + piece[-1] in ("{}", '""'):
        return piece[1:-1]
    return strings.get(piece.casefold(), piece)
