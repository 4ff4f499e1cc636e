"""Capabilities of indexes of scholarly works: search, records in batches, citations."""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from sourcewright.base.works import RecordsByDoi, WorkRecord
from sourcewright.domain.capabilities.roles import used_for
from sourcewright.domain.papers.scholar import CitationPage, IndexResults, WorkIds, WorkQuery


@used_for("scholar")
@runtime_checkable
class SearchesWorks(Protocol):
    """Searches scholarly works; names the filters that it cannot honour."""

    async def search_works(self, query: WorkQuery) -> IndexResults: ...


@used_for("scholar")
@runtime_checkable
class DescribesWorks(Protocol):
    """Returns the records of up to `BATCH` DOIs in one request, with their notices and copies.

    Only for an index that knows notices or open copies. `notices` is None in the records of an
    index that has none to tell, and empty if it has none about this work.
    """

    async def describe_works(self, dois: tuple[str, ...]) -> RecordsByDoi: ...


@used_for("scholar")
@runtime_checkable
class DescribesPreprints(Protocol):
    """Returns the latest records of up to `BATCH` arXiv ids in one request, with their notices.

    The ids have no version; one that the index does not have is absent.
    """

    async def describe_preprints(self, arxiv_ids: tuple[str, ...]) -> Mapping[str, WorkRecord]: ...


@used_for("scholar")
@runtime_checkable
class DescribesPubmedRecords(Protocol):
    """Returns the records of up to `BATCH` PMIDs in one request, with their notices."""

    async def describe_pmids(self, pmids: tuple[str, ...]) -> Mapping[str, WorkRecord]: ...


@used_for("scholar")
@runtime_checkable
class FindsTitles(Protocol):
    """Finds works with any of up to `TITLE_BATCH` titles; which is which is decided elsewhere."""

    async def find_titles(self, titles: tuple[str, ...]) -> IndexResults: ...


@used_for("scholar")
@runtime_checkable
class ListsCitingWorks(Protocol):
    """Lists the works that cite a work, `limit` at a time; NotFound if it has no such work."""

    async def list_citing(
        self, work: WorkIds, *, limit: int, cursor: str | None = None
    ) -> CitationPage: ...


@used_for("scholar")
@runtime_checkable
class ListsCitedWorks(Protocol):
    """Lists the works that a work cites, `limit` at a time; NotFound if it has no such work."""

    async def list_cited(
        self, work: WorkIds, *, limit: int, cursor: str | None = None
    ) -> CitationPage: ...
