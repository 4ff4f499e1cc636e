"""Parses Crossref's works, lists of works, their references, and the notices about them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sourcewright.base.authors import author_from_parts, authors_of
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import (
    Record,
    doi_of,
    first_text_of,
    record_of,
    text_of,
    url_of,
)
from sourcewright.base.notices import notices_of, targets_of
from sourcewright.base.text import dates
from sourcewright.base.works import Notice, RecordsByDoi, Work, WorkRecord
from sourcewright.domain.papers.licences import clearest_licence
from sourcewright.domain.papers.scholar import Citation
from sourcewright.domain.papers.titles import full_title
from sourcewright.domain.scholar.records import record_of_work

# `issued` is the earlier of print and online; the others are fallbacks. `created` is the deposit
# date and says nothing about publication.
_DATES = ("published-print", "published-online", "published", "issued")
# Licences for text mining (tdm) and for sharing on platforms (stm-asf) are not licences to read.
_VERSIONS = ("vor", "unspecified", "am")
_REFERENCE_TITLES = ("article-title", "volume-title", "series-title", "unstructured")
_REFERENCE_VENUES = ("journal-title", "series-title")


def read_list(answer: Any) -> tuple[tuple[WorkRecord, ...], int]:
    """The works on the first page of a list, and how many there are.

    Raises:
        ValueError: There are works, and none was sent.
    """
    message = _message(answer, "work-list")
    total = json_values.required_count(message["total-results"])
    items = json_values.required_records(message["items"])
    if total and not items:
        raise ValueError(f"{total} works announced, but none sent")
    return tuple(map(read_record, items)), total


def read_record(record: Record) -> WorkRecord:
    """A work as an entry of a scholarly index."""
    work = read_work(record)
    return record_of_work(
        work,
        index_id=work.doi,
        url=work.url or f"https://doi.org/{work.doi}",
        citation_count=json_values.count_of(record.get("is-referenced-by-count")),
        years=_years(record),
        other_venues=_other_venues(record),
        locations=json_values.texts_of(
            [record.get("publisher-location"), record_of(record.get("event")).get("location")]
        ),
    )


def _other_venues(record: Record) -> tuple[str, ...]:
    """Names of the journal or proceedings besides the first: the abbreviation, the conference."""
    containers = json_values.texts_of(record.get("container-title"))
    event = record_of(record.get("event"))
    conference = json_values.texts_of([event.get("name"), event.get("acronym")])
    names = (*containers[1:], *json_values.texts_of(record.get("short-container-title")))
    return tuple(
        name for name in dict.fromkeys((*names, *conference)) if name not in containers[:1]
    )


def _years(record: Record) -> tuple[int, ...]:
    """The years in print and online, of which `issued` is only the earlier."""
    parts = [dates.date_of_parts(record.get(name)) for name in _DATES]
    return tuple(dict.fromkeys(int(date[:4]) for date in parts if date))


def read_updates(answer: Any) -> dict[str, list[Record]]:
    """The notices about several DOIs, by the DOI that they are about.

    Raises:
        ValueError: There are more than were sent.
    """
    message = _message(answer, "work-list")
    items = json_values.required_records(message["items"])
    if json_values.required_count(message["total-results"]) > len(items):
        raise ValueError(f"{message['total-results']} notices announced, but {len(items)} sent")
    updates: dict[str, list[Record]] = {}
    for item in items:
        for entry in json_values.records_of(item["update-to"]):
            target = doi_of(entry.get("DOI"))
            if target:
                updates.setdefault(target, []).append({**entry, "DOI": item["DOI"]})
    return updates


def with_updates(
    records: RecordsByDoi, updates: Mapping[str, Sequence[Record]]
) -> dict[str, WorkRecord]:
    """The records with all notices: those in the record, and those listed only by the notice."""
    return {
        doi: replace(record, notices=_all_notices(record, updates.get(doi, ()), doi))
        for doi, record in records.items()
    }


def with_own_notices(records: RecordsByDoi) -> dict[str, WorkRecord]:
    """The records with only the notices in the record; None if it has none."""
    return {
        doi: replace(record, notices=record.notices or None) for doi, record in records.items()
    }


def _all_notices(record: WorkRecord, entries: Sequence[Record], doi: str) -> tuple[Notice, ...]:
    listed = record.notices or ()
    known = {(notice.kind, notice.doi) for notice in listed}
    others = notices_of(entries, doi=doi, source="crossref")
    return (*listed, *(one for one in others if (one.kind, one.doi) not in known))


def read_references(answer: Any, doi: str) -> tuple[WorkRecord, ...]:
    """The references of a work, as its publisher deposited them.

    Raises:
        ValueError: It has references, and none was sent, or it is another work.
    """
    record = _record_about(doi, answer)
    entries = json_values.records_of(record.get("reference"))
    if json_values.count_of(record.get("reference-count")) and not entries:
        raise ValueError("references announced, but none sent")
    return tuple(map(_reference, entries))


def _reference(entry: Record) -> WorkRecord:
    """A reference; without a title, the publisher's unstructured text is used."""
    doi, author = doi_of(entry.get("DOI")), author_from_parts(name=text_of(entry.get("author")))
    return WorkRecord(
        source="crossref",
        doi=doi,
        title=first_text_of([entry.get(name) for name in _REFERENCE_TITLES]),
        authors=(author,) if author else (),
        authors_truncated=True,
        year=dates.year_of((text_of(entry.get("year")) or "")[:4]),
        venue=first_text_of([entry.get(name) for name in _REFERENCE_VENUES]),
        volume=text_of(entry.get("volume")),
        issue=text_of(entry.get("issue")),
        pages=text_of(entry.get("first-page")),
        url=f"https://doi.org/{doi}" if doi else None,
    )


