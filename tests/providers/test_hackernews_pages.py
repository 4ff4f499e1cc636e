"""The pages of Hacker News, against the simulated site."""

import pytest

from sourcewright.base.errors import (
    BadAnswer,
    InvalidInput,
    NotFound,
    RateLimited,
    Unavailable,
    UpstreamError,
)
from sourcewright.providers.hackernews.page_urls import page_at
from sourcewright.world import threads

pytestmark = pytest.mark.anyio

OWN, ALGOLIA = "hacker-news.firebaseio.com", "hn.algolia.com"
SITE = "https://news.ycombinator.com"


@pytest.fixture
async def pages(provide):
    return await provide("hackernews", role="reading")


@pytest.fixture
async def read(pages):
    async def item(number):
        return await pages.read_site(f"{SITE}/item?id={number}")

    return item


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("", ("list", "news")),
        ("/", ("list", "news")),
        ("/news?p=1", ("list", "news")),
        ("/newest", ("list", "newest")),
        ("/best", ("list", "best")),
        ("/ask", ("list", "ask")),
        ("/show", ("list", "show")),
        ("/jobs", ("list", "jobs")),
        ("/item?id=8863", ("item", "8863")),
        ("/item/8863", ("item", "8863")),
        ("/item?id=8863&p=2#9224", ("item", "8863")),
        ("/user?id=lampkeeper", ("user", "lampkeeper")),
        ("/user/lampkeeper", ("user", "lampkeeper")),
    ],
)
async def test_its_pages_are_taken(pages, path, page):
    assert page_at(SITE + path) == page
    assert pages.accepts(SITE + path)


@pytest.mark.parametrize(
    "url",
    [
        f"{SITE}/news?p=2",
        f"{SITE}/newest?next=41000000&n=31",
        f"{SITE}/threads?id=pg",
        f"{SITE}/from?site=example.com",
        f"{SITE}/item",
        f"{SITE}/item?id=0",
        f"{SITE}/item?id=12x",
        f"{SITE}/item?id=../user/pg",
        f"{SITE}/user?id=a/b",
        f"{SITE}/item/1/2",
        f"{SITE}:8080/newest",
        "https://user@news.ycombinator.com/newest",
        "ftp://news.ycombinator.com/newest",
        "https://news.ycombinator.com.example/newest",
        "https://ycombinator.com/newest",
        "https://[news/newest",
    ],
)
async def test_other_pages_are_left_to_others(pages, internet, url):
    assert not pages.accepts(url)
    with pytest.raises(InvalidInput):
        await pages.read_site(url)
    assert not internet.seen


async def test_a_story_comes_with_its_discussion_in_the_order_of_the_page(read, internet):
    reading = await read(threads.STORY)

    assert reading.content == (
        "# Tide clocks are back\n\n"
        "- URL: https://clocks.example/tides\n"
        "- Points: 111\n"
        "- Author: lampkeeper\n"
        "- Date: 2025-10-09T08:53:21Z\n"
        "- Discussion: https://news.ycombinator.com/item?id=41000001\n\n"
        "## Comments (5 of 5)\n\n"
        "- **tiller**, 2025-10-09T09:01:42Z\n\n"
        "  Mine runs slow.\n\n"
        "  Since May.\n\n"
        "  - **lampkeeper**, 2025-10-09T09:01:43Z\n\n"
        "    Wind it at neaps.\n\n"
        "  - **unknown**, 2025-10-09T08:53:20Z\n\n"
        "    [deleted]\n\n"
        "    - **harbour**, 2025-10-09T09:01:45Z\n\n"
        "      Why was that deleted?\n\n"
        "- **gull**, 2025-10-09T09:01:41Z\n\n"
        "  It's about time."
    )
    assert (reading.kind, reading.title, reading.author, reading.site) == (
        "hn",
        "Tide clocks are back",
        "lampkeeper",
        "Hacker News",
    )
    assert reading.published == "2025-10-09T08:53:21Z"
    assert (reading.quality, reading.cut) == ("complete", False)
    assert len(internet.seen) == 2


