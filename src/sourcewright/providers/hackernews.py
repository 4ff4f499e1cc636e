"""Hacker News: submitted stories, searched through Algolia.

Docs: https://hn.algolia.com/api
Silent on: the language, the country and the site of a story; its date is the date of
submission, not of publication.
"""

from collections.abc import Iterator
from typing import Any

from sourcewright.domain.finds import Findings
from sourcewright.domain.queries import Query
from sourcewright.logic.formats.json_values import Record, listed, text_of
from sourcewright.logic.search.operators import given, ignored_by, with_operators
from sourcewright.logic.search.results import Hit, Makes, Told, hits_of
from sourcewright.logic.text.phrases import counted
from sourcewright.providers._base import Provider, ProviderInfo, Rate, SearchesTexts

MOST = 100
_HOURS = {"hour": 1, "day": 24, "week": 7 * 24, "month": 31 * 24, "year": 366 * 24}
_HONOURED = frozenset({"time_range", "exact_terms", "exclude_terms", "sort_by"})


class HackerNews(SearchesTexts, Provider):
    """Searches the stories of Hacker News."""

    info = ProviderInfo(
        name="hackernews",
        title="Hacker News",
        home="https://news.ycombinator.com",
        base_url="https://hn.algolia.com/api",
        rate=Rate(starts=2, per_seconds=1.0),  # 10,000 an hour are allowed per IP address
        allowed_hosts=("hn.algolia.com",),
        role="search",
    )

    async def search(self, query: Query, make: Makes[Hit]) -> Findings[Hit]:
        now = self.upstream.now()
        hits = await self.upstream.search(
            "/v1/search_by_date" if query.sort_by == "date" else "/v1/search",
            params_of(query, now),
            read=lambda answer: hits_of(told_in(answer), make, now),
        )
        return Findings(hits=hits[: query.limit], ignored=ignored_by(query, _HONOURED))


def params_of(query: Query, now: float) -> dict[str, str]:
    oldest = int(now) - 3600 * _HOURS.get(query.time_range or "", 0)
    return given(
        query=with_operators(query, without=("sites",)),
        tags="story",
        hitsPerPage=str(min(query.limit, MOST)),
        numericFilters=f"created_at_i>{oldest}" if query.time_range else None,
    )


def told_in(answer: Any) -> Iterator[Told]:
    """The stories; one without a URL is a text post on Hacker News itself."""
    for one in listed(answer["hits"]):
        discussion = f"https://news.ycombinator.com/item?id={one['objectID']}"
        yield Told(
            url=one.get("url") or discussion,
            title=one["title"],
            snippet=(one.get("story_text") or _reception(one),),
            dates=(one.get("created_at"), one.get("created_at_i")),
        )


def _reception(story: Record) -> str:
    points, comments = text_of(story.get("points")), text_of(story.get("num_comments"))
    return (
        f"{counted(points or 0, 'point')} and {counted(comments or 0, 'comment')} on Hacker News."
    )
