"""The use cases of the `doiget_*` tools, with dry runs and repeated calls.

Remembers how a paper's last fetch ended, so that asking again at once costs nobody anything.
What a fetch would do, said without doing any of it: no network, no file, no row.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sourcewright.domain.capabilities import (
    DeliversPapers,
    DescribesDois,
    FindsCopies,
    FindsPreprints,
)
from sourcewright.domain.codes import DISPOSITIONS, Code, Disposition, Repeated, code_of, denial_of
from sourcewright.domain.errors import Denial, InvalidInput, ResearchError
from sourcewright.domain.identifiers import ArxivId, Doi, Pmcid, Pmid, Reference, parse_reference
from sourcewright.domain.ports import Clock, Recorder, Row
from sourcewright.logic.papers.file_names import store_key
from sourcewright.services.inquiry import Inquiry
from sourcewright.services.papers.batches import Batch, Done, same_paper
from sourcewright.services.papers.citation_graph import Caps, Graph, Grapher
from sourcewright.services.papers.fetch import Fetched, Fetcher
from sourcewright.services.papers.identification import Identified, identify
from sourcewright.services.papers.resolution import Resolution
from sourcewright.services.providers import Sources

REPLAYED_SECONDS = 600.0
WAIT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class _Ending:
    code: Code
    message: str
    at: float
    fingerprint: str
    denial: Denial | None

    @property
    def disposition(self) -> Disposition:
        return DISPOSITIONS[self.code]


class Repeats:
    """The endings of this process's fetches, by store key."""

    def __init__(self, clock: Clock, fingerprint: Callable[[], str]) -> None:
        self._clock = clock
        self._fingerprint = fingerprint
        """Changes when the configuration does, which may lift what was missing."""
        self._endings: dict[str, _Ending] = {}

    def last(self, key: str) -> Repeated | None:
        """What to say instead of asking; None when asking is in order."""
        ending = self._endings.get(key)
        if ending is None or ending.fingerprint != self._fingerprint():
            return None
        age = self._clock.monotonic() - ending.at
        if ending.disposition == "retry_after":
            left = WAIT_SECONDS - age
            return _wait(ending, left) if left > 0 else None
        if age >= REPLAYED_SECONDS:
            return None
        return Repeated(ending.message, code=ending.code, denial=ending.denial)

    def note(
        self, key: str, code: Code | None, message: str = "", denial: Denial | None = None
    ) -> None:
        """Remember an ending; None is a clean success, which clears what was before."""
        self._sweep()
        if code is None:
            self._endings.pop(key, None)
            return
        before = self._endings.get(key) if self.last(key) else None
        now = self._clock.monotonic()
        # The first of its kind sets the time while it holds: asking again must not prolong it.
        same = before is not None and before.disposition == DISPOSITIONS[code]
        at = before.at if before is not None and same else now
        self._endings[key] = _Ending(code, message, at, self._fingerprint(), denial)

    def _sweep(self) -> None:
        oldest = self._clock.monotonic() - REPLAYED_SECONDS
        self._endings = {key: end for key, end in self._endings.items() if end.at > oldest}


def _wait(ending: _Ending, left: float) -> Repeated:
    message = f"asked a moment ago, and told: {ending.message}; try again in {left:.0f} s"
    return Repeated(message, code="RATE_LIMITED", retry_after=left)


ALLOWLISTS = ("crossref", "unpaywall", "arxiv", "oa-publisher")
BUDGET: Mapping[str, float] = {"global_per_sec": 5.0, "per_source_min_gap_ms": 200}


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """Builds previews from what is configured."""

    sources: Sources
    store_root: Path
    open_hosts: tuple[str, ...]
    """Where open copies may be fetched from, the operator's own hosts included."""
    passing_hosts: tuple[str, ...]
    arxiv_hosts: tuple[str, ...]

    def preview(self, reference: Doi | ArxivId) -> dict[str, Any]:
        """The envelope of a dry run, without its `ok`."""
        return {
            "dry_run": True,
            "ref": {reference.kind: str(reference)},
            "plan": self._plan(reference),
            "rate_limit_budget": dict(BUDGET),
        }

    def _plan(self, reference: Doi | ArxivId) -> dict[str, Any]:
        key = store_key(reference)
        places = self._places(reference)
        return {
            "metadata_sources": self._metadata_sources(reference),
            "pdf_sources": places,
            "redirect_allowlists_loaded": list(
                dict.fromkeys([*ALLOWLISTS, *(place["key"] for place in places)])
            ),
            "candidate_hosts_are_upper_bound": True,
            "target_pdf_path": str(self.store_root / f"{key}.pdf"),
            "target_metadata_path": str(self.store_root / ".metadata" / f"{key}.toml"),
            "would_append_provenance": True,
        }

    def _metadata_sources(self, reference: Doi | ArxivId) -> list[str]:
        if isinstance(reference, ArxivId):
            return []
        able = [
            name
            for kind in (DescribesDois, FindsCopies, FindsPreprints)
            for name in self.sources.able(kind, reference)
        ]
        first = [name for name in ("crossref", "unpaywall") if name in able]
        return list(dict.fromkeys([*first, *sorted(able)]))

    def _places(self, reference: Doi | ArxivId) -> list[dict[str, Any]]:
        arxiv = _place("arxiv", self.arxiv_hosts)
        if isinstance(reference, ArxivId):
            return [arxiv]
        licensed = [
            _place(name, self.sources.hosts_of(name))
            for name in self.sources.able(DeliversPapers, reference)
        ]
        return [_place("oa-publisher", (*self.open_hosts, *self.passing_hosts)), arxiv, *licensed]


