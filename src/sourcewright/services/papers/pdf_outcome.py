"""Outcome of fetching a paper's PDF: where it is from, or why there is none."""

from dataclasses import dataclass
from typing import Literal

from sourcewright.base.errors import NotConfigured, NotFound, ResearchError
from sourcewright.domain.papers.first_pages import NOT_CONFIRMED, UNCONFIRMED
from sourcewright.services.papers.copies import COPY_SOURCES
from sourcewright.services.papers.locations import FileSearch, FoundFile
from sourcewright.services.papers.resolution import Resolution, decisive_error

PdfStatus = Literal[
    "fetched",
    "no_oa_url",
    "blocked",
    "lookup_failed",
    "preprint_fallback",
    "preprint_doi_fallback",
    "tdm_fetched",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfOutcome:
    """Whether a PDF was fetched, and if not, why not."""

    status: PdfStatus
    reason: str
    file: FoundFile | None = None
    block: ResearchError | None = None
    """Why the published copy could not be fetched, also if another copy was; or why a source
    could not be queried for one."""


def outcome_of(resolution: Resolution, search: FileSearch, file: FoundFile | None) -> PdfOutcome:
    """Return where the file is from, or why there is none."""
    if file is not None:
        warning = f"; {NOT_CONFIRMED}" if file.check.status == UNCONFIRMED else ""
        reason = f"from {file.preprint or file.file.url}{warning}"
        return PdfOutcome(status=file.route, reason=reason, file=file, block=search.block)
    if search.block is not None:
        reason = f"a copy is known, but could not be fetched: {search.block}"
        return PdfOutcome(status="blocked", reason=reason, block=search.block)
    silent = tuple(dict.fromkeys([*_failed_finders(resolution), *search.skipped]))
    if silent or search.unset:
        return _undecided(resolution, search, silent)
    return PdfOutcome(status="no_oa_url", reason="no open copy is known")


def _undecided(resolution: Resolution, search: FileSearch, silent: tuple[str, ...]) -> PdfOutcome:
    """No source that responded knows a copy, and one that might could not be queried."""
    failed = [f"could not query {', '.join(silent)} for a copy"] if silent else []
    unset = [f"{one.name} was not queried for a copy; {one.remedy}" for one in search.unset]
    reason = "; ".join([*failed, *unset])
    errors = [
        attempt.error
        for attempt in (*resolution.attempts, *search.attempts)
        if attempt.source in silent and attempt.error and not isinstance(attempt.error, NotFound)
    ]
    block = decisive_error(errors) if errors else NotConfigured(reason)
    return PdfOutcome(status="lookup_failed", reason=reason, block=block)


def _failed_finders(resolution: Resolution) -> list[str]:
    """Return sources that failed during resolution and whose record might have named a copy."""
    return [
        attempt.source
        for attempt in resolution.attempts
        if attempt.source in COPY_SOURCES
        and attempt.source != resolution.work.source
        and attempt.error
        and not isinstance(attempt.error, NotFound)
    ]
