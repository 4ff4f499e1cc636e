"""CourtListener: opinions of federal and state courts of the USA, by the Free Law Project.

Docs: https://wiki.free.law/c/courtlistener/help/api/rest/v4/search and, for the limits of accounts
since 7 May 2026, https://wiki.free.law/c/courtlistener/help/api/rest/v4/api-usage and
https://free.law/2026/05/07/api-included-in-memberships/, as quoted by others until October 2026.
Silent on: opinions that courts do not publish, and whether an opinion was overruled.
"""

from collections.abc import Mapping
from typing import Any

from sourcewright.base.formats.json_values import (
    Record,
    abstract_of,
    count_of,
    records_of,
    require_value,
    required_records,
    text_of,
    texts_of,
)
from sourcewright.domain.options import Option
from sourcewright.domain.records.case_citations import preferred_first
from sourcewright.domain.records.cases import Case, CaseQuery, CaseResults
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit

_HOME = "https://www.courtlistener.com"
_DAY = 86400.0


class CourtListener(Provider):
    """Searches opinions."""

    info = ProviderInfo(
        name="courtlistener",
        title="CourtListener",
        home=_HOME,
        base_url=f"{_HOME}/api/rest/v4",
        # Without a token, about 100 requests a day are allowed.
        rate=RateLimit(starts=100, per_seconds=_DAY),
        allowed_hosts=("www.courtlistener.com",),
        explains_bad_requests=True,
        options=(
            Option(
                name="token",
                env=("COURTLISTENER_API_TOKEN",),
                help="Token of an account at CourtListener: a free one allows 5 requests a minute, 50 an hour and 125 a day, a membership more.",
                kind="secret",
            ),
        ),
    )

    @classmethod
    def rate(cls, options: Mapping[str, Any]) -> RateLimit:
        """The limit a minute with a token; those an hour and a day depend on the account."""
        return RateLimit(starts=5, per_seconds=60.0) if options.get("token") else cls.info.rate

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        token = options.get("token")
        return {"authorization": f"Token {token}"} if token else {}

    async def search_cases(self, query: CaseQuery) -> CaseResults:
        """Search by citation, else by case name with the most cited first, else by words."""
        return await self.upstream.search("/search/", search_params(query), read=read_results)


def search_params(query: CaseQuery) -> dict[str, str]:
    by_name = query.name if not query.citation else None
    params = {
        "type": "o",
        "citation": query.citation,
        "case_name": by_name,
        "q": None if query.citation or by_name else query.text,
        "order_by": "citeCount desc" if by_name else "score desc",
        "court": " ".join(query.courts),
        "filed_after": query.date_from,
        "filed_before": query.date_to,
    }
    return {name: value for name, value in params.items() if value}


def read_results(answer: Any) -> CaseResults:
    records = required_records(answer["results"])
    return CaseResults(cases=tuple(map(read_case, records)), total=count_of(answer["count"]))


def read_case(item: Record) -> Case:
    """One opinion cluster, or one docket where the answer has those."""
    path = require_value(text_of(item.get("absolute_url") or item["docket_absolute_url"]), "URL")
    if not path.startswith("/"):
        raise ValueError(f"{path[:40]!r} is not a path of CourtListener")
    opinions = records_of(item.get("opinions"))
    return Case(
        name=require_value(text_of(item["caseName"]), "case name"),
        citations=preferred_first(texts_of(item.get("citation"))),
        court=text_of(item["court"]),
        court_id=text_of(item["court_id"]),
        court_abbreviation=text_of(item.get("court_citation_string")),
        date_filed=text_of(item["dateFiled"]),
        docket_number=text_of(item["docketNumber"]),
        cite_count=count_of(item.get("citeCount")),
        status=text_of(item.get("status")),
        judge=text_of(item.get("judge")),
        url=f"{_HOME}{path}",
        snippet=next(
            (text for one in opinions if (text := abstract_of(one.get("snippet")))), None
        ),
    )