def _place(key: str, hosts: Sequence[str]) -> dict[str, Any]:
    return {"key": key, "candidate_hosts": list(hosts)}


MOST_REFS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Papers:
    """Fetching, previewing and expanding."""

    fetcher: Fetcher
    planner: Planner
    grapher: Grapher
    repeats: Repeats
    recorder: Recorder
    sources: Sources

    def preview(self, reference: Reference) -> dict[str, Any]:
        """What a fetch would do.

        Raises:
            InvalidInput: The id would first have to be looked up, which a dry run must not do.
        """
        if not isinstance(reference, Doi | ArxivId):
            message = f"{reference}: a dry run asks nobody, so it takes a DOI or an arXiv id"
            raise InvalidInput(message)
        return self.planner.preview(reference)

    def previews(self, refs: Sequence[str]) -> list[Done[dict[str, Any]]]:
        return [self._previewed(ref) for ref in refs]

    async def fetch(self, reference: Reference, *, force: bool = False) -> Fetched:
        """Fetch a paper, unless the same was asked a moment ago and nothing can have changed.

        Raises:
            Repeated: What was said then still holds.
            ResearchError: As fetching says.
        """
        found = await self._identified(reference)
        fetched = await self._fetch(found.reference, force=force, also=_number(reference))
        return _after(found, fetched)

    async def describe(self, reference: Reference) -> tuple[Fetched, Resolution]:
        """Keep a paper's record, and nothing but its record."""
        found = await self._identified(reference)
        kept, resolution = await self.fetcher.describe(found.reference, also=_number(reference))
        return _after(found, kept), resolution

    async def fetch_all(self, refs: Sequence[str], *, force: bool = False) -> list[Done[Fetched]]:
        """Fetch them all; one that cannot be read or had fails alone.

        A paper is fetched once, also when only its catalogues know that two ids are the same.
        """
        papers: dict[str, asyncio.Task[Fetched]] = {}

        async def fetch(ref: str) -> Fetched:
            reference = parse_reference(ref)
            found = await self._identified(reference)
            key = str(found.reference)
            if key not in papers:
                fetching = self._fetch(found.reference, force=force, also=_number(reference))
                papers[key] = asyncio.create_task(fetching)
            return _after(found, await papers[key])

        return await Batch(fetch, same_paper).run(refs)

    async def expand(self, doi: Doi, caps: Caps) -> Graph:
        return await self.grapher.expand(doi, caps)

    async def _fetch(
        self, paper: Doi | ArxivId, *, force: bool, also: Pmid | Pmcid | None = None
    ) -> Fetched:
        key = store_key(paper)
        before = self.repeats.last(key)
        if before is not None and not force:
            raise before
        if before is not None:
            row = Row(
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
            self.repeats.note(key, code_of(error), str(error), denial_of(error))
            raise
        block = fetched.pdf.block if fetched.pdf.status == "blocked" else None
        code = code_of(block) if block else None
        self.repeats.note(key, code, fetched.pdf.reason, denial_of(block))
        return fetched

    def _previewed(self, ref: str) -> Done[dict[str, Any]]:
        try:
            return Done(ref, result=self.preview(parse_reference(ref)))
        except InvalidInput as error:
            return Done(ref, error=error)

    async def _identified(self, reference: Reference) -> Identified:
        if isinstance(reference, Pmid | Pmcid):
            held = await self.fetcher.find(reference)
            if held is not None and held.doi:
                return Identified(reference=Doi(held.doi))
        inquiry = Inquiry(reference, self.recorder, event="fetch")
        return await identify(reference, inquiry, self.sources)


def _number(reference: Reference) -> Pmid | Pmcid | None:
    """The number that the library is to know the paper by as well."""
    return reference if isinstance(reference, Pmid | Pmcid) else None


def _after(found: Identified, fetched: Fetched) -> Fetched:
    """The account with those who were asked first, to find out which paper is meant."""
    if not found.attempts:
        return fetched
    return replace(fetched, attempts=(*found.attempts, *(fetched.attempts or ())))
