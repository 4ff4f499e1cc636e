"""EPO's Open Patent Services: a token for a login, and searches in CQL answered as XML."""

import base64
import re
from html import escape

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json
from sourcewright.world.patents import PUBLICATIONS, Publication

HOSTS = ("ops.epo.org",)
WRONG_KEY = "a-wrong-key"
TOKEN, STALE_TOKEN = "an-invented-token", "a-stale-token"

_XML = "application/xml"
_CLAUSE = re.compile(r'(ta|pa|in) all "([^"]*)"|(pn|pd|cpc)(>?=)"?([^"\s]+)"?')


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    if request.path == "/3.2/auth/accesstoken":
        return _login(request)
    bearer = request.headers.get("authorization", "")
    if bearer != f"Bearer {TOKEN}":
        body = b"<error><code>400</code><message>invalid_access_token</message></error>"
        return Response(status=400, body=body, content_type=_XML)
    if request.path != "/3.2/rest-services/published-data/search/biblio":
        return _fault(404, "CLIENT.InvalidPath")
    hits = [one for one in PUBLICATIONS if _fits(one, request.params.get("q", ""))]
    if not hits:
        return _fault(404, "SERVER.EntityNotFound")
    first, _, last = request.params.get("Range", "1-25").partition("-")
    page = hits[int(first) - 1 : int(last)]
    documents = "".join(map(_document, page))
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<ops:world-patent-data xmlns="http://www.epo.org/exchange" '
        'xmlns:ops="http://ops.epo.org">'
        f'<ops:biblio-search total-result-count="{len(hits)}">'
        f"<ops:search-result><exchange-documents>{documents}</exchange-documents>"
        "</ops:search-result></ops:biblio-search></ops:world-patent-data>"
    )
    return Response(body=text.encode(), content_type=_XML)


def _login(request: Request) -> Response:
    kind, _, pair = request.headers.get("authorization", "").partition(" ")
    user = base64.b64decode(pair).decode().partition(":")[0] if kind == "Basic" else ""
    if request.method != "POST" or user in ("", WRONG_KEY):
        return as_json({"error": "invalid_client"}, status=401)
    return as_json({"token_type": "BearerToken", "access_token": TOKEN, "expires_in": "1199"})


def _fault(status: int, code: str) -> Response:
    text = f'<fault xmlns="http://ops.epo.org"><code>{code}</code><message>x</message></fault>'
    return Response(status=status, body=text.encode(), content_type=_XML)


def _fits(one: Publication, query: str) -> bool:
    for index, words, name, how, value in _CLAUSE.findall(query):
        if index and not _has_words(one, index, words):
            return False
        if name == "pn" and not f"{one.office}{one.digits}".startswith(value):
            return False
        if name == "pd" and (how != ">=" or one.published[:4] < value):
            return False
        if name == "cpc" and not one.cpc.startswith(value):
            return False
    return bool(query)


def _has_words(one: Publication, index: str, words: str) -> bool:
    texts = {"ta": f"{one.title} {one.abstract}", "pa": one.applicant, "in": one.inventor}
    return all(word.lower() in texts[index].lower() for word in words.split())


def _document(one: Publication) -> str:
    published, filed = one.published.replace("-", ""), one.filed.replace("-", "")
    section, group, sub = one.cpc[0], one.cpc[1:3], one.cpc[3]
    main, _, rest = one.cpc[4:].partition("/")
    return (
        f'<exchange-document system="ops.epo.org" family-id="{one.family}" '
        f'country="{one.office}" doc-number="{one.digits}" kind="{one.kind}">'
        "<bibliographic-data><publication-reference>"
        f'<document-id document-id-type="docdb"><country>{one.office}</country>'
        f"<doc-number>{one.digits}</doc-number><kind>{one.kind}</kind>"
        f"<date>{published}</date></document-id></publication-reference>"
        "<patent-classifications><patent-classification>"
        '<classification-scheme office="EP" scheme="CPCI"/>'
        f"<section>{section}</section><class>{group}</class><subclass>{sub}</subclass>"
        f"<main-group>{main}</main-group><subgroup>{rest}</subgroup>"
        "</patent-classification></patent-classifications>"
        '<application-reference><document-id document-id-type="epodoc">'
        f"<doc-number>{one.office}{one.application}</doc-number><date>{filed}</date>"
        "</document-id></application-reference><parties><applicants>"
        f'<applicant sequence="1" data-format="epodoc"><applicant-name><name>'
        f"{escape(one.applicant.upper())} [XX]</name></applicant-name></applicant></applicants>"
        '<inventors><inventor sequence="1" data-format="epodoc"><inventor-name><name>'
        f"{escape(one.inventor.upper())} [XX]</name></inventor-name></inventor></inventors>"
        "</parties><invention-title lang='de'>Auf Deutsch</invention-title>"
        f"<invention-title lang='en'>{escape(one.title)}</invention-title>"
        "</bibliographic-data>"
        f"<abstract lang='en'><p>{escape(one.abstract)}</p></abstract></exchange-document>"
    )
