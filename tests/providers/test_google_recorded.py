"""Google Programmable Search, over every recorded answer."""

import pytest

pytestmark = pytest.mark.anyio

# By file: how many hits, how many of them with a date, and the title of the first.
RECORDED = {
    "openwebui-google-pse.json": (10, 1, "The Feynman Lectures on Physics"),
    "sk-google-site-filter-devblogs-microsoft-com.json": (
        4,
        4,
        "Hello, Semantic Kernel! | Semantic Kernel",
    ),
    "sk-google-what-is-the-semantic-kernel.json": (
        4,
        1,
        "Introduction to Semantic Kernel | Microsoft Learn",
    ),
}


async def test_every_recorded_answer_is_read_to_its_last_hit(replayed):
    answers = await replayed(
        "google",
        "www.googleapis.com",
        "google_cse",
        GOOGLE_CUSTOM_SEARCH_API_KEY="k",
        GOOGLE_CUSTOM_SEARCH_ID="e",
    )

    read = {
        file.name: (len(hits), sum(hit.published is not None for hit in hits), hits[0].title)
        for file, _, hits in answers
    }
    assert read == RECORDED
    for _, answer, hits in answers:
        assert [hit.url for hit in hits] == [one["link"] for one in answer["items"]]
        assert all(hit.title and "<strong>" not in hit.snippet for hit in hits)
