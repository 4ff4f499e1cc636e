"""URLs of a work: its DOI, its page, its arXiv or PubMed entry."""

from sourcewright.base.identifiers import ArxivId, Doi, Pmcid, Pmid
from sourcewright.base.works import WorkRecord


def work_url(record: WorkRecord) -> str | None:
    """The best link to a work: its DOI, else its page, else its entry in a repository."""
    if record.doi:
        return Doi(record.doi).url
    if record.url:
        return record.url
    if record.arxiv_id:
        return ArxivId(record.arxiv_id).url
    if record.pmid:
        return Pmid(record.pmid).url
    return Pmcid(record.pmcid).url if record.pmcid else None


def pdf_url(record: WorkRecord) -> str | None:
    """The first open copy that is a PDF."""
    return next((copy.url for copy in record.copies if copy.is_pdf), None)
