"""EDGAR's full-text search: the parameters of a search, and its hits as filings."""

import re
from collections.abc import Iterable
from typing import Any

from sourcewright.base.formats.json_values import (
    Record,
    list_of,
    record_of,
    require_value,
    required_count,
    required_records,
    text_of,
    texts_of,
)
from sourcewright.domain.records.filers import form_names, is_of_form
from sourcewright.domain.records.filings import Filing, FilingPage, FilingQuery
from sourcewright.providers.edgar.submissions import accession_of, date_of, document_url

FIRST_DAY = "2001-01-01"
"""Older filings cannot be searched by their text."""
# As in `Apple Inc.  (AAPL)  (CIK 0000320193)`.
_FILER = re.compile(
    r"(?P<name>.{1,300}?)(?:  \([^()]{1,200}\))?  \(CIK (?P<cik>\d{10})\)", re.ASCII
)


def search_params(query: FilingQuery, *, today: str) -> dict[str, str]:
    forms = ",".join(form_names(query.form or ""))
    params = {"q": query.text, "forms": forms, "ciks": query.cik}
    if query.date_from or query.date_to:
        # The dates are ignored unless both are given.
        params |= {
            "dateRange": "custom",
            "startdt": query.date_from or FIRST_DAY,
            "enddt": query.date_to or today,
        }
    return {name: value for name, value in params.items() if value}


def read_hits(answer: Any, query: FilingQuery) -> FilingPage:
    """The filings of the matching documents, each once, with its best document.

    Raises:
        ValueError: The search was not completed.
    """
    if answer["timed_out"] is not False or record_of(answer.get("_shards")).get("failed"):
        raise ValueError("the search was not completed")
    hits = answer["hits"]
    documents = required_records(hits["hits"])
    filings = _each_once(map(_filing, documents))
    # The search also returns amendments of a form.
    fitting = [one for one in filings if is_of_form(one.form, query.form)]
    count = required_count(hits["total"]["value"])
    # It counts documents, and beyond 10,000 it stops; that number would be taken for all matches.
    is_counted = text_of(hits["total"].get("relation")) != "gte"
    total = len(fitting) if len(documents) >= count else count
    return FilingPage(filings=tuple(fitting[: query.limit]), total=total if is_counted else None)


def _each_once(filings: Iterable[Filing]) -> list[Filing]:
    known: dict[str, Filing] = {}
    for filing in filings:
        known.setdefault(filing.accession, filing)
    return list(known.values())


def _filing(hit: Record) -> Filing:
    source = hit["_source"]
    accession, _, document = require_value(text_of(hit["_id"]), "id").partition(":")
    accession = accession_of(accession)
    filer = _FILER.fullmatch(str(list_of(source["display_names"])[0]))
    if filer is None:
        raise ValueError(f"unexpected filer {str(source['display_names'])[:60]!r}")
    style = text_of(source.get("xsl"))
    return Filing(
        company=require_value(text_of(filer["name"]), "filer"),
        cik=filer["cik"],
        form=require_value(text_of(source["form"]), "form"),
        filed=date_of(source["file_date"]),
        period=text_of(source.get("period_ending")),
        accession=accession,
        url=document_url(filer["cik"], accession, f"{style}/{document}" if style else document),
        description=text_of(source.get("file_description")) or text_of(source.get("file_type")),
        items=texts_of(source.get("items")),
    )
