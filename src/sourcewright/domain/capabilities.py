"""Provider capabilities as protocols: a provider has one by having its method."""

from typing import Protocol, runtime_checkable

from sourcewright.domain.files import FetchedFile
from sourcewright.domain.finds import Findings, ImageHit, NewsHit, WebHit
from sourcewright.domain.identifiers import Pmcid, Pmid
from sourcewright.domain.queries import Query
from sourcewright.domain.readings import Reading, Relayed
from sourcewright.domain.works import Copy, GraphWork, Notice, Registration, Work


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


@runtime_checkable
class FindsCopies(Protocol):
    """Says where a DOI's open copies are. An empty answer is an answer: none is known."""

    async def find_copies(self, doi: str) -> tuple[Copy, ...]: ...


@runtime_checkable
class FindsPreprints(Protocol):
    """Names preprints of a published DOI, as arXiv ids or DOIs, best first."""

    async def find_preprints(self, doi: str) -> tuple[str, ...]: ...


@runtime_checkable
class FindsPreprintsByTitle(Protocol):
    """Finds works with a title like this one; whether it is the same work is decided elsewhere."""

    async def search_title(self, title: str) -> tuple[Work, ...]: ...


@runtime_checkable
class ConvertsPubmedIds(Protocol):
    """Turns a PubMed or PMC id into the DOI of its record."""

    async def doi_of(self, pubmed_id: Pmid | Pmcid) -> str | None: ...


@runtime_checkable
class ListsReferences(Protocol):
    """Gives a work of the citation graph with what it refers to."""

    async def cited_by_doi(self, doi: str) -> GraphWork: ...

    async def cited_by_id(self, work_id: str) -> GraphWork: ...


@runtime_checkable
class DeliversPapers(Protocol):
    """Hands out the PDF of a DOI itself, under an agreement."""

    async def deliver(self, doi: str) -> FetchedFile: ...


@runtime_checkable
class DeliversArxivPapers(Protocol):
    """Hands out the PDF behind an arXiv id."""

    async def deliver_arxiv(self, arxiv_id: str) -> FetchedFile: ...


@runtime_checkable
class SearchesWeb(Protocol):
    """Finds pages."""

    async def search_web(self, query: Query) -> Findings[WebHit]: ...


@runtime_checkable
class SearchesImages(Protocol):
    """Finds pictures."""

    async def search_images(self, query: Query) -> Findings[ImageHit]: ...


@runtime_checkable
class SearchesNews(Protocol):
    """Finds articles."""

    async def search_news(self, query: Query) -> Findings[NewsHit]: ...


@runtime_checkable
class ReadsSites(Protocol):
    """Reads the pages of one site through the site's own interface."""

    def takes(self, url: str) -> bool:
        """Whether an address is one of those that it reads."""
        ...

    async def read_site(self, url: str) -> Reading: ...


@runtime_checkable
class RelaysPages(Protocol):
    """Reads any page for us, and so learns its address."""

    async def relay_page(self, url: str) -> Relayed: ...
