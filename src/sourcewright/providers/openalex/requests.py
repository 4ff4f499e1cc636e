"""Requests to OpenAlex: the fields that are selected, and the parameters of a search."""

from sourcewright.base.errors import NotFound
from sourcewright.domain.papers.scholar import WorkIds, WorkQuery
from sourcewright.domain.scholar.queries import plain_words, words_and_phrases

COPY_FIELDS = "id,doi,best_oa_location,locations"
GRAPH_FIELDS = "id,doi,title,publication_year,referenced_works"
RECORD = (
    COPY_FIELDS + ",title,publication_year,publication_date,type,authorships,biblio,open_access"
)
RECORD += ",primary_location,abstract_inverted_index,is_retracted"
LISTED = f"{RECORD},ids,cited_by_count"
_SOURCES = {
    "arxiv": "locations.source.id:S4306400194",
    "pubmed": "locations.source.id:S4306525036",
    "ieee": "primary_location.source.host_organization_lineage:P4310319808",
    "nature": "primary_location.source.host_organization_lineage:P4310319908",
    "springer": "primary_location.source.host_organization_lineage:P4310319965",
}


def search_params(query: WorkQuery, *, this_year: int) -> dict[str, str]:
    """The parameters of a search. Works with a date far in the future, which are errors, never come first."""
    newest_first = query.sort_by == "date"
    last = query.year_to or (this_year + 1 if newest_first else None)
    filters = (
        f"from_publication_date:{query.year_from}-01-01" if query.year_from else None,
        f"to_publication_date:{last}-12-31" if last else None,
        "open_access.is_oa:true" if query.open_access else None,
        _SOURCES[query.source] if query.source else None,
    )
    params = {
        "search": words_and_phrases(query.text),
        "per-page": str(query.limit),
        "select": LISTED,
        "filter": ",".join(filter(None, filters)),
        "sort": "publication_date:desc" if newest_first else "",
    }
    return {name: value for name, value in params.items() if value}


def any_title(titles: tuple[str, ...]) -> str:
    """The value of a filter for works with any of these titles."""
    return "|".join(plain_words(title.replace("-", " ")) for title in titles)


def name_of(work: WorkIds) -> str:
    """The name of a work in the path of a request.

    Raises:
        NotFound: OpenAlex knows no work by such an identifier.
    """
    arxiv_doi = f"10.48550/arxiv.{work.arxiv_id}" if work.arxiv_id else None
    if work.index_id:
        return work.index_id
    if doi := work.doi or arxiv_doi:
        return f"doi:{doi}"
    if work.pmid:
        return f"pmid:{work.pmid}"
    raise NotFound("openalex", "identifies works by DOI, arXiv id, PMID or its own id")
