"""Writes what is known of a paper as the page of its abstract would: names, dates, abstract."""

from sourcewright.domain.readings import Reading
from sourcewright.domain.works import Work
from sourcewright.logic.composing import facts, joined


def abstract_page(work: Work, *, kind: str, site: str, **more: object) -> Reading:
    """A paper's record as Markdown; `more` are facts of this source alone."""
    authors = "; ".join(author.name for author in work.authors)
    notices = "; ".join(
        " ".join(
            filter(None, (notice.kind.replace("_", " "), notice.date, notice.doi or notice.label))
        )
        for notice in work.notices or ()
    )
    about = facts(
        Authors=authors,
        Journal=work.journal_ref or work.venue,
        Published=work.published,
        Updated=work.updated,
        arXiv=work.arxiv_id and f"{work.arxiv_id}{work.version or ''}",
        DOI=work.doi,
        Categories=", ".join(work.categories),
        Comment=work.comment,
        Notices=notices,
        **more,
    )
    abstract = joined("## Abstract", work.abstract) if work.abstract else None
    return Reading(
        content=joined(f"# {work.title}", about, abstract),
        kind=kind,
        title=work.title,
        author=authors or None,
        site=site,
        published=work.published,
        modified=work.updated,
        canonical=work.url,
    )
