"""Lookup of a work in scholarly indexes by an identifier that is the whole query."""

from dataclasses import dataclass, replace

from sourcewright.base.calls import time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import BadAnswer, Denied, NotFound, ResearchError, UpstreamError
from sourcewright.base.identifiers import Pmcid
from sourcewright.domain.capabilities import ConvertsPubmedIds
from sourcewright.domain.papers.scholar import IndexResults, WorkQuery
from sourcewright.domain.scholar.work_ids import has_identifier, identifier_query
from sourcewright.services.cache import Cached
from sourcewright.services.scholar.requests import SEARCH_SECONDS, IndexRequests

_CONVERTER = "ncbi"
"""The source that converts PMC ids, as failures name it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkLookup:
    """Searches indexes by words, or by an identifier for the work that has it."""

    requests: IndexRequests
    converter: ConvertsPubmedIds | None
    clock: Clock

    async def find(self, name: str, query: WorkQuery) -> Cached[IndexResults] | ResearchError:
        """Search one index; with an identifier as the query, for the work that has it alone."""
        ids = identifier_query(query.text)
        if ids is None:
            return await self.requests.search(name, query)
        answer = await self.requests.find_work(name, ids)
        if answer is None:
            answer = await self.requests.search(name, query)
        if isinstance(answer, ResearchError):
            return answer
        records = tuple(one for one in answer.value.records if has_identifier(one, ids))
        return replace(answer, value=replace(answer.value, records=records, total=len(records)))

    async def with_doi(self, query: WorkQuery, failures: dict[str, ResearchError]) -> WorkQuery:
        """Return the query with the DOI in place of a PMC id, which indexes do not look up."""
        ids = identifier_query(query.text)
        if ids is None or ids.pmcid is None or self.converter is None:
            return query
        try:
            with time_limit(SEARCH_SECONDS, self.clock):
                doi = await self.converter.doi_of(Pmcid(ids.pmcid))
        except NotFound:
            return query
        except UpstreamError as error:
            failures[_CONVERTER] = error
            return query
        except Denied as error:
            # The caller gave no URL, so the refused URL came from the source.
            failures[_CONVERTER] = BadAnswer(_CONVERTER, str(error), cause="shape")
            return query
        return replace(query, text=doi) if doi else query
