"""Europe PMC: its search service, and the articles that it shows and renders as PDF."""

import re
from typing import Any

from sourcewright.world import pdf
from sourcewright.world.corpus import Corpus, Work, rank
from sourcewright.world.corpus.numbering import pmcid, pmid
from sourcewright.world.corpus.works import Author, iso
from sourcewright.world.messages import PDF, Request, Response, as_json, as_page, as_text

_API, _READER = "www.ebi.ac.uk", "europepmc.org"
HOSTS = (_API, _READER)

Record = dict[str, Any]

_SEARCH = "/europepmc/webservices/rest/search"
_MOST = 1000
_FIELDED = re.compile(r'(DOI|EXT_ID|PMCID):"?([^"\s]+)"?(?: AND SRC:MED)?', re.IGNORECASE)


def answer(request: Request, corpus: Corpus) -> Response:
    if request.host == _READER:
        return _read(request, corpus)
    if request.decoded_path.rstrip("/") != _SEARCH:
        return as_page("Not Found", "<p>The page you are looking for is not here.</p>", status=404)
    asked = request.params
    query, size = asked.get("query", ""), asked.get("pageSize", "25")
    if not query or not size.isdecimal() or int(size) > _MOST:
        return as_json({"errCode": 3, "errMsg": "The query or the page size is not valid"})
    works = _found(query, corpus)
    if asked.get("format") != "json":
        return _as_xml(len(works))
    return as_json(_listing(query, asked.get("resultType", "lite"), works, int(size)))


def _read(request: Request, corpus: Corpus) -> Response:
    found = re.fullmatch(r"/articles?/(?:PMC/)?(PMC[0-9]+)", request.decoded_path)
    work = corpus.by_number(found[1]) if found else None
    if work is None:
        return as_page("Not found", "<p>Europe PMC has no such article.</p>", status=404)
    if request.params.get("pdf") == "render":
        return Response(body=pdf.paper(work), content_type=PDF)
    return as_page(work.slug, f"<p>{pmcid(work)}</p>")


def _as_xml(count: int) -> Response:
    """What is sent unless JSON is asked for; only the count is of use here."""
    inside = f"<version>6.9</version><hitCount>{count}</hitCount>"
    text = f'<?xml version="1.0"?><responseWrapper>{inside}</responseWrapper>'
    return as_text(text, content_type="application/xml")


def _found(query: str, corpus: Corpus) -> list[Work]:
    known = [work for work in corpus.works if pmid(work)]
    fielded = _FIELDED.fullmatch(query.strip())
    if not fielded:
        return [work for work, _ in rank(known, query)]
    name, value = fielded[1].upper(), fielded[2]
    if name == "DOI":
        return [work for work in known if work.key == value.lower()]
    number = pmcid if name == "PMCID" else pmid
    return [work for work in known if number(work) == value]


def _listing(query: str, kind: str, works: list[Work], size: int) -> Record:
    shown = [record(work) for work in works[:size]]
    return {
        "version": "6.9",
        "hitCount": len(works),
        "request": {
            "queryString": query,
            "resultType": kind,
            "cursorMark": "*",
            "pageSize": size,
            "sort": "",
            "synonym": False,
        },
        "resultList": {"result": shown if kind == "core" else [_lite(one) for one in shown]},
    }


def _lite(made: Record) -> Record:
    full = ("authorList", "journalInfo", "abstractText", "pubTypeList", "fullTextUrlList")
    short = {key: value for key, value in made.items() if key not in full}
    return short | {"journalTitle": made["journalInfo"]["journal"]["medlineAbbreviation"]}


def record(work: Work) -> Record:
    """The work as Europe PMC prints it in full."""
    names = ", ".join(_full_name(author) for author in work.authors)
    has_text = bool(pmcid(work))
    made: Record = {
        "id": pmid(work),
        "source": "MED",
        "pmid": pmid(work),
        "doi": work.key,
        "title": f"{work.title}.",
        "authorString": f"{names}.",
        "authorList": {"author": [_author(author) for author in work.authors]},
        "journalInfo": _issue(work),
        "pubYear": str(work.year or ""),
        "pubTypeList": {"pubType": ["research-article", "Journal Article"]},
        "fullTextUrlList": {"fullTextUrl": _links(work)},
        "isOpenAccess": "Y" if has_text else "N",
        "inEPMC": "Y" if has_text else "N",
        "inPMC": "Y" if has_text else "N",
        "hasPDF": "Y" if has_text else "N",
        "authMan": "N",
        "firstPublicationDate": iso((*work.date, 1, 1)[:3]) if work.date else "",
    }
    given = (("pmcid", pmcid(work)), ("pageInfo", work.pages), ("abstractText", work.abstract))
    made |= {key: value for key, value in given if value}
    if has_text:
        made |= {"license": "cc by", "fullTextIdList": {"fullTextId": [pmcid(work)]}}
    return made


def _full_name(author: Author) -> str:
    initials = "".join(part[0] for part in author.given.split())
    return author.name or f"{author.family} {initials}".strip()


def _author(author: Author) -> Record:
    if author.name:
        return {"collectiveName": author.name}
    made: Record = {"fullName": _full_name(author), "lastName": author.family}
    if author.given:
        made |= {"firstName": author.given, "initials": _full_name(author).rpartition(" ")[2]}
    if author.orcid:
        made["authorId"] = {"type": "ORCID", "value": author.orcid}
    return made


def _issue(work: Work) -> Record:
    journal = {
        "title": work.journal.name,
        "medlineAbbreviation": work.journal.short,
        "isoabbreviation": work.journal.short,
    }
    journal |= dict(zip(("issn", "essn"), work.journal.issn, strict=False))
    made: Record = {"journal": journal}
    if work.year:
        made |= {"yearOfPublication": work.year, "dateOfPublication": str(work.year)}
    given = (("volume", work.volume), ("issue", work.issue))
    return made | {key: value for key, value in given if value}


def _links(work: Work) -> list[Record]:
    """The publisher's page for subscribers, and the deposited text for everybody."""
    doi = _link("Subscription required", "S", "doi", "DOI", f"https://doi.org/{work.key}")
    if not pmcid(work):
        return [doi]
    page = f"https://{_READER}/articles/{pmcid(work)}"
    return [
        doi,
        _link("Open access", "OA", "html", "Europe_PMC", page),
        _link("Open access", "OA", "pdf", "Europe_PMC", f"{page}?pdf=render"),
    ]


def _link(availability: str, code: str, style: str, site: str, url: str) -> Record:
    return {
        "availability": availability,
        "availabilityCode": code,
        "documentStyle": style,
        "site": site,
        "url": url,
    }
