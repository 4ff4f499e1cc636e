"""Parses Semantic Scholar's papers, lists of papers, and citations with their intents."""

import re
from typing import Any

from sourcewright.base.authors import author_from_parts
from sourcewright.base.errors import Refused
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import Record, record_of, records_of, text_of
from sourcewright.base.text import dates
from sourcewright.base.works import Copy, Work, WorkRecord
from sourcewright.domain.papers.licences import licence_of
from sourcewright.domain.papers.scholar import Citation, CitationPage
from sourcewright.domain.scholar.records import OPEN_STATUSES, record_of_work

INDEX_NAME = "semanticscholar"
"""Its name as a scholarly index."""
_LICENCE = re.compile(r"CC(BY)(NC)?(ND|SA)?")


def read_list(answer: Any) -> tuple[tuple[WorkRecord, ...], int]:
    """The papers that a search found, and how many there are; without hits, the list is missing.

    Raises:
        ValueError: There are hits, and none was sent.
    """
    total = json_values.required_count(answer["total"])
    papers = json_values.list_of(answer["data"] if total else answer.get("data", []))
    if total and not papers:
        raise ValueError(f"{total} papers announced, but none sent")
    return tuple(map(read_record, records_of(papers))), total


def read_batch(answer: Any, requested: int) -> tuple[WorkRecord, ...]:
    """The papers of a batch; an unknown identifier has a null."""
    papers = json_values.list_of(answer)
    if len(papers) != requested:
        raise ValueError(f"{requested} papers requested, but {len(papers)} entries sent")
    return tuple(map(read_record, records_of(papers)))


def read_citations(answer: Any, side: str) -> CitationPage:
    """One page of edges; `side` is the field of the other paper.

    Raises:
        Refused: The publisher does not allow them to be shown.
    """
    data, following = answer["data"], answer.get("next")
    json_values.required_count(answer["offset"])
    if data is None:
        raise Refused(INDEX_NAME, "does not show these citations, at the publisher's request")
    edges = json_values.required_records(data)
    citations = (_citation(edge, record_of(edge[side])) for edge in edges)
    more = None if following is None else str(json_values.required_count(following))
    return CitationPage(citations=tuple(filter(None, citations)), next_cursor=more)


def _citation(edge: Record, paper: Record) -> Citation | None:
    """An edge to a paper that Semantic Scholar has identified, or has a title for."""
    record = read_record(paper)
    if record.index_id is None and record.title is None:
        return None
    flag = edge.get("isInfluential")
    return Citation(
        record=record,
        intents=json_values.texts_of(edge.get("intents")),
        is_influential=flag if isinstance(flag, bool) else None,
    )


def read_record(record: Record) -> WorkRecord:
    """A paper as an entry of a scholarly index; a cited one may have no identifier."""
    work, ids = _read_work(record), record_of(record.get("externalIds"))
    influence = json_values.count_of(record.get("influentialCitationCount"))
    pmcid = text_of(ids.get("PubMedCentral"))
    is_open = record.get("isOpenAccess")
    return record_of_work(
        work,
        source=INDEX_NAME,
        index_id=text_of(record["paperId"]),
        arxiv_id=json_values.arxiv_id_of(ids.get("ArXiv")) or work.arxiv_id,
        pmid=text_of(ids.get("PubMed")),
        pmcid=f"PMC{pmcid.removeprefix('PMC')}" if pmcid else None,
        citation_count=json_values.count_of(record.get("citationCount")),
        open_access=True if work.copies else is_open if isinstance(is_open, bool) else None,
        tldr=text_of(record_of(record.get("tldr")).get("text")),
        is_influential=None if influence is None else influence > 0,
    )


def read_work(record: Record) -> Work:
    json_values.require_value(text_of(record["paperId"]), "id")
    return _read_work(record)


def _read_work(record: Record) -> Work:
    journal, venue = record_of(record.get("journal")), record_of(record.get("publicationVenue"))
    year, ids = dates.year_of(record.get("year")), record_of(record.get("externalIds"))
    copies = copies_of(record)
    names = (text_of(one.get("name")) for one in records_of(record.get("authors")))
    return Work(
        source="semantic_scholar",
        title=text_of(record["title"]),
        authors=tuple(filter(None, (author_from_parts(name=name) for name in names))),
        year=year,
        published=dates.date_of(record.get("publicationDate")) or (str(year) if year else None),
        doi=json_values.doi_of(ids.get("DOI")),
        type=json_values.first_text_of(record.get("publicationTypes")),
        venue=text_of(journal.get("name")) or text_of(record.get("venue")),
        volume=text_of(journal.get("volume")),
        pages=(text_of(journal.get("pages")) or "").replace(" - ", "-") or None,
        issn=json_values.texts_of(venue.get("issn")),
        abstract=json_values.abstract_of(record.get("abstract")),
        url=json_values.url_of(record.get("url")),
        licence=copies[0].licence if copies else None,
        oa_status=_open_access_status(record),
        copies=copies,
        preprints=preprints_of(record),
        arxiv_id=json_values.arxiv_id_of(ids.get("DOI")),
        raw=record,
    )


def copies_of(record: Record) -> tuple[Copy, ...]:
    """The one known copy, if its status says that it is open."""
    location = record_of(record.get("openAccessPdf"))
    url = json_values.url_of(location.get("url"))
    if url is None or _open_access_status(record) not in OPEN_STATUSES:
        return ()
    licence = text_of(location.get("license"))
    parts = _LICENCE.fullmatch(licence or "")
    hyphenated = "-".join(("cc", *filter(None, parts.groups()))) if parts else licence
    # Sometimes only the DOI resolver URL is given, which does not lead to the PDF.
    is_pdf = json_values.doi_of(url) is None
    return (
        Copy(url=url, source="semantic_scholar", is_pdf=is_pdf, licence=licence_of(hyphenated)),
    )


def preprints_of(record: Record) -> tuple[str, ...]:
    """The arXiv id of the paper, unless the paper is that preprint itself."""
    ids = record_of(record.get("externalIds"))
    arxiv_id = json_values.arxiv_id_of(ids.get("ArXiv"))
    return (arxiv_id,) if arxiv_id and arxiv_id != json_values.arxiv_id_of(ids.get("DOI")) else ()


def _open_access_status(record: Record) -> str | None:
    status = text_of(record_of(record.get("openAccessPdf")).get("status"))
    return status.lower() if status else None
