"""Europe PMC's records, which also serve searches of bioRxiv and medRxiv: works, copies, notices."""

from collections.abc import Iterator, Mapping
from typing import Any

from sourcewright.base.authors import author_from_parts
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import Record, record_of, records_of, text_of
from sourcewright.base.text import dates
from sourcewright.base.works import Author, Copy, Notice, NoticeKind, Work, WorkRecord
from sourcewright.domain.papers.licences import licence_of
from sourcewright.domain.papers.scholar import WorkQuery
from sourcewright.domain.scholar.queries import words_and_phrases, years_of
from sourcewright.domain.scholar.records import record_of_work

NAME = "europe-pmc"
_READABLE = ("F", "OA")  # free to read, and openly licensed; S is subscription only
_PREPRINT = "PPR"
_NOTICES: Mapping[str, NoticeKind] = {
    "retraction in": "retraction",
    "retracted and republished in": "retraction",
    "partial retraction in": "partial_retraction",
    "expression of concern in": "expression_of_concern",
    "erratum in": "correction",
    "corrected and republished in": "correction",
}
_RETRACTED = frozenset({"retracted publication", "retracted-article"})


def search_params(query: WorkQuery, *conditions: str) -> dict[str, str]:
    """The parameters of a search, with further conditions that every hit must match."""
    years = years_of(query)
    narrowed = (
        f"({words_and_phrases(query.text)})",
        f"PUB_YEAR:[{years[0]} TO {years[1]}]" if years else None,
        "OPEN_ACCESS:y" if query.open_access else None,
        *conditions,
    )
    params = {
        "query": " AND ".join(filter(None, narrowed)),
        "resultType": "core",
        "format": "json",
        "pageSize": str(query.limit),
    }
    return params | ({"sort": "P_PDATE_D desc"} if query.sort_by == "date" else {})


def read_list(answer: Any, source: str) -> tuple[tuple[WorkRecord, ...], int]:
    """The articles that a search found, and how many there are.

    Raises:
        ValueError: There are articles, and none was sent.
    """
    total = json_values.required_count(answer["hitCount"])
    articles = json_values.required_records(answer["resultList"]["result"])
    if total and not articles:
        raise ValueError(f"{total} articles announced, but none sent")
    return tuple(read_record(one, source) for one in articles), total


def read_record(record: Record, source: str) -> WorkRecord:
    """An article as an entry of a scholarly index."""
    work, is_preprint = read_work(record), record["source"] == _PREPRINT
    server = text_of(record_of(record.get("bookOrReportDetails")).get("publisher"))
    is_open = {"Y": True, "N": None}.get(text_of(record.get("isOpenAccess")) or "")
    return record_of_work(
        work,
        source=source,
        index_id=f"{text_of(record['source'])}/{text_of(record['id'])}",
        pmid=text_of(record.get("pmid")),
        pmcid=text_of(record.get("pmcid")),
        venue=work.venue or server,
        type="preprint" if is_preprint else next(_kinds(record), work.type),
        citation_count=json_values.count_of(record.get("citedByCount")),
        open_access=True if work.copies or is_preprint else is_open,
        # Records from PubMed include notices; for other records notices are unknown.
        notices=tuple(_notices(record, source)) if record["source"] == "MED" else None,
    )


def _kinds(record: Record) -> Iterator[str]:
    """The types of an article, without remarks on who paid for it."""
    yield from (one for one in _types(record) if not one.lower().startswith("research support"))


def _types(record: Record) -> tuple[str, ...]:
    """The types of an article, from a full or from a short record."""
    full = record_of(record.get("pubTypeList")).get("pubType")
    return json_values.texts_of(full) or _listed(record.get("pubType"))


def _notices(record: Record, source: str) -> Iterator[Notice]:
    remarks = record_of(record.get("commentCorrectionList")).get("commentCorrection")
    kinds = set()
    for remark in records_of(remarks):
        kind = _NOTICES.get((text_of(remark.get("type")) or "").lower())
        if kind:
            kinds.add(kind)
            yield Notice(kind=kind, source=source, label=text_of(remark.get("reference")))
    if _RETRACTED & {one.lower() for one in _types(record)} and "retraction" not in kinds:
        yield Notice(kind="retraction", source=source)


def read_work(record: Record) -> Work:
    json_values.require_value(text_of(record["id"]), "id")
    issue = record_of(record.get("journalInfo"))
    journal = record_of(issue.get("journal"))
    numbers = [journal.get(key) for key in ("issn", "ISSN", "essn", "ESSN")]
    date = dates.date_of(record.get("firstPublicationDate"))
    year = dates.year_of(record.get("pubYear")) or (int(date[:4]) if date else None)
    return Work(
        source=NAME,
        # All titles end with a full stop here.
        title=(text_of(record["title"]) or "").removesuffix(".") or None,
        authors=_authors(record),
        year=year,
        published=date or (str(year) if year else None),
        doi=json_values.doi_of(record.get("doi")),
        type=next(iter(_types(record)), None),
        venue=text_of(journal.get("title")) or text_of(record.get("journalTitle")),
        volume=text_of(issue.get("volume")) or text_of(record.get("journalVolume")),
        issue=text_of(issue.get("issue")) or text_of(record.get("issue")),
        pages=text_of(record.get("pageInfo")),
        issn=json_values.texts_of(numbers) or _listed(record.get("journalIssn")),
        abstract=json_values.abstract_of(record.get("abstractText")),
        url=f"https://europepmc.org/article/{text_of(record['source'])}/{text_of(record['id'])}",
        licence=licence_of(text_of(record.get("license"))),
        copies=copies_of(record),
        raw=record,
    )


def copies_of(record: Record) -> tuple[Copy, ...]:
    """Open PDFs, without duplicate URLs."""
    links = records_of(record_of(record.get("fullTextUrlList")).get("fullTextUrl"))
    copies: dict[str, Copy] = {}
    for link in links:
        url = json_values.url_of(link.get("url"))
        if url and link.get("documentStyle") == "pdf" and link["availabilityCode"] in _READABLE:
            copies[url] = Copy(
                url=url,
                source=NAME,
                is_pdf=True,
                version="acceptedVersion" if record.get("authMan") == "Y" else None,
                licence=licence_of(text_of(record.get("license"))),
                of_doi=True,
            )
    return tuple(copies.values())


def _authors(record: Record) -> tuple[Author, ...]:
    people = records_of(record_of(record.get("authorList")).get("author"))
    names = (text_of(record.get("authorString")) or "").removesuffix(".").split(", ")
    authors = map(_author, people) if people else (author_from_parts(name=name) for name in names)
    return tuple(filter(None, authors))


def _author(person: Record) -> Author | None:
    return author_from_parts(
        name=text_of(person.get("fullName")) or text_of(person.get("collectiveName")),
        given=text_of(person.get("firstName")),
        family=text_of(person.get("lastName")),
        is_organisation="collectiveName" in person,
    )


def _listed(value: Any) -> tuple[str, ...]:
    return json_values.texts_of((text_of(value) or "").split(";"))
