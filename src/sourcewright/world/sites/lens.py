"""The Lens: patents by queries as those of Elasticsearch."""

import json
from collections.abc import Mapping
from typing import Any

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json
from sourcewright.world.patents import PUBLICATIONS, Publication

HOSTS = ("api.lens.org",)
WRONG_KEY = "a-wrong-key"


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    if request.headers.get("authorization", "") in ("", f"Bearer {WRONG_KEY}"):
        return as_json({"message": "Unauthorized"}, status=401)
    if request.path != "/patent/search" or request.method != "POST":
        return as_json({"message": "Not found"}, status=404)
    requested = json.loads(request.body)
    conditions = requested["query"]["bool"]["must"]
    if not conditions:
        return as_json({"message": "Malformed request: empty query"}, status=400)
    hits = [one for one in PUBLICATIONS if all(_holds(one, part) for part in conditions)]
    data = [_record(one) for one in hits[: requested["size"]]]
    return as_json({"total": len(hits), "results": len(data), "data": data})


def _holds(one: Publication, condition: Mapping[str, Any]) -> bool:
    [(kind, what)] = condition.items()
    if kind == "query_string":
        return one.matches(what["query"].split())
    [(field, value)] = what.items()
    if kind == "range":
        return bool(value.get("gte", "0") <= one.filed <= value.get("lte", "9"))
    known = {
        "applicant.name": one.applicant,
        "inventor.name": one.inventor,
        "jurisdiction": one.office,
        "doc_number": one.digits,
        "kind": one.kind,
        "class_cpc.symbol": one.cpc,
    }[field]
    if kind == "prefix":
        return known.startswith(value)
    return value.lower() in known.lower() if kind == "match_phrase" else known == value


def _record(one: Publication) -> dict[str, Any]:
    reference = {"jurisdiction": one.office, "doc_number": one.digits, "kind": one.kind}
    grant = next(
        (
            other.granted
            for other in PUBLICATIONS
            if other.application == one.application and other.granted
        ),
        None,
    )
    return reference | {
        "lens_id": f"000-000-{one.digits[-6:-3]}-{one.digits[-3:]}-{one.kind[0]}",
        "date_published": one.published,
        "biblio": {
            "publication_reference": reference | {"date": one.published},
            "application_reference": {"doc_number": one.application, "date": one.filed},
            "invention_title": [
                {"text": "Auf Deutsch", "lang": "de"},
                {"text": one.title, "lang": "en"},
            ],
            "parties": {
                "applicants": [{"extracted_name": {"value": one.applicant}}],
                "inventors": [{"sequence": 1, "extracted_name": {"value": one.inventor}}],
            },
            "classifications_cpc": {"classifications": [{"symbol": one.cpc}]},
        },
        "abstract": [{"text": one.abstract, "lang": "en"}],
        "legal_status": {"granted": bool(grant), "grant_date": grant, "patent_status": "ACTIVE"},
        "families": {"simple_family": {"family_id": one.family, "size": 3}},
    }
