"""Searches for stories of Hacker News, as Algolia's API takes and answers them."""

from collections.abc import Iterator
from typing import Any

from sourcewright.base.formats.json_values import Record, required_records, text_of
from sourcewright.base.text.phrases import count_phrase
from sourcewright.domain.search.operators import non_empty_params, with_operators
from sourcewright.domain.search.results import RawHit
from sourcewright.domain.web.queries import Query

MAX_RESULTS = 100
_HOURS = {"hour": 1, "day": 24, "week": 7 * 24, "month": 31 * 24, "year": 366 * 24}


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
