"""Europe PMC: its search API, article pages and rendered PDFs."""

import re
from collections.abc import Callable
from typing import Any

from sourcewright.world import pdf
from sourcewright.world.corpus import Corpus, Work, rank
from sourcewright.world.corpus.ids import pmcid, pmid
from sourcewright.world.corpus.works import Author, iso
from sourcewright.world.lucene import in_range, words_and_conditions
from sourcewright.world.messages import PDF, Request, Response, as_json, as_page, as_text

_API, _READER = "www.ebi.ac.uk", "europepmc.org"
HOSTS = (_API, _READER)

Record = dict[str, Any]

_SEARCH = "/europepmc/webservices/rest/search"
_MOST = 1000
_NOTICES = {
    "retraction": "Retraction in",
    "correction": "Erratum in",
    "erratum": "Erratum in",
    "expression_of_concern": "Expression of concern in",
}


def answer(request: Request, corpus: Corpus) -> Response:
    if request.host == _READER:
        return _read(request, corpus)
    if request.decoded_path.rstrip("/") != _SEARCH:
        return as_page("Not Found", "<p>The page you are looking for is not here.</p>", status=404)
    params = request.params
    query, size = params.get("query", ""), params.get("pageSize", "25")
    if not query or not size.isdecimal() or int(size) > _MOST:
        return as_json({"errCode": 3, "errMsg": "The query or the page size is not valid"})
    works = _matching(query, corpus)
    if params.get("sort") == "P_PDATE_D desc":
        works = sorted(works, key=lambda work: iso(work.date), reverse=True)
    if params.get("format") != "json":
        return _as_xml(len(works))
    return as_json(_listing(query, params.get("resultType", "lite"), works, int(size)))


def _read(request: Request, corpus: Corpus) -> Response:
    match = re.fullmatch(r"/articles?/(?:PMC/)?(PMC[0-9]+)", request.decoded_path)
    work = corpus.by_number(match[1]) if match else None
    if work is None:
        return as_page("Not found", "<p>Europe PMC has no such article.</p>", status=404)
    if request.params.get("pdf") == "render":
        return Response(body=pdf.paper(work), content_type=PDF)
    return as_page(work.slug, f"<p>{pmcid(work)}</p>")


def _as_xml(count: int) -> Response:
    """The default XML response; only the hit count is used here."""
    inside = f"<version>6.9</version><hitCount>{count}</hitCount>"
    text = f'<?xml version="1.0"?><responseWrapper>{inside}</responseWrapper>'
    return as_text(text, content_type="application/xml")


def _matching(query: str, corpus: Corpus) -> list[Work]:
    """Conditions on the same field are combined with OR, others with AND; the rest are words."""
    known = [work for work in corpus.works if pmid(work) or _is_preprint(work)]
    text, conditions = words_and_conditions(query)
    works_by_name = {
        name.upper(): [value for other, _, value in conditions if other.upper() == name.upper()]
        for name, _, _ in conditions
    }
    for name, values in works_by_name.items():
        fits = _FIELDS.get(name)
        known = [work for work in known if fits and any(fits(work, value) for value in values)]
    return [work for work, _ in rank(known, text)] if text else known


def _is_preprint(work: Work) -> bool:
    return work.journal.key in _SERVERS and not work.update_to


_SERVERS = {"biorxiv": "bioRxiv", "medrxiv": "medRxiv"}
_FIELDS: dict[str, Callable[[Work, str], bool]] = {
    "DOI": lambda work, value: work.key == value.lower(),
    "EXT_ID": lambda work, value: pmid(work) == value,
    "PMCID": lambda work, value: pmcid(work) == value,
    "SRC": lambda work, value: value == ("PPR" if _is_preprint(work) else "MED"),
    "PUB_YEAR": lambda work, value: in_range(work.year, value),
    "OPEN_ACCESS": lambda work, value: bool(pmcid(work)) == (value.lower() == "y"),
    "PUBLISHER": lambda work, value: _SERVERS.get(work.journal.key) == value,
}


