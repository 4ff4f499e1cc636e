"""Requests to Crossref: the parameters of a search, filters of several values, and paths."""

from urllib.parse import quote

from sourcewright.base.errors import BadAnswer
from sourcewright.domain.papers.scholar import WorkQuery

MAX_NOTICES = 100
LISTED = (
    "DOI,title,subtitle,author,type,published,published-print,published-online,issued,"
    "container-title,short-container-title,volume,issue,page,article-number,publisher,publisher-location,event,ISSN,abstract,URL,resource,license,"
    "is-referenced-by-count,relation,update-to,updated-by"
)
SOURCES = {"ieee": "prefix:10.1109", "nature": "prefix:10.1038", "springer": "member:297"}


def search_params(query: WorkQuery, *, this_year: int) -> dict[str, str]:
    """The parameters of a search. Works with a date far in the future, which are errors, never come first."""
    last = query.year_to or (this_year + 1 if query.sort_by == "date" else None)
    filters = (
        f"from-pub-date:{query.year_from}" if query.year_from else None,
        f"until-pub-date:{last}" if last else None,
        SOURCES.get(query.source or ""),
    )
    params = {
        "query.bibliographic": query.text,
        "rows": str(query.limit),
        "select": LISTED,
        "filter": ",".join(filter(None, filters)),
    }
    order = {"sort": "published", "order": "desc"} if query.sort_by == "date" else {}
    return {name: value for name, value in params.items() if value} | order


def doi_path(doi: str) -> str:
    return f"/works/{quote(doi, safe='')}"


def any_of(name: str, values: tuple[str, ...]) -> str:
    """A filter that accepts any of several values."""
    return ",".join(f"{name}:{value}" for value in values)


def notices_params(doi: str) -> dict[str, str]:
    if "," in doi:  # a comma ends the filter value, so an empty list would prove nothing
        raise BadAnswer(
            "crossref", f"its filter syntax cannot express the comma in {doi}", cause="shape"
        )
    return {"filter": f"updates:{doi}", "rows": str(MAX_NOTICES), "select": "DOI,update-to"}


def is_absence(body: bytes) -> bool:
    """Whether a 404 body is Crossref's own message and not a proxy's error page."""
    text = body.strip().lower()
    return b"resource not found" in text and not text.startswith(b"<")
