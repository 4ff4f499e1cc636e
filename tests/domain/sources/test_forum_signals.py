"""Votes and replies of forum posts as quality signals."""

import json

import pytest

from sourcewright.domain.sources.forum_signals import forum_signals
from sourcewright.reading.readings import EmbeddedMetadata, PostStatistics, Reading

POST = "https://www.reddit.com/r/fog/comments/abc/thick_fog/"


def posted(**fields):
    thing = {"@type": "DiscussionForumPosting", "author": {"name": "keeper"}} | fields
    return Reading(
        content="",
        kind="html",
        embedded=EmbeddedMetadata(json_ld=(json.dumps({"@graph": [thing]}),)),
    )


def statistic(action, count):
    return {
        "@type": "InteractionCounter",
        "interactionType": action,
        "userInteractionCount": count,
    }


def test_the_votes_of_a_post_are_read_from_its_statistics():
    reading = posted(
        datePublished="2026-01-02T03:04:05Z",
        interactionStatistic=[
            statistic("https://schema.org/CommentAction", 12),
            statistic({"@type": "VoteAction"}, "340"),
        ],
    )

    signals = forum_signals(POST, reading)

    assert signals is not None
    assert (signals.platform, signals.upvotes, signals.comments) == ("reddit", 340, 12)
    assert signals.date_published == "2026-01-02T03:04:05Z"
    assert signals.author_name == "keeper"
    assert signals.credibility_note is None


@pytest.mark.parametrize(("votes", "noted"), [(-3, True), (0, True), (19, True), (20, False)])
def test_few_votes_come_with_a_note(votes, noted):
    signals = forum_signals(POST, posted(upvoteCount=votes, commentCount=0))

    assert signals is not None
    assert signals.upvotes == votes
    assert bool(signals.credibility_note) is noted


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"commentCount": 5},
        {"upvoteCount": "1.2K"},
        {"upvoteCount": True},
        {"upvoteCount": None, "interactionStatistic": [7, {"interactionType": []}]},
        {"@type": "WebPage", "upvoteCount": 50},
    ],
)
def test_votes_that_are_not_told_are_not_taken_for_none(fields):
    assert forum_signals(POST, posted(**fields)) is None


def test_what_the_sites_own_interface_counts_needs_no_linked_data():
    reading = Reading(
        content="",
        kind="bluesky",
        author="Keeper",
        published="2026-01-02T03:04:05Z",
        reception=PostStatistics(upvotes=7, comments=2),
    )

    signals = forum_signals("https://bsky.app/profile/keeper.example/post/3k", reading)

    assert signals is not None
    assert (signals.platform, signals.upvotes, signals.comments) == ("bluesky", 7, 2)
    assert (signals.author_name, signals.date_published) == ("Keeper", "2026-01-02T03:04:05Z")
    assert signals.credibility_note


@pytest.mark.parametrize(
    "url", ["https://reddit.com.evil.example/r/a/comments/b/", "https://x.com/a/status/1", "x"]
)
def test_other_sites_have_no_signals(url):
    assert forum_signals(url, posted(upvoteCount=100)) is None
