"""arXiv: the Atom API, abstract pages and PDFs."""

import re
from collections.abc import Callable
from html import escape

from sourcewright.world import pdf
from sourcewright.world.corpus import Corpus, Work, words
from sourcewright.world.messages import (
    PDF,
    Request,
    Response,
    as_page,
    as_redirect,
    as_text,
)

_OTHER_DOOR = "www.arxiv.org"
"""Redirects to the pages of the main host."""
HOSTS = ("export.arxiv.org", "arxiv.org", _OTHER_DOOR)

_ATOM = "application/atom+xml; charset=utf-8"
_IDENTIFIER = re.compile(r"((?:\d{4}\.\d{4,5})|(?:[a-z-]+(?:\.[A-Z]{2})?/\d{7}))(?:v(\d+))?")
_TERM = re.compile(r'\b(ANDNOT|AND|OR)\b|(?:(ti|au|abs|co|jr|cat|id|all):)?("[^"]*"|[^\s()]+)')
_DATES = re.compile(r"(?:AND )?submittedDate:\[([0-9]{12}) TO ([0-9]{12})\]")
_NOW = "2026-01-02T00:00:00Z"
_FEED = (
    "<?xml version='1.0' encoding='UTF-8'?>\n"
    '<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" '
    'xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">\n'
)
Version = tuple[Work, int]
"""A work and one of its versions, counted from 1."""


def answer(request: Request, corpus: Corpus) -> Response:
    path = request.decoded_path
    if request.host == _OTHER_DOOR:
        query = f"?{request.query}" if request.query else ""
        return as_redirect(f"https://arxiv.org{request.path}{query}", status=301)
    if path == "/api/query":
        return _query(request, corpus)
    for door, page in (("/pdf/", _pdf), ("/abs/", _abstract)):
        if path.startswith(door):
            return page(path.removeprefix(door), corpus)
    return _missing(path)


def find(identifier: str, corpus: Corpus) -> Version | None:
    """The version that an identifier names; without one, the latest."""
    match = _IDENTIFIER.fullmatch(identifier)
    work = corpus.by_arxiv(match[1]) if match else None
    if match is None or work is None or work.manuscript is None:
        return None
    last = len(work.manuscript.versions)
    version = int(match[2] or last)
    return (work, version) if 1 <= version <= last else None


def _pdf(identifier: str, corpus: Corpus) -> Response:
    if identifier.endswith(".pdf"):
        return as_redirect(f"/pdf/{identifier.removesuffix('.pdf')}", status=301)
    match = find(identifier, corpus)
    if match is None:
        return _missing(identifier)
    work, version = match
    manuscript = work.manuscript
    if manuscript and manuscript.withdrawn and version == len(manuscript.versions):
        return as_page("No document", "<p>This version was withdrawn.</p>", status=404)
    return Response(body=pdf.paper(work, version), content_type=PDF)


def _abstract(identifier: str, corpus: Corpus) -> Response:
    match = find(identifier, corpus)
    if match is None:
        return _missing(identifier)
    work, _ = match
    tags = [("citation_title", work.plain_title), ("citation_arxiv_id", identifier)]
    tags += [("citation_author", author.sort_name) for author in work.authors]
    tags.append(("citation_pdf_url", f"https://arxiv.org/pdf/{identifier}"))
    head = "".join(f'<meta name="{name}" content="{escape(text)}">\n' for name, text in tags)
    return as_page(escape(work.plain_title), f"<p>{escape(work.abstract)}</p>", head=head)


def _missing(what: str) -> Response:
    inside = f"<p>No such article: {escape(what)}</p>"
    return as_page("Article not found", inside, status=404)


def _query(request: Request, corpus: Corpus) -> Response:
    params = request.params
    ids = [one.strip() for one in params.get("id_list", "").split(",") if one.strip()]
    for identifier in ids:
        if not _IDENTIFIER.fullmatch(identifier):
            return _error(f"incorrect id format for {identifier}")
    start, most = params.get("start", "0"), params.get("max_results", "10")
    if not start.isdecimal() or not most.isdecimal():
        return _error("start and max_results must be integers")
    hits = _hits(ids, params.get("search_query", ""), corpus)
    if params.get("sortBy") == "submittedDate":
        newest = params.get("sortOrder", "descending") == "descending"
        hits = sorted(hits, key=lambda hit: _submitted(hit[0]), reverse=newest)
    page = hits[int(start) : int(start) + int(most)]
    return as_text(_feed(request, hits, page, int(start)), content_type=_ATOM)


def _hits(ids: list[str], search: str, corpus: Corpus) -> list[Version]:
    """With both parameters, both must match; with neither, nothing does."""
    if ids:
        versions = [find(identifier, corpus) for identifier in ids]
        hits = [one for one in versions if one is not None]
    else:
        manuscripts = [(work, work.manuscript) for work in corpus.works]
        hits = [
            (work, len(paper.versions)) for work, paper in manuscripts if paper and search.strip()
        ]
    return [hit for hit in hits if not search.strip() or _matches(hit[0], search)]


