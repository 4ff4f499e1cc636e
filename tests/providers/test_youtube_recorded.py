"""YouTube, over what was recorded of its pages, its players and its captions."""

import json

import pytest

from sourcewright.base.errors import BadAnswer, NotFound, UpstreamError
from sourcewright.providers.youtube.captions import read_captions, transcript
from sourcewright.providers.youtube.video import best_track, player_data, read_video

pytestmark = pytest.mark.anyio

HOST = "www.youtube.com"

# By file: title, channel, seconds, and the language of the best captions.
PLAYERS = {
    "video-regular-mrbeast-player.json": (
        "I Gave My 100,000,000th Subscriber An Island",
        "MrBeast",
        930,
        "en",
    ),
    "video-regular-no-description-player.json": (
        "Chris Rea - Auberge",
        "ChrisReaVideos",
        283,
        None,
    ),
    "video-scheduled-live-pbd-podcast-player.json": (
        "Home Team | PBD Podcast | Ep. 241",
        "PBD Podcast",
        0,
        None,
    ),
    "youtube-age-restricted-innertube.json": (
        "Laura Branigan - Self Control (Moreno J Remix) Age-restricted",
        "Moreno J Remixes",
        452,
        None,
    ),
    "youtube-altered-user-agent-innertube.json": (
        "Surface Go Review - It\u2019s Awesome",
        "Dave2D",
        316,
        "en",
    ),
    "youtube-innertube.json": ("Surface Go Review - It\u2019s Awesome", "Dave2D", 316, "en"),
    "youtube-po-token-required-innertube.json": (
        "Surface Go Review - It\u2019s Awesome",
        "Dave2D",
        316,
        "en",
    ),
    "youtube-transcripts-disabled-innertube.json": (
        "Angèle - Eels x Richard Cocciante | A Take Away Show",
        "Blogothèque",
        288,
        None,
    ),
    "youtube-transcripts-disabled2-innertube.json": (
        "Watch live Dow Jones feed: Markets plunge amid coronavirus fears, oil price war",
        "Washington Post",
        23169,
        None,
    ),
    "youtube-ww1-nl-en-innertube.json": (
        "The Tide Is Turning - Russian Civil War Fall 1919 I THE GREAT WAR 1919",
        "The Great War",
        1509,
        "en",
    ),
}


def test_every_recorded_player_is_read(recorded):
    read = {}

    for file in recorded("youtube"):
        if file.name.endswith(("-player.json", "-innertube.json")):
            player = json.loads(file.read_text(encoding="utf-8"))
            video = read_video(player, player["videoDetails"]["videoId"])
            best = best_track(video.tracks)
            read[file.name] = (
                video.title,
                video.channel,
                video.seconds,
                best.language if best else None,
            )

    assert read == PLAYERS


def test_every_recorded_transcript_is_read(recorded):
    texts = {
        file.name: transcript(read_captions(file.read_bytes()))
        for file in recorded("youtube")
        if file.suffix == ".xml"
    }

    assert texts["transcript.xml"] == (
        "[0:00] Hey, this is just a test this is not the original transcript "
        "just something shorter, I made up for testing"
    )
    assert len(texts) == 2
    assert all(text.startswith("[0:00] Hey") for text in texts.values())


PAGES = {
    "hist-youtube.html": ("GJLlxj_dtq8", 9, None),
    "hist-youtubeww1.html": ("F1xioXWb8CY", 2, "2019-10-14"),
    "watch-page-3d199e1.html": ("GJLlxj_dtq8", 9, "2018-08-02"),
}
"""By file: which video, with how many captions, and when it was published."""
ABSENT = {"hist-youtube-transcripts-disabled.html"}
UNREADABLE = {
    "hist-youtube-no-transcript-available.html",
    "hist-youtube-video-unavailable.html",
    "hist-youtube-ww1-nl-en.html",
    "watch-page-02b91b0.html",
    "youtube-consent-page.html",
    "youtube-too-many-requests.html",
}
"""Pages with a question or a refusal, and those whose script somebody unpacked by hand."""


def test_the_player_of_a_recorded_page_is_cut_out_whole(recorded):
    read = {}

    for file in recorded("youtube"):
        if file.name in PAGES:
            player = player_data(file.read_bytes())
            video = read_video(player, PAGES[file.name][0])
            read[file.name] = (video.number, len(video.tracks), video.published)

    assert read == PAGES


async def test_no_recorded_page_is_an_empty_result(recorded, provide, internet):
    youtube = await provide("youtube")
    outcomes = {}

    for file in recorded("youtube"):
        if file.suffix == ".html" and file.name not in PAGES:
            internet.mends()
            internet.says(HOST, file.read_bytes(), content_type="text/html")
            with pytest.raises(UpstreamError) as caught:
                await youtube.read_site("https://www.youtube.com/watch?v=harbourfilm")
            outcomes[file.name] = type(caught.value)

    assert outcomes == dict.fromkeys(UNREADABLE, BadAnswer) | dict.fromkeys(ABSENT, NotFound)


async def test_a_recorded_page_is_read_with_a_recorded_transcript(recorded, provide, internet):
    files = {file.name: file.read_bytes() for file in recorded("youtube")}
    youtube = await provide("youtube")
    internet.says(HOST, files["watch-page-3d199e1.html"], path="/watch", content_type="text/html")
    internet.says(HOST, files["transcript.xml"], path="/api/timedtext", content_type="text/xml")

    reading = await youtube.read_site("https://youtu.be/GJLlxj_dtq8")

    assert (reading.title, reading.author, reading.published, reading.language) == (
        "Surface Go Review - It\u2019s Awesome",
        "Dave Lee",
        "2018-08-02",
        "en",
    )
    assert "- Length: 5:16" in reading.content
    assert "## Transcript\n\n[0:00] Hey, this is just a test" in reading.content
