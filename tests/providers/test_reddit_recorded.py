"""Reddit, over the recorded answers."""

import json

from sourcewright.base.formats.parsers import parse_xml
from sourcewright.providers.reddit.listings import read_list, read_list_feed
from sourcewright.providers.reddit.posts import read_feed, read_thread

NOW = 1_790_000_000.0


def test_every_recorded_post_is_read(recorded):
    [file] = [one for one in recorded("reddit") if one.suffix == ".json"]
    posts = json.loads(file.read_text(encoding="utf-8"))["data"]["children"]
    nothing = {"kind": "Listing", "data": {"children": []}}

    assert len(posts) == 10
    for post in posts:
        result = post["data"]
        alone = {"kind": "Listing", "data": {"children": [post]}}
        reading = read_thread([alone, nothing], result["id"], NOW)

        assert reading.title
        assert reading.author == result["author"]
        assert reading.reception is not None
        assert reading.reception.upvotes == result["score"]
        assert reading.published is not None
        assert result["selftext"].strip() in reading.content


def test_the_recorded_feed_of_a_post_is_read_to_its_last_comment(recorded):
    [file] = [one for one in recorded("reddit") if one.name == "a2web-thread.xml"]
    feed = parse_xml(file.read_bytes())

    reading = read_feed(feed, "1qcwxml", NOW)

    comments = len(list(feed)) - len([one for one in feed if not one.tag.endswith("entry")]) - 1
    assert reading.title == "New bike day"
    assert reading.author == "aspiring-housewife-"
    assert reading.published == "2026-01-14T19:32:56Z"
    assert f"## Comments ({comments} of {comments})" in reading.content
    assert "Ribble Allgrit Ti" in reading.content
    assert "submitted by" not in reading.content


def test_the_recorded_lists_are_read_to_their_ends(recorded):
    [file] = [one for one in recorded("reddit") if one.suffix == ".json"]
    [feed] = [one for one in recorded("reddit") if one.name.endswith("search.xml")]
    answer = json.loads(file.read_text(encoding="utf-8"))

    listed = read_list(answer, "r/ClaudeAI", NOW)
    fed = read_list_feed(parse_xml(feed.read_bytes()), "r/gravelcycling", NOW)

    count = len(answer["data"]["children"])
    assert f"\n{count}. [" in listed.content
    assert listed.cut is True
    assert "1. [New bike day](https://www.reddit.com/r/gravelcycling/comments/1qcwxml/" in (
        fed.content
    )
