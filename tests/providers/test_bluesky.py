"""Bluesky, against the simulated site."""

from urllib.parse import parse_qsl

import pytest

from sourcewright.base.errors import BadAnswer, InvalidInput, NotFound, Refused
from sourcewright.reading.readings import PostStatistics

pytestmark = pytest.mark.anyio

HOST = "public.api.bsky.app"
KEEPER = "https://bsky.app/profile/keeper.harbour.example"


def thread_of(**more):
    """A thread of one post with only the required fields."""
    post = {
        "uri": "at://did:plc:keeper/app.bsky.feed.post/3fog",
        "author": {"handle": "keeper.harbour.example"},
        "record": {"text": "Look.", "createdAt": "2026-01-02T03:04:05Z"},
        **more,
    }
    return {"thread": {"post": post}}


@pytest.fixture
async def bluesky(provide):
    return await provide("bluesky")


@pytest.mark.parametrize(
    ("url", "taken"),
    [
        (KEEPER, True),
        (f"{KEEPER}/", True),
        (f"{KEEPER}/post/3fog", True),
        ("https://bsky.app/profile/did:plc:keeper/post/3fog?ref=x", True),
        (f"{KEEPER}/feed/3fog", False),
        (f"{KEEPER}/post/", False),
        (f"{KEEPER}/post/3fog/liked-by", False),
        ("https://bsky.app/", False),
        ("https://bsky.app/profile/", False),
        ("https://bsky.app/profile/a%2Fb.example/post/3fog", False),
        ("https://bsky.app/search?q=x", False),
        ("https://bsky.app.evil.example/profile/a.example", False),
    ],
)
async def test_posts_and_profiles_are_taken(bluesky, url, taken):
    assert bluesky.accepts(url) is taken


async def test_a_post_is_read_with_its_thread(bluesky, internet):
    reading = await bluesky.read_site(f"{KEEPER}/post/3fog")

    [seen] = internet.requests_to(HOST)
    assert seen.path == "/xrpc/app.bsky.feed.getPostThread"
    arguments = dict(parse_qsl(seen.query))
    assert arguments["uri"] == "at://keeper.harbour.example/app.bsky.feed.post/3fog"
    assert (reading.kind, reading.site, reading.author) == ("bluesky", "Bluesky", "The Keeper")
    assert reading.title.startswith("Fog again. Notes:")
    assert reading.published == "2026-01-02T03:04:05Z"
    assert reading.language == "en"
    assert reading.canonical == f"{KEEPER}/post/3fog"
    assert reading.reception == PostStatistics(upvotes=25, comments=4)
    assert reading.content == (
        "# Post by The Keeper\n\n"
        "- Author: The Keeper (@keeper.harbour.example)\n- Date: 2026-01-02T03:04:05Z\n"
        "- Likes: 25\n- Reposts: 3\n- Quotes: 1\n- Replies: 4\n\n"
        "Fog again. Notes: [harbour.example/fo\u2026](https://harbour.example/fog-notes) \n\n"
        "Lamp is lit \u2728\n\n"
        "[Image: A lamp in fog]\n\n"
        "> The Keeper: Clear.\n\n"
        "## Earlier in the thread\n\n"
        "- **The Keeper**, 2026-01-02T03:04:05Z, 9 likes\n\n  Clear.\n\n"
        "## Replies (3 of 4)\n\n"
        "- **Pier**, 2026-01-02T03:04:05Z, 9 likes\n\n  Will it lift?\n\n"
        "  - **The Keeper**, 2026-01-02T03:04:05Z, 9 likes\n\n    It will.\n\n"
        "- **shy.harbour.example**, 2026-01-02T03:04:05Z, 9 likes\n\n  [visible to signed-in users only]"
    )


