"""Identifiers of a work in a query: a DOI, an arXiv id, a PubMed or PubMed Central id."""

from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import ArxivId, Doi, Pmcid, Pmid, Reference, parse_reference
from sourcewright.base.works import WorkRecord
from sourcewright.domain.papers.scholar import WorkIds


def work_ids(reference: Reference) -> WorkIds:
    """The identifiers by which indexes know the work of a reference."""
    match reference:
        case Doi():
            arxiv = reference.arxiv
            return WorkIds(doi=reference.value, arxiv_id=arxiv.value if arxiv else None)
        case ArxivId():
            return WorkIds(doi=reference.doi.value, arxiv_id=reference.value)
        case Pmid():
            return WorkIds(pmid=reference.value)
        case Pmcid():
            return WorkIds(pmcid=reference.value)


def identifier_query(text: str) -> WorkIds | None:
    """The identifiers if a query is nothing but one; None for words."""
    try:
        return work_ids(parse_reference(text))
    except InvalidInput:
        return None


def has_identifier(record: WorkRecord, ids: WorkIds) -> bool:
    """Whether a record is that of the work with one of these identifiers."""
    pairs = (
        (ids.doi, record.doi),
        (ids.arxiv_id, record.arxiv_id),
        (ids.pmid, record.pmid),
        (ids.pmcid, record.pmcid),
    )
    return any(requested == own for requested, own in pairs if requested)
