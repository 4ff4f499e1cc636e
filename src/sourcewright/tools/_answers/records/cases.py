"""Court cases as the answers show them."""

from pydantic import BaseModel, Field

from sourcewright.domain.records.case_citations import bluebook
from sourcewright.domain.records.cases import Case
from sourcewright.tools._results import CAMEL, OmittedIfNone


class CaseFound(BaseModel):
    """One decided case."""

    model_config = CAMEL

    case_name: str
    citation: OmittedIfNone[str] = Field(
        None, description="The preferred reporter citation, such as 384 U.S. 436."
    )
    bluebook_citation: OmittedIfNone[str] = Field(
        None, description="The full citation, with name, court and year."
    )
    parallel_citations: OmittedIfNone[list[str]] = None
    court: OmittedIfNone[str] = None
    court_id: OmittedIfNone[str] = None
    date_filed: OmittedIfNone[str] = None
    docket_number: OmittedIfNone[str] = None
    citation_count: OmittedIfNone[int] = Field(
        None, description="How often other opinions cite it."
    )
    status: OmittedIfNone[str] = None
    judge: OmittedIfNone[str] = None
    snippet: OmittedIfNone[str] = None
    url: str
    source: str


def case_found(case: Case, source: str) -> CaseFound:
    first, *others = case.citations or (None,)
    return CaseFound(
        case_name=case.name,
        citation=first,
        bluebook_citation=bluebook(case),
        parallel_citations=[one for one in others if one] or None,
        court=case.court,
        court_id=case.court_id,
        date_filed=case.date_filed,
        docket_number=case.docket_number,
        citation_count=case.cite_count,
        status=case.status,
        judge=case.judge,
        snippet=case.snippet,
        url=case.url,
        source=source,
    )
