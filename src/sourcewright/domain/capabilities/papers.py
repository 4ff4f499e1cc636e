"""Capabilities of sources of papers: records, notices, open copies, references, files."""

from typing import Protocol, runtime_checkable

from sourcewright.base.identifiers import Pmcid, Pmid
from sourcewright.base.pages import FetchedFile
from sourcewright.base.works import Copy, GraphWork, Notice, Registration, Work
from sourcewright.domain.capabilities.roles import used_for


@used_for("papers")
@runtime_checkable
class DescribesDois(Protocol):
    """Returns the record of a DOI."""

    async def describe_doi(self, doi: str) -> Work: ...


@used_for("papers")
@runtime_checkable
class DescribesArxivPapers(Protocol):
    """Returns the record of an arXiv id."""

    async def describe_arxiv(self, arxiv_id: str) -> Work: ...


@used_for("papers")
@runtime_checkable
class FindsNotices(Protocol):
    """Finds retractions, corrections and expressions of concern about a DOI."""

    async def find_notices(self, doi: str) -> tuple[Notice, ...]: ...


@used_for("papers")
@runtime_checkable
class LocatesDois(Protocol):
    """Looks up whether a DOI is registered, and which URL it resolves to."""

    async def locate_doi(self, doi: str) -> Registration: ...


@used_for("papers")
@runtime_checkable
class FindsCopies(Protocol):
    """Finds the open copies of a DOI. An empty result is an answer: none is known."""

    async def find_copies(self, doi: str) -> tuple[Copy, ...]: ...


@used_for("papers")
@runtime_checkable
class FindsPreprints(Protocol):
    """Finds preprints of a published DOI, as arXiv ids or DOIs, best first."""

    async def find_preprints(self, doi: str) -> tuple[str, ...]: ...


@used_for("papers")
@runtime_checkable
class FindsPreprintsByTitle(Protocol):
    """Finds works with a similar title; whether one is the same work is decided elsewhere."""

    async def search_title(self, title: str) -> tuple[Work, ...]: ...


@used_for("papers")
@runtime_checkable
class ConvertsPubmedIds(Protocol):
    """Converts a PubMed or PMC id to the DOI of its record."""

    async def doi_of(self, pubmed_id: Pmid | Pmcid) -> str | None: ...


@used_for("papers")
@runtime_checkable
class ListsReferences(Protocol):
    """Returns a work of the citation graph with its references."""

    async def cited_by_doi(self, doi: str) -> GraphWork: ...

    async def cited_by_id(self, work_id: str) -> GraphWork: ...


@used_for("papers")
@runtime_checkable
class DeliversPapers(Protocol):
    """Delivers the PDF of a DOI itself, under a licence agreement."""

    async def deliver(self, doi: str) -> FetchedFile: ...


@used_for("papers")
@runtime_checkable
class DeliversArxivPapers(Protocol):
    """Delivers the PDF of an arXiv id."""

    async def deliver_arxiv(self, arxiv_id: str) -> FetchedFile: ...
