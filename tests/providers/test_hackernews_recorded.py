"""Hacker News, over every recorded answer."""

import json

import pytest

from sourcewright.base.errors import BadAnswer
from sourcewright.domain.web.queries import Query

pytestmark = pytest.mark.anyio

HOST = "hn.algolia.com"
QUERY = Query(kind="web", text="x", limit=100)

# By file: how many hits, how many of them texts of its own, and the title of the first.
RECORDED = {
    "algolia-search-ainews.json": (
        50,
        2,
        "Ask HN: Does anyone else feel like nothing matters anymore?",
    ),
    "algolia-search-anthropic.json": (
        6,
        2,
        "Show HN: We open-sourced our internal tool for scoring PRs with Claude AI",
    ),
}


async def test_every_recorded_search_is_read_to_its_last_hit(recorded, provide, internet):
    hackernews = await provide("hackernews")
    read = {}

    for file in recorded("hackernews"):
        if file.name.startswith("algolia"):
            internet.mends()
            internet.says(HOST, file.read_bytes())
            hits = (await hackernews.search_web(QUERY)).hits
            own = [hit for hit in hits if hit.url.startswith("https://news.ycombinator.com/")]
            read[file.name] = (len(hits), len(own), hits[0].title)

            stories = json.loads(file.read_text(encoding="utf-8"))["hits"]
            assert [hit.published for hit in hits] == [one["created_at"] for one in stories]
            assert all(hit.snippet and "&#x27;" not in hit.snippet for hit in hits)

    assert read == RECORDED


async def test_answers_of_its_other_interface_are_no_searches(recorded, provide, internet):
    hackernews = await provide("hackernews")
    others = [file for file in recorded("hackernews") if file.name.startswith("fb-")]

    for file in others:
        internet.mends()
        internet.says(HOST, file.read_bytes())

        with pytest.raises(BadAnswer):
            await hackernews.search_web(QUERY)

    assert len(others) == 5
