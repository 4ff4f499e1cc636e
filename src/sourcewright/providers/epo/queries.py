"""Queries of EPO's Open Patent Services in CQL."""

import re

from sourcewright.domain.records.patent_numbers import docdb_number, parse_patent_number
from sourcewright.domain.records.patents import PatentQuery

_NOT_WORDS = re.compile(r'["\\()=<>/*?#]+')
_CANDIDATES = 100
"""Publications to request if the year of filing matters, which cannot be searched."""


def cql_of(query: PatentQuery) -> str:
    number = parse_patent_number(query.number or "")
    if number is not None:
        return f"pn={number.office}{docdb_number(number)}"
    clauses = (
        _all_words("ta", query.text),
        _all_words("pa", query.assignee),
        _all_words("in", query.inventor),
        f"pn={query.office}" if query.office else None,
        f'cpc="{_words(query.cpc)}"' if query.cpc else None,
        # Nothing is published before it is filed.
        f"pd>={query.year_from}" if query.year_from else None,
    )
    return " and ".join(filter(None, clauses))


def range_of(query: PatentQuery) -> str:
    years = query.year_from or query.year_to
    return f"1-{_CANDIDATES if years or query.number else min(query.limit, _CANDIDATES)}"


def _all_words(index: str, text: str | None) -> str | None:
    words = _words(text) if text else ""
    return f'{index} all "{words}"' if words else None


def _words(text: str) -> str:
    return " ".join(_NOT_WORDS.sub(" ", text).split())