def _listing(query: str, kind: str, works: list[Work], size: int) -> Record:
    records = [record(work) for work in works[:size]]
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
        "resultList": {"result": records if kind == "core" else [_lite(one) for one in records]},
    }


def _lite(whole: Record) -> Record:
    full = ("authorList", "journalInfo", "abstractText", "pubTypeList", "fullTextUrlList")
    short = {key: value for key, value in whole.items() if key not in full}
    return short | {"journalTitle": whole["journalInfo"]["journal"]["medlineAbbreviation"]}


def record(work: Work) -> Record:
    """The work in Europe PMC's full format."""
    names = ", ".join(_full_name(author) for author in work.authors)
    has_text = bool(pmcid(work))
    result: Record = {
        "id": pmid(work),
        "source": "MED",
        "doi": work.key,
        "title": f"{work.title}.",
        "authorString": f"{names}.",
        "authorList": {"author": [_author(author) for author in work.authors]},
        "journalInfo": _issue(work),
        "pubYear": str(work.year or ""),
        "pubTypeList": {"pubType": ["research-article", "Journal Article"]},
        "fullTextUrlList": {"fullTextUrl": _links(work)},
        "isOpenAccess": "Y" if has_text else "N",
        "citedByCount": len(work.title) % 90,
        "inEPMC": "Y" if has_text else "N",
        "inPMC": "Y" if has_text else "N",
        "hasPDF": "Y" if has_text else "N",
        "authMan": "N",
        "firstPublicationDate": iso((*work.date, 1, 1)[:3]) if work.date else "",
    }
    fields = (("pmcid", pmcid(work)), ("pageInfo", work.pages), ("abstractText", work.abstract))
    result |= {key: value for key, value in fields if value}
    result |= {"pmid": pmid(work)} if pmid(work) else _as_preprint(work)
    if work.updated_by and pmid(work):
        result["commentCorrectionList"] = {"commentCorrection": _notices(work)}
    if has_text:
        result |= {"license": "cc by", "fullTextIdList": {"fullTextId": [pmcid(work)]}}
    return result


def _as_preprint(work: Work) -> Record:
    number = f"PPR99{len(work.key):04d}{sum(work.key.encode()) % 10000:04d}"
    server = _SERVERS.get(work.journal.key, "")
    return {
        "id": number,
        "source": "PPR",
        "pubTypeList": {"pubType": ["Preprint"]},
        "bookOrReportDetails": {"publisher": server, "yearOfPublication": work.year},
    }


def _notices(work: Work) -> list[Record]:
    return [
        {
            "id": str(sum(update.doi.encode())),
            "source": "MED",
            "reference": f"Invent J. {update.date[0]}",
            "type": _NOTICES[update.kind],
        }
        for update in work.updated_by
        if update.kind in _NOTICES
    ]


def _full_name(author: Author) -> str:
    initials = "".join(part[0] for part in author.given.split())
    return author.name or f"{author.family} {initials}".strip()


def _author(author: Author) -> Record:
    if author.name:
        return {"collectiveName": author.name}
    fields: Record = {"fullName": _full_name(author), "lastName": author.family}
    if author.given:
        fields |= {"firstName": author.given, "initials": _full_name(author).rpartition(" ")[2]}
    if author.orcid:
        fields["authorId"] = {"type": "ORCID", "value": author.orcid}
    return fields


def _issue(work: Work) -> Record:
    journal = {
        "title": work.journal.name,
        "medlineAbbreviation": work.journal.short,
        "isoabbreviation": work.journal.short,
    }
    journal |= dict(zip(("issn", "essn"), work.journal.issn, strict=False))
    issue: Record = {"journal": journal}
    if work.year:
        issue |= {"yearOfPublication": work.year, "dateOfPublication": str(work.year)}
    fields = (("volume", work.volume), ("issue", work.issue))
    return issue | {key: value for key, value in fields if value}


def _links(work: Work) -> list[Record]:
    """The publisher's page for subscribers, and the open deposited text."""
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
