"""ClinicalTrials.gov: the registry of clinical studies of the US National Library of Medicine.

Docs: https://clinicaltrials.gov/data-api/api and https://clinicaltrials.gov/find-studies/constructing-complex-search-queries
Silent on: the phase of observational studies, and posted results of studies that post elsewhere.
"""

from typing import Any

from sourcewright.base.formats.json_values import (
    Record,
    abstract_of,
    count_of,
    record_of,
    records_of,
    require_value,
    required_records,
    text_of,
    texts_of,
)
from sourcewright.domain.records.trials import Trial, TrialPage, TrialQuery
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit

_FIELDS = (
    "NCTId",
    "BriefTitle",
    "OfficialTitle",
    "OverallStatus",
    "Phase",
    "StudyType",
    "Condition",
    "InterventionName",
    "LeadSponsorName",
    "StartDate",
    "StartDateType",
    "CompletionDate",
    "CompletionDateType",
    "EnrollmentCount",
    "EnrollmentType",
    "HasResults",
    "BriefSummary",
)


class ClinicalTrials(Provider):
    """Searches registered studies."""

    info = ProviderInfo(
        name="clinicaltrials",
        title="ClinicalTrials.gov",
        home="https://clinicaltrials.gov",
        base_url="https://clinicaltrials.gov/api/v2",
        # About 50 requests a minute are allowed.
        rate=RateLimit(starts=45, per_seconds=60.0),
        allowed_hosts=("clinicaltrials.gov",),
        explains_bad_requests=True,
    )

    async def search_trials(self, query: TrialQuery) -> TrialPage:
        """Texts may be expressions of the registry's own language (`AND`, `OR`, quotes)."""
        return await self.upstream.search("/studies", search_params(query), read=read_page)


def search_params(query: TrialQuery) -> dict[str, str]:
    """The parameters of a search; all conditions must match."""
    # The `phase` of aggFilters drops the other filters if it is given twice.
    phases = " OR ".join(query.phases)
    params = {
        "query.term": query.text,
        "query.cond": query.condition,
        "query.intr": query.intervention,
        "query.spons": query.sponsor,
        "filter.overallStatus": "|".join(query.statuses),
        "filter.advanced": f"AREA[Phase]({phases})" if phases else None,
        "pageToken": query.page_token,
    }
    filled = {name: value for name, value in params.items() if value}
    # Only the first page has the total number of matches.
    counted = {} if query.page_token else {"countTotal": "true"}
    return filled | counted | {"pageSize": str(query.limit), "fields": ",".join(_FIELDS)}


def read_page(answer: Any) -> TrialPage:
    studies = required_records(answer["studies"])
    return TrialPage(
        trials=tuple(map(read_study, studies)),
        total=count_of(answer.get("totalCount")),
        next_token=text_of(answer.get("nextPageToken")),
    )


def read_study(study: Record) -> Trial:
    """One study; only its number and title are required."""
    protocol = study["protocolSection"]
    identity = protocol["identificationModule"]
    status = record_of(protocol.get("statusModule"))
    design = record_of(protocol.get("designModule"))
    sponsors = record_of(protocol.get("sponsorCollaboratorsModule"))
    arms = record_of(protocol.get("armsInterventionsModule"))
    start, end = (record_of(status.get(f"{one}DateStruct")) for one in ("start", "completion"))
    enrollment = record_of(design.get("enrollmentInfo"))
    return Trial(
        nct_id=require_value(text_of(identity["nctId"]), "NCT number"),
        title=require_value(text_of(identity["briefTitle"]), "title"),
        official_title=text_of(identity.get("officialTitle")),
        status=text_of(status.get("overallStatus")),
        phases=texts_of(design.get("phases")),
        study_type=text_of(design.get("studyType")),
        conditions=texts_of(record_of(protocol.get("conditionsModule")).get("conditions")),
        interventions=texts_of([one.get("name") for one in records_of(arms.get("interventions"))]),
        sponsor=text_of(record_of(sponsors.get("leadSponsor")).get("name")),
        start_date=text_of(start.get("date")),
        start_date_type=text_of(start.get("type")),
        completion_date=text_of(end.get("date")),
        completion_date_type=text_of(end.get("type")),
        enrollment=count_of(enrollment.get("count")),
        enrollment_type=text_of(enrollment.get("type")),
        has_results=_truth(study.get("hasResults")),
        summary=abstract_of(record_of(protocol.get("descriptionModule")).get("briefSummary")),
    )


def _truth(value: Any) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    raise TypeError(f"expected true or false, got {type(value).__name__}")
