"""Converts a source's description of a work to the record of a scholarly index."""

from collections.abc import Iterable
from typing import Any

from sourcewright.base.spellings import ASCII_LOWER
from sourcewright.base.works import RecordsByDoi, Work, WorkRecord

_SHARED = (
    "source",
    "doi",
    "arxiv_id",
    "title",
    "authors",
    "year",
    "published",
    "venue",
    "type",
    "volume",
    "issue",
    "pages",
    "publisher",
    "abstract",
    "url",
    "copies",
    "notices",
    "notice_for",
    "preprints",
    "published_as",
)
OPEN_STATUSES = frozenset({"gold", "hybrid", "green", "bronze", "diamond"})


def record_of_work(work: Work, **more: Any) -> WorkRecord:
    """The record of a work; `more` are the fields that only a scholarly index has."""
    fields: dict[str, Any] = {name: getattr(work, name) for name in _SHARED}
    return WorkRecord(**{**fields, "open_access": _open_access(work), **more})


def by_doi(records: Iterable[WorkRecord], dois: Iterable[str]) -> RecordsByDoi:
    """The records of the requested DOIs; the first one if an index has several."""
    keys = {doi.translate(ASCII_LOWER) for doi in dois}
    first_records: dict[str, WorkRecord] = {}
    for record in records:
        if record.doi in keys:
            first_records.setdefault(record.doi, record)
    return first_records


def _open_access(work: Work) -> bool | None:
    if work.copies or work.oa_status in OPEN_STATUSES:
        return True
    return False if work.oa_status == "closed" else None
