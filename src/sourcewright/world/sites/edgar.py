"""EDGAR of the SEC: lists of companies, their filings, full-text search, reported figures."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from sourcewright.world.companies import COMPANIES, Company, Paper
from sourcewright.world.corpus import Corpus, words
from sourcewright.world.messages import Request, Response, as_json, as_page, as_text

HOSTS = ("data.sec.gov", "www.sec.gov", "efts.sec.gov")

_CONTACT = re.compile(r"\S+ .*\S+@\S+\.\S+")
_SUBMISSIONS = re.compile(r"/submissions/CIK(\d{10})(?:-submissions-(\d{3}))?\.json")
_FACTS = re.compile(r"/api/xbrl/companyfacts/CIK(\d{10})\.json")
_BY_CIK = {company.cik: company for company in COMPANIES}


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    if not _CONTACT.fullmatch(request.headers.get("user-agent", "")):
        return as_page("Your Request Originates from an Undeclared Automated Tool", "", status=403)
    if request.host == "www.sec.gov":
        return _www(request)
    if request.host == "efts.sec.gov":
        return _full_text(request)
    return _data(request)


def _data(request: Request) -> Response:
    if match := _SUBMISSIONS.fullmatch(request.path):
        return _submissions(_BY_CIK.get(int(match[1])), match[2])
    if match := _FACTS.fullmatch(request.path):
        company = _BY_CIK.get(int(match[1]))
        return _facts(company) if company and company.facts else _no_such_key()
    return _no_such_key()


def _no_such_key() -> Response:
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code>'
        "<Message>The specified key does not exist.</Message></Error>"
    )
    return as_text(text, status=404, content_type="application/xml")


def _submissions(company: Company | None, archive: str | None) -> Response:
    if company is None or (archive and int(archive) > len(company.archives)):
        return _no_such_key()
    if archive:
        return as_json(_columns(company.archives[int(archive) - 1]))
    files = [
        {
            "name": f"CIK{company.cik:010}-submissions-{number:03}.json",
            "filingCount": len(papers),
            "filingFrom": papers[-1].filed,
            "filingTo": papers[0].filed,
        }
        for number, papers in enumerate(company.archives, start=1)
    ]
    former = [
        {"name": name, "from": "2001-01-01T00:00:00.000Z", "to": "2015-01-01T00:00:00.000Z"}
        for name in company.former
    ]
    return as_json(
        {
            "cik": f"{company.cik:010}",
            "entityType": "operating",
            "name": company.name,
            "tickers": list(company.tickers),
            "exchanges": ["Nasdaq"] * len(company.tickers),
            "fiscalYearEnd": "1231",
            "formerNames": former,
            "filings": {"recent": _columns(company.recent), "files": files},
        }
    )


def _columns(papers: Sequence[Paper]) -> dict[str, list[Any]]:
    return {
        "accessionNumber": [paper.accession for paper in papers],
        "filingDate": [paper.filed for paper in papers],
        "reportDate": [paper.period for paper in papers],
        "form": [paper.form for paper in papers],
        "items": [paper.items for paper in papers],
        "size": [1000 for _ in papers],
        "primaryDocument": [paper.document for paper in papers],
        "primaryDocDescription": [paper.description for paper in papers],
    }


def _facts(company: Company) -> Response:
    facts = {
        taxonomy: {
            name: {"label": name, "description": f"About {name}.", "units": units}
            for name, units in concepts.items()
        }
        for taxonomy, concepts in company.facts.items()
    }
    return as_json({"cik": company.cik, "entityName": company.name, "facts": facts})


def _www(request: Request) -> Response:
    if request.path == "/files/company_tickers.json":
        listed = [(company, ticker) for company in COMPANIES for ticker in company.tickers]
        return as_json(
            {
                str(number): {"cik_str": company.cik, "ticker": ticker, "title": company.name}
                for number, (company, ticker) in enumerate(listed)
            }
        )
    if request.path == "/cgi-bin/browse-edgar" and request.params.get("company"):
        return _by_name(request.params["company"])
    return as_page("404 Not Found", "", status=404)


def _by_name(name: str) -> Response:
    companies = [company for company in COMPANIES if _begins(company, name)]
    if not companies:
        return as_page("EDGAR Search Results", "<center>No matching companies.</center>")
    if len(companies) == 1:
        inside = _info(
            companies[0], f"<conformed-name>{escape(companies[0].name)}</conformed-name>"
        )
    else:
        # The real feed garbles the names if there are several.
        inside = "".join(
            f'<entry title="ARRAY(0x{one.cik:x})"><content type="text/xml">{_info(one, "")}'
            "</content></entry>"
            for one in companies
        )
    feed = f'<?xml version="1.0" encoding="ISO-8859-1" ?><feed xmlns="http://www.w3.org/2005/Atom">{inside}</feed>'
    return as_text(feed, content_type="application/atom+xml")


def _info(company: Company, inside: str) -> str:
    return f"<company-info><cik>{company.cik:010}</cik>{inside}</company-info>"


def _begins(company: Company, name: str) -> bool:
    first_words = re.findall(r"\w+", name.lower())
    return any(
        re.findall(r"\w+", one.lower())[: len(first_words)] == first_words
        for one in (company.name, *company.former)
    )


def _full_text(request: Request) -> Response:
    if request.path != "/LATEST/search-index":
        return as_json({"message": "Missing Authentication Token"}, status=404)
    hits = [hit for company in COMPANIES for hit in _hits(company, request.params)]
    return as_json(
        {
            "took": 12,
            "timed_out": False,
            "_shards": {"total": 50, "successful": 50, "skipped": 0, "failed": 0},
            "hits": {"total": {"value": len(hits), "relation": "eq"}, "hits": hits},
        }
    )


def _hits(company: Company, params: Any) -> Iterable[dict[str, Any]]:
    query_words = words(params.get("q", "").replace('"', ""))
    forms = {form for form in params.get("forms", "").split(",") if form}
    first, last = params.get("startdt", "0"), params.get("enddt", "9")
    for paper in company.recent:
        root = paper.form.removesuffix("/A")
        fits = (not forms or root in forms) and first <= paper.filed <= last
        if fits and paper.text and query_words <= words(paper.text):
            for document in (paper.document, "ex99.htm"):
                yield _hit(company, paper, document)


def _hit(company: Company, paper: Paper, document: str) -> dict[str, Any]:
    tickers = f"  ({', '.join(company.tickers)})" if company.tickers else ""
    is_main = document == paper.document
    return {
        "_index": "edgar_file",
        "_id": f"{paper.accession}:{document}",
        "_score": 9.5,
        "_source": {
            "ciks": [f"{company.cik:010}"],
            "period_ending": paper.period or None,
            "display_names": [f"{company.name}{tickers}  (CIK {company.cik:010})"],
            "xsl": None,
            "root_forms": [paper.form.removesuffix("/A")],
            "file_date": paper.filed,
            "form": paper.form,
            "adsh": paper.accession,
            "file_type": paper.form if is_main else "EX-99",
            "file_description": paper.description if is_main else "EXHIBIT 99",
            "items": paper.items.split(",") if paper.items else [],
        },
    }
