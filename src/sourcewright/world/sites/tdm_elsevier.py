"""Elsevier's article retrieval API: short JSON records and PDFs; requires a key."""

from typing import Any

from sourcewright.world import pdf
from sourcewright.world.corpus import Corpus, Work
from sourcewright.world.corpus.works import iso
from sourcewright.world.messages import PDF, Request, Response, as_json

HOSTS = ("api.elsevier.com",)

WRONG_KEY, NARROW_KEY = "a-wrong-key", "a-narrow-key"
"""An unknown key, and a key without sufficient rights."""
PREVIEW_KEY = "a-key-without-subscription"
"""A key for which articles have one page, as the real service does without entitlement."""
_PREVIEW = "WARNING - Response limited to first page because requestor not entitled to resource"
_PREFIXES = ("10.1016/", "10.1006/", "10.1053/")
_PLACE = "/content/article/doi/"


def answer(request: Request, corpus: Corpus) -> Response:
    key = request.headers.get("x-els-apikey") or request.params.get("apiKey", "")
    if not key or key == WRONG_KEY:
        # The real service repeats the key in its error message.
        return _problem(401, "AUTHENTICATION_ERROR", f"APIKey {key} is unrecognized")
    if key == NARROW_KEY:
        return _problem(403, "AUTHORIZATION_ERROR", f"APIKey {key} may not use this view")
    doi = request.decoded_path.removeprefix(_PLACE)
    work = corpus.by_doi(doi) if doi.startswith(_PREFIXES) else None
    if not request.decoded_path.startswith(_PLACE) or work is None:
        return _problem(404, "RESOURCE_NOT_FOUND", "The resource specified cannot be found.")
    if "application/pdf" in request.headers.get("accept", ""):
        if key == PREVIEW_KEY:
            headers = (("X-ELS-Status", _PREVIEW),)
            return Response(body=pdf.first_page(work), content_type=PDF, headers=headers)
        return Response(body=pdf.paper(work), content_type=PDF, headers=(("X-ELS-Status", "OK"),))
    return as_json({"full-text-retrieval-response": {"coredata": _core(work)}})


def _problem(status: int, code: str, words: str) -> Response:
    details = {"statusCode": code, "statusText": words}
    return as_json({"service-error": {"status": details}}, status=status)


def _core(work: Work) -> dict[str, Any]:
    page = f"https://www.sciencedirect.com/science/article/pii/{work.slug}"
    return {
        "prism:url": f"https://api.elsevier.com/content/article/pii/{work.slug}",
        "dc:identifier": f"doi:{work.doi}",
        "prism:doi": work.doi,
        "dc:title": f"\n   {work.title}\n  ",
        "prism:publicationName": work.journal.name,
        "prism:aggregationType": "Journal",
        "prism:issn": "".join(work.journal.issn[:1]).replace("-", ""),
        "prism:volume": work.volume,
        "prism:issueIdentifier": work.issue,
        "prism:pageRange": work.pages,
        "prism:coverDate": iso((*work.date, 1, 1)[:3]),
        "prism:publisher": work.journal.publisher,
        "dc:creator": [{"@_fa": "true", "$": one.sort_name} for one in work.authors],
        "dc:description": work.abstract or None,
        "openaccess": "0",
        "openaccessUserLicense": None,
        "link": [{"@_fa": "true", "@rel": "scidir", "@href": page}],
    }
