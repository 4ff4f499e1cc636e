"""DataCite's REST API: DOIs as JSON:API documents."""

from typing import Any

from sourcewright.world.corpus import Corpus, Work, rank
from sourcewright.world.corpus.works import Author, iso
from sourcewright.world.lucene import NotUnderstood, any_of, in_range, words_and_conditions
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("api.datacite.org",)

Record = dict[str, Any]

_TYPE = "application/vnd.api+json; charset=utf-8"
_RIGHTS = {
    "rights": "Creative Commons Attribution 4.0 International",
    "rightsUri": "https://creativecommons.org/licenses/by/4.0/legalcode",
    "schemeUri": "https://spdx.org/licenses/",
    "rightsIdentifier": "cc-by-4.0",
    "rightsIdentifierScheme": "SPDX",
}


def answer(request: Request, corpus: Corpus) -> Response:
    path = request.decoded_path
    if path.rstrip("/") == "/dois":
        return _list(request, corpus)
    work = corpus.by_doi(path.removeprefix("/dois/")) if path.startswith("/dois/") else None
    if work is None or work.agency != "datacite":
        problem = {"status": "404", "title": "The resource you are looking for doesn't exist."}
        return as_json({"errors": [problem]}, status=404, content_type=_TYPE)
    return as_json({"data": record(work)}, content_type=_TYPE)


def _list(request: Request, corpus: Corpus) -> Response:
    works = corpus.of_agency("datacite")
    query = request.params.get("query", "")
    if query.startswith('doi:"'):
        try:
            dois = {value.lower() for name, value in any_of(query) if name == "doi"}
        except NotUnderstood as error:
            problem = {"status": "400", "title": str(error)}
            return as_json({"errors": [problem]}, status=400, content_type=_TYPE)
        return _page(request, [work for work in works if work.key in dois])
    query, conditions = words_and_conditions(query)
    years = [value for name, _, value in conditions if name == "publicationYear"]
    matches = [work for work in works if all(in_range(work.year, one) for one in years)]
    if "prefix" in request.params:
        matches = [work for work in matches if work.key.startswith(f"{request.params['prefix']}/")]
    # A field that this world does not tell apart is searched for its words.
    others = [value for name, _, value in conditions if name != "publicationYear"]
    query = " ".join((query, *others)).strip()
    hits = [work for work, _ in rank(matches, query)] if query else matches
    if request.params.get("sort") == "-published":
        hits = sorted(hits, key=lambda work: iso(work.date), reverse=True)
    return _page(request, hits)


def _page(request: Request, hits: list[Work]) -> Response:
    size = min(_whole(request.params.get("page[size]"), 25), 1000)
    number = max(_whole(request.params.get("page[number]"), 1), 1)
    page = hits[(number - 1) * size : number * size]
    pages = -(-len(hits) // size) if size else 0
    meta = {"total": len(hits), "totalPages": pages, "page": number}
    return as_json({"data": [record(work) for work in page], "meta": meta}, content_type=_TYPE)


def _whole(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() else default


def record(work: Work) -> Record:
    """The work in DataCite's format."""
    relationships = {
        "client": {"data": {"id": "invented.archive", "type": "clients"}},
        "provider": {"data": {"id": "invented", "type": "providers"}},
    }
    return {
        "id": work.key,
        "type": "dois",
        "attributes": _attributes(work) | _standing(work),
        "relationships": relationships,
    }


def _attributes(work: Work) -> Record:
    prefix, _, suffix = work.key.partition("/")
    manuscript = work.manuscript
    return {
        "doi": work.key,
        "prefix": prefix,
        "suffix": suffix,
        "identifiers": [{"identifier": manuscript.id, "identifierType": "arXiv"}]
        if manuscript
        else [],
        "alternateIdentifiers": [],
        "creators": [_creator(author) for author in work.authors],
        "titles": _titles(work),
        "publisher": work.journal.publisher,
        "container": {},
        "publicationYear": work.year,
        "subjects": [],
        "contributors": [],
        "dates": [{"date": iso(work.date), "dateType": "Issued"}] if work.date else [],
        "language": None,
        "types": _types(work),
        "relatedIdentifiers": _related(work),
        "relatedItems": [],
        "sizes": [],
        "formats": [],
        "version": str(len(manuscript.versions)) if manuscript else None,
        "rightsList": [_RIGHTS] if work.licence else [],
        "descriptions": _descriptions(work),
        "geoLocations": [],
        "fundingReferences": [],
    }


def _titles(work: Work) -> list[Record]:
    # arXiv hands DataCite its titles without markup; archives hand over what they got.
    title = work.plain_title if work.manuscript else work.title
    return [{"title": title}] if title else []


def _standing(work: Work) -> Record:
    time = f"{iso((*work.date, 1, 1)[:3])}T10:00:00.000Z" if work.date else None
    return {
        "url": work.landing,
        "contentUrl": None,
        "metadataVersion": 1,
        "schemaVersion": "http://datacite.org/schema/kernel-4",
        "source": "mds",
        "isActive": True,
        "citationCount": len(work.title) % 20,
        "state": "findable",
        "reason": None,
        "created": time,
        "registered": time,
        "published": str(work.year) if work.year else None,
        "updated": "2025-06-01T08:00:00.000Z",
    }


def _creator(author: Author) -> Record:
    if author.name:
        return {
            "name": author.name,
            "nameType": "Organizational",
            "affiliation": [],
            "nameIdentifiers": [],
        }
    identifiers = []
    if author.orcid:
        identifiers = [
            {
                "schemeUri": "https://orcid.org",
                "nameIdentifier": f"https://orcid.org/{author.orcid}",
                "nameIdentifierScheme": "ORCID",
            }
        ]
    fields: Record = {"name": author.sort_name, "nameType": "Personal"}
    if author.given:
        fields["givenName"] = author.given
    return fields | {
        "familyName": author.family,
        "affiliation": [author.affiliation] if author.affiliation else [],
        "nameIdentifiers": identifiers,
    }


def _types(work: Work) -> Record:
    names = {"Dataset": "dataset", "Software": "software", "Preprint": "article"}
    return {
        "ris": "GEN",
        "bibtex": "misc",
        "citeproc": names.get(work.type, "article"),
        "schemaOrg": "Dataset" if work.type == "Dataset" else "CreativeWork",
        "resourceType": "Article" if work.type == "Preprint" else "",
        "resourceTypeGeneral": work.type,
    }


def _related(work: Work) -> list[Record]:
    if not work.published_as:
        return []
    return [
        {
            "relationType": "IsVersionOf",
            "relatedIdentifier": work.published_as,
            "relatedIdentifierType": "DOI",
        }
    ]


def _descriptions(work: Work) -> list[Record]:
    if not work.abstract:
        return []
    return [{"description": work.abstract, "descriptionType": "Abstract"}]
