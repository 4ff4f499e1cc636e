"""The identifier of a bibliography entry: the strongest one in it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

from sourcewright.domain.errors import InvalidInput
from sourcewright.domain.papers.identifiers import Reference, parse_reference

MAX_TEXT = 2048
"""Identifiers are shorter than this; the rest of a longer note is ignored."""
MAX_IDS_PER_NOTE = 3
"""Labelled identifiers examined per note; a note with more is a list of other papers."""

_PRECEDENCE: Mapping[str, int] = MappingProxyType({"doi": 0, "arxiv": 1, "pmid": 2, "pmcid": 3})
_LABELLED_ID = re.compile(
    r"(?:^|[\s(\[;,.])(arxiv|pmid|pmcid)\s?:\s?([^\s,;\])]{1,99})", re.IGNORECASE
)
# Only at the start of a line: elsewhere a DOI may be that of an erratum or a reply.
_LABELLED_DOI = re.compile(r"^\s{0,9}(doi)\s?[:=]\s?(\S{1,500})", re.IGNORECASE | re.MULTILINE)
_IDENTIFIER_URL = re.compile(r"https?:|www\.|doi|10\.", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifiedEntry:
    """An entry whose paper was identified."""

    entry: str
    """Its name in the bibliography: its key, its id, or its line."""
    reference: Reference
    written: str | None = None
    """The reference verbatim, if the bibliography is a plain list of references."""
    title: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryProblem:
    """An entry that could not be parsed, or that has no identifier."""

    entry: str
    reason: str
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryClues:
    """The fields of an entry that may identify its paper, whatever the format."""

    entry: str
    line: int | None = None
    title: str | None = None
    stated: tuple[str, ...] = ()
    """Identifiers from fields meant for them, with a label where digits alone are ambiguous."""
    addresses: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def identify_entry(clues: EntryClues) -> IdentifiedEntry | EntryProblem:
    """The paper by DOI, else arXiv id, else PubMed or PMC id; or why there is none."""
    problems: list[str] = []
    references = [*_stated(clues, problems), *_implied(clues)]
    if references:
        best = min(references, key=lambda reference: _PRECEDENCE[reference.kind])
        return IdentifiedEntry(
            entry=clues.entry, reference=best, title=clues.title, line=clues.line
        )
    reason = problems[0] if problems else "it has no DOI, arXiv id, PubMed id or PMC id"
    return EntryProblem(entry=clues.entry, reason=reason, line=clues.line)


def _stated(clues: EntryClues, problems: list[str]) -> Iterator[Reference]:
    for text in clues.stated:
        try:
            yield _parse(text)
        except InvalidInput as error:
            problems.append(str(error))


def _implied(clues: EntryClues) -> Iterator[Reference]:
    """Identifiers in URLs and notes, where other text is expected and is not an error."""
    addresses = (text for text in clues.addresses if _IDENTIFIER_URL.match(text))
    notes = (
        f"{match[1]}:{match[2]}"
        for text in clues.notes
        for pattern in (_LABELLED_DOI, _LABELLED_ID)
        for match in islice(pattern.finditer(text[:MAX_TEXT]), MAX_IDS_PER_NOTE)
    )
    for text in (*addresses, *notes):
        try:
            yield _parse(text)
        except InvalidInput:
            continue


def _parse(text: str) -> Reference:
    if len(text) > MAX_TEXT:
        raise InvalidInput(f"its identifier is longer than {MAX_TEXT} characters")
    return parse_reference(text)
