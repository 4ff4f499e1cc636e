"""Parses DataCite's DOI records, and lists of them."""

from typing import Any

from sourcewright.base.authors import author_from_parts, split_inverted_name
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import (
    Record,
    doi_of,
    record_of,
    records_of,
    select_field,
    text_of,
)
from sourcewright.base.text import dates as dating
from sourcewright.base.works import Author, Notice, Work, WorkRecord
from sourcewright.domain.papers.licences import clearest_licence, is_licence
from sourcewright.domain.papers.titles import full_title
from sourcewright.domain.scholar.records import record_of_work

ARXIV_PREFIX = "10.48550/"


def read_list(answer: Any) -> tuple[tuple[WorkRecord, ...], int]:
    """The works that a search found, and how many there are.

    Raises:
        ValueError: There are works, and none was sent.
    """
    total = json_values.required_count(record_of(answer["meta"])["total"])
    entries = json_values.required_records(answer["data"])
    if total and not entries:
        raise ValueError(f"{total} works announced, but none sent")
    return tuple(map(read_record, entries)), total


def read_record(data: Record) -> WorkRecord:
    """A work as an entry of a scholarly index."""
    work, attributes = read_work(data), record_of(data["attributes"])
    return record_of_work(
        work,
        index_id=work.doi,
        arxiv_id=json_values.arxiv_id_of(work.doi),
        venue=work.venue or work.publisher,
        url=work.url or f"https://doi.org/{work.doi}",
        citation_count=json_values.count_of(attributes.get("citationCount")),
    )


def read_answer(answer: Any, doi: str) -> Work:
    work = read_work(record_of(answer["data"]))
    json_values.expect_doi(work.doi, doi)
    return work


def read_work(data: Record) -> Work:
    if data["type"] != "dois":
        raise ValueError("not a DOI record")
    record = record_of(data["attributes"])
    doi = json_values.require_value(doi_of(record["doi"]), "DOI")
    year = dating.year_of(record.get("publicationYear"))
    abstracts = select_field(
        record.get("descriptions"), "descriptionType", "Abstract", "description"
    )
    types, container = record_of(record.get("types")), record_of(record.get("container"))
    ends = [container.get("firstPage"), container.get("lastPage")]
    return Work(
        source="datacite",
        title=_title(record["titles"]),
        authors=tuple(
            filter(None, map(_author, json_values.records_or_names(record["creators"], "name")))
        ),
        year=year,
        published=next(iter(_dates(record, "Issued")), str(year) if year else None),
        updated=next(iter(_dates(record, "Updated")), None),
        doi=doi,
        type=text_of(types.get("resourceTypeGeneral")),
        venue=text_of(container.get("title")),
        volume=text_of(container.get("volume")),
        issue=text_of(container.get("issue")),
        pages="-".join(json_values.texts_of(ends)) or None,
        publisher=json_values.name_of(record.get("publisher")),
        issn=json_values.texts_of(
            select_field([container], "identifierType", "ISSN", "identifier")
        ),
        abstract=json_values.abstract_of(next(iter(abstracts), None)),
        url=json_values.url_of(record.get("url")),
        licence=_licence(record),
        notices=_notices(record),
        published_as=_published_as(record, types, doi),
        version=text_of(record.get("version")),
        raw=record,
    )


def _dates(record: Record, kind: str) -> list[str]:
    parsed = map(dating.date_of, select_field(record.get("dates"), "dateType", kind, "date"))
    return [date for date in parsed if date]


def _title(titles: Any) -> str | None:
    """The first title that is neither a translation nor an alternative, with its subtitle."""
    entries = json_values.records_or_names(titles, "title")
    subtitles = [one.get("title") for one in entries if one.get("titleType") == "Subtitle"]
    others = [entry for entry in entries if entry.get("titleType") != "Subtitle"]
    ordered = sorted(others, key=lambda entry: bool(entry.get("titleType")))
    title = json_values.first_text_of([entry.get("title") for entry in ordered])
    return full_title(title, json_values.first_text_of(subtitles))


def _author(parts: Record) -> Author | None:
    name = text_of(parts.get("name"))
    given, family = text_of(parts.get("givenName")), text_of(parts.get("familyName"))
    if not family and parts.get("nameType") == "Personal":
        given, family = split_inverted_name(name)
    return author_from_parts(
        name=name,
        given=given,
        family=family,
        is_organisation=parts.get("nameType") == "Organizational",
    )


def _licence(record: Record) -> str | None:
    """The licence, from its id, URL or short name; ignores prose and access rights."""
    rights = records_of(record.get("rightsList"))
    ids = json_values.texts_of([one.get("rightsIdentifier") for one in rights])
    texts = json_values.texts_of(
        [one.get(key) for one in rights for key in ("rightsUri", "rights")]
    )
    return clearest_licence([*ids, *filter(is_licence, texts)])


def _notices(record: Record) -> tuple[Notice, ...] | None:
    dates = _dates(record, "Withdrawn")
    return tuple(Notice(kind="withdrawal", source="datacite", date=date) for date in dates) or None


def _published_as(record: Record, types: Record, doi: str) -> tuple[str, ...]:
    """Published versions of a preprint: `IsVersionOf` DOIs with another prefix, as arXiv does it."""
    if types.get("resourceTypeGeneral") != "Preprint" and not doi.startswith(ARXIV_PREFIX):
        return ()
    related = record.get("relatedIdentifiers")
    versions = select_field(related, "relationType", "IsVersionOf", "relatedIdentifier")
    prefix = doi.partition("/")[0] + "/"
    return tuple(other for other in json_values.dois_of(versions) if not other.startswith(prefix))
