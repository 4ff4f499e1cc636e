"""Parses HAL's deposits, and lists of them."""

from typing import Any

from sourcewright.base.authors import author_from_parts
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import Record, first_text_of, record_of, records_of
from sourcewright.base.text import dates
from sourcewright.base.works import Author, Copy, Work, WorkRecord
from sourcewright.domain.papers.licences import licence_of
from sourcewright.domain.papers.records import records_about_doi
from sourcewright.domain.papers.titles import full_title
from sourcewright.domain.scholar.records import record_of_work

_VENUES = ("journalTitle_s", "bookTitle_s", "conferenceTitle_s")


def read_list(answer: Any) -> tuple[tuple[WorkRecord, ...], int]:
    """The deposits that a search found, and how many there are.

    Raises:
        ValueError: There are deposits, and none was sent.
    """
    response = record_of(answer["response"])
    total = json_values.required_count(response["numFound"])
    docs = json_values.required_records(response["docs"])
    if total and not docs:
        raise ValueError(f"{total} deposits announced, but none sent")
    return tuple(map(read_record, docs)), total


def read_record(record: Record) -> WorkRecord:
    """A deposit as an entry of a scholarly index."""
    work = read_work(record)
    return record_of_work(
        work,
        index_id=json_values.require_value(first_text_of(record["halId_s"]), "id"),
        arxiv_id=json_values.arxiv_id_of(work.arxiv_id),
    )


def read_answer(answer: Any, doi: str) -> tuple[Work, ...]:
    response = record_of(answer["response"])
    works = [read_work(record) for record in records_of(response["docs"])]
    return records_about_doi(works, doi, total=response["numFound"])


def read_work(record: Record) -> Work:
    year = dates.year_of(record.get("publicationDateY_i"))
    year = year or dates.year_of(record.get("producedDateY_i"))
    licence = licence_of(first_text_of(record.get("licence_s")))
    issns = [first_text_of(record.get(name)) for name in ("journalIssn_s", "journalEissn_s")]
    publishers = [first_text_of(record.get(n)) for n in ("journalPublisher_s", "publisher_s")]
    return Work(
        source="hal",
        title=full_title(
            first_text_of(record["title_s"]), first_text_of(record.get("subTitle_s"))
        ),
        authors=_authors(record),
        year=year,
        published=dates.date_of(record.get("publicationDate_s")) or (str(year) if year else None),
        doi=next(iter(json_values.dois_of(record.get("doiId_s"))), None),
        arxiv_id=first_text_of(record.get("arxivId_s")),
        type=first_text_of(record.get("docType_s")),
        venue=next(filter(None, (first_text_of(record.get(name)) for name in _VENUES)), None),
        volume=first_text_of(record.get("volume_s")),
        issue=first_text_of(record.get("issue_s")),
        pages=first_text_of(record.get("page_s")),
        publisher=first_text_of(publishers),
        issn=json_values.texts_of(issns),
        abstract=_first_abstract(record.get("abstract_s")),
        url=json_values.url_of(
            json_values.require_value(first_text_of(record["uri_s"]), "address")
        ),
        licence=licence,
        version=first_text_of(record.get("version_i")),
        copies=_copies(record, licence),
        raw=record,
    )


def _first_abstract(value: Any) -> str | None:
    """The first abstract; there is one for each language."""
    return next(filter(None, map(json_values.abstract_of, json_values.entries_of(value))), None)


def _authors(record: Record) -> tuple[Author, ...]:
    """Authors; first and last names are used only if all three lists have the same length."""
    names, given, family = (
        json_values.entries_of(record.get(name))
        for name in ("authFullName_s", "authFirstName_s", "authLastName_s")
    )
    aligned = len(names) == len(given) == len(family)
    people = (
        author_from_parts(
            name=json_values.text_of(name),
            given=json_values.text_of(given[at]) if aligned else None,
            family=json_values.text_of(family[at]) if aligned else None,
        )
        for at, name in enumerate(names)
    )
    return tuple(filter(None, people))


def _copies(record: Record, licence: str | None) -> tuple[Copy, ...]:
    """The main file, always a PDF; a file under embargo has a URL too, so open access is checked."""
    url = json_values.url_of(first_text_of(record.get("fileMain_s")))
    if url is None or record.get("openAccess_bool") is not True:
        return ()
    return (
        Copy(
            url=url,
            source="hal",
            is_pdf=True,
            licence=licence,
            of_doi=True,
        ),
    )
