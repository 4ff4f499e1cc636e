"""EDGAR's submissions: the filings of one filer, in columns, and archive files of older ones."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from sourcewright.base.formats.json_values import (
    Record,
    list_of,
    records_of,
    require_value,
    text_of,
)
from sourcewright.domain.records.filers import folder_url, index_url, is_of_form
from sourcewright.domain.records.filings import Filer, Filing, FilingQuery

_ACCESSION = re.compile(r"\d{10}-\d{2}-\d{6}", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_FILE = re.compile(r"CIK\d{10}-submissions-\d{3}\.json", re.ASCII)
_COLUMNS = (
    "accessionNumber",
    "filingDate",
    "reportDate",
    "form",
    "items",
    "primaryDocument",
    "primaryDocDescription",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OlderFilings:
    """A file of older filings."""

    name: str
    first: str
    last: str
    """The date after which all filings are in other files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Submissions:
    """A filer, its latest filings, and where the older ones are, the latest first."""

    filer: Filer
    filings: list[Filing]
    archives: list[OlderFilings]


def is_unknown_filer(body: bytes) -> bool:
    """Whether this is the SEC file store's response for a missing file."""
    return b"<Code>NoSuchKey</Code>" in body[:2000]


def read_submissions(answer: Any, cik: str) -> Submissions:
    """The answer for one filer.

    Raises:
        ValueError: It is about another one.
    """
    if str(answer["cik"]).zfill(10) != cik:
        raise ValueError(f"the response is about CIK {str(answer['cik'])[:20]}")
    former = (text_of(one["name"]) for one in records_of(answer.get("formerNames")))
    name = require_value(text_of(answer["name"]), "name")
    tickers = list_of(answer["tickers"])
    filer = Filer(
        cik=cik,
        name=name,
        ticker=text_of(tickers[0]) if tickers else None,
        former_names=tuple(dict.fromkeys(one for one in former if one and one != name)),
    )
    filings = answer["filings"]
    return Submissions(
        filer=filer,
        filings=read_archive(filings["recent"], filer),
        archives=_archives(records_of(list_of(filings["files"]))),
    )


def read_archive(columns: Any, filer: Filer) -> list[Filing]:
    """The filings of a table in columns, the latest first.

    Raises:
        ValueError: The columns have different lengths.
    """
    table = [list_of(columns[name]) for name in _COLUMNS]
    rows = zip(*table, strict=True)
    filings = [_filing(dict(zip(_COLUMNS, row, strict=True)), filer) for row in rows]
    return sorted(filings, key=lambda filing: filing.filed, reverse=True)


def _archives(files: Sequence[Record]) -> list[OlderFilings]:
    archives = [
        OlderFilings(
            name=_matching(_FILE, one["name"]),
            first=_matching(_DATE, one["filingFrom"]),
            last=_matching(_DATE, one["filingTo"]),
        )
        for one in files
    ]
    return sorted(archives, key=lambda archive: archive.last, reverse=True)


def archives_for(archives: Iterable[OlderFilings], query: FilingQuery) -> list[OlderFilings]:
    """The archive files that may have filings in the dates of a query."""
    first, last = query.date_from or "", query.date_to or "9999"
    return [one for one in archives if one.last >= first and one.first <= last]


def select(filings: Iterable[Filing], query: FilingQuery) -> list[Filing]:
    """The filings of the form and the dates of a query."""
    first, last = query.date_from or "", query.date_to or "9999"
    return [
        filing
        for filing in filings
        if first <= filing.filed <= last and is_of_form(filing.form, query.form)
    ]


def document_url(cik: str, accession: str, document: str | None) -> str:
    """The URL of a filed document, or of the filing's index if it has no main document."""
    if document is None:
        return index_url(cik, accession)
    return f"{folder_url(cik, accession)}/{quote(document)}"


def accession_of(value: Any) -> str:
    """Raises ValueError for anything else, because it becomes part of a URL."""
    return _matching(_ACCESSION, value)


def date_of(value: Any) -> str:
    return _matching(_DATE, value)


def _filing(row: Record, filer: Filer) -> Filing:
    accession = accession_of(row["accessionNumber"])
    items = text_of(row["items"]) or ""
    return Filing(
        company=filer.name,
        cik=filer.cik,
        form=require_value(text_of(row["form"]), "form"),
        filed=date_of(row["filingDate"]),
        period=text_of(row["reportDate"]),
        accession=accession,
        url=document_url(filer.cik, accession, text_of(row["primaryDocument"])),
        description=text_of(row["primaryDocDescription"]),
        items=tuple(filter(None, items.split(","))),
    )


def _matching(pattern: re.Pattern[str], value: Any) -> str:
    text = value if isinstance(value, str) else ""
    if not pattern.fullmatch(text):
        raise ValueError(f"unexpected value {str(value)[:40]!r}")
    return text
