"""Responses about the library: limits, entries, damage, and what both exports share."""

import math
from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import date, datetime, time
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import ArxivId, Doi, parse_reference
from sourcewright.base.text.phrases import count_phrase
from sourcewright.base.works import Notice
from sourcewright.domain.papers.library import PaperSummary, UnreadableEntries
from sourcewright.references.entries import Acquisition, Entry
from sourcewright.services.library.catalogue import Library
from sourcewright.services.library.export import LibraryLookup
from sourcewright.tools._answers.notices import IntegritySeen, integrity_report
from sourcewright.tools._base import Ask
from sourcewright.tools._failures.doiget import DoigetProblem, problem_of
from sourcewright.tools._results import OmittedIfNone

PDF_PROBLEM = "Why the PDF is not the file that was stored: missing or changed."
DEFAULT_LIMIT = 50
MAX_PAPERS = 200


class PaperListed(BaseModel):
    """A paper in the library."""

    safekey: str
    title: str
    year: int | None
    fetched_at: str | None
    doi: str | None
    authors: list[str]
    integrity: IntegritySeen
    pdf_problem: OmittedIfNone[str] = Field(default=None, description=PDF_PROBLEM)


class EntryDamaged(BaseModel):
    """An entry that could not be read."""

    safekey: str
    reason: str


class LibraryDamaged(BaseModel):
    """What could not be read in the library, and is missing here."""

    count: int = Field(description="How many entries could not be read.")
    entries: list[EntryDamaged] = Field(description="The first of them.")
    problem: str | None = Field(description="Problem of the library as a whole.")


def damaged(damage: UnreadableEntries) -> LibraryDamaged | None:
    """Convert damage to the response format; None if there is none."""
    if not damage:
        return None
    return LibraryDamaged(
        count=damage.count,
        entries=[EntryDamaged(safekey=key, reason=why) for key, why in damage.unreadable],
        problem=damage.problem,
    )


def damage_note(damage: UnreadableEntries) -> str | None:
    """Return the damage as a sentence; None if there is none."""
    if not damage:
        return None
    entries = f"{count_phrase(damage.count, 'record')} of the library could not be read"
    problems = [damage.problem] if damage.problem else []
    return (
        "; ".join([*problems, *([entries] if damage.count else [])])
        + "; they are missing in this answer"
    )


def clamped(limit: int | None) -> int:
    """Return the number of papers to list: 50 by default, at most 200."""
    return min(limit, MAX_PAPERS) if limit and limit > 0 else DEFAULT_LIMIT


def limit_note(limit: int | None, offset: int, more_than: int) -> str | None:
    """Return a sentence that a limit was too high; None if it made no difference."""
    end = offset + MAX_PAPERS
    if limit is None or limit <= MAX_PAPERS or more_than <= end:
        return None
    return f"limit: at most {MAX_PAPERS} papers are returned; continue with offset {end}"


def joined_notes(*notes: str | None) -> str | None:
    return "; ".join(filter(None, notes)) or None


def stored_reference(ref: str) -> Doi | ArxivId:
    """Parse a reference to a DOI or arXiv id, the ids that the library uses.

    Raises:
        InvalidInput: It is invalid, or a PubMed id, which would need a request to convert.
    """
    reference = parse_reference(ref)
    if isinstance(reference, Doi | ArxivId):
        return reference
    raise InvalidInput(
        f"{reference}: papers in the library are identified by DOI or arXiv id; doiget_resolve_paper and doiget_fetch_paper look up a PubMed id"
    )


def listed_fields(
    paper: PaperSummary, library: Library, pdf_problems: Mapping[str, str]
) -> dict[str, Any]:
    return {
        "safekey": paper.key,
        "title": paper.title,
        "year": paper.year,
        "fetched_at": paper.fetched_at,
        "doi": paper.doi,
        "authors": list(paper.authors),
        "integrity": integrity_report(library.integrity_of(paper)),
        "pdf_problem": pdf_problems.get(paper.key),
    }


def stored_fields(entry: Entry) -> dict[str, Any]:
    """Return the entry under the field names of its metadata file, without empty fields."""
    return {**_nonempty_fields(entry), "doiget": _nonempty_fields(entry.holding)}


_NOT_SHOWN = frozenset({"holding", "extras", "key", "pdf_modified"})


def _nonempty_fields(part: Entry | Acquisition) -> dict[str, Any]:
    names = [field.name for field in fields(part) if field.name not in _NOT_SHOWN]
    values = {name: getattr(part, name) for name in names}
    known = {name: value for name, value in values.items() if value not in (None, (), {}, False)}
    return {**_json_value(part.extras), **_json_value(known)}


def _json_value(value: Any) -> Any:
    """Convert a TOML value to JSON types: dates, times, infinity and NaN become strings."""
    if isinstance(value, Notice):
        return {name: text for name, text in asdict(value).items() if text}
    if isinstance(value, Mapping):
        return {str(name): _json_value(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(one) for one in value]
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


MAX_REFS = 200


class ExportArguments(Ask):
    """The papers to write."""

    refs: list[str] = Field(
        min_length=1,
        max_length=MAX_REFS,
    )
    key_template: str | None = Field(
        default=None,
        description="Such as {author}{year}; also {title_word}, {safekey}.",
    )


class ExportedPaper(BaseModel):
    """One paper."""

    model_config = ConfigDict(extra="forbid")

    ref: str = Field(description="The input, unchanged.")
    safekey: str | None


class RefFailed(BaseModel):
    """A reference that is invalid, or whose entry could not be read."""

    model_config = ConfigDict(extra="forbid")

    ref: str
    error: DoigetProblem


def failure_of(lookups: LibraryLookup) -> RefFailed | None:
    return RefFailed(ref=lookups.ref, error=problem_of(lookups.error)) if lookups.error else None
