"""SearchApi, over every recorded answer."""

import pytest

pytestmark = pytest.mark.anyio

# By file: how many hits, how many of them with a date, and the title of the first.
RECORDED = {
    "haystack-example-searchapi-response.json": (9, 1, "Satya Nadella - Stories"),
    "openwebui-searchapi.json": (6, 1, "ChatGPT | OpenAI"),
}


async def test_every_recorded_answer_is_read_to_its_last_hit(replayed):
    answers = await replayed("searchapi", "www.searchapi.io", "searchapi", SEARCHAPI_API_KEY="k")

    read = {
        file.name: (len(hits), sum(hit.published is not None for hit in hits), hits[0].title)
        for file, _, hits in answers
    }
    assert read == RECORDED
    for _, answer, hits in answers:
        assert [hit.url for hit in hits] == [one["link"] for one in answer["organic_results"]]
        assert all(hit.title and "<strong>" not in hit.snippet for hit in hits)
