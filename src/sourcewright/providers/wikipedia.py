"""Wikipedia: articles of the encyclopedia, from the edition in the requested language.

Docs: https://www.mediawiki.org/wiki/API:Search and https://www.mediawiki.org/wiki/API:Etiquette
Silent on: every other site, and when an article was written; its dates are those of the last edit.
"""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any
from urllib.parse import quote

from sourcewright.base.formats.json_values import required_records, text_of
from sourcewright.base.urls.canonical import is_on_site
from sourcewright.domain.capabilities import SearchesWeb
from sourcewright.domain.search.mediawiki import (
    BASE_PARAMS,
    NEWEST_FIRST,
    checked_answer,
    contact_option,
    user_agent_header,
    wiki_search,
)
from sourcewright.domain.search.operators import filters_beyond, non_empty_params
from sourcewright.domain.search.results import RawHit, web_hit
from sourcewright.domain.web.hits import EngineResults, WebHit
from sourcewright.domain.web.queries import Query
from sourcewright.providers._base import (
    HitRequest,
    HitSearch,
    Provider,
    ProviderInfo,
    RateLimit,
    enable_option,
)

MAX_RESULTS = 500
_DOMAIN = "wikipedia.org"
_EDITION = re.compile(r"([a-z]{2,3})(?:\.m)?\.wikipedia\.org(?:/.*)?")
_EDITIONS = {"nb": "no"}
"""Languages whose edition has another code."""
# MediaWiki's date operator is too new to rely on: a wiki that does not know it searches for it as
# words, and finds nothing.
_SUPPORTED = frozenset({"exact_terms", "exclude_terms", "sort_by"})


class Wikipedia(HitSearch, Provider):
    """Searches the articles of one edition."""

    info = ProviderInfo(
        name="wikipedia",
        title="Wikipedia",
        home="https://www.wikipedia.org",
        base_url="https://en.wikipedia.org",
        rate=RateLimit(starts=10, per_seconds=60.0, at_once=1),
        allowed_hosts=("en.wikipedia.org", f"*.{_DOMAIN}"),
        has_only={SearchesWeb: "articles of Wikipedia"},
        options=(
            enable_option("SOURCEWRIGHT_ENABLE_WIKIPEDIA", asked_for="encyclopedia articles"),
            contact_option("WIKIPEDIA_EMAIL"),
        ),
    )

    @classmethod
    def rate(cls, options: Mapping[str, Any]) -> RateLimit | None:
        """The limit of callers whose address is in the User-Agent header."""
        identified = RateLimit(starts=200, per_seconds=60.0, at_once=1)
        return identified if options.get("mailto") else None

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return user_agent_header(options.get("mailto"))

    async def search_web(self, query: Query) -> EngineResults[WebHit]:
        host = host_for(query)
        request = HitRequest(f"https://{host}/w/api.php", params_of(query))
        read = partial(read_hits, host=host)
        return await self.find(request, read, query, web_hit, unsupported_filters(query))


def host_for(query: Query) -> str:
    """Host of the edition: by language, else by one of the sites, else English."""
    codes = [match[1] for site in query.sites if (match := _EDITION.fullmatch(site))]
    language = query.language if _is_a_language(query.language) else None
    edition = language or next(iter(codes), "en")
    return f"{_EDITIONS.get(edition, edition)}.{_DOMAIN}"


def params_of(query: Query) -> dict[str, str]:
    return {**BASE_PARAMS} | non_empty_params(
        list="search",
        srsearch=wiki_search(query, "wikipedia"),
        srlimit=str(min(query.limit, MAX_RESULTS)),
        srnamespace="0",
        srprop="snippet",
        srsort=NEWEST_FIRST if query.sort_by == "date" else None,
    )


def unsupported_filters(query: Query) -> tuple[str, ...]:
    supported = set(_SUPPORTED)
    if _is_a_language(query.language):
        supported.add("language")
    if is_on_site(article_url("x", host_for(query)), query.sites):
        supported.add("sites")
    return filters_beyond(query, supported)


def read_hits(answer: Any, host: str) -> Iterator[RawHit]:
    for result in required_records(checked_answer(answer, "wikipedia")["query"]["search"]):
        title = text_of(result["title"])
        yield RawHit(
            url=article_url(title, host) if title else None,
            title=title,
            snippet=(result.get("snippet"),),
        )


def article_url(title: str, host: str) -> str:
    """URL of an article: its title, with spaces as underscores."""
    return f"https://{host}/wiki/{quote(title.replace(' ', '_'), safe='/:,;@!*()~$')}"


def _is_a_language(code: str | None) -> bool:
    return code is not None and re.fullmatch(r"[a-z]{2,3}", code) is not None
