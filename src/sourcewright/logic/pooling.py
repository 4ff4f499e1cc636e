"""One description out of several records of the same work, field by field."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sourcewright.domain.works import Work

FIELDS = ("title", "year", "authors", "venue", "volume", "issue", "pages", "publisher", "type")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pooled:
    """What the records say together, and whose word each field is."""

    work: Work
    origins: dict[str, str]


def pooled(records: Iterable[Work]) -> Pooled:
    """Each field from the first record that has it; there must be one record at least."""
    records = tuple(records)
    found: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for field in FIELDS:
        teller = _teller(records, field)
        if teller is not None:
            found[field] = getattr(teller, field)
            origins[field] = teller.source
    return Pooled(work=replace(records[0], **found), origins=origins)


def _teller(records: Sequence[Work], field: str) -> Work | None:
    """The first record that has the field; of authors, one that tells their names apart."""
    tellers = [record for record in records if getattr(record, field)]
    apart = [record for record in tellers if all(author.family for author in record.authors)]
    return next(iter(apart if field == "authors" and apart else tellers), None)
