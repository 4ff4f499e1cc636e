"""Turns a work into the entry that the library keeps of it."""

from sourcewright.domain.entries import Entry, Holding
from sourcewright.domain.identifiers import ArxivId, Doi
from sourcewright.domain.works import Author, Work
from sourcewright.logic.naming import store_key


def entry_of(
    work: Work, reference: Doi | ArxivId, holding: Holding, pdf_path: str | None
) -> Entry:
    """Everything that the record says; the reference stands in for a missing title."""
    return Entry(
        key=store_key(reference),
        title=work.title or _placeholder(reference),
        authors=tuple(inverted(author) for author in work.authors),
        organisations=tuple(author.name for author in work.authors if author.is_organisation),
        holding=holding,
        year=work.year,
        doi=work.doi or (str(reference) if isinstance(reference, Doi) else None),
        arxiv_id=work.arxiv_id or (str(reference) if isinstance(reference, ArxivId) else None),
        abstract=work.abstract,
        venue=work.venue,
        volume=work.volume,
        issue=work.issue,
        pages=work.pages,
        arxiv_categories=work.categories,
        type=work.type,
        publisher=work.publisher,
        issn=work.issn,
        url=work.url,
        pdf_path=pdf_path,
    )


def inverted(author: Author) -> str:
    """The family name first, where the source tells the two apart."""
    if author.family and author.given:
        return f"{author.family}, {author.given}"
    return author.name


def _placeholder(reference: Doi | ArxivId) -> str:
    return f"arxiv:{reference}" if isinstance(reference, ArxivId) else str(reference)