async def test_a_question_shows_its_own_text(read, internet):
    reading = await read(threads.ASK)

    assert "Mine smokes.\n\nI tried *everything*:\n\n```\n  trim()\n    wait()\n```" in (
        reading.content
    )
    assert "## Comments" not in reading.content
    assert [seen.host for seen in internet.seen] == [OWN]


async def test_a_poll_shows_its_options(read):
    reading = await read(threads.POLL)

    assert "- Hemp (30 points)\n- Nylon (16 points)" in reading.content


async def test_a_comment_is_read_with_what_it_answers(read):
    reading = await read(threads.STORY + 501)

    assert reading.title == "Comment by tiller"
    assert f"- In reply to: {SITE}/item?id={threads.STORY}" in reading.content
    assert "Why was that deleted?" in reading.content


@pytest.mark.parametrize(
    ("more", "begins"),
    [
        (
            {"type": "comment", "deleted": True, "parent": 7},
            "# Comment by unknown\n\n- State: deleted\n",
        ),
        (
            {"type": "story", "dead": True, "title": "Spam", "by": "gull"},
            "# Spam\n\n- State: dead (taken down by moderators or flags)\n- Author: gull\n",
        ),
        (
            {"type": "pollopt", "poll": 7, "by": "gull", "text": "Hemp"},
            "# Option of a poll by gull\n\n- Author: gull\n",
        ),
    ],
)
async def test_what_is_little_to_see_says_why(read, internet, more, begins):
    internet.says(OWN, {"id": threads.STORY, "time": 1_760_000_000, **more})

    reading = await read(threads.STORY)

    assert reading.content.startswith(begins)
    assert (f"- In reply to: {SITE}/item?id=7" in reading.content) == (
        "parent" in more or "poll" in more
    )


async def test_a_long_discussion_ends_at_its_limit_with_what_was_read(read):
    reading = await read(threads.LONG)

    assert reading.cut
    assert f"## Comments (500 of {threads.MANY})" in reading.content
    assert reading.content.count("Opinion number") == 500
    assert reading.content.endswith("Opinion number 499.")


async def test_a_deep_comment_says_how_deep_it_is(read):
    reading = await read(threads.LONG)

    assert "\n" + " " * 16 + "- **voice8**, 2025-10-09T08:53:34Z\n" in reading.content
    assert "\n" + " " * 16 + "- **voice9**, 2025-10-09T08:53:35Z, depth 9\n" in reading.content


@pytest.mark.parametrize(
    ("path", "first", "count", "cut"),
    [
        ("/", threads.STORY, 20, True),
        ("/newest", threads.FRESH, 20, True),
        ("/best", threads.LISTED[0], 20, True),
        ("/ask", threads.ASK, 1, False),
        ("/show", threads.LISTED[0], 3, False),
        ("/jobs", threads.JOB, 1, False),
    ],
)
async def test_a_list_shows_its_first_twenty(pages, path, first, count, cut):
    reading = await pages.read_site(SITE + path)

    lines = reading.content.splitlines()[2:]
    assert [line.partition(".")[0] for line in lines] == [str(n + 1) for n in range(count)]
    assert f"item?id={first}" in lines[0]
    assert (reading.cut, reading.kind, reading.quality) == (cut, "hn", "complete")


async def test_a_line_of_a_list_leads_to_the_story_and_to_its_discussion(pages):
    reading = await pages.read_site(SITE)

    assert reading.content.splitlines()[2] == (
        "1. [Tide clocks are back](https://clocks.example/tides): 111 points by lampkeeper, "
        f"2025-10-09T08:53:21Z, [4 comments]({SITE}/item?id={threads.STORY})"
    )


async def test_a_story_of_a_list_that_fails_is_said_and_not_hidden(pages, internet):
    internet.breaks(OWN, status=403, path=f"/v0/item/{threads.ASK}.json")

    reading = await pages.read_site(SITE)

    lines = reading.content.splitlines()
    assert reading.quality == "partial"
    assert lines[2] == "1 of them could not be read."
    assert [line.partition(".")[0] for line in lines[4:7]] == ["1", "3", "4"]


