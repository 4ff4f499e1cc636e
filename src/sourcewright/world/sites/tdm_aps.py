"""The American Physical Society's harvesting API: articles in the requested format."""

from sourcewright.world import pdf
from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import PDF, Request, Response, as_json

HOSTS = ("harvest.aps.org",)

WRONG_KEY, NARROW_KEY = "a-wrong-key", "a-narrow-key"
"""An unknown key, and a key without sufficient rights."""
_PREFIX = "10.1103/"
_PLACE = "/v2/journals/articles/"


def answer(request: Request, corpus: Corpus) -> Response:
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme != "Bearer" or not key or key == WRONG_KEY:
        return _problem(401, "unauthorized", f"The key {key} is not known")
    doi = request.decoded_path.removeprefix(_PLACE)
    work = corpus.by_doi(doi) if doi.startswith(_PREFIX) else None
    if not request.decoded_path.startswith(_PLACE) or work is None:
        return _problem(404, "not_found", "No such article")
    if key == NARROW_KEY:
        return _problem(403, "forbidden", f"The key {key} is not entitled to this article")
    if "application/pdf" in request.headers.get("accept", ""):
        return Response(body=pdf.paper(work), content_type=PDF)
    return as_json({"data": {"id": doi, "identifiers": {"doi": work.doi}}})


def _problem(status: int, code: str, words: str) -> Response:
    return as_json({"error": {"code": code, "message": words}}, status=status)
