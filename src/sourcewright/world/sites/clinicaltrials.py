"""ClinicalTrials.gov's API, version 2: searches in registered studies, page by page."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

from sourcewright.world.corpus import Corpus, words
from sourcewright.world.messages import Request, Response, as_json, as_text
from sourcewright.world.studies import STUDIES, Study

HOSTS = ("clinicaltrials.gov",)

_PARAMETERS = {
    *("query.term", "query.cond", "query.intr", "query.spons", "query.titles"),
    *("filter.overallStatus", "filter.advanced", "filter.ids", "aggFilters", "fields", "format"),
    *("pageSize", "pageToken", "countTotal", "sort"),
}
_STATUSES = {
    *("ACTIVE_NOT_RECRUITING", "COMPLETED", "ENROLLING_BY_INVITATION", "NOT_YET_RECRUITING"),
    *("RECRUITING", "SUSPENDED", "TERMINATED", "WITHDRAWN", "AVAILABLE", "UNKNOWN"),
}
_FORMS = {
    "pageToken": re.compile(r"(?:[\w-]{4}){0,2}(?:[\w-]{2}==|[\w-]{3}=)?", re.ASCII),
    "pageSize": re.compile(r"[0-9]+"),
}
_PHASES = re.compile(r"AREA\[Phase\]\(?([A-Z0-9_ ]+)\)?")


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    if request.path != "/api/v2/studies":
        return as_text("", status=404)
    if problem := _problem(request):
        return as_text(problem, status=400)
    return _search(request)


def _problem(request: Request) -> str | None:
    """What the registry says of a request that it does not understand."""
    params = request.params
    for name in params:
        if name not in _PARAMETERS:
            return f"`{name}` is unknown parameter"
    for status in filter(None, params.get("filter.overallStatus", "").split("|")):
        if status not in _STATUSES:
            return f"`filter.overallStatus` parameter has incorrect value: {status}"
    for name in ("query.term", "query.cond", "query.intr", "query.spons"):
        text = params.get(name, "")
        if text.count('"') % 2 or text.count("(") != text.count(")"):
            return f"`{name}` has incorrect syntax: {text}"
    if _start(params) is None:
        return f"`pageToken` parameter has incorrect value: {params['pageToken']}"
    return next(
        (
            f"`{name}` parameter has incorrect value: {params[name]}"
            for name, form in _FORMS.items()
            if params.get(name) and not form.fullmatch(params[name])
        ),
        None,
    )


def _start(params: Mapping[str, str]) -> int | None:
    """The place at which a page begins; None for a token that no page has named."""
    try:
        return int(urlsafe_b64decode(params["pageToken"])) if params.get("pageToken") else 0
    except ValueError:
        return None


def _search(request: Request) -> Response:
    params = request.params
    hits = [study for study in STUDIES if _fits(study, request)]
    hits.sort(key=lambda study: -_score(study, params))
    start = _start(params) or 0
    end = start + min(int(params.get("pageSize", "10")), 1000)
    page: dict[str, Any] = {"studies": [_record(study) for study in hits[start:end]]}
    if params.get("countTotal") == "true":
        page["totalCount"] = len(hits)
    if end < len(hits):
        page["nextPageToken"] = urlsafe_b64encode(str(end).encode()).decode()
    return as_json(page)


def _fits(study: Study, request: Request) -> bool:
    params = request.params
    statuses = [one for one in params.get("filter.overallStatus", "").split("|") if one]
    if statuses and study.status not in statuses:
        return False
    phases = _PHASES.fullmatch(params.get("filter.advanced", ""))
    if phases and not set(phases[1].split(" OR ")) & set(study.phases):
        return False
    queries = {name: words(text) for name, text in params.items() if name.startswith("query.")}
    return all(query <= words(_haystack(study, name)) for name, query in queries.items())


def _score(study: Study, params: Any) -> int:
    query = words(" ".join(v for name, v in params.items() if name.startswith("query.")))
    return len(query & words(study.title))


def _haystack(study: Study, area: str) -> str:
    condition = " ".join((*study.conditions, study.title))
    areas = {
        "query.cond": condition,
        "query.intr": " ".join(study.treatments),
        "query.spons": study.sponsor,
    }
    everything = f"{condition} {' '.join(study.treatments)} {study.sponsor} {study.nct}"
    return areas.get(area, f"{everything} {study.summary}")


def _record(study: Study) -> dict[str, Any]:
    """The study with the fields that are requested, if registered."""
    status: dict[str, Any] = {"overallStatus": study.status}
    began = "ESTIMATED" if study.status == "NOT_YET_RECRUITING" else "ACTUAL"
    ended = "ACTUAL" if study.status in ("COMPLETED", "TERMINATED", "WITHDRAWN") else "ESTIMATED"
    if study.start:
        status["startDateStruct"] = {"date": study.start, "type": began}
    if study.end:
        status["completionDateStruct"] = {"date": study.end, "type": ended}
    design: dict[str, Any] = {"studyType": study.kind}
    if study.phases:
        design["phases"] = list(study.phases)
    if study.participants is not None:
        design["enrollmentInfo"] = {"count": study.participants, "type": ended}
    protocol: dict[str, Any] = {
        "identificationModule": {"nctId": study.nct, "briefTitle": study.title},
        "statusModule": status,
        "sponsorCollaboratorsModule": {"leadSponsor": {"name": study.sponsor}},
        "conditionsModule": {"conditions": list(study.conditions)},
        "designModule": design,
    }
    if study.summary:
        protocol["descriptionModule"] = {"briefSummary": study.summary}
    if study.treatments:
        arms = [{"name": name} for name in study.treatments]
        protocol["armsInterventionsModule"] = {"interventions": arms}
    return {"protocolSection": protocol, "hasResults": study.has_results}
