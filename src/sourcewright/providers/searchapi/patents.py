"""Google Patents through SearchApi: parameters of a search, and its results."""

from collections.abc import Iterable

from sourcewright.base.formats.json_values import Record, require_value, text_of, url_of
from sourcewright.base.text.dates import date_of
from sourcewright.domain.records.assignees import clean_name
from sourcewright.domain.records.patent_numbers import parse_patent_number, patent_page
from sourcewright.domain.records.patents import Patent, PatentQuery
from sourcewright.domain.search.operators import non_empty_params

_FEWEST, _MOST = 10, 100
"""Google Patents returns pages of these sizes."""


def patent_params(query: PatentQuery) -> dict[str, str]:
    words = query.number or query.text or "*"
    return non_empty_params(
        engine="google_patents",
        q=f"{words} CPC={query.cpc}" if query.cpc else words,
        assignee=query.assignee,
        inventor=query.inventor,
        country=query.office,
        after=f"filing:{query.year_from}0101" if query.year_from else None,
        before=f"filing:{query.year_to}1231" if query.year_to else None,
        num=str(min(max(query.limit, _FEWEST), _MOST)),
    )


def read_patents(results: Iterable[Record]) -> tuple[Patent, ...]:
    """The patents, without the scholarly articles among the results."""
    return tuple(_patent(one) for one in results if "scholar" not in one.get("patent_id", ""))


def _patent(record: Record) -> Patent:
    path = (
        text_of(record.get("publication_number"))
        or (require_value(text_of(record["patent_id"]), "patent_id").split("/")[1])
    )
    parsed = parse_patent_number(path)
    number = str(parsed) if parsed else path
    assignee = text_of(record.get("assignee"))
    return Patent(
        number=number,
        title=require_value(text_of(record["title"]), "title"),
        url=url_of(record.get("patent_link")) or patent_page(number),
        abstract=text_of(record.get("snippet")),
        assignee=clean_name(assignee) if assignee else None,
        inventor=text_of(record.get("inventor")),
        filed=date_of(record.get("filing_date")),
        granted=date_of(record.get("grant_date")),
        published=date_of(record.get("publication_date")),
        priority=date_of(record.get("priority_date")),
        pdf=url_of(record.get("pdf")),
    )
