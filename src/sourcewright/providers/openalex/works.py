"""Parses OpenAlex's works: descriptions, open copies, preprints, references, and lists of them."""

import re
from collections.abc import Sequence
from typing import Any

from sourcewright.base.authors import author_from_parts
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import (
    Record,
    count_of,
    doi_of,
    record_of,
    records_of,
    text_of,
)
from sourcewright.base.text import dates
from sourcewright.base.works import Author, Copy, GraphWork, Notice, Work, WorkRecord
from sourcewright.domain.papers.licences import licence_of
from sourcewright.domain.papers.scholar import Citation, CitationPage
from sourcewright.domain.scholar.records import record_of_work

_ID = re.compile(r"(?:https?://openalex\.org/)?(W[0-9]{1,18})", re.IGNORECASE)
_PMID = re.compile(r"https://pubmed\.ncbi\.nlm\.nih\.gov/([0-9]{1,9})/?")
_PMCID = re.compile(r"https://www\.ncbi\.nlm\.nih\.gov/pmc/articles/(?:PMC)?([0-9]{1,9})/?")
_MOST_AUTHORS = 100
"""Lists of works contain at most so many authors of each."""
RETRACTED = "marked as retracted"


def read_list(answer: Any) -> tuple[tuple[WorkRecord, ...], int]:
    """The works on one page of a list, and how many there are on all pages."""
    total = json_values.required_count(record_of(answer["meta"])["count"])
    records = tuple(read_record(one) for one in json_values.required_records(answer["results"]))
    return records, total


def read_first_page(answer: Any) -> tuple[tuple[WorkRecord, ...], int]:
    """The first page of a list, which is empty only if the whole list is.

    Raises:
        ValueError: It is empty although there are works.
    """
    records, total = read_list(answer)
    if total and not records:
        raise ValueError(f"{total} works announced, but none sent")
    return records, total


def read_citing(answer: Any) -> CitationPage:
    """One page of the works that cite a work."""
    records, total = read_list(answer)
    return CitationPage(
        citations=tuple(Citation(record=record) for record in records),
        total=total,
        next_cursor=text_of(record_of(answer["meta"])["next_cursor"]) if records else None,
    )


def read_record(record: Record) -> WorkRecord:
    """A work as an entry of a scholarly index.

    `is_retracted` is sometimes wrong, and false says nothing, so only true is reported, with
    OpenAlex as its source.
    """
    work, ids = read_work(record), record_of(record.get("ids"))
    marked = record.get("is_retracted") is True
    access = record_of(record.get("open_access"))
    retraction = Notice(kind="retraction", source="openalex", label=RETRACTED)
    return record_of_work(
        work,
        index_id=id_of(record["id"]),
        pmid=_number(_PMID, ids.get("pmid")),
        pmcid=_number(_PMCID, ids.get("pmcid"), prefix="PMC"),
        authors_truncated=len(work.authors) >= _MOST_AUTHORS,
        url=work.url or (f"https://doi.org/{work.doi}" if work.doi else text_of(record["id"])),
        citation_count=count_of(record.get("cited_by_count")),
        open_access=access.get("is_oa") if isinstance(access.get("is_oa"), bool) else None,
        copies=work.copies or _page_to_read(access),
        notices=(retraction,) if marked else None,
    )


def _page_to_read(access: Record) -> tuple[Copy, ...]:
    """The page where an open work without a known PDF can be read."""
    url = json_values.url_of(access.get("oa_url"))
    if url is None or access.get("is_oa") is not True:
        return ()
    return (Copy(url=url, source="openalex", is_pdf=False),)


def _number(form: re.Pattern[str], value: Any, *, prefix: str = "") -> str | None:
    match = form.fullmatch(text_of(value) or "")
    return f"{prefix}{match[1]}" if match else None


def read_id(record: Record) -> str:
    return json_values.require_value(id_of(record["id"]), "id")


def in_order(records: Sequence[WorkRecord], ids: Sequence[str]) -> tuple[WorkRecord, ...]:
    """The records in the order of their ids; records that were not requested are dropped."""
    by_id = {record.index_id: record for record in records}
    return tuple(by_id[one] for one in ids if one in by_id)


def read_work(record: Record) -> Work:
    json_values.require_value(id_of(record["id"]), "id")
    first, best = (record_of(record.get(f"{x}_location")) for x in ("primary", "best_oa"))
    venue, bib = record_of(first.get("source")), record_of(record.get("biblio"))
    return Work(
        source="openalex",
        title=text_of(record["title"]),
        authors=tuple(filter(None, map(_author, records_of(record["authorships"])))),
        year=dates.year_of(record.get("publication_year")),
        published=dates.date_of(record.get("publication_date")),
        doi=doi_of(record["doi"]),
        arxiv_id=json_values.arxiv_id_of(record["doi"]),
        type=text_of(record.get("type")),
        venue=text_of(venue.get("display_name")),
        volume=text_of(bib.get("volume")),
        issue=text_of(bib.get("issue")),
        pages="-".join(json_values.texts_of([bib.get("first_page"), bib.get("last_page")]))
        or None,
        publisher=text_of(venue.get("host_organization_name")),
        issn=json_values.texts_of(venue.get("issn")),
        abstract=json_values.abstract_of_index(record.get("abstract_inverted_index")),
        url=json_values.url_of(first.get("landing_page_url")),
        licence=licence_of(text_of(best.get("license")) or text_of(first.get("license"))),
        oa_status=text_of(record_of(record.get("open_access")).get("oa_status")),
        copies=copies_of(record),
        preprints=preprints_of(record),
        raw=record,
    )


def copies_of(record: Record) -> tuple[Copy, ...]:
    """Open locations with a PDF, the best first, without duplicate URLs."""
    copies: dict[str, Copy] = {}
    for one in (*records_of(record.get("best_oa_location")), *records_of(record["locations"])):
        url = json_values.url_of(one.get("pdf_url"))
        if url and url not in copies and one.get("is_oa") is True:
            copies[url] = Copy(
                url=url,
                source="openalex",
                is_pdf=True,
                version=text_of(one.get("version")),
                licence=licence_of(text_of(one.get("license"))),
            )
    return tuple(copies.values())


def preprints_of(record: Record) -> tuple[str, ...]:
    """Preprints named by the locations: arXiv ids first, then DOIs."""
    own, locations = doi_of(record["doi"]), records_of(record["locations"])
    pages = [one.get(key) for one in locations for key in ("landing_page_url", "pdf_url")]
    posted = json_values.select_field(
        record["locations"], "raw_type", "posted-content", "landing_page_url"
    )
    identifiers = filter(None, (*map(json_values.arxiv_id_of, pages), *map(doi_of, posted)))
    return tuple(
        dict.fromkeys(n for n in identifiers if n not in (own, json_values.arxiv_id_of(own)))
    )


def read_graph_work(record: Record) -> GraphWork:
    references = map(id_of, json_values.entries_of(record["referenced_works"]))
    return GraphWork(
        id=json_values.require_value(id_of(record["id"]), "id"),
        title=text_of(record.get("title")),
        doi=doi_of(record.get("doi")),
        year=dates.year_of(record.get("publication_year")),
        references=tuple(dict.fromkeys(filter(None, references))),
    )


def id_of(value: Any) -> str | None:
    match = _ID.fullmatch(text_of(value) or "")
    return match[1].upper() if match else None


def _author(entry: Record) -> Author | None:
    person = record_of(entry.get("author"))
    name = text_of(person.get("display_name")) or text_of(entry.get("raw_author_name"))
    return author_from_parts(name=name)
