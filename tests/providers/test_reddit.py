"""Reddit's posts, against the world's."""

from urllib.parse import parse_qsl

import pytest

from sourcewright.domain.errors import BadAnswer, InvalidInput, NotFound, Refused
from sourcewright.domain.readings import Reception
from sourcewright.providers.reddit import post_at

pytestmark = pytest.mark.anyio

HOST = "www.reddit.com"
POST = "https://www.reddit.com/r/lighthouses/comments/fog1a2/how_do_you/"


@pytest.fixture
async def reddit(provide):
    return await provide("reddit")


@pytest.mark.parametrize(
    ("url", "named"),
    [
        (POST, ("fog1a2", None)),
        ("https://old.reddit.com/r/a/comments/FOG1a2?utm_source=x", ("fog1a2", None)),
        ("http://np.reddit.com/comments/fog1a2/", ("fog1a2", None)),
        (f"{POST}c4/", ("fog1a2", "c4")),
        ("https://www.reddit.com/user/keeper/comments/fog1a2/x", ("fog1a2", None)),
        ("https://www.reddit.com/gallery/fog1a2", ("fog1a2", None)),
        ("https://redd.it/fog1a2", ("fog1a2", None)),
        ("https://www.reddit.com/", None),
        ("https://www.reddit.com/r/lighthouses/", None),
        ("https://www.reddit.com/user/keeper", None),
        ("https://www.reddit.com/r/a/comments/", None),
        ("https://www.reddit.com/r/a/comments/fog1a2/x/c4/more", None),
        ("https://www.reddit.com/r/a/comments/fog_1", None),
        ("https://reddit.com.evil.example/r/a/comments/fog1a2/", None),
        ("https://evil.example/reddit.com/r/a/comments/fog1a2/", None),
        ("https://i.redd.it/fog1a2.jpg", None),
        ("ftp://www.reddit.com/comments/fog1a2", None),
        ("x", None),
    ],
)
def test_an_address_names_a_post_or_is_not_taken(url, named):
    assert post_at(url) == named


async def test_a_post_is_read_with_its_votes_and_its_comments_in_their_places(reddit, internet):
    reading = await reddit.read_site(POST)

    [seen] = internet.requests_to(HOST)
    assert seen.path == "/comments/fog1a2.json"
    assert dict(parse_qsl(seen.query)) == {"raw_json": "1", "limit": "500", "sort": "top"}
    assert reading.kind == "reddit"
    assert reading.title == "How do you keep a lens dry in sea fog & spray?"
    assert (reading.author, reading.site) == ("lamp_keeper", "Reddit")
    assert reading.published == "2026-01-01T00:00:00Z"
    assert reading.canonical == "https://www.reddit.com/r/lighthouses/comments/fog1a2/a_title/"
    assert reading.reception == Reception(upvotes=412, comments=7)
    assert reading.cut is True  # three comments are named and not given
    assert reading.content == (
        "# How do you keep a lens dry in sea fog & spray?\n\n"
        "- Subreddit: r/lighthouses\n- Author: u/lamp_keeper\n- Date: 2026-01-01T00:00:00Z\n"
        "- Points: 412\n\n"
        "Ours is *always* wet.\n\n- cloth\n- heater\n\nWhat else < 5 W?\n\n"
        "## Comments (4 of 7)\n\n"
        "- **dry_hand**, 2026-01-01T01:00:00Z, 120 points\n\n"
        "  A **heater** below the lens.\n\n  Ten watts are enough.\n\n"
        "  - **lamp_keeper**, 2026-01-01T02:00:00Z, 8 points\n\n    Thanks!\n\n"
        "    - **dry_hand**, 2026-01-01T03:00:00Z\n\n      Any time.\n\n"
        "- **[deleted]**, 2026-01-01T01:00:00Z, 1 point\n\n  [removed]"
    )


async def test_a_link_to_a_comment_asks_for_what_is_around_it(reddit, internet):
    reading = await reddit.read_site(f"{POST}c4/")

    [seen] = internet.requests_to(HOST)
    asked = dict(parse_qsl(seen.query))
    assert (asked["comment"], asked["context"]) == ("c4", "3")
    assert "[removed]" in reading.content
    assert "heater** below" not in reading.content


async def test_a_post_that_leads_elsewhere_says_where(reddit):
    reading = await reddit.read_site("https://redd.it/lonely7")

    assert "- Link: https://pictures.harbour.example/pier.jpg" in reading.content
    assert "- Note: locked" in reading.content
    assert "## Comments" not in reading.content
    assert reading.reception == Reception(upvotes=4, comments=0)
    assert reading.cut is False


async def test_where_the_json_is_refused_the_feed_is_read(reddit, internet):
    reading = await reddit.read_site("https://www.reddit.com/comments/closed9")

    asked = [seen.path for seen in internet.requests_to(HOST)]
    assert asked == ["/comments/closed9.json", "/comments/closed9.rss"]
    assert reading.title == "Feeds only"
    assert reading.author == "lamp_keeper"
    assert reading.published == "2026-01-01T00:00:00Z"
    assert reading.reception is None  # the feed does not tell the votes
    assert reading.content == (
        "# Feeds only\n\n- Subreddit: r/feedsonly\n- Author: u/lamp_keeper\n"
        "- Date: 2026-01-01T00:00:00Z\n\nRead it as a feed.\n\n## Comments (1 of 1)\n\n"
        "- **dry_hand**, 2026-01-01T01:00:00Z\n\n  As you wish."
    )


async def test_where_both_are_refused_the_refusal_is_told(reddit, internet):
    internet.breaks(HOST, status=403)

    with pytest.raises(Refused):
        await reddit.read_site(POST)


async def test_a_post_that_is_not_there_is_absent(reddit):
    with pytest.raises(NotFound):
        await reddit.read_site("https://www.reddit.com/r/a/comments/nobody1/x/")


async def test_an_answer_about_another_post_is_no_answer(reddit, internet):
    other = {"kind": "t3", "data": {"id": "other"}}
    listing = {"kind": "Listing", "data": {"children": [other]}}
    internet.says(HOST, [listing, {"kind": "Listing", "data": {"children": []}}])

    with pytest.raises(BadAnswer):
        await reddit.read_site(POST)


async def test_a_page_of_another_site_is_not_asked_for(reddit, internet):
    with pytest.raises(InvalidInput):
        await reddit.read_site("https://evil.example/comments/fog1a2")

    assert not internet.seen
