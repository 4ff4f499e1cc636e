"""Provider capabilities as protocols: a provider has one, and its role, if it has the method."""

from collections.abc import Callable, Mapping
from typing import Literal, Protocol, TypeVar, get_args, runtime_checkable

from sourcewright.domain.answers import GroundedAnswer, StructuredQuery, StructuredResults
from sourcewright.domain.cases import CaseQuery, CaseResults
from sourcewright.domain.economy import Catalogue, ObservationQuery, Observations, SeriesResults
from sourcewright.domain.files import FetchedFile
from sourcewright.domain.filings import (
    CompanyFacts,
    FilerDirectory,
    FilerMatches,
    FilingPage,
    FilingQuery,
)
from sourcewright.domain.finds import EngineResults, ImageHit, NewsHit, WebHit
from sourcewright.domain.identifiers import Pmcid, Pmid
from sourcewright.domain.links import Capture, Snapshot
from sourcewright.domain.patents import Patent, PatentQuery, PatentResults
from sourcewright.domain.places import PlaceQuery, Places
from sourcewright.domain.queries import Query
from sourcewright.domain.readings import Reading, RelayedPage
from sourcewright.domain.scholar import (
    CitationPage,
    IndexResults,
    RecordsByDoi,
    WorkIds,
    WorkQuery,
    WorkRecord,
)
from sourcewright.domain.trials import TrialPage, TrialQuery
from sourcewright.domain.works import Copy, GraphWork, Notice, Registration, Work

Role = Literal[
    "papers", "mirror", "search", "answers", "scholar", "records", "reading", "relay", "archive"
]
"""Who uses a provider: the paper tools, the download tools alone (a mirror), the web search tools, the
tools that return a written answer or extracted fields, the tools for scholarly works, the tools for
primary records of one field (filings, cases, trials), the page reader (for one site, or as a relay
for any page), or the link check (an archive)."""

_C = TypeVar("_C", bound=type)

_ROLES: dict[type, Role] = {}


def used_for(role: Role) -> Callable[[_C], _C]:
    """Declare the role to which a capability belongs."""

    def declare(capability: _C) -> _C:
        _ROLES[capability] = role
        return capability

    return declare


def roles_of(kind: type) -> tuple[Role, ...]:
    """The roles of a class, which are those of the capabilities that it has."""
    roles = {role for capability, role in _ROLES.items() if issubclass(kind, capability)}
    return tuple(role for role in get_args(Role) if role in roles)


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


@used_for("search")
@runtime_checkable
class SearchesWeb(Protocol):
    """Searches web pages."""

    async def search_web(self, query: Query) -> EngineResults[WebHit]: ...


@used_for("search")
@runtime_checkable
class SearchesImages(Protocol):
    """Searches images."""

    async def search_images(self, query: Query) -> EngineResults[ImageHit]: ...


@used_for("search")
@runtime_checkable
class SearchesNews(Protocol):
    """Searches news articles."""

    async def search_news(self, query: Query) -> EngineResults[NewsHit]: ...


@used_for("reading")
@runtime_checkable
class ReadsSites(Protocol):
    """Reads the pages of one site through the site's own API."""

    def accepts(self, url: str) -> bool:
        """Whether it can read this URL."""
        ...

    async def read_site(self, url: str) -> Reading: ...


@used_for("relay")
@runtime_checkable
class RelaysPages(Protocol):
    """Fetches any page on our behalf; the operator of the relay learns its URL."""

    async def relay_page(self, url: str) -> RelayedPage: ...


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


@used_for("records")
@runtime_checkable
class FindsFilers(Protocol):
    """Finds those who file: all that have a ticker, and any by present or former name."""

    async def list_filers(self) -> FilerDirectory: ...

    async def match_filers(self, name: str) -> FilerMatches: ...


@used_for("records")
@runtime_checkable
class SearchesFilings(Protocol):
    """Lists the filings of one filer, and searches the text of all filings."""

    async def list_filings(self, query: FilingQuery) -> FilingPage: ...

    async def search_filings(self, query: FilingQuery) -> FilingPage: ...


@used_for("records")
@runtime_checkable
class ReportsFacts(Protocol):
    """Returns the headline figures of a company's reports; NotFound if it has none."""

    async def report_facts(self, cik: str) -> CompanyFacts: ...


@used_for("records")
@runtime_checkable
class SearchesCases(Protocol):
    """Searches court cases."""

    async def search_cases(self, query: CaseQuery) -> CaseResults: ...


@used_for("records")
@runtime_checkable
class SearchesTrials(Protocol):
    """Searches a registry of clinical trials."""

    async def search_trials(self, query: TrialQuery) -> TrialPage: ...


@used_for("records")
@runtime_checkable
class SearchesSeries(Protocol):
    """Searches the series of a statistics office by words."""

    async def search_series(self, text: str, *, limit: int) -> SeriesResults: ...


@used_for("records")
@runtime_checkable
class ListsSeries(Protocol):
    """Lists every series of a statistics office that has no search."""

    async def list_series(self) -> Catalogue: ...


@used_for("records")
@runtime_checkable
class ObservesSeries(Protocol):
    """Returns observations of a series; NotFound if it has no such series."""

    async def observe_series(self, query: ObservationQuery) -> Observations: ...


@used_for("records")
@runtime_checkable
class SearchesPlaces(Protocol):
    """Searches physical places; returns them all, for the caller to rank and to limit."""

    async def search_places(self, query: PlaceQuery) -> Places: ...


@used_for("answers")
@runtime_checkable
class AnswersQuestions(Protocol):
    """Writes an answer to a question, with the pages that it relies on."""

    async def answer_question(self, question: str) -> GroundedAnswer: ...


@used_for("answers")
@runtime_checkable
class ExtractsFields(Protocol):
    """Searches the web and extracts fields from each result.

    Raises InvalidInput, before any request, for a category or a schema that it does not support.
    """

    async def search_structured(self, query: StructuredQuery) -> StructuredResults: ...


@used_for("records")
@runtime_checkable
class SearchesPatents(Protocol):
    """Searches patents; names the filters that it cannot honour."""

    async def search_patents(self, query: PatentQuery) -> PatentResults: ...


@used_for("records")
@runtime_checkable
class DescribesPatents(Protocol):
    """Returns the record of one publication by its number."""

    async def describe_patent(self, number: str) -> Patent: ...


@used_for("archive")
@runtime_checkable
class FindsSnapshots(Protocol):
    """Finds the archived copy of a page."""

    async def find_snapshot(self, url: str) -> Snapshot: ...


@used_for("archive")
@runtime_checkable
class CapturesPages(Protocol):
    """Makes an archived copy of a page."""

    async def capture(self, url: str) -> Capture:
        """Ask for a copy.

        Raises:
            Refused: The archive does not copy this page.
            UpstreamError: It could not be asked.
        """
        ...

    async def capture_status(self, job_id: str) -> Capture:
        """Return the copy that a job made, or the job if it is not done yet."""
        ...
