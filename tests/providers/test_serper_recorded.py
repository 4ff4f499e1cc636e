"""Serper, over every recorded answer."""

import pytest

pytestmark = pytest.mark.anyio

# By file: how many hits, how many of them with a date, and the title of the first.
RECORDED = {
    "haystack-example-serperdev-response.json": (
        9,
        8,
        "Olivia Wilde embraces Jason Sudeikis amid custody battle, Harry Styles split - Page Six",
    ),
    "openwebui-serper.json": (8, 1, "Apple"),
    "pasa-serper-search.json": (10, 0, "Multivariate Time-series Anomaly Detection via Graph ..."),
}


async def test_every_recorded_answer_is_read_to_its_last_hit(replayed):
    answers = await replayed("serper", "google.serper.dev", "serper", SERPER_API_KEY="k")

    read = {
        file.name: (len(hits), sum(hit.published is not None for hit in hits), hits[0].title)
        for file, _, hits in answers
    }
    assert read == RECORDED
    for _, answer, hits in answers:
        assert [hit.url for hit in hits] == [one["link"] for one in answer["organic"]]
        assert all(hit.title and "<strong>" not in hit.snippet for hit in hits)
