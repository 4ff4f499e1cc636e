"""Wikipedia: articles of the encyclopedia, from the edition in the requested language.

Docs: https://www.mediawiki.org/wiki/API:Search and https://www.mediawiki.org/wiki/API:Etiquette
Silent on: every other site, and when an article was written; its dates are those of the last edit.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from sourcewright.domain.finds import Findings, WebHit
from sourcewright.domain.queries import Query
from sourcewright.logic.formats.json_values import listed, text_of
from sourcewright.logic.search.mediawiki import (
    NEWEST_FIRST,
    PLAIN,
    agent_of,
    answered,
    contact,
    wiki_search,
)
from sourcewright.logic.search.operators import given, ignored_by
from sourcewright.logic.search.results import Told, as_page, hits_of
from sourcewright.logic.urls.canonical import is_on
from sourcewright.providers._base import Provider, ProviderInfo, Rate, switch

MOST = 500
_DOMAIN = "wikipedia.org"
_EDITION = re.compile(r"([a-z]{2,3})(?:\.m)?\.wikipedia\.org(?:/.*)?")
_EDITIONS = {"nb": "no"}
"""Languages whose edition has another code."""
# MediaWiki's date operator is too new to rely on: a wiki that does not know it searches for it as
# words, and finds nothing.
_HONOURED = frozenset({"exact_terms", "exclude_terms", "sort_by"})


class Wikipedia(Provider):
    """Searches the articles of one edition."""

    info = ProviderInfo(
        name="wikipedia",
        title="Wikipedia",
        home="https://www.wikipedia.org",
        base_url="https://en.wikipedia.org",
        # No limit is published; the etiquette asks for sequential requests.
        rate=Rate(starts=5, per_seconds=1.0, at_once=1),
        allowed_hosts=("en.wikipedia.org", f"*.{_DOMAIN}"),
        role="search",
        options=(
            switch("SOURCEWRIGHT_ENABLE_WIKIPEDIA", asked_for="articles of the encyclopedia"),
            contact("WIKIPEDIA_EMAIL"),
        ),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return agent_of(options.get("mailto"))

    async def search_web(self, query: Query) -> Findings[WebHit]:
        host, now = host_for(query), self.upstream.now()
        hits = await self.upstream.search(
            f"https://{host}/w/api.php",
            params_of(query),
            read=lambda answer: hits_of(told_in(answer, host), as_page, now),
        )
        return Findings(hits=hits[: query.limit], ignored=ignored(query))


def host_for(query: Query) -> str:
    """Host of the edition: by language, else by one of the sites, else English."""
    codes = [match[1] for site in query.sites if (match := _EDITION.fullmatch(site))]
    language = query.language if _is_a_language(query.language) else None
    edition = language or next(iter(codes), "en")
    return f"{_EDITIONS.get(edition, edition)}.{_DOMAIN}"


def params_of(query: Query) -> dict[str, str]:
    return {**PLAIN} | given(
        list="search",
        srsearch=wiki_search(query, "wikipedia"),
        srlimit=str(min(query.limit, MOST)),
        srnamespace="0",
        srprop="snippet",
        srsort=NEWEST_FIRST if query.sort_by == "date" else None,
    )


def ignored(query: Query) -> tuple[str, ...]:
    honoured = set(_HONOURED)
    if _is_a_language(query.language):
        honoured.add("language")
    if is_on(page_of("x", host_for(query)), query.sites):
        honoured.add("sites")
    return ignored_by(query, honoured)


def told_in(answer: Any, host: str) -> Iterator[Told]:
    for result in listed(answered(answer, "wikipedia")["query"]["search"]):
        title = text_of(result["title"])
        yield Told(
            url=page_of(title, host) if title else None,
            title=title,
            snippet=(result.get("snippet"),),
        )


def page_of(title: str, host: str) -> str:
    """URL of an article: its title, with spaces as underscores."""
    return f"https://{host}/wiki/{quote(title.replace(' ', '_'), safe='/:,;@!*()~$')}"


def _is_a_language(code: str | None) -> bool:
    return code is not None and re.fullmatch(r"[a-z]{2,3}", code) is not None
