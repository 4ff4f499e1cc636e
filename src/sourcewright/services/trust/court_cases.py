"""Court cases among references: looked up by their reporter citation in the source of cases."""

from dataclasses import dataclass
from typing import Final

from sourcewright.base.errors import ResearchError
from sourcewright.services.records.legal_search import LegalSearch
from sourcewright.services.trust.cases import CitationCase
from sourcewright.services.trust.court_case_check import check_court_case, reported_citation

SOURCE: Final = "courtlistener"


@dataclass(frozen=True, slots=True, kw_only=True)
class CourtCases:
    """Checks references to court cases; the daily budget of the source is shared by all tools."""

    search: LegalSearch

    async def check(self, case: CitationCase) -> None:
        """Compare a reference with the case under its citation; others are left undecided."""
        citation = reported_citation(case.reference)
        if citation is None:
            return
        try:
            cases = await self.search.with_citation(citation)
        except ResearchError as error:
            case.fail(SOURCE, error)
            return
        case.answer(SOURCE)
        case.decide(check_court_case(case.reference, citation, cases, SOURCE))
