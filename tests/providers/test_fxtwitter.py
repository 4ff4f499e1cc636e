"""X through FxTwitter, against the simulated site."""

import json

import pytest

from sourcewright.base.errors import BadAnswer, InvalidInput, NotFound, Refused
from sourcewright.providers.fxtwitter import user_and_post_in
from sourcewright.providers.fxtwitter.posts import read_post

pytestmark = pytest.mark.anyio

HOST = "api.fxtwitter.com"
POST = "https://x.com/NorthLight/status/1001"


@pytest.fixture
async def fxtwitter(provide):
    return await provide("fxtwitter", SOURCEWRIGHT_ENABLE_FXTWITTER="1")


async def test_it_is_asked_only_where_the_operator_says_so(provide):
    assert await provide("fxtwitter") is None


@pytest.mark.parametrize(
    ("url", "named"),
    [
        (POST, ("NorthLight", "1001")),
        ("https://www.x.com/NorthLight/status/1001?s=20", ("NorthLight", "1001")),
        ("https://mobile.twitter.com/NorthLight/status/1001/photo/1", ("NorthLight", "1001")),
        ("http://twitter.com/NorthLight/statuses/1001", ("NorthLight", "1001")),
        ("https://x.com/i/status/1001", ("i", "1001")),
        ("https://x.com/i/web/status/1001", ("i", "1001")),
        ("https://x.com/NorthLight/article/1002", ("NorthLight", "1002")),
        ("https://x.com/NorthLight", ("NorthLight", None)),
        ("https://x.com/i/article/1002", None),
        ("https://x.com/home", None),
        ("https://x.com/search?q=fog", None),
        ("https://x.com/NorthLight/followers", None),
        ("https://x.com/NorthLight/status/abc", None),
        ("https://x.com/a-name-of-no-member", None),
        ("https://x.com/", None),
        ("https://x.com.evil.example/NorthLight", None),
        ("https://netflix.com/NorthLight", None),
    ],
)
def test_an_address_names_a_post_or_a_member_or_is_not_taken(url, named):
    assert user_and_post_in(url) == named


async def test_a_post_is_read_with_what_it_carries(fxtwitter, internet):
    reading = await fxtwitter.read_site(POST)

    [seen] = internet.requests_to(HOST)
    assert seen.path == "/NorthLight/status/1001"
    assert (reading.kind, reading.site, reading.author) == ("twitter", "X", "North Light")
    assert reading.title == "Fog again. Will it lift?"
    assert reading.published == "2026-01-02T03:04:05Z"
    assert reading.canonical == POST
    assert reading.content == (
        "# Post by North Light\n\n"
        "- Author: North Light (@NorthLight)\n- Date: 2026-01-02T03:04:05Z\n- Likes: 70\n"
        "- Reposts: 6\n- Replies: 5\n- Quotes: 8\n"
        "- In reply to: https://x.com/PierWalker/status/900\n"
        "- Note by the community: It is mist.\n\n"
        "Fog again.\n\nWill it lift?\n\n[Photo: Fog on a pier]\n\n"
        "- It lifts: 75 %\n- It stays: 25 %\n\nVotes: 40\n\n"
        "> North Light (@NorthLight):\n>\n> Clear\n> skies."
    )


async def test_an_article_is_read_whole(fxtwitter):
    reading = await fxtwitter.read_site("https://twitter.com/NorthLight/article/1002")

    assert reading.title == "On keeping lenses dry"
    assert reading.content.startswith("# On keeping lenses dry\n\n- Author: North Light")
    assert reading.content.endswith(
        "A lens wants care.\n\n### Tools\n\n- A cloth\n- A heater\n\n> Dry is bright.\n\n"
        "```\nwarm(lens)\n```"
    )


async def test_a_member_is_read(fxtwitter):
    reading = await fxtwitter.read_site("https://mobile.twitter.com/northlight")

    assert reading.title == "North Light (@NorthLight)"
    assert reading.canonical == "https://x.com/NorthLight"
    assert reading.content == (
        "# North Light\n\n- Handle: @NorthLight\n- Followers: 1200\n- Following: 34\n"
        "- Posts: 567\n- Location: Harbour\n- Website: https://harbour.example/\n"
        "- Joined: 2008-08-14T03:50:42Z\n\nA lighthouse.\nSometimes lit."
    )


@pytest.mark.parametrize("url", ["https://x.com/a/status/404", "https://x.com/nobody"])
async def test_what_is_not_there_is_absent(fxtwitter, url):
    with pytest.raises(NotFound):
        await fxtwitter.read_site(url)


async def test_a_post_for_followers_is_refused(fxtwitter):
    with pytest.raises(Refused):
        await fxtwitter.read_site("https://x.com/NorthLight/status/1009")


@pytest.mark.parametrize(("code", "kind"), [(404, NotFound), (401, Refused)])
async def test_a_code_inside_a_good_answer_is_heard(fxtwitter, internet, code, kind):
    internet.says(HOST, {"code": code, "message": "SOME_WORD", "tweet": None})

    with pytest.raises(kind):
        await fxtwitter.read_site(POST)


@pytest.mark.parametrize(
    "answer",
    [
        {"code": 500, "message": "API_FAIL"},
        {"code": 200, "tweet": {"id": "7"}},
        {"code": 200, "tweet": None},
    ],
)
async def test_an_answer_about_something_else_is_no_answer(fxtwitter, internet, answer):
    internet.says(HOST, answer)

    with pytest.raises(BadAnswer):
        await fxtwitter.read_site(POST)


async def test_a_page_of_another_site_is_not_asked_for(fxtwitter, internet):
    with pytest.raises(InvalidInput):
        await fxtwitter.read_site("https://evil.example/NorthLight/status/1001")

    assert not internet.seen


def test_the_recorded_answer_is_read(recorded):
    [file] = recorded("fxtwitter")
    answer = json.loads(file.read_text(encoding="utf-8"))

    reading = read_post(answer, "440322224407314432", 1_790_000_000.0)

    assert reading.author == "The Ellen Show"
    assert reading.published == "2014-03-03T03:06:13Z"
    assert "If only Bradley's arm was longer." in reading.content
    assert "- Likes: 1874563" in reading.content
    assert "[Photo: https://pbs.twimg.com/" in reading.content
