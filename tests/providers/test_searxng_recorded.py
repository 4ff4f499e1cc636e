"""SearXNG, over every recorded answer."""

import json

import pytest

from sourcewright.domain.web.queries import Query

pytestmark = pytest.mark.anyio

HOST = "searxng.harbour.example"
KEYS = {"SEARXNG_URL": f"https://{HOST}"}

# By file: how many hits, and how the title of the first begins.
RECORDED = {
    "browseapi-searxng-news.json": (10, "Target appoints its first-ever AI exec"),
    "browseapi-searxng-search.json": (20, "[1706.03762] Attention Is All You Need - arXiv"),
    "browseapi-searxng-videos.json": (48, "Attention Is All You Need - Paper Explained"),
    "openwebui-searxng.json": (30, "Welcome to Python.org"),
    "shortlist-searxng-search.json": (
        6,
        "What other shows do you rate as highly as (or close to) Severance?",
    ),
}


async def test_every_recorded_answer_is_read_to_its_last_hit(replayed):
    answers = await replayed("searxng", HOST, "searxng", **KEYS)

    assert {file.name: len(hits) for file, _, hits in answers} == {
        name: count for name, (count, _) in RECORDED.items()
    }
    for file, answer, hits in answers:
        assert hits[0].title.startswith(RECORDED[file.name][1])
        assert [hit.url for hit in hits] == [one["url"] for one in answer["results"]]
        assert all(hit.title and len(hit.snippet) <= 500 for hit in hits)


async def test_recorded_articles_have_a_paper_and_an_age(recorded, provide, internet):
    [file] = [file for file in recorded("searxng") if "news" in file.name]
    searxng = await provide("searxng", **KEYS)
    internet.says(HOST, json.loads(file.read_text(encoding="utf-8")))

    hits = (await searxng.search_news(Query(kind="news", text="x", limit=50))).hits

    assert [hit.source for hit in hits[:3]] == ["Barchart on MSN", "Forbes", "New Scientist"]
    assert all(hit.published for hit in hits)
