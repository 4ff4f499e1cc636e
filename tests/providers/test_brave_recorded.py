"""Brave Search, over every recorded answer."""

import pytest

pytestmark = pytest.mark.anyio

# By file: how many hits, how many of them with a date, and the title of the first.
RECORDED = {
    "larallama-brave-response.json": (18, 7, "Laravel News"),
    "larallama-brave-search.json": (17, 13, "Laravel - The PHP Framework For Web Artisans"),
    "openwebui-brave.json": (20, 18, "Welcome to Python.org"),
    "sk-brave-site-filter-what-is-the-semantic-kernel.json": (
        5,
        4,
        "Introduction to Semantic Kernel | Microsoft Learn",
    ),
    "sk-brave-what-is-the-semantic-kernel.json": (
        10,
        7,
        "Introduction to Semantic Kernel | Microsoft Learn",
    ),
}


async def test_every_recorded_answer_is_read_to_its_last_hit(replayed):
    answers = await replayed("brave", "api.search.brave.com", "brave", BRAVE_API_KEY="k")

    read = {
        file.name: (len(hits), sum(hit.published is not None for hit in hits), hits[0].title)
        for file, _, hits in answers
    }
    assert read == RECORDED
    for _, answer, hits in answers:
        assert [hit.url for hit in hits] == [one["url"] for one in answer["web"]["results"]]
        assert all(hit.title and "<strong>" not in hit.snippet for hit in hits)
