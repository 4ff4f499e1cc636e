"""Papers as sources of a research session."""

import re
from collections.abc import Iterable

from sourcewright.base.notices import most_serious_notice
from sourcewright.base.works import WorkRecord
from sourcewright.domain.calls import note_source
from sourcewright.domain.scholar.links import work_url
from sourcewright.domain.scholar.merge import MergedWork
from sourcewright.domain.users.sessions import SessionSource
from sourcewright.references.comparison.match import describes_preprint

_ARTICLE = re.compile(r"article|journal|proceedings|conference|^review$", re.IGNORECASE)
"""Matches the indexes' names of peer-reviewed article types."""


def note_works(works: Iterable[MergedWork]) -> None:
    """Record the returned works in the research session of the call."""
    for work in works:
        record, url = work.record, work_url(work.record)
        if url is None:
            continue
        note_source(
            SessionSource(
                url=url,
                title=record.title or "",
                tag="academic",
                author="; ".join(author.name for author in record.authors) or None,
                organisations=tuple(one.name for one in record.authors if one.is_organisation),
                date=record.published or (str(record.year) if record.year else None),
                doi=record.doi,
                source_type=_source_type(work),
                notice=most_serious_notice(record.notices or ()),
            )
        )


def _source_type(work: MergedWork) -> str | None:
    """Peer-reviewed if an index calls it a journal article or conference paper."""
    reviewed = any(map(_is_article, work.records)) and not work.record.notice_for
    return "peer_reviewed" if reviewed else None


def _is_article(record: WorkRecord) -> bool:
    is_typed = bool(_ARTICLE.search(record.type or ""))
    return is_typed and record.venue is not None and not describes_preprint(record)
