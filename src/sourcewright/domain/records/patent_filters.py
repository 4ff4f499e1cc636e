"""Filters of a patent search, checked in the records: office, number, year of filing."""

from urllib.parse import urlencode

from sourcewright.domain.records.patent_numbers import parse_patent_number
from sourcewright.domain.records.patents import Patent, PatentQuery


def fits(patent: Patent, query: PatentQuery) -> bool:
    """Whether nothing in the record contradicts the query."""
    return _has_number(patent, query) and _has_office(patent, query) and _has_year(patent, query)


def _has_number(patent: Patent, query: PatentQuery) -> bool:
    requested, own = parse_patent_number(query.number or ""), parse_patent_number(patent.number)
    return requested is None or (own is not None and own.is_same(requested))


def _has_office(patent: Patent, query: PatentQuery) -> bool:
    return query.office is None or patent.number.startswith(query.office)


def _has_year(patent: Patent, query: PatentQuery) -> bool:
    if patent.filed is None:
        return True
    year = int(patent.filed[:4])
    return (query.year_from or 0) <= year <= (query.year_to or 9999)


def search_page(query: PatentQuery) -> str:
    """The URL of the same search at Google Patents."""
    params = {
        "q": query.number or query.text,
        "assignee": query.assignee,
        "inventor": query.inventor,
        "country": query.office,
        "after": f"filing:{query.year_from}0101" if query.year_from else None,
        "before": f"filing:{query.year_to}1231" if query.year_to else None,
    }
    chosen = [(name, value) for name, value in params.items() if value]
    chosen += [("q", f"{query.cpc}/low")] if query.cpc else []
    return f"https://patents.google.com/?{urlencode(chosen)}"
