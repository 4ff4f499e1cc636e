"""Papers as sources of a research session."""

from collections.abc import Iterable

from sourcewright.domain.calls import note_source
from sourcewright.domain.sessions import Source
from sourcewright.logic.citations.match import describes_preprint
from sourcewright.logic.papers.notices import most_serious_notice
from sourcewright.logic.scholar.links import work_url
from sourcewright.logic.scholar.merge import MergedWork


def note_works(works: Iterable[MergedWork]) -> None:
    """Note the works that a call returns, for the research session that it belongs to."""
    for work in works:
        record, url = work.record, work_url(work.record)
        if url is None:
            continue
        note_source(
            Source(
                url=url,
                title=record.title or "",
                tag="academic",
                author="; ".join(author.name for author in record.authors) or None,
                date=record.published or (str(record.year) if record.year else None),
                doi=record.doi,
                source_type=_source_type(work),
                notice=most_serious_notice(record.notices or ()),
            )
        )


def _source_type(work: MergedWork) -> str | None:
    """Reviewed as far as an index says so: a preprint, or a page without a venue, is not."""
    reviewed = any(one.venue and not describes_preprint(one) for one in work.records)
    return "peer_reviewed" if reviewed else None