def cited_works(references: Sequence[WorkRecord], records: RecordsByDoi) -> tuple[Citation, ...]:
    """The references with Crossref's own records in place of those that have one."""
    known = (records.get(one.doi or "", one) for one in references)
    return tuple(Citation(record=one) for one in known if one.doi or one.title)


def read_answer(answer: Any, doi: str) -> Work:
    """The record of a DOI, which may be that of the DOI that it is an alias of.

    Raises:
        ValueError: It is the record of another work.
    """
    return read_work(_record_about(doi, answer))


def _record_about(doi: str, answer: Any) -> Record:
    """The record, after checking that it has the requested DOI, or lists it as an alias."""
    record = _message(answer, "work")
    record_doi = json_values.require_value(doi_of(record["DOI"]), "DOI")
    if not any(json_values.same_doi(alias, doi) for alias in _aliases(record)):
        json_values.expect_doi(record_doi, doi)
    return record


def _aliases(record: Record) -> tuple[str, ...]:
    return json_values.dois_of(record.get("aliases"))


def read_notices(answer: Any, doi: str) -> tuple[Notice, ...]:
    """The entries about this DOI in the `update-to` lists of the notices."""
    message = _message(answer, "work-list")
    items = json_values.records_of(message["items"])
    entries = [
        {**entry, "DOI": item["DOI"]}
        for item in items
        for entry in json_values.records_of(item.get("update-to"))
        if json_values.same_doi(doi_of(entry.get("DOI")) or "", doi)
    ]
    if message["total-results"] > len(items) or (items and not entries):
        raise ValueError("the list is incomplete, or is not about the requested DOI")
    return notices_of(entries, doi=doi, source="crossref")


def read_work(record: Record) -> Work:
    doi = json_values.require_value(doi_of(record["DOI"]), "DOI")
    date = dates.earliest_date(dates.date_of_parts(record.get(name)) for name in _DATES)
    primary, relation = record_of(record.get("resource")).get("primary"), record.get("relation")
    hosts = [one.get("name") for one in json_values.records_of(record.get("institution"))]
    return Work(
        source="crossref",
        title=full_title(
            first_text_of(record.get("title")), first_text_of(record.get("subtitle"))
        ),
        authors=authors_of(record.get("author")),
        year=int(date[:4]) if date else None,
        published=date,
        doi=doi,
        aliases=_aliases(record),
        type=text_of(record.get("type")),
        venue=first_text_of(record.get("container-title")) or first_text_of(hosts),
        volume=text_of(record.get("volume")),
        issue=text_of(record.get("issue")),
        pages=text_of(record.get("page")) or text_of(record.get("article-number")),
        article_number=text_of(record.get("article-number")),
        editors=authors_of(record.get("editor")),
        publisher=text_of(record.get("publisher")),
        issn=json_values.texts_of(record.get("ISSN")),
        isbn=tuple(one.rpartition("/")[2] for one in json_values.texts_of(record.get("ISBN"))),
        abstract=json_values.abstract_of(record.get("abstract")),
        url=url_of(record_of(primary).get("URL")) or url_of(record.get("URL")),
        licence=_licence(record),
        notices=_notices(record.get("updated-by"), doi),
        notice_for=targets_of(json_values.records_of(record.get("update-to")), notice=doi),
        preprints=_related(relation, "has-preprint"),
        published_as=_related(relation, "is-preprint-of"),
        raw=record,
    )


def _message(answer: Any, kind: str) -> Record:
    if answer["status"] != "ok" or answer["message-type"] != kind:
        raise ValueError(f"not a response of the type {kind}")
    return record_of(answer["message"])


def _licence(record: Record) -> str | None:
    """The licence to read, preferring that of the version of record."""
    entries = json_values.records_of(record.get("license"))
    by_version = ([e for e in entries if e.get("content-version") == v] for v in _VERSIONS)
    chosen = (clearest_licence(text_of(entry.get("URL")) for entry in same) for same in by_version)
    return next(filter(None, chosen), None)


def _notices(updates: Any, doi: str) -> tuple[Notice, ...] | None:
    if updates is None:
        return None
    return notices_of(json_values.records_of(updates), doi=doi, source="crossref")


def _related(relation: Any, name: str) -> tuple[str, ...]:
    ends = json_values.records_of(record_of(relation).get(name))
    return json_values.dois_of([end.get("id") for end in ends if end.get("id-type") == "doi"])
