"""The identifier of a bibliography entry: the strongest that it carries."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType

from sourcewright.domain.errors import InvalidInput
from sourcewright.domain.identifiers import Reference, parse_reference

MAX_TEXT = 2048
"""Identifiers are shorter than this, and no note is searched beyond it."""
MAX_NOTED = 3
"""So many labels in one note are looked at; a note with more is a list of other papers."""

_RANKS: Mapping[str, int] = MappingProxyType({"doi": 0, "arxiv": 1, "pmid": 2, "pmcid": 3})
_NOTED = re.compile(r"(?:^|[\s(\[;,.])(arxiv|pmid|pmcid)\s?:\s?([^\s,;\])]{1,99})", re.IGNORECASE)
# A DOI in the middle of a note may be another paper's: an erratum, a reply.
_NOTED_DOI = re.compile(r"^\s{0,9}(doi)\s?[:=]\s?(\S{1,500})", re.IGNORECASE | re.MULTILINE)
_ADDRESS = re.compile(r"https?:|www\.|doi|10\.", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An entry that names its paper."""

    entry: str
    """What the bibliography calls it: its key, its id, or its line."""
    reference: Reference
    written: str | None = None
    """The reference word for word, where the bibliography is a list of nothing else."""
    title: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """An entry that could not be read, or that names no paper."""

    entry: str
    reason: str
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Clues:
    """What an entry says about which paper it is, whatever its format."""

    entry: str
    line: int | None = None
    title: str | None = None
    stated: tuple[str, ...] = ()
    """Identifiers from fields that are for identifiers, with a label where digits need one."""
    addresses: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def identified(clues: Clues) -> Found | Problem:
    """The paper by DOI before arXiv id before PubMed and PMC ids, or why there is none."""
    doubts: list[str] = []
    known = [*_stated(clues, doubts), *_implied(clues)]
    if known:
        best = min(known, key=lambda reference: _RANKS[reference.kind])
        return Found(entry=clues.entry, reference=best, title=clues.title, line=clues.line)
    reason = doubts[0] if doubts else "it has no DOI, arXiv id, PubMed id or PMC id"
    return Problem(entry=clues.entry, reason=reason, line=clues.line)


def _stated(clues: Clues, doubts: list[str]) -> Iterator[Reference]:
    for text in clues.stated:
        try:
            yield _parsed(text)
        except InvalidInput as error:
            doubts.append(str(error))


def _implied(clues: Clues) -> Iterator[Reference]:
    """What stands where anything may stand, so that finding nothing there is no doubt."""
    addresses = (text for text in clues.addresses if _ADDRESS.match(text))
    notes = (
        f"{noted[1]}:{noted[2]}"
        for text in clues.notes
        for pattern in (_NOTED_DOI, _NOTED)
        for noted in islice(pattern.finditer(text[:MAX_TEXT]), MAX_NOTED)
    )
    for text in (*addresses, *notes):
        try:
            yield _parsed(text)
        except InvalidInput:
            continue


def _parsed(text: str) -> Reference:
    if len(text) > MAX_TEXT:
        raise InvalidInput(f"its identifier is longer than {MAX_TEXT} characters")
    return parse_reference(text)