def _submitted(work: Work) -> str:
    """The time of the first version, as digits."""
    return re.sub(r"\D", "", work.manuscript.versions[0])[:12] if work.manuscript else ""


def _matches(work: Work, search: str) -> bool:
    """Terms from left to right; brackets are not supported."""
    holds, joined = True, "AND"
    for first, last in _DATES.findall(search):
        holds = holds and first <= _submitted(work) <= last
    for operator, field, text in _TERM.findall(_DATES.sub(" ", search)):
        if operator:
            joined = operator
            continue
        query_words = words(text.replace("_", " "))
        here = query_words <= words(_FIELDS[field or "all"](work))
        match joined:
            case "OR":
                holds = holds or here
            case "AND":
                holds = holds and here
            case _:
                holds = holds and not here
        joined = "AND"
    return holds


def _names(work: Work) -> str:
    return " ".join(author.full_name for author in work.authors)


def _categories(work: Work) -> str:
    return " ".join(work.manuscript.categories) if work.manuscript else ""


_FIELDS: dict[str, Callable[[Work], str]] = {
    "ti": lambda work: work.plain_title,
    "au": _names,
    "abs": lambda work: work.abstract,
    "co": lambda work: work.manuscript.comment if work.manuscript else "",
    "jr": lambda work: work.manuscript.journal_ref if work.manuscript else "",
    "cat": _categories,
    "id": lambda work: work.manuscript.id if work.manuscript else "",
    "all": lambda work: f"{work.plain_title} {_names(work)} {work.abstract} {_categories(work)}",
}


def _feed(request: Request, hits: list[Version], page: list[Version], start: int) -> str:
    query_text = escape(request.query)
    return (
        f"{_FEED}  <id>https://arxiv.org/api/invented</id>\n"
        f"  <title>arXiv Query: {query_text}</title>\n  <updated>{_NOW}</updated>\n"
        f'  <link href="https://arxiv.org/api/query?{query_text}" type="application/atom+xml"/>\n'
        f"  <opensearch:itemsPerPage>{len(page)}</opensearch:itemsPerPage>\n"
        f"  <opensearch:totalResults>{len(hits)}</opensearch:totalResults>\n"
        f"  <opensearch:startIndex>{start}</opensearch:startIndex>\n"
        f"{''.join(_entry(*hit) for hit in page)}</feed>\n"
    )


def _entry(work: Work, version: int) -> str:
    manuscript = work.manuscript
    if manuscript is None:
        return ""
    name = f"{manuscript.id}v{version}"
    authors = "".join(
        f"    <author>\n      <name>{escape(author.full_name)}</name>\n    </author>\n"
        for author in work.authors
    )
    categories = "".join(
        f'    <category term="{one}" scheme="http://arxiv.org/schemas/atom"/>\n'
        for one in manuscript.categories
    )
    return (
        f"  <entry>\n    <id>http://arxiv.org/abs/{name}</id>\n"
        f"    <title>{escape(work.plain_title)}</title>\n"
        f"    <updated>{manuscript.versions[version - 1]}</updated>\n"
        f'    <link href="https://arxiv.org/abs/{name}" rel="alternate" type="text/html"/>\n'
        f'    <link href="https://arxiv.org/pdf/{name}" rel="related" '
        'type="application/pdf" title="pdf"/>\n'
        f"    <summary>{escape(work.abstract)}</summary>\n{categories}"
        f"    <published>{manuscript.versions[0]}</published>\n{_extras(work)}"
        f'    <arxiv:primary_category term="{manuscript.categories[0]}"/>\n{authors}  </entry>\n'
    )


def _extras(work: Work) -> str:
    manuscript = work.manuscript
    elements = (
        ("comment", manuscript.comment if manuscript else ""),
        ("journal_ref", manuscript.journal_ref if manuscript else ""),
        ("doi", work.published_as),
    )
    return "".join(
        f"    <arxiv:{name}>{escape(text)}</arxiv:{name}>\n" for name, text in elements if text
    )


def _error(message: str) -> Response:
    """The response to an invalid query: a feed with one entry called Error."""
    where = f"https://arxiv.org/api/errors#{message.replace(' ', '_')}"
    text = (
        f"{_FEED}  <id>https://arxiv.org/</id>\n  <title>arXiv Search Results</title>\n"
        f"  <updated>{_NOW}</updated>\n"
        "  <opensearch:itemsPerPage>1</opensearch:itemsPerPage>\n"
        "  <opensearch:totalResults>1</opensearch:totalResults>\n"
        "  <opensearch:startIndex>0</opensearch:startIndex>\n"
        f"  <entry>\n    <id>{escape(where)}</id>\n    <title>Error</title>\n"
        f"    <updated>{_NOW}</updated>\n"
        f'    <link href="{escape(where)}" rel="alternate" type="text/html"/>\n'
        f"    <summary>{escape(message)}</summary>\n"
        "    <author>\n      <name>arXiv api core</name>\n    </author>\n  </entry>\n</feed>\n"
    )
    return as_text(text, status=400, content_type=_ATOM)
