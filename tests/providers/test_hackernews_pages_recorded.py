"""The pages of Hacker News, over every real item that was recorded."""

import json

import pytest

from sourcewright.base.errors import BadAnswer

pytestmark = pytest.mark.anyio

OWN, ALGOLIA = "hacker-news.firebaseio.com", "hn.algolia.com"

# By file: the title, the author, the date, and something of what it says.
RECORDED = {
    "fb-comment-2921983.json": (
        "Comment by norvig",
        "norvig",
        "2011-08-24T18:38:47Z",
        "you make me blush",
    ),
    "fb-poll-126809.json": (
        "Poll: What would happen if News.YC had explicit support for polls?",
        "pg",
        "2008-03-01T20:34:12Z",
        "- Points: 46",
    ),
    "fb-story-121003.json": (
        "Ask HN: The Arc Effect",
        "tel",
        "2008-02-22T02:33:40Z",
        "wary of Diggification",
    ),
    "fb-story-8863.json": (
        "My YC app: Dropbox - Throw away your USB drive",
        "dhouston",
        "2007-04-04T19:16:40Z",
        "- URL: http://www.getdropbox.com/u/2/screencast.html",
    ),
}


async def test_every_recorded_item_is_read(recorded, provide, internet):
    pages = await provide("hackernews", role="reading")
    read = {}

    for file in recorded("hackernews"):
        item = json.loads(file.read_text(encoding="utf-8"))
        if file.name.startswith("fb-") and "type" in item:
            internet.mends()
            internet.says(OWN, None)
            internet.says(OWN, item, path=f"/v0/item/{item['id']}.json")
            reading = await pages.read_site(f"https://news.ycombinator.com/item?id={item['id']}")
            read[file.name] = (reading.title, reading.author, reading.published)
            assert RECORDED[file.name][3] in reading.content
            assert reading.kind == "hn"

    assert read == {name: result[:3] for name, result in RECORDED.items()}


async def test_a_recorded_answer_of_another_kind_is_no_item(recorded, provide, internet):
    pages = await provide("hackernews", role="reading")
    [other] = [file for file in recorded("hackernews") if file.name == "fb-obj-x.json"]
    for host in (OWN, ALGOLIA):
        internet.says(host, other.read_bytes())

    with pytest.raises(BadAnswer):
        await pages.read_site("https://news.ycombinator.com/item?id=1")
