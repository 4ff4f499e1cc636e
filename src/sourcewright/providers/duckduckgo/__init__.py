"""DuckDuckGo: web search through its HTML site, which needs no JavaScript.

Docs: https://duckduckgo.com/duckduckgo-help-pages/settings/params
Silent on: images, news, the language of a page other than that of a region, and its rate limit.
"""

import re

from sourcewright.base.errors import RateLimited
from sourcewright.domain.search.operators import (
    OPERATORS,
    filters_beyond,
    fit_query,
    leaves_too_few_words,
    non_empty_params,
)
from sourcewright.domain.search.results import RawHit, web_hit
from sourcewright.domain.web.hits import EngineResults, WebHit
from sourcewright.domain.web.queries import Query
from sourcewright.providers._base import HitRequest, HitSearch, Provider, ProviderInfo, RateLimit
from sourcewright.providers.duckduckgo.results_page import ResultsPage, read_results

MAX_QUERY_CHARACTERS = 499
_NAME = "duckduckgo"
_SAFE = {"off": "-2", "medium": "-1", "high": "1"}
_AGES = {"hour": "d", "day": "d", "week": "w", "month": "m", "year": "y"}
_SUPPORTED = OPERATORS | {"time_range", "safe", "country"}
# The first region of a country is its default; a language may select another.
_REGIONS = """
ar-es at-de au-en be-nl be-fr bg-bg br-pt ca-en ca-fr ch-de ch-fr ch-it cl-es cn-zh co-es cz-cs
de-de dk-da ee-et es-es es-ca fi-fi fr-fr gr-el hk-tzh hr-hr hu-hu id-id id-en ie-en il-he il-en
in-en it-it jp-jp kr-kr lt-lt lv-lv mx-es my-ms my-en nl-nl no-no nz-en pe-es ph-en ph-tl pk-en
pl-pl pt-pt ro-ro ru-ru sk-sk se-sv sg-en sl-sl th-th tr-tr tw-tzh ua-uk uk-en us-en us-es ve-es
vn-vi xa-ar xa-en za-en
"""
_COUNTRY_CODES = {"gb": "uk", "sa": "xa", "si": "sl"}
_LANGUAGE_CODES = {"ja": "jp", "ko": "kr", "nb": "no", "zh": "tzh"}
# A bang redirects the query to another site, and a backslash to the first result.
_BANG = re.compile(r"(?<!\S)[!\\]+(?=\S)|(?<=\S)!+(?!\S)")


class DuckDuckGo(HitSearch, Provider):
    """Searches like a browser without JavaScript."""

    info = ProviderInfo(
        name=_NAME,
        title="DuckDuckGo",
        home="https://duckduckgo.com",
        base_url="https://html.duckduckgo.com",
        rate=RateLimit(starts=1, per_seconds=2.0, at_once=1, gap_seconds=2.0),
        allowed_hosts=("html.duckduckgo.com",),
    )

    async def search_web(self, query: Query) -> EngineResults[WebHit]:
        request = HitRequest("/html/", params_of(query), parse=read_results)
        return await self.find(request, read_hits, query, web_hit, unsupported_filters(query))


def params_of(query: Query) -> dict[str, str]:
    return non_empty_params(
        q=_BANG.sub("", fit_query(query, MAX_QUERY_CHARACTERS, without=omitted_operators(query))),
        kp=_SAFE[query.safe],
        kl=region_of(query) or "wt-wt",
        df=_AGES.get(query.time_range or ""),
    )


def omitted_operators(query: Query) -> frozenset[str]:
    """Operators left out of the query: many long sites would leave no room for the words."""
    return (
        frozenset({"sites"}) if leaves_too_few_words(query, MAX_QUERY_CHARACTERS) else frozenset()
    )


def region_of(query: Query) -> str | None:
    """The region of the country, in the language if there is one; None for an unknown country."""
    country = _COUNTRY_CODES.get(query.country or "", query.country)
    regions = [region for region in _REGIONS.split() if region.startswith(f"{country}-")]
    matching = [region for region in regions if _is_in_language(region, query.language)]
    return next(iter((*matching, *regions)), None)


def unsupported_filters(query: Query) -> tuple[str, ...]:
    region, supported = region_of(query), _SUPPORTED - omitted_operators(query)
    if region is None:
        supported -= {"country"}
    elif _is_in_language(region, query.language):
        supported |= {"language"}
    if query.time_range == "hour":  # a day is the shortest range it supports
        supported -= {"time_range"}
    return filters_beyond(query, supported)


def read_hits(page: ResultsPage) -> tuple[RawHit, ...]:
    """The results that the page lists.

    Raises:
        RateLimited: It shows a captcha, as it does after many queries.
    """
    if page.is_challenge:
        raise RateLimited(_NAME, "requires a captcha to be solved by a person", status=429)
    return page.hits


def _is_in_language(region: str, language: str | None) -> bool:
    region_language = region.partition("-")[2]
    return region_language in (language, _LANGUAGE_CODES.get(language or ""))
