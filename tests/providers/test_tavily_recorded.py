"""Tavily, over every recorded answer."""

import pytest

pytestmark = pytest.mark.anyio

# By file: how many hits, and the title of the first.
RECORDED = {
    "sk-tavily-site-filter-devblogs-microsoft-com.json": (
        4,
        "Hello, Semantic Kernel! | Semantic Kernel - devblogs.microsoft.com",
    ),
    "sk-tavily-what-is-the-semantic-kernel.json": (
        4,
        "Semantic Kernel overview for .NET - .NET | Microsoft Learn",
    ),
}


async def test_every_recorded_answer_is_read_to_its_last_hit(replayed):
    answers = await replayed("tavily", "api.tavily.com", "tavily", TAVILY_API_KEY="k")

    assert {file.name: (len(hits), hits[0].title) for file, _, hits in answers} == RECORDED
    for _, answer, hits in answers:
        assert [hit.url for hit in hits] == [one["url"] for one in answer["results"]]
        assert all(0 < len(hit.snippet) <= 500 for hit in hits)
