"""Reads a bibliography in any format, and identifies the papers in it."""

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import Reference as Identifier
from sourcewright.base.identifiers import parse_reference
from sourcewright.base.text.phrases import shortened
from sourcewright.references.identifiers_in_text import identifier_of_url
from sourcewright.references.limits import MAX_BYTES, MAX_LINES, MAX_MESSAGE_TEXT
from sourcewright.references.model import ReadReference, Reference, UnreadableReference
from sourcewright.references.reader import detect_format, read_references, stated_format

_COMMENT = re.compile(r"(?:^|(?<=\s))#.*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifiedEntry:
    """An entry whose paper was identified."""

    entry: str
    """Its name in the bibliography: its key, its title, or its line."""
    reference: Identifier
    written: str | None = None
    """The identifier verbatim, if the bibliography is a plain list of identifiers."""
    title: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryProblem:
    """An entry that could not be parsed, or that has no identifier."""

    entry: str
    reason: str
    line: int | None = None


Results: TypeAlias = tuple[IdentifiedEntry | EntryProblem, ...]


def read_bibliography(text: bytes, *, name: str) -> Results:
    """Every entry of a bibliography: the identified paper, or the problem with the entry.

    The format follows from the file extension (`.bib`, `.json`, `.ris`), else from the content.

    Raises:
        InvalidInput: The file is too large, or is invalid in its format.
    """
    if len(text) > MAX_BYTES:
        raise InvalidInput(f"{name} is larger than {MAX_BYTES // 1024 // 1024} MB")
    try:
        return _read(_decode(text), name)
    except InvalidInput as error:
        raise InvalidInput(f"{name} could not be read: {error}") from error


def _decode(text: bytes) -> str:
    """The text as UTF-8, else as Latin-1: identifiers are ASCII in every legacy encoding."""
    if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return text.decode("utf-16", errors="replace")
    if b"\0" in text:
        raise InvalidInput("it is not a text file")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError:
        return text.decode("latin-1")


def _read(text: str, name: str) -> Results:
    format_name = stated_format(name, text) or detect_format(text)
    if format_name == "list":
        return _read_identifiers(text)
    references = read_references(text, format=format_name)
    return tuple(_identify(one, number) for number, one in enumerate(references, 1))


def _read_identifiers(text: str) -> Results:
    """One identifier per line; `#` begins a comment."""
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        raise InvalidInput(f"it has more than {MAX_LINES} lines")
    bare = ((number, _COMMENT.sub("", line).strip()) for number, line in enumerate(lines, 1))
    return tuple(_read_line(number, line) for number, line in bare if line)


def _read_line(number: int, line: str) -> IdentifiedEntry | EntryProblem:
    entry = shortened(line, MAX_MESSAGE_TEXT)
    try:
        return IdentifiedEntry(
            entry=entry, reference=parse_reference(line), written=line, line=number
        )
    except InvalidInput as error:
        return EntryProblem(entry=entry, reason=str(error), line=number)


def _identify(read: ReadReference, number: int) -> IdentifiedEntry | EntryProblem:
    """The paper by DOI, else arXiv id, else PubMed or PMC id; or why there is none."""
    nameless = f"entry {number}" if read.line is None else f"entry on line {read.line}"
    if isinstance(read, UnreadableReference):
        return EntryProblem(entry=read.key or nameless, reason=read.reason, line=read.line)
    entry = read.key or read.title or nameless
    problems: list[str] = []
    for written in _identifiers(read):
        try:
            return IdentifiedEntry(
                entry=entry, reference=parse_reference(written), title=read.title, line=read.line
            )
        except InvalidInput as error:
            problems.append(str(error))
    reason = problems[0] if problems else "it has no DOI, arXiv id, PubMed id or PMC id"
    return EntryProblem(entry=entry, reason=reason, line=read.line)


def _identifiers(reference: Reference) -> Iterator[str]:
    """The identifiers of a reference, the strongest first."""
    pmid = reference.pmid and f"pmid:{reference.pmid}"
    yield from filter(None, (reference.doi, reference.arxiv_id, pmid, reference.pmcid))
    # The field for the DOI may contain a short DOI, and the URL the DOI itself.
    if reference.url and identifier_of_url(reference.url):
        yield reference.url
