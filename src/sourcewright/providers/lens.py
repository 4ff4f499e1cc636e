"""The Lens: patents of more than a hundred offices, with families and legal status.

Docs: https://docs.api.lens.org/request-patent.html
Silent on: the assignee where only applicants are recorded; these are given.
"""

import re
from collections.abc import Mapping
from typing import Any

from sourcewright.base.formats.json_values import (
    Record,
    abstract_of,
    record_of,
    records_of,
    require_value,
    required_count,
    required_records,
    text_of,
)
from sourcewright.base.text.dates import date_of
from sourcewright.domain.records.assignees import clean_name
from sourcewright.domain.records.patent_numbers import (
    docdb_number,
    number_from_parts,
    parse_patent_number,
)
from sourcewright.domain.records.patents import Patent, PatentQuery, PatentResults
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, api_key_option

_MOST = 100
_INCLUDED = ("lens_id", "jurisdiction", "doc_number", "kind", "date_published", "biblio")
_WORD = re.compile(r"[^\W_]+", re.UNICODE)


class TheLens(Provider):
    """Searches patents by words, applicant, inventor, classification and number."""

    info = ProviderInfo(
        name="lens",
        title="The Lens",
        home="https://www.lens.org",
        base_url="https://api.lens.org",
        # Its free plans allow ten requests a minute.
        rate=RateLimit(starts=10, per_seconds=60.0, at_once=1),
        allowed_hosts=("api.lens.org",),
        options=(api_key_option("LENS_API_TOKEN", of="the Lens patent API"),),
        explains_bad_requests=True,
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return {"authorization": f"Bearer {options['key']}"}

    async def search_patents(self, query: PatentQuery) -> PatentResults:
        """Supports every filter."""
        patents, total = await self.upstream.search(
            "/patent/search", read=read_list, post=request_body(query)
        )
        return PatentResults(patents=patents[: query.limit], total=total)


def request_body(query: PatentQuery) -> dict[str, Any]:
    return {
        "query": {"bool": {"must": _conditions(query)}},
        "size": min(query.limit, _MOST),
        "include": [*_INCLUDED, "abstract", "legal_status", "families"],
    }


def _conditions(query: PatentQuery) -> list[dict[str, Any]]:
    number = parse_patent_number(query.number or "")
    if number is not None:
        terms = {"jurisdiction": number.office, "doc_number": docdb_number(number)}
        kind = {"kind": number.kind} if number.kind else {}
        return [{"term": {name: value}} for name, value in (terms | kind).items()]
    # Some words in capitals would be operators.
    words = " ".join(_WORD.findall((query.text or "").lower()))
    years = {
        "gte": f"{query.year_from}-01-01" if query.year_from else None,
        "lte": f"{query.year_to}-12-31" if query.year_to else None,
    }
    dates = {name: date for name, date in years.items() if date}
    text = {"query": words, "fields": ["title", "abstract"], "default_operator": "and"}
    conditions = (
        {"query_string": text} if words else None,
        {"match_phrase": {"applicant.name": query.assignee}} if query.assignee else None,
        {"match_phrase": {"inventor.name": query.inventor}} if query.inventor else None,
        {"term": {"jurisdiction": query.office}} if query.office else None,
        {"prefix": {"class_cpc.symbol": query.cpc}} if query.cpc else None,
        {"range": {"application_reference.date": dates}} if dates else None,
    )
    return [one for one in conditions if one]


def read_list(answer: Any) -> tuple[tuple[Patent, ...], int]:
    """The patents that a search found, and how many there are."""
    total = required_count(answer["total"])
    patents = tuple(map(read_patent, required_records(answer["data"])))
    if total and not patents:
        raise ValueError(f"{total} patents announced, but none sent")
    return patents, total


def read_patent(record: Record) -> Patent:
    biblio = record_of(record["biblio"])
    parties = record_of(biblio.get("parties"))
    status = record_of(record.get("legal_status"))
    family = record_of(record_of(record.get("families")).get("simple_family"))
    office, digits = (
        require_value(text_of(record[name]), name) for name in ("jurisdiction", "doc_number")
    )
    number = number_from_parts(office, digits, text_of(record.get("kind")))
    claims = record_of(biblio.get("priority_claims"))
    classes = records_of(record_of(biblio.get("classifications_cpc")).get("classifications"))
    return Patent(
        number=number,
        title=_in_english(biblio.get("invention_title")) or number,
        url=f"https://www.lens.org/lens/patent/{require_value(text_of(record['lens_id']), 'lens_id')}",
        abstract=abstract_of(_in_english(record.get("abstract"))),
        assignee=_name(parties.get("applicants")),
        inventor=_name(parties.get("inventors")),
        filed=date_of(record_of(biblio.get("application_reference")).get("date")),
        granted=date_of(status.get("grant_date")) if status.get("granted") else None,
        published=date_of(record["date_published"]),
        priority=date_of(record_of(claims.get("earliest_claim")).get("date")),
        status=text_of(status.get("patent_status")),
        family_id=text_of(family.get("family_id")),
        cpc=tuple(filter(None, (text_of(one.get("symbol")) for one in classes))),
    )


def _in_english(texts: Any) -> str | None:
    ordered = sorted(records_of(texts), key=lambda one: one.get("lang") != "en")
    return next(filter(None, (text_of(one.get("text")) for one in ordered)), None)


def _name(parties: Any) -> str | None:
    names = (
        text_of(record_of(one.get("extracted_name")).get("value")) for one in records_of(parties)
    )
    name = next(filter(None, names), None)
    return clean_name(name) if name else None
