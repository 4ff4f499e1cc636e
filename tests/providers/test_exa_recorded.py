"""Exa, over every recorded answer."""

import pytest

pytestmark = pytest.mark.anyio

# By file: how many hits, the title of the first, and when it was published.
RECORDED = {
    "search.json": (
        10,
        "AI agents arrived in 2025 \u2013 here's what happened and the ...",
        "2025-12-29T00:00:00Z",
    ),
    "search-2.json": (
        10,
        "What are Autonomous AI Agents? A Complete Guide 2025",
        "2025-07-31T00:00:00Z",
    ),
    "search-3.json": (
        10,
        "AI Agent in 2025: How Autonomous Agents Redefine Workflows",
        "2025-09-23T00:00:00Z",
    ),
    "search-4.json": (
        10,
        "'AI agents' promise to arrange your finances, do your taxes, book ...",
        "2025-01-15T00:00:00Z",
    ),
}


async def test_every_recorded_answer_is_read_to_its_last_hit(replayed):
    answers = await replayed("exa", "api.exa.ai", "exa", EXA_API_KEY="k")

    read = {file.name: (len(hits), hits[0].title, hits[0].published) for file, _, hits in answers}
    assert read == RECORDED
    for _, answer, hits in answers:
        assert [hit.url for hit in hits] == [one["url"] for one in answer["results"]]
        assert all(hit.published and 0 < len(hit.snippet) <= 500 for hit in hits)
