"""Reddit's posts, against the simulated site."""

from urllib.parse import parse_qsl

import pytest

from sourcewright.base.errors import BadAnswer, InvalidInput, NotFound, Refused
from sourcewright.providers.reddit import post_in_url
from sourcewright.reading.readings import PostStatistics

pytestmark = pytest.mark.anyio

HOST = "www.reddit.com"
POST = "https://www.reddit.com/r/lighthouses/comments/fog1a2/how_do_you/"


@pytest.fixture
async def reddit(provide):
    return await provide("reddit")


@pytest.mark.parametrize(
    "url",
    [
        "https://www.reddit.com/",
        "https://www.reddit.com/r/lighthouses/?t=week",
        "https://www.reddit.com/r/lighthouses/wiki/index",
        "https://www.reddit.com/r/x/s/a-b",
        "https://www.reddit.com/user/keeper/m/many",
        "https://www.reddit.com/subreddits",
    ],
)
async def test_other_pages_are_left_to_others(reddit, url):
    assert not reddit.accepts(url)


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
    assert post_in_url(url) == named


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
    assert reading.reception == PostStatistics(upvotes=412, comments=7)
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
    arguments = dict(parse_qsl(seen.query))
    assert (arguments["comment"], arguments["context"]) == ("c4", "3")
    assert "[removed]" in reading.content
    assert "heater** below" not in reading.content


async def test_a_post_that_leads_elsewhere_says_where(reddit):
    reading = await reddit.read_site("https://redd.it/lonely7")

    assert "- Link: https://pictures.harbour.example/pier.jpg" in reading.content
    assert "- Note: locked" in reading.content
    assert "## Comments" not in reading.content
    assert reading.reception == PostStatistics(upvotes=4, comments=0)
    assert reading.cut is False


async def test_where_the_json_is_refused_the_feed_is_read(reddit, internet):
    reading = await reddit.read_site("https://www.reddit.com/comments/closed9")

    requests = [seen.path for seen in internet.requests_to(HOST)]
    assert requests == ["/comments/closed9.json", "/comments/closed9.rss"]
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


async def test_a_crosspost_is_read_with_the_post_that_it_points_to(reddit):
    reading = await reddit.read_site("https://www.reddit.com/comments/again4")

    assert "- Link: https://www.reddit.com/r/lighthouses/comments/fog1a2/a_title/" in (
        reading.content
    )
    assert reading.content.endswith(
        "> Crosspost of a post in r/lighthouses by u/lamp_keeper:\n>\n"
        "> How do you keep a lens dry in sea fog & spray?\n>\n"
        "> Ours is *always* wet.\n>\n> - cloth\n> - heater\n>\n> What else < 5 W?"
    )


async def test_a_gallery_and_a_poll_are_told_and_a_thread_that_goes_on_is_cut(reddit):
    reading = await reddit.read_site("https://www.reddit.com/gallery/album5")

    assert (
        "From my window.\n\n[Image: At dawn, https://preview.redd.it/m1.jpg]\n\n"
        "[Image: https://preview.redd.it/m2.jpg, https://prints.harbour.example/]\n\n"
        "[Image: no longer available]\n\n- Dawn (1 vote)\n- Dusk\n\nVotes: 4\n\n"
        "## Comments (1 of 1)"
    ) in reading.content
    assert reading.cut is True


async def test_what_somebody_shared_is_followed_to_the_post(reddit, internet):
    reading = await reddit.read_site("https://www.reddit.com/r/lighthouses/s/AbC123")

    assert reading.title == "How do you keep a lens dry in sea fog & spray?"
    assert [seen.path for seen in internet.requests_to(HOST)] == [
        "/r/lighthouses/s/AbC123",
        "/r/lighthouses/comments/fog1a2/a_title/",
        "/comments/fog1a2.json",
    ]


async def test_what_is_shared_with_others_only_is_not_absent(reddit):
    with pytest.raises(BadAnswer, match="does not lead to a post"):
        await reddit.read_site("https://www.reddit.com/r/lighthouses/s/Gone9")


async def test_a_subreddit_is_read_as_the_list_of_its_posts(reddit, internet):
    reading = await reddit.read_site("https://old.reddit.com/r/lighthouses/")

    [seen] = internet.requests_to(HOST)
    assert (seen.path, seen.query) == ("/r/lighthouses.json", "raw_json=1&limit=25")
    assert reading.content == (
        "# r/lighthouses on Reddit\n\n"
        "1. [How do you keep a lens dry in sea fog & spray?](https://www.reddit.com/r/lighthouses/"
        "comments/fog1a2/a_title/): 412 points by u/lamp_keeper, 2026-01-01T00:00:00Z, "
        "7 comments\n"
        "2. [A photograph of our pier](https://www.reddit.com/r/lighthouses/comments/lonely7/"
        "a_title/): 4 points by u/pier_walker, 2026-01-01T00:00:00Z, 0 comments, "
        "<https://pictures.harbour.example/pier.jpg>"
    )
    assert reading.cut is True


async def test_a_member_is_read_with_posts_and_comments(reddit):
    reading = await reddit.read_site("https://www.reddit.com/u/lamp_keeper")

    assert "1. [How do you keep a lens dry" in reading.content
    assert reading.content.endswith(
        "[Comment on A lamp & a lens](https://www.reddit.com/r/lamps/comments/l1/a/c1/): "
        "3 points by u/lamp_keeper, 2026-01-01T01:00:00Z: A *good* lamp."
    )


async def test_a_list_that_is_refused_as_json_is_read_from_its_feed(reddit, internet):
    reading = await reddit.read_site("https://www.reddit.com/r/feedsonly/new")

    requests = [seen.path for seen in internet.requests_to(HOST)]
    assert requests == ["/r/feedsonly/new.json", "/r/feedsonly/new.rss"]
    assert "1. [Feeds only](https://www.reddit.com/r/feedsonly/comments/closed9/" in (
        reading.content
    )


async def test_a_private_subreddit_says_that_it_is(reddit):
    with pytest.raises(Refused, match="reddit: private"):
        await reddit.read_site("https://www.reddit.com/r/keepersonly")


async def test_a_list_of_something_else_is_none(reddit, internet):
    group = {"kind": "t5", "data": {"permalink": "/r/a", "created_utc": 1.0, "score": 1}}
    data = {"after": None, "children": [{**group, "data": {**group["data"], "author": "a"}}]}
    internet.says(HOST, {"kind": "Listing", "data": data})

    with pytest.raises(BadAnswer, match="expected a post or a comment"):
        await reddit.read_site("https://www.reddit.com/r/lighthouses")


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
