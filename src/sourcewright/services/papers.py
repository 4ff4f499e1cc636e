"""The paper tools' use cases, joined: what was asked, what was asked before, what to do now."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sourcewright.domain.codes import code_of, denial_of
from sourcewright.domain.errors import InvalidInput, ResearchError
from sourcewright.domain.identifiers import ArxivId, Doi, Reference, parse_reference
from sourcewright.domain.ports import Recorder, Row
from sourcewright.logic.naming import store_key
from sourcewright.services.batching import Batch, Done, same_paper
from sourcewright.services.fetching import Fetched, Fetcher
from sourcewright.services.graphing import Caps, Graph, Grapher
from sourcewright.services.identifying import Identified, identify
from sourcewright.services.planning import Planner
from sourcewright.services.recording import Inquiry
from sourcewright.services.repeating import Repeats
from sourcewright.services.resolving import Resolution
from sourcewright.services.sources import Sources

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
        return _after(found, await self._fetch(found.reference, force=force))

    async def describe(self, reference: Reference) -> tuple[Fetched, Resolution]:
        """Keep a paper's record, and nothing but its record."""
        found = await self._identified(reference)
        kept, resolution = await self.fetcher.describe(found.reference)
        return _after(found, kept), resolution

    async def fetch_all(self, refs: Sequence[str], *, force: bool = False) -> list[Done[Fetched]]:
        """Fetch them all; one that cannot be read or had fails alone.

        A paper is fetched once, also when only its catalogues know that two ids are the same.
        """
        papers: dict[str, asyncio.Task[Fetched]] = {}

        async def fetch(ref: str) -> Fetched:
            found = await self._identified(parse_reference(ref))
            key = str(found.reference)
            if key not in papers:
                papers[key] = asyncio.create_task(self._fetch(found.reference, force=force))
            return _after(found, await papers[key])

        return await Batch(fetch, same_paper).run(refs)

    async def expand(self, doi: Doi, caps: Caps) -> Graph:
        return await self.grapher.expand(doi, caps)

    async def _fetch(self, paper: Doi | ArxivId, *, force: bool) -> Fetched:
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
            fetched = await self.fetcher.fetch(paper, force=force)
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
        inquiry = Inquiry(reference, self.recorder, event="fetch")
        return await identify(reference, inquiry, self.sources)


def _after(found: Identified, fetched: Fetched) -> Fetched:
    """The account with those who were asked first, to find out which paper is meant."""
    if not found.attempts:
        return fetched
    return replace(fetched, attempts=(*found.attempts, *(fetched.attempts or ())))
