"""Filters of a scholarly search, applied to records of indexes that do not support them."""

from collections.abc import Mapping
from types import MappingProxyType

from sourcewright.base.works import WorkRecord
from sourcewright.domain.papers.scholar import Publisher, WorkQuery

SITES: Mapping[Publisher, str] = MappingProxyType(
    {
        "arxiv": "arxiv.org",
        "pubmed": "pubmed.ncbi.nlm.nih.gov",
        "ieee": "ieeexplore.ieee.org",
        "nature": "nature.com",
        "springer": "link.springer.com",
    }
)
"""The site of each repository or publisher."""

SITE_POOL = (
    "arxiv.org",
    "pubmed.ncbi.nlm.nih.gov",
    "scholar.google.com",
    "ieeexplore.ieee.org",
    "dl.acm.org",
    "nature.com",
    "sciencedirect.com",
    "link.springer.com",
    "researchgate.net",
    "plos.org",
    "frontiersin.org",
    "mdpi.com",
    "wiley.com",
    "jstor.org",
    "semanticscholar.org",
    "biorxiv.org",
    "medrxiv.org",
)
"""The sites to which the search falls back if no index answers."""

_PREFIXES: Mapping[Publisher, tuple[str, ...]] = MappingProxyType(
    {
        "arxiv": ("10.48550/",),
        "ieee": ("10.1109/",),
        "nature": ("10.1038/",),
        "springer": ("10.1007/", "10.1186/", "10.1140/"),
    }
)
"""DOI prefixes of the publishers."""


def fits(record: WorkRecord, query: WorkQuery) -> bool:
    """Whether a record passes the filters; an unknown year passes.

    `open_access` is not among them: a copy may be found elsewhere later.
    """
    year = record.year
    if year is not None:
        if query.year_from is not None and year < query.year_from:
            return False
        if query.year_to is not None and year > query.year_to:
            return False
    return query.source is None or _is_from(record, query.source)


def _is_from(record: WorkRecord, publisher: Publisher) -> bool:
    if publisher == "arxiv" and record.arxiv_id:
        return True
    if publisher == "pubmed" and (record.pmid or record.pmcid):
        return True
    prefixes = _PREFIXES.get(publisher, ())
    if record.doi and prefixes and record.doi.startswith(prefixes):
        return True
    return SITES[publisher] in (record.url or "")
