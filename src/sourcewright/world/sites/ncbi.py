"""NCBI's E-utilities (ESearch, ESummary, EFetch), and PubMed's HTML pages."""

import re
from html import escape
from typing import Any

from sourcewright.world.corpus import Corpus, Work, rank
from sourcewright.world.corpus.ids import pmcid, pmid
from sourcewright.world.corpus.works import iso
from sourcewright.world.messages import Request, Response, as_json, as_page, as_text

_PUBMED = "pubmed.ncbi.nlm.nih.gov"
HOSTS = ("eutils.ncbi.nlm.nih.gov", _PUBMED)

Record = dict[str, Any]

WITHOUT_DOI = "1000001"
"""A record without a DOI, in PubMed and in PMC."""
_HEADER = {"type": "esummary", "version": "0.3"}
_LARGEST = 2**31
_DECLARED = (
    '<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" '
    '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed.dtd">\n'
)
_MARKS = {
    "retraction": "RetractionIn",
    "correction": "ErratumIn",
    "expression_of_concern": "ExpressionOfConcernIn",
}


def answer(request: Request, corpus: Corpus) -> Response:
    return _page(request, corpus) if request.host == _PUBMED else _utility(request, corpus)


def _page(request: Request, corpus: Corpus) -> Response:
    """The HTML page of a record, with its abstract."""
    number = request.path.strip("/")
    work = corpus.by_number(number) if number.isdecimal() else None
    if work is None:
        return as_page("Page not found - PubMed", "<p>Not found.</p>", status=404)
    names = ", ".join(author.full_name for author in work.authors)
    head = f'<meta name="citation_pmid" content="{number}">'
    inside = (
        f"<p>{escape(names)}</p><h2>Abstract</h2><p>{escape(work.abstract)}</p>"
        f"<p>PMID: {number} DOI: {escape(work.doi)}</p>"
    )
    return as_page(escape(work.plain_title), inside, head=head)


def _utility(request: Request, corpus: Corpus) -> Response:
    utility = request.path.removeprefix("/entrez/eutils/")
    if utility == "efetch.fcgi" and request.params.get("db") == "pubmed":
        return _whole(request.params.get("id", ""), corpus)
    if utility == "esearch.fcgi" and request.params.get("db") == "pubmed":
        return _search(request, corpus)
    if utility == "esummary.fcgi":
        return _summaries(request, corpus)
    return as_json({"error": "no such utility"}, status=404)


def _summaries(request: Request, corpus: Corpus) -> Response:
    params = request.params
    database = params.get("db", "")
    if database not in {"pubmed", "pmc"}:
        return _trouble("Invalid db name specified: " + database)
    if params.get("retmode") != "json":
        return Response(body=b"<eSummaryResult/>", content_type="text/xml")
    uids = [uid for uid in params.get("id", "").split(",") if uid]
    wrong = [uid for uid in uids if not uid.isdecimal() or int(uid) >= _LARGEST]
    if wrong or not uids:
        return _trouble(*(f"Invalid uid {uid} at position= 0" for uid in wrong))
    records = {uid: _summary(uid, database, corpus) for uid in uids}
    return as_json({"header": _HEADER, "result": {"uids": uids, **records}})


def _search(request: Request, corpus: Corpus) -> Response:
    """The ids of the matching records, with the total and the page size."""
    params = request.params
    if params.get("retmode") != "json" or not params.get("term"):
        return as_text("<eSearchResult/>", content_type="text/xml; charset=UTF-8")
    works = _matching(params["term"], [work for work in corpus.works if pmid(work)])
    first, last = params.get("mindate", "0"), params.get("maxdate", "9999")
    works = [work for work in works if int(first) <= (work.year or 0) <= int(last)]
    if params.get("sort") == "pub_date":
        works = sorted(works, key=lambda work: iso(work.date), reverse=True)
    start, most = int(params.get("retstart", "0")), int(params.get("retmax", "20"))
    ids = [pmid(work) for work in works[start : start + most]]
    result: Record = {"count": str(len(works)), "retmax": str(len(ids)), "retstart": str(start)}
    result |= {"idlist": ids, "translationset": [], "querytranslation": params["term"]}
    if not works:
        result["errorlist"] = {"phrasesnotfound": [params["term"]], "fieldsnotfound": []}
    return as_json({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result})


