"""URLs at which a cited source may be read, the most likely first."""

from sourcewright.base.links import LinkCheck
from sourcewright.base.works import WorkRecord


def source_urls(
    url: str | None, link: LinkCheck | None, record: WorkRecord | None
) -> tuple[str, ...]:
    """Where a source may be read: its live page, its snapshot, an open copy, its record's page."""
    is_dead = link is not None and link.state == "dead"
    snapshot = link.snapshot.url if link is not None and link.snapshot else None
    copies = [copy.url for copy in record.copies] if record else []
    own = record.url if record else None
    doi = f"https://doi.org/{record.doi}" if record and record.doi else None
    urls = (None if is_dead else url, snapshot, *copies[:1], own, doi)
    return tuple(dict.fromkeys(one for one in urls if one))
