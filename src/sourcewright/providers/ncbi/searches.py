"""Searches of PubMed (ESearch): the query, and the ids of the matching records."""

from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from sourcewright.base.formats.json_values import list_of, record_of, required_count, texts_of
from sourcewright.base.formats.parsers import parse_document
from sourcewright.base.works import WorkRecord
from sourcewright.domain.papers.scholar import WorkQuery
from sourcewright.domain.scholar.queries import words_and_phrases, years_of
from sourcewright.providers.ncbi.records import read_records

INDEX_NAME = "pubmed"
"""Its name as a scholarly index."""
SUPPORTED = frozenset({"year_from", "year_to", "open_access", "sort_by"})


def search_params(query: WorkQuery) -> dict[str, str]:
    term, years = words_and_phrases(query.text), years_of(query)
    params = {
        "term": f"({term}) AND free full text[sb]" if query.open_access else term,
        "retmax": str(query.limit),
        "sort": "pub_date" if query.sort_by == "date" else "relevance",
    }
    if years is not None:
        params |= {"datetype": "pdat", "mindate": str(years[0]), "maxdate": str(years[1])}
    return params


def dois_term(dois: Iterable[str]) -> str:
    """A query for any of these DOIs; one with a quotation mark would end the phrase."""
    return " OR ".join(f'"{doi}"[doi]' for doi in dois if '"' not in doi)


def read_ids(answer: Any) -> tuple[tuple[str, ...], int]:
    """The ids of the matching records, best first, and how many there are.

    Raises:
        ValueError: It is an error, or there are records and no number was sent.
    """
    result = record_of(answer["esearchresult"])
    total, ids = required_count(result["count"]), texts_of(list_of(result["idlist"]))
    if result.get("ERROR") is not None or (total and not ids):
        raise ValueError(f"{total} records announced, {len(ids)} sent: {result.get('ERROR')!r}")
    if not all(one.isascii() and one.isdecimal() for one in ids):
        raise ValueError("not the numbers of records")
    return ids, total


def parse_set(body: bytes) -> Element:
    """Parse a set of records, which is longer than a single one.

    Raises:
        ValueError: It is truncated, or not XML.
    """
    root, is_cut = parse_document(body)
    if is_cut:
        raise ValueError("the response is truncated")
    return root


def read_records_by_id(root: Element, ids: Sequence[str], *, some: bool) -> tuple[WorkRecord, ...]:
    """The records with these ids, in this order; a few may have been removed since.

    Raises:
        ValueError: None of them was sent, although there must be `some`.
    """
    by_number = {record.pmid: record for record in read_records(root, INDEX_NAME)}
    records = tuple(by_number[one] for one in ids if one in by_number)
    if some and not records:
        raise ValueError(f"{len(ids)} records requested, but none sent")
    return records
