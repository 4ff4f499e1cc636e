"""The USPTO's Open Data Portal: files of applications, found by a query of clauses."""

import re
from typing import Any

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json
from sourcewright.world.patents import PUBLICATIONS, Publication

HOSTS = ("api.uspto.gov",)
WRONG_KEY = "a-wrong-key"

_FIELD = re.compile(r'(?:applicationMetaData|assignmentBag)\.([\w.]+):("[^"]*"|[\w*]+)')


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    if request.headers.get("x-api-key", WRONG_KEY) == WRONG_KEY:
        return as_json({"message": "Forbidden"}, status=403)
    if request.path != "/api/v1/patent/applications/search":
        return as_json({"code": 404, "message": "Not Found"}, status=404)
    grants = {one.application: one for one in PUBLICATIONS if one.office == "US" and one.granted}
    early = {
        one.application: one for one in PUBLICATIONS if one.office == "US" and not one.granted
    }
    files = [(grants.get(name), early.get(name)) for name in {**grants, **early}]
    params = request.params
    pairs = [
        pair for pair in files if _fits(pair, params.get("q", ""), params.get("rangeFilters"))
    ]
    if not pairs:
        words = "No matching records found, refine your search criteria and try again"
        return as_json({"code": 404, "message": "Not Found", "detailedMessage": words}, status=404)
    page = [_file(*pair) for pair in pairs[: int(params.get("limit", "25"))]]
    return as_json({"count": len(pairs), "patentFileWrapperDataBag": page})


def _fits(
    pair: tuple[Publication | None, Publication | None], query: str, span: str | None
) -> bool:
    granted, early = pair
    one = granted or early
    if one is None:
        return False
    if span:
        since, _, until = span.split(" ")[1].partition(":")
        if not since <= one.filed <= until:
            return False
    fields = {
        "patentNumber": granted.digits if granted else "",
        "earliestPublicationNumber": early.number if early else "",
        "firstApplicantName": one.applicant,
        "assigneeBag.assigneeNameText": one.applicant,
        "inventorBag.inventorNameText": one.inventor,
        "cpcClassificationBag": one.cpc,
    }
    clauses = _FIELD.findall(query)
    words = re.findall(r'"([^"]+)"', _FIELD.sub("", query))
    return one.matches(words) and all(_holds(fields[name], value) for name, value in clauses)


def _holds(field: str, value: str) -> bool:
    requested = value.strip('"').lower()
    if requested.endswith("*"):
        return field.lower().startswith(requested[:-1])
    return requested in field.lower() if value.startswith('"') else field.lower() == requested


def _file(granted: Publication | None, early: Publication | None) -> dict[str, Any]:
    one = granted or early
    if one is None:
        raise ValueError("an application is granted, published, or both")
    facts: dict[str, Any] = {
        "inventionTitle": one.title.upper(),
        "filingDate": one.filed,
        "firstApplicantName": one.applicant,
        "firstInventorName": one.inventor,
        "applicationStatusDescriptionText": "Patented Case" if granted else "Docketed New Case",
        "cpcClassificationBag": [f"{one.cpc[:4]}  {one.cpc[4:]}"],
    }
    if granted:
        facts |= {"patentNumber": granted.digits, "grantDate": granted.granted}
    if early:
        facts |= {
            "earliestPublicationNumber": early.number,
            "earliestPublicationDate": early.published,
        }
    return {"applicationNumberText": one.application, "applicationMetaData": facts}
