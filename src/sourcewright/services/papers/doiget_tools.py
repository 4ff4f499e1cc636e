"""Use cases of the `doiget_*` tools: fetch, dry run, and suppression of repeated calls.

The last error of a paper's fetch is remembered, so that an immediate repetition causes no
requests. A dry run uses no network, and writes no file and no provenance row.
"""

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import Denial, InvalidInput, ResearchError
from sourcewright.base.identifiers import ArxivId, Doi, Pmcid, Pmid, Reference, parse_reference
from sourcewright.base.urls.allowlists import OA_PUBLISHER_SOURCE
from sourcewright.domain.capabilities import (
    DeliversPapers,
    DescribesDois,
    FindsCopies,
    FindsPreprints,
)
from sourcewright.domain.codes import (
    Code,
    Disposition,
    RepeatedFailure,
    code_of,
    denial_of,
    disposition_of,
)
from sourcewright.domain.papers.file_names import store_key
from sourcewright.domain.ports import ProvenanceRecorder, ProvenanceRow
from sourcewright.services.inquiry import Inquiry
from sourcewright.services.papers.batches import Batch, BatchItem, paper_key
from sourcewright.services.papers.citation_graph import (
    CitationGraphBuilder,
    GraphLimits,
    ReferenceGraph,
)
from sourcewright.services.papers.fetch import FetchedPaper, Fetcher
from sourcewright.services.papers.identification import IdentifiedPaper, identify
from sourcewright.services.papers.resolution import Resolution
from sourcewright.services.providers import Sources

REPLAY_SECONDS = 600.0
WAIT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class _LastError:
    code: Code
    message: str
    at: float
    fingerprint: str
    denial: Denial | None
    disposition: Disposition


class RepeatedErrors:
    """The last errors of fetches in this process, by store key."""

    def __init__(self, clock: Clock, fingerprint: Callable[[], str]) -> None:
        self._clock = clock
        self._fingerprint = fingerprint
        """Hash of the configuration: a change may resolve the error, so it is forgotten."""
        self._errors: dict[str, _LastError] = {}

    def last(self, key: str) -> RepeatedFailure | None:
        """Return the error to repeat instead of fetching; None if a fetch is in order."""
        last_error = self._errors.get(key)
        if last_error is None or last_error.fingerprint != self._fingerprint():
            return None
        age = self._clock.monotonic() - last_error.at
        if last_error.disposition == "retry_after":
            seconds_left = WAIT_SECONDS - age
            return _rate_limited(last_error, seconds_left) if seconds_left > 0 else None
        if age >= REPLAY_SECONDS:
            return None
        return RepeatedFailure(
            last_error.message,
            code=last_error.code,
            denial=last_error.denial,
            disposition=last_error.disposition,
        )

    def note(self, key: str, error: ResearchError | None, message: str = "") -> None:
        """Remember an error; None is a success, which clears an earlier error."""
        self._sweep()
        if error is None:
            self._errors.pop(key, None)
            return
        before = self._errors.get(key) if self.last(key) else None
        now = self._clock.monotonic()
        # An error of the same kind keeps the time of the first: repetition must not prolong it.
        disposition = disposition_of(error)
        same = before is not None and before.disposition == disposition
        at = before.at if before is not None and same else now
        self._errors[key] = _LastError(
            code_of(error), message, at, self._fingerprint(), denial_of(error), disposition
        )

    def _sweep(self) -> None:
        oldest = self._clock.monotonic() - REPLAY_SECONDS
        self._errors = {key: end for key, end in self._errors.items() if end.at > oldest}


def _rate_limited(last_error: _LastError, seconds_left: float) -> RepeatedFailure:
    # Rounded up, because a caller that waits less is refused again.
    wait = math.ceil(seconds_left)
    message = f"the same request failed recently: {last_error.message}; try again in {wait} s"
    return RepeatedFailure(message, code="RATE_LIMITED", retry_after=wait)


ALLOWLISTS = ("crossref", "unpaywall", "arxiv", OA_PUBLISHER_SOURCE)
BUDGET: Mapping[str, float] = {"global_per_sec": 5.0, "per_source_min_gap_ms": 200}


@dataclass(frozen=True, slots=True, kw_only=True)
class DryRunPlanner:
    """Builds dry-run previews from the configuration."""

    sources: Sources
    store_root: Path
    open_hosts: tuple[str, ...]
    """Hosts from which open copies may be fetched, including those of the operator."""
    passing_hosts: tuple[str, ...]
    arxiv_hosts: tuple[str, ...]

    def preview(self, reference: Doi | ArxivId) -> dict[str, Any]:
        """Return the response envelope of a dry run, without `ok`."""
        return {
            "dry_run": True,
            "ref": {reference.kind: str(reference)},
            "plan": self._plan(reference),
            "rate_limit_budget": dict(BUDGET),
        }

    def _plan(self, reference: Doi | ArxivId) -> dict[str, Any]:
        key = store_key(reference)
        pdf_sources = self._pdf_sources(reference)
        return {
            "metadata_sources": self._metadata_sources(reference),
            "pdf_sources": pdf_sources,
            "redirect_allowlists_loaded": list(
                dict.fromkeys([*ALLOWLISTS, *(pdf_source["key"] for pdf_source in pdf_sources)])
            ),
            "candidate_hosts_are_upper_bound": True,
            "target_pdf_path": str(self.store_root / f"{key}.pdf"),
            "target_metadata_path": str(self.store_root / ".metadata" / f"{key}.toml"),
            "would_append_provenance": True,
        }

    def _metadata_sources(self, reference: Doi | ArxivId) -> list[str]:
        if isinstance(reference, ArxivId):
            return []
        usable = [
            name
            for kind in (DescribesDois, FindsCopies, FindsPreprints)
            for name in self.sources.having(kind, reference)
        ]
        first = [name for name in ("crossref", "unpaywall") if name in usable]
        return list(dict.fromkeys([*first, *sorted(usable)]))

    def _pdf_sources(self, reference: Doi | ArxivId) -> list[dict[str, Any]]:
        arxiv = _pdf_source("arxiv", self.arxiv_hosts)
        if isinstance(reference, ArxivId):
            return [arxiv]
        licensed = [
            _pdf_source(name, self.sources.hosts_of(name))
            for name in self.sources.having(DeliversPapers, reference)
        ]
        return [
            _pdf_source(OA_PUBLISHER_SOURCE, (*self.open_hosts, *self.passing_hosts)),
            arxiv,
            *licensed,
        ]


