"""What a source can do. A provider gains a capability by having its method."""

from typing import Protocol, runtime_checkable

from sourcewright.domain.works import Notice, Registration, Work


@runtime_checkable
class DescribesDois(Protocol):
    """Gives the record behind a DOI."""

    async def describe_doi(self, doi: str) -> Work: ...


@runtime_checkable
class DescribesArxivPapers(Protocol):
    """Gives the record behind an arXiv id."""

    async def describe_arxiv(self, arxiv_id: str) -> Work: ...


@runtime_checkable
class FindsNotices(Protocol):
    """Finds retractions, corrections and concerns about a DOI."""

    async def find_notices(self, doi: str) -> tuple[Notice, ...]: ...


@runtime_checkable
class LocatesDois(Protocol):
    """Says whether the DOI system knows a DOI, and where it points."""

    async def locate_doi(self, doi: str) -> Registration: ...
