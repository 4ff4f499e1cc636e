"""Hacker News: submitted stories, searched through Algolia.

Docs: https://hn.algolia.com/api
Silent on: the language, the country and the site of a story; its date is the date of
submission, not of publication.
"""

from collections.abc import Iterator
from typing import Any

from sourcewright.domain.finds import EngineResults
from sourcewright.domain.queries import Query
from sourcewright.logic.formats.json_values import Record, required_records, text_of
from sourcewright.logic.search.operators import filters_beyond, non_empty_params, with_operators
from sourcewright.logic.search.results import Hit, HitMaker, RawHit, hits_of
from sourcewright.logic.text.phrases import count_phrase
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, WebAndNewsSearch

MAX_RESULTS = 100
_HOURS = {"hour": 1, "day": 24, "week": 7 * 24, "month": 31 * 24, "year": 366 * 24}
_HONOURED = frozenset({"time_range", "exact_terms", "exclude_terms", "sort_by"})


class HackerNews(WebAndNewsSearch, Provider):
    """Searches the stories of Hacker News."""

    info = ProviderInfo(
        name="hackernews",
        title="Hacker News",
        home="https://news.ycombinator.com",
        base_url="https://hn.algolia.com/api",
        rate=RateLimit(starts=2, per_seconds=1.0),  # 10,000 an hour are allowed per IP address
        allowed_hosts=("hn.algolia.com",),
        role="search",
    )

    async def search(self, query: Query, make: HitMaker[Hit]) -> EngineResults[Hit]:
        now = self.upstream.now()
        hits = await self.upstream.search(
            "/v1/search_by_date" if query.sort_by == "date" else "/v1/search",
            params_of(query, now),
            read=lambda answer: hits_of(read_hits(answer), make, now),
        )
        return EngineResults(hits=hits[: query.limit], ignored=filters_beyond(query, _HONOURED))


def params_of(query: Query, now: float) -> dict[str, str]:
    oldest = int(now) - 3600 * _HOURS.get(query.time_range or "", 0)
    return non_empty_params(
        query=with_operators(query, without=("sites",)),
        tags="story",
        hitsPerPage=str(min(query.limit, MAX_RESULTS)),
        numericFilters=f"created_at_i>{oldest}" if query.time_range else None,
    )


def read_hits(answer: Any) -> Iterator[RawHit]:
    """The stories; one without a URL is a text post on Hacker News itself."""
    for one in required_records(answer["hits"]):
        discussion = f"https://news.ycombinator.com/item?id={one['objectID']}"
        yield RawHit(
            url=one.get("url") or discussion,
            title=one["title"],
            snippet=(one.get("story_text") or _reception(one),),
            dates=(one.get("created_at"), one.get("created_at_i")),
        )


def _reception(story: Record) -> str:
    points, comments = text_of(story.get("points")), text_of(story.get("num_comments"))
    return f"{count_phrase(points or 0, 'point')} and {count_phrase(comments or 0, 'comment')} on Hacker News."