def _pdf_source(key: str, hosts: Sequence[str]) -> dict[str, Any]:
    return {"key": key, "candidate_hosts": list(hosts)}


MOST_REFS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperService:
    """Fetches and previews papers, and expands the citation graph."""

    fetcher: Fetcher
    planner: DryRunPlanner
    grapher: CitationGraphBuilder
    repeats: RepeatedErrors
    recorder: ProvenanceRecorder
    sources: Sources

    def preview(self, reference: Reference) -> dict[str, Any]:
        """Return what a fetch would do.

        Raises:
            InvalidInput: The id must be converted first, which needs requests; a dry run makes none.
        """
        if not isinstance(reference, Doi | ArxivId):
            message = f"{reference}: a dry run sends no requests, so it needs a DOI or an arXiv id"
            raise InvalidInput(message)
        return self.planner.preview(reference)

    def previews(self, refs: Sequence[str]) -> list[BatchItem[dict[str, Any]]]:
        return [self._preview_item(ref) for ref in refs]

    async def fetch(self, reference: Reference, *, force: bool = False) -> FetchedPaper:
        """Fetch a paper, unless a recent fetch failed and nothing can have changed.

        Raises:
            RepeatedFailure: The recent error still holds.
            ResearchError: As `Fetcher.fetch`.
        """
        identified = await self._identify(reference)
        fetched = await self._fetch(
            identified.reference, force=force, also=_pubmed_number(reference)
        )
        return _with_identification(identified, fetched)

    async def describe(self, reference: Reference) -> tuple[FetchedPaper, Resolution]:
        """Store only the record of a paper, never a PDF."""
        identified = await self._identify(reference)
        stored, resolution = await self.fetcher.describe(
            identified.reference, also=_pubmed_number(reference)
        )
        return _with_identification(identified, stored), resolution

    async def fetch_all(
        self, refs: Sequence[str], *, force: bool = False
    ) -> list[BatchItem[FetchedPaper]]:
        """Fetch all papers; an error affects only its own reference.

        A paper is fetched once, also if only PubMed's conversion shows that two ids are equal.
        """
        papers: dict[str, asyncio.Task[FetchedPaper]] = {}

        async def fetch(ref: str) -> FetchedPaper:
            reference = parse_reference(ref)
            identified = await self._identify(reference)
            key = str(identified.reference)
            if key not in papers:
                fetching = self._fetch(
                    identified.reference, force=force, also=_pubmed_number(reference)
                )
                papers[key] = asyncio.create_task(fetching)
            return _with_identification(identified, await papers[key])

        return await Batch(fetch, paper_key).run(refs)

    async def expand(self, doi: Doi, caps: GraphLimits) -> ReferenceGraph:
        return await self.grapher.expand(doi, caps)

    async def _fetch(
        self, paper: Doi | ArxivId, *, force: bool, also: Pmid | Pmcid | None
    ) -> FetchedPaper:
        key = store_key(paper)
        before = self.repeats.last(key)
        if before is not None and not force:
            raise before
        if before is not None:
            row = ProvenanceRow(
                event="repeat_forced",
                result="ok",
                capability="oa",
                ref=str(paper),
                error_code=before.code,
            )
            await self.recorder.record(row)
        try:
            fetched = await self.fetcher.fetch(paper, force=force, also=also)
        except ResearchError as error:
            self.repeats.note(key, error, str(error))
            raise
        block = fetched.pdf.block if fetched.pdf.status == "blocked" else None
        self.repeats.note(key, block, fetched.pdf.reason)
        return fetched

    def _preview_item(self, ref: str) -> BatchItem[dict[str, Any]]:
        try:
            return BatchItem(ref, result=self.preview(parse_reference(ref)))
        except InvalidInput as error:
            return BatchItem(ref, error=error)

    async def _identify(self, reference: Reference) -> IdentifiedPaper:
        if isinstance(reference, Pmid | Pmcid):
            existing = await self.fetcher.find(reference)
            if existing is not None and existing.doi:
                return IdentifiedPaper(reference=Doi(existing.doi))
        inquiry = Inquiry(reference, self.recorder, event="fetch")
        return await identify(reference, inquiry, self.sources)


def _pubmed_number(reference: Reference) -> Pmid | Pmcid | None:
    """Return the PubMed number, which the library stores as a further id."""
    return reference if isinstance(reference, Pmid | Pmcid) else None


def _with_identification(identified: IdentifiedPaper, fetched: FetchedPaper) -> FetchedPaper:
    """Prepend the attempts of the identification."""
    if not identified.attempts:
        return fetched
    return replace(fetched, attempts=(*identified.attempts, *(fetched.attempts or ())))