def _matching(term: str, works: list[Work]) -> list[Work]:
    """By DOI if a field says so, else by words; only free articles if requested."""
    dois = {doi.lower() for doi in re.findall(r'"([^"]+)"\[doi\]', term)}
    if dois:
        return [work for work in works if work.key in dois]
    if "free full text[sb]" in term:
        works = [work for work in works if pmcid(work)]
    plain = re.sub(r"free full text\[sb\]|\bAND\b|[()]", " ", term)
    return [work for work, _ in rank(works, plain)]


def _whole(uids: str, corpus: Corpus) -> Response:
    """Records as XML; missing ones are omitted without a message."""
    works = [(uid, corpus.by_number(uid)) for uid in uids.split(",")]
    inside = "".join(_article(uid, work) for uid, work in works if work)
    text = f"{_DECLARED}<PubmedArticleSet>{inside}</PubmedArticleSet>"
    return as_text(text, content_type="text/xml; charset=UTF-8")


def _article(uid: str, work: Work) -> str:
    authors = "".join(
        f"<Author><CollectiveName>{escape(one.name)}</CollectiveName></Author>"
        if one.name
        else f'<Author ValidYN="Y"><LastName>{escape(one.family)}</LastName>'
        f"<ForeName>{escape(one.given)}</ForeName></Author>"
        for one in work.authors
    )
    dated = zip(("Year", "Month", "Day"), work.date, strict=False)
    date = "".join(f"<{name}>{part:02d}</{name}>" for name, part in dated)
    abstract = "".join(
        f'<AbstractText Label="PART {at}">{escape(part)}</AbstractText>'
        for at, part in enumerate(work.abstract.split("\n\n"), 1)
    )
    marks = "".join(
        f'<CommentsCorrections RefType="{_MARKS[update.kind]}"><RefSource>Invent J</RefSource>'
        "</CommentsCorrections>"
        for update in work.updated_by
        if update.kind in _MARKS
    )
    other = pmcid(work)
    ids = f'<ArticleId IdType="pubmed">{uid}</ArticleId><ArticleId IdType="doi">{escape(work.doi)}'
    ids += f'</ArticleId><ArticleId IdType="pmc">{other}</ArticleId>' if other else "</ArticleId>"
    return (
        f'<PubmedArticle><MedlineCitation><PMID Version="1">{uid}</PMID><Article><Journal>'
        f"<JournalIssue><PubDate>{date}</PubDate></JournalIssue><Title>Invent J</Title></Journal>"
        f"<ArticleTitle>{escape(work.plain_title)}.</ArticleTitle>"
        f"<Abstract>{abstract}</Abstract><AuthorList>{authors}</AuthorList></Article>"
        f"<CommentsCorrectionsList>{marks}</CommentsCorrectionsList></MedlineCitation>"
        f"<PubmedData><ArticleIdList>{ids}</ArticleIdList></PubmedData></PubmedArticle>"
    )


def _trouble(*sentences: str) -> Response:
    messages = sentences or ("Empty id list - nothing todo",)
    return as_json({"header": _HEADER, "esummaryresult": list(messages)})


def _summary(uid: str, database: str, corpus: Corpus) -> Record:
    if uid == WITHOUT_DOI:
        return _record(uid, "On the keeping of leeches", "1951 Mar", [])
    work = corpus.by_number(uid if database == "pubmed" else f"PMC{uid}")
    if work is None:
        return {"uid": uid, "error": "cannot get document summary"}
    date = iso(work.date).replace("-", " ")
    record = _record(uid, work.plain_title, date, _ids(work, database))
    record["authors"] = [
        {"name": author.full_name, "authtype": "Author", "clusterid": ""}
        for author in work.authors[:50]
    ]
    record["elocationid"] = f"doi: {work.doi}" if database == "pubmed" else ""
    return record


def _record(uid: str, title: str, date: str, ids: list[Record]) -> Record:
    return {
        "uid": uid,
        "pubdate": date,
        "source": "Invent J",
        "authors": [],
        "title": title,
        "articleids": [{"idtype": "pubmed", "idtypen": 1, "value": uid}, *ids],
        "elocationid": "",
    }


def _ids(work: Work, database: str) -> list[Record]:
    other = {"pmc": pmcid(work)} if database == "pubmed" else {"pmid": pmid(work)}
    ids = {**other, "doi": work.doi}
    return [{"idtype": kind, "value": value} for kind, value in ids.items() if value]
