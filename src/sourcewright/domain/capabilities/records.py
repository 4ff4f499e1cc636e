"""Capabilities of primary sources by field: filings, cases, trials, series, places, patents."""

from typing import Protocol, runtime_checkable

from sourcewright.domain.capabilities.roles import used_for
from sourcewright.domain.records.cases import CaseQuery, CaseResults
from sourcewright.domain.records.economy import (
    Catalogue,
    ObservationQuery,
    Observations,
    SeriesResults,
)
from sourcewright.domain.records.filings import (
    CompanyFacts,
    FilerDirectory,
    FilerMatches,
    FilingPage,
    FilingQuery,
)
from sourcewright.domain.records.patents import Patent, PatentQuery, PatentResults
from sourcewright.domain.records.places import PlaceQuery, Places
from sourcewright.domain.records.trials import TrialPage, TrialQuery


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
