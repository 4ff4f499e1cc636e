"""CourtListener's REST API, version 4: searches in opinions, twenty to a page."""

import re
from typing import Any

from sourcewright.world.corpus import Corpus, words
from sourcewright.world.messages import Request, Response, as_json
from sourcewright.world.verdicts import VERDICTS, Verdict

HOSTS = ("www.courtlistener.com",)

_PAGE = 20
_ORDERS = {
    "score desc": lambda verdict: verdict.number * 0,
    "citeCount desc": lambda verdict: -verdict.cited,
    "dateFiled desc": lambda verdict: -int(verdict.filed.replace("-", "")),
}
_COURTS = {verdict.court_id for verdict in VERDICTS}


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    token = request.headers.get("authorization")
    if token is not None and not re.fullmatch(r"Token \S+", token):
        return as_json({"detail": "Invalid token header."}, status=401)
    if request.path != "/api/rest/v4/search/":
        return as_json({"detail": "Not found."}, status=404)
    params = request.params
    for name in ("filed_after", "filed_before"):
        if not re.fullmatch(r"(\d{4}-\d\d-\d\d)?", params.get(name, "")):
            return as_json({"detail": f"{name}: Enter a valid date."}, status=400)
    if params.get("q", "").count('"') % 2:
        words_ = "The query contains unbalanced quotes. Please balance them and try again."
        return as_json({"detail": words_}, status=400)
    return as_json(_page(params))


def _page(params: Any) -> dict[str, Any]:
    fitting = [verdict for verdict in VERDICTS if _fits(verdict, params)]
    fitting.sort(key=_ORDERS.get(params.get("order_by", "score desc"), _ORDERS["score desc"]))
    more = "https://www.courtlistener.com/api/rest/v4/search/?cursor=czA&type=o"
    return {
        "count": len(fitting),
        "next": more if len(fitting) > _PAGE else None,
        "previous": None,
        "results": [_record(verdict) for verdict in fitting[:_PAGE]],
    }


def _fits(verdict: Verdict, params: Any) -> bool:
    courts = [court for court in params.get("court", "").split() if court in _COURTS]
    if courts and verdict.court_id not in courts:
        return False
    first, last = params.get("filed_after") or "0", params.get("filed_before") or "9"
    if not first <= verdict.filed <= last:
        return False
    citation = params.get("citation")
    if citation and citation not in verdict.citations:
        return False
    if not words(params.get("case_name", "")) <= words(verdict.name):
        return False
    everything = f"{verdict.name} {verdict.text} {verdict.docket} {' '.join(verdict.citations)}"
    return words(params.get("q", "")) <= words(everything)


def _record(verdict: Verdict) -> dict[str, Any]:
    slug = re.sub(r"[^a-z0-9]+", "-", verdict.name.lower()).strip("-")
    return {
        "absolute_url": f"/opinion/{verdict.number}/{slug}/",
        "attorney": "",
        "caseName": verdict.name,
        "caseNameFull": "",
        "citation": list(verdict.citations),
        "citeCount": verdict.cited,
        "cluster_id": verdict.number,
        "court": verdict.court,
        "court_citation_string": verdict.abbreviation,
        "court_id": verdict.court_id,
        "dateArgued": None,
        "dateFiled": verdict.filed,
        "docketNumber": verdict.docket,
        "docket_id": verdict.number + 5,
        "judge": "",
        "lexisCite": "",
        "meta": {"score": {"bm25": 12.5}},
        "neutralCite": "",
        "opinions": [
            {
                "id": verdict.number + 1,
                "cites": [],
                "snippet": f"\n   <mark>{verdict.text}</mark>\n",
                "type": "combined-opinion",
            }
        ],
        "sibling_ids": [verdict.number + 1],
        "source": "C",
        "status": verdict.status,
        "suitNature": "",
        "syllabus": "",
    }