@pytest.mark.parametrize(
    ("embed", "text"),
    [
        ({"record": {"uri": "at://x", "notFound": True}}, "[The quoted post no longer exists"),
        ({"record": {"uri": "at://x", "blocked": True}}, "[The quoted post is visible to some"),
        ({"record": {"uri": "at://x", "detached": True}}, "[The quoted post was detached"),
        (
            {"record": {"uri": "at://x", "displayName": "Tides", "description": "All of them"}},
            "[Tides: All of them]",
        ),
        ({"record": {"record": {"name": "Start here"}, "creator": {}}}, "[Start here]"),
        ({"external": {"uri": "https://a.example/", "title": "A"}}, "[A](https://a.example/)"),
        ({"playlist": "https://a.example/p.m3u8", "alt": "Waves"}, "[Video: Waves]"),
        (
            {
                "record": {
                    "author": {"handle": "pier.example"},
                    "value": {"text": "Clear\nskies."},
                    "embeds": [{"images": [{"alt": "A pier"}]}],
                }
            },
            "> pier.example: Clear\n> skies.\n>\n> [Image: A pier]",
        ),
        (
            {
                "record": {
                    "author": {"handle": "a", "labels": [{"val": "!no-unauthenticated"}]},
                    "value": {"text": "A secret."},
                }
            },
            "> [visible to signed-in users only]",
        ),
    ],
)
async def test_what_a_post_carries_is_told(bluesky, internet, embed, text):
    internet.says(HOST, thread_of(embed=embed))

    reading = await bluesky.read_site(f"{KEEPER}/post/3fog")

    assert f"Look.\n\n{text}" in reading.content
    assert "A secret." not in reading.content


async def test_a_thread_that_goes_on_deeper_is_cut(bluesky, internet):
    reply = thread_of(replyCount=2)["thread"]
    internet.says(HOST, {"thread": {**thread_of()["thread"], "replies": [reply]}})

    assert (await bluesky.read_site(f"{KEEPER}/post/3fog")).cut is True


async def test_a_member_is_read(bluesky, internet):
    reading = await bluesky.read_site(KEEPER)

    [seen] = internet.requests_to(HOST)
    assert seen.path == "/xrpc/app.bsky.actor.getProfile"
    assert reading.title == "The Keeper (@keeper.harbour.example)"
    assert reading.reception is None
    assert reading.content == (
        "# The Keeper\n\n- Handle: @keeper.harbour.example\n- Followers: 1234\n- Follows: 56\n"
        "- Posts: 789\n- Joined: 2024-02-03T04:05:06Z\n\nKeeper of the north light.\nTalks of fog."
    )


@pytest.mark.parametrize(
    "path", ["keeper.harbour.example/post/3gone", "keeper.harbour.example/post/3deleted"]
)
async def test_a_post_that_is_gone_is_absent(bluesky, path):
    with pytest.raises(NotFound):
        await bluesky.read_site(f"https://bsky.app/profile/{path}")


async def test_a_member_whom_nobody_knows_is_absent(bluesky):
    with pytest.raises(NotFound):
        await bluesky.read_site("https://bsky.app/profile/nobody.example")


@pytest.mark.parametrize(
    "path",
    [
        "shy.harbour.example",
        "shy.harbour.example/post/3shy",
        "keeper.harbour.example/post/3blocked",
    ],
)
async def test_what_is_for_members_only_is_not_shown(bluesky, path):
    with pytest.raises(Refused):
        await bluesky.read_site(f"https://bsky.app/profile/{path}")


@pytest.mark.parametrize("error", ["AccountTakedown", "AccountDeactivated"])
async def test_an_account_that_is_closed_is_not_absent(bluesky, internet, error):
    internet.says(HOST, {"error": error, "message": "Account is closed"}, status=400)

    with pytest.raises(Refused, match="Account is closed"):
        await bluesky.read_site(KEEPER)


@pytest.mark.parametrize(
    "body",
    [
        {"error": "InvalidRequest", "message": "Error: actor must be a string"},
        {"error": "RateLimitExceeded"},
        {"message": "not found"},
    ],
)
async def test_another_error_is_no_absence(bluesky, internet, body):
    internet.says(HOST, body, status=400)

    with pytest.raises(BadAnswer):
        await bluesky.read_site(KEEPER)


async def test_an_answer_about_another_post_is_no_answer(bluesky, internet):
    internet.says(HOST, {"thread": {"post": {"uri": "at://did:plc:keeper/x/3other"}}})

    with pytest.raises(BadAnswer):
        await bluesky.read_site(f"{KEEPER}/post/3fog")


async def test_a_page_of_another_site_is_not_asked_for(bluesky, internet):
    with pytest.raises(InvalidInput):
        await bluesky.read_site("https://evil.example/profile/a.example")

    assert not internet.seen