async def test_a_list_of_which_nothing_can_be_read_is_a_failure(pages, internet):
    internet.breaks(OWN, status=500, path="/v0/item/*")

    with pytest.raises(Unavailable):
        await pages.read_site(SITE)


async def test_a_member_is_read(pages):
    reading = await pages.read_site(f"{SITE}/user?id=lampkeeper")

    assert reading.content == (
        "# lampkeeper\n\n- Karma: 4321\n- Created: 2022-12-02T16:53:20Z\n- Submissions: 2\n\n"
        "I keep lamps.\n\nWrite to me at <https://lamps.example>"
    )


@pytest.mark.parametrize("path", ["/item?id=999999999", "/user?id=nobody_at_all"])
async def test_null_is_absence(pages, path):
    with pytest.raises(NotFound):
        await pages.read_site(SITE + path)


async def test_what_algolia_has_not_seen_yet_is_read_from_hacker_news_itself(read):
    reading = await read(threads.FRESH)

    assert reading.title == "A new buoy"
    assert "First to see it." in reading.content
    assert "Replies could not be read: no such record." in reading.content
    assert reading.quality == "partial"


@pytest.mark.parametrize("status", [429, 500])
async def test_without_algolia_the_first_comments_are_read_and_the_rest_is_said_to_be_missing(
    read, internet, status
):
    internet.breaks(ALGOLIA, status=status, retry_after=0)

    reading = await read(threads.STORY)

    assert "Mine runs slow." in reading.content
    assert "Wind it at neaps." not in reading.content
    assert f"Replies could not be read: HTTP {status}" in reading.content
    assert reading.quality == "partial"


async def test_without_hacker_news_itself_algolia_tells_the_thread(read, internet):
    internet.breaks(OWN, status=503)

    reading = await read(threads.STORY)

    assert reading.title == "Tide clocks are back"
    assert "Wind it at neaps." in reading.content


async def test_what_algolia_lacks_is_not_absent_while_hacker_news_is_silent(read, internet):
    internet.breaks(OWN, status=503)

    with pytest.raises(Unavailable):
        await read(999_999_999)


async def test_a_long_wait_is_not_waited_for(read, internet):
    internet.breaks(OWN, status=429, retry_after=4000)

    with pytest.raises(RateLimited) as caught:
        await read(threads.STORY)

    assert caught.value.retry_after == 4000


@pytest.mark.parametrize(
    "answer",
    [
        {"id": 1, "type": "story"},
        {"id": threads.QUIET},
        {"id": threads.QUIET, "type": "story", "kids": "many"},
        {"id": threads.QUIET, "type": "story", "kids": [[]]},
        {"id": threads.QUIET, "type": 5},
        {"id": threads.QUIET, "type": "story", "text": ["x"]},
        {"id": threads.QUIET, "type": "story", "title": {"a": 1}},
    ],
)
async def test_another_shape_is_no_page(read, internet, answer):
    internet.says(OWN, answer)
    internet.breaks(ALGOLIA, status=500)

    with pytest.raises(BadAnswer):
        await read(threads.QUIET)


async def test_a_thread_of_another_shape_leaves_what_is_known(read, internet):
    internet.says(ALGOLIA, {"id": threads.STORY, "type": "story", "children": [{"id": "x"}]})

    reading = await read(threads.STORY)

    assert reading.quality == "partial"


async def test_what_shows_nothing_is_taken_out_and_markup_is_never_passed_on(read, internet):
    hidden = "Plain\u200b\u202e text\U000e0041<script>alert(1)</script><p># no heading"
    story = {"id": threads.QUIET, "type": "story", "title": "T\u200bide", "text": hidden}
    internet.says(OWN, story)

    reading = await read(threads.QUIET)

    assert reading.title == "Tide"
    assert "Plain text\n\n" in reading.content
    assert "script" not in reading.content


@pytest.mark.parametrize("path", ["/item?id=41000001", "/", "/user?id=lampkeeper"])
async def test_a_failing_site_is_never_an_empty_page(pages, internet, path):
    for host in (OWN, ALGOLIA):
        internet.unplugs(host)

    with pytest.raises(UpstreamError) as caught:
        await pages.read_site(SITE + path)

    assert not isinstance(caught.value, NotFound)
