"""Queries of the USPTO's Open Data Portal: words, names, numbers and years of filing."""

from sourcewright.domain.records.patent_numbers import PatentNumber, parse_patent_number
from sourcewright.domain.records.patents import PatentQuery
from sourcewright.domain.search.operators import quoted_phrase

_META = "applicationMetaData"
_MOST = 100
_SUBCLASS = 4
_FIRST_DAY, _LAST_DAY = "1790-01-01", "2999-12-31"


def search_params(query: PatentQuery) -> dict[str, str]:
    number = parse_patent_number(query.number or "")
    params = {
        "q": _number_clause(number) if number else _clauses(query),
        "offset": "0",
        "limit": str(_MOST if is_narrower(query) else min(query.limit, _MOST)),
    }
    if query.year_from or query.year_to:
        since = f"{query.year_from}-01-01" if query.year_from else _FIRST_DAY
        until = f"{query.year_to}-12-31" if query.year_to else _LAST_DAY
        params["rangeFilters"] = f"{_META}.filingDate {since}:{until}"
    return params


def is_narrower(query: PatentQuery) -> bool:
    """Whether its symbol names a group, as in `H01M50/46`; only subclasses can be searched.

    Its records write `H01M  50/46`, with the group in four columns.
    """
    return query.number is None and len(query.cpc or "") > _SUBCLASS


def _number_clause(number: PatentNumber) -> str:
    """A publication of an application has a year in its number, a patent has none."""
    if len(number.digits) == 11:
        return f"{_META}.earliestPublicationNumber:{number}{'' if number.kind else '*'}"
    letters = number.digits.rstrip("0123456789")
    bare = number.digits.removeprefix(letters)
    # Its records write the number of a design with and without the letter of its class.
    spellings = dict.fromkeys((number.digits, f"{letters}{bare.zfill(8 - len(letters))}", bare))
    clauses = [f"{_META}.patentNumber:{one}" for one in (spellings if letters else (bare,))]
    return " OR ".join(clauses)


def _clauses(query: PatentQuery) -> str:
    clauses = [quoted_phrase(word) for word in (query.text or "").replace('"', " ").split()]
    if query.assignee:
        name = quoted_phrase(query.assignee)
        assigned = f"assignmentBag.assigneeBag.assigneeNameText:{name}"
        clauses.append(f"({_META}.firstApplicantName:{name} OR {assigned})")
    if query.inventor:
        clauses.append(f"{_META}.inventorBag.inventorNameText:{quoted_phrase(query.inventor)}")
    if query.cpc:
        clauses.append(f"{_META}.cpcClassificationBag:{query.cpc[:_SUBCLASS]}*")
    return " AND ".join(clauses)
