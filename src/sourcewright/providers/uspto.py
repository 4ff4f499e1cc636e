"""USPTO: Open Data Portal, the application files of the US patent office.

Docs: https://data.uspto.gov/apis/patent-file-wrapper/search
Silent on: abstracts, the kind code of a granted patent, and other offices.
"""

from collections.abc import Mapping
from typing import Any

from sourcewright.domain.patents import Patent, PatentQuery, PatentResults
from sourcewright.logic.formats.json_values import (
    Record,
    record_of,
    records_of,
    require_value,
    required_count,
    required_records,
    text_of,
    texts_of,
)
from sourcewright.logic.records.assignees import clean_name
from sourcewright.logic.records.patent_numbers import (
    PatentNumber,
    number_from_parts,
    parse_patent_number,
    patent_page,
)
from sourcewright.logic.search.operators import quoted_phrase
from sourcewright.logic.text.dates import date_of
from sourcewright.providers._base import (
    Provider,
    ProviderInfo,
    RateLimit,
    api_key_option,
    own_404,
)

_META = "applicationMetaData"
_MOST = 100
_FIRST_DAY, _LAST_DAY = "1790-01-01", "2999-12-31"


class Uspto(Provider):
    """Searches applications and the patents that were granted on them."""

    info = ProviderInfo(
        name="uspto",
        title="USPTO Open Data Portal",
        home="https://data.uspto.gov",
        base_url="https://api.uspto.gov/api/v1",
        # Its limit is 60 requests a minute, and one at a time.
        rate=RateLimit(starts=60, per_seconds=60.0, at_once=1),
        allowed_hosts=("api.uspto.gov",),
        options=(api_key_option("USPTO_API_KEY", of="the USPTO Open Data Portal (free)"),),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return {"x-api-key": options["key"]}

    async def search_patents(self, query: PatentQuery) -> PatentResults:
        """Supports every filter; has only US applications."""
        if query.office not in (None, "US"):
            return PatentResults(patents=(), total=0)
        patents, total = await self.upstream.lookup(
            "/patent/applications/search",
            search_params(query),
            read=read_list,
            # It answers 404 with a message of its own where nothing matches.
            absent=own_404(lambda body: b"No matching records found" in body),
        )
        return PatentResults(patents=patents[: query.limit], total=total)


def search_params(query: PatentQuery) -> dict[str, str]:
    number = parse_patent_number(query.number or "")
    params = {
        "q": _number_clause(number) if number else _clauses(query),
        "offset": "0",
        "limit": str(min(query.limit, _MOST)),
    }
    if query.year_from or query.year_to:
        since = f"{query.year_from}-01-01" if query.year_from else _FIRST_DAY
        until = f"{query.year_to}-12-31" if query.year_to else _LAST_DAY
        params["rangeFilters"] = f"{_META}.filingDate {since}:{until}"
    return params


def _number_clause(number: PatentNumber) -> str:
    """A publication of an application has a year in its number, a patent has none."""
    if len(number.digits) == 11:
        return f"{_META}.earliestPublicationNumber:{number}{'' if number.kind else '*'}"
    return f"{_META}.patentNumber:{number.digits}"


def _clauses(query: PatentQuery) -> str:
    clauses = [quoted_phrase(word) for word in (query.text or "").replace('"', " ").split()]
    if query.assignee:
        name = quoted_phrase(query.assignee)
        assigned = f"assignmentBag.assigneeBag.assigneeNameText:{name}"
        clauses.append(f"({_META}.firstApplicantName:{name} OR {assigned})")
    if query.inventor:
        clauses.append(f"{_META}.inventorBag.inventorNameText:{quoted_phrase(query.inventor)}")
    if query.cpc:
        clauses.append(f"{_META}.cpcClassificationBag:{query.cpc.partition('/')[0]}*")
    return " AND ".join(clauses)


def read_list(answer: Any) -> tuple[tuple[Patent, ...], int]:
    """The applications that a search found, and how many there are."""
    total = required_count(answer["count"])
    files = required_records(answer["patentFileWrapperDataBag"])
    if total and not files:
        raise ValueError(f"{total} applications announced, but none sent")
    return tuple(map(read_file, files)), total


def read_file(record: Record) -> Patent:
    """The granted patent, else the published application, else the application itself."""
    facts: Record = record[_META]
    application = require_value(text_of(record["applicationNumberText"]), "application number")
    granted = text_of(facts.get("patentNumber"))
    publication = text_of(facts.get("earliestPublicationNumber"))
    if granted:
        number = number_from_parts("US", granted, None)
    else:
        number = number_from_parts("", publication, None) if publication else f"US{application}"
    grant_date = date_of(facts.get("grantDate"))
    center = f"https://patentcenter.uspto.gov/applications/{application}"
    return Patent(
        number=number,
        title=require_value(text_of(facts["inventionTitle"]), "title"),
        url=patent_page(number) if granted or publication else center,
        assignee=_assignee(record, facts),
        inventor=text_of(facts.get("firstInventorName")),
        filed=date_of(facts["filingDate"]),
        granted=grant_date,
        published=grant_date if granted else date_of(facts.get("earliestPublicationDate")),
        status=text_of(facts.get("applicationStatusDescriptionText")),
        family_id=f"application {application}",
        cpc=tuple("".join(one.split()) for one in texts_of(facts.get("cpcClassificationBag"))),
    )


def _assignee(record: Record, facts: Record) -> str | None:
    """The applicant, else the last assignee of the invention, except lenders."""
    applicant = text_of(facts.get("firstApplicantName"))
    if applicant:
        return clean_name(applicant)
    assignments = [
        one
        for one in records_of(record.get("assignmentBag"))
        if "ASSIGNMENT" in (text_of(one.get("conveyanceText")) or "").upper()
    ]
    latest = max(
        assignments, key=lambda one: text_of(one.get("assignmentRecordedDate")) or "", default={}
    )
    names = (
        text_of(record_of(one).get("assigneeNameText"))
        for one in records_of(latest.get("assigneeBag"))
    )
    return next(filter(None, names), None)
