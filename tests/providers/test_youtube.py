"""YouTube, against the simulated site."""

import json

import pytest

from sourcewright.base.errors import (
    BadAnswer,
    InvalidInput,
    NotFound,
    RateLimited,
    Refused,
    UpstreamError,
)
from sourcewright.providers.youtube.captions import read_captions, transcript
from sourcewright.providers.youtube.video import player_data, video_id_in_url

pytestmark = pytest.mark.anyio

HOST = "www.youtube.com"
WATCH = "https://www.youtube.com/watch?v="


@pytest.fixture
async def youtube(provide):
    return await provide("youtube")


@pytest.mark.parametrize(
    "url",
    [
        f"{WATCH}harbourfilm",
        f"{WATCH}harbourfilm&t=42s&list=PL1",
        "http://youtube.com/watch?list=PL1&v=harbourfilm",
        "https://m.youtube.com/watch?v=harbourfilm",
        "https://music.youtube.com/watch?v=harbourfilm",
        "https://youtu.be/harbourfilm?si=abc",
        "https://www.youtube.com/shorts/harbourfilm",
        "https://www.youtube.com/embed/harbourfilm?start=3",
        "https://www.youtube.com/live/harbourfilm",
        "https://www.youtube-nocookie.com/embed/harbourfilm",
    ],
)
async def test_every_address_of_a_video_is_taken(youtube, url):
    assert video_id_in_url(url) == "harbourfilm"
    assert youtube.accepts(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://www.youtube.com/",
        "https://www.youtube.com/watch",
        f"{WATCH}short",
        f"{WATCH}harbourfilm2",
        f"{WATCH}..%2F..%2Fetc%2F",
        "https://www.youtube.com/@harbour",
        "https://www.youtube.com/playlist?list=PL1",
        "https://www.youtube.com/results?search_query=tide",
        "https://youtu.be/",
        "https://youtu.be/harbourfilm/x",
        "https://www.youtube.com/embed/videoseries?list=PL1",
        "https://www.youtube.com/embed/live_stream?channel=UC1",
        "https://youtube.com.example/watch?v=harbourfilm",
    ],
)
async def test_other_pages_are_left_to_others(youtube, internet, url):
    assert not youtube.accepts(url)
    with pytest.raises(InvalidInput):
        await youtube.read_site(url)
    assert not internet.seen


async def test_a_video_comes_with_what_it_is_and_what_is_said_in_it(youtube, internet):
    reading = await youtube.read_site("https://youtu.be/harbourfilm")

    assert reading.content == (
        "# How a harbour works\n\n"
        "- Channel: Harbour Works\n"
        "- Published: 2024-05-06T07:08:09-07:00\n"
        "- Length: 1:02:05\n"
        "- URL: https://www.youtube.com/watch?v=harbourfilm\n\n"
        "## Description\n\n"
        'Code is {"a": "};var x = 1;"} and a brace: }\nSecond line.\n\n'
        "## Transcript\n\n"
        "[0:00] en: it's the tide comes in en: it's at half past nine en: it's and goes out\n\n"
        "[0:37] en: it's before the lamp is lit"
    )
    assert (reading.kind, reading.site, reading.author) == ("youtube", "YouTube", "Harbour Works")
    assert (reading.title, reading.language) == ("How a harbour works", "en")
    assert (reading.quality, reading.cut) == ("complete", False)
    assert [seen.path for seen in internet.seen] == ["/watch", "/api/timedtext"]


async def test_captions_that_the_page_locks_are_had_through_another_player(youtube, internet):
    reading = await youtube.read_site(f"{WATCH}rollingtide")

    assert "[0:00] en by machine: it's the tide comes in" in reading.content
    assert reading.quality == "complete"
    assert [seen.path for seen in internet.seen] == [
        "/watch",
        "/youtubei/v1/player",
        "/api/timedtext",
    ]


async def test_captions_are_asked_for_in_each_english_and_rolling_lines_come_once(
    youtube, internet
):
    reading = await youtube.read_site(f"{WATCH}oldcaptions")

    assert reading.content.endswith(
        "[0:00] the tide comes in at half past nine and goes out\n\n[0:30] before the lamp is lit"
    )
    assert reading.language == "en-US"
    assert [seen.query for seen in internet.requests_to(HOST)][-2:] == [
        "v=oldcaptions&lang=en&fmt=vtt",
        "v=oldcaptions&lang=en-US&fmt=vtt",
    ]


async def test_without_captions_the_description_is_read_and_their_absence_said(youtube):
    reading = await youtube.read_site(f"{WATCH}silentocean")

    assert reading.content.endswith(
        "## Description\n\nNothing but waves, for an hour.\n\n"
        "No transcript is available: the video has no captions."
    )
    assert reading.quality == "complete"


async def test_captions_that_could_not_be_had_are_not_called_missing(youtube):
    reading = await youtube.read_site(f"{WATCH}gatedwaters")

    assert reading.content.endswith("No transcript is available: HTTP 200 without a body.")
    assert reading.quality == "partial"


async def test_a_failure_of_captions_is_said(youtube, internet):
    internet.breaks(HOST, status=500, path="/api/timedtext")
    internet.breaks(HOST, status=500, path="/youtubei/*")

    reading = await youtube.read_site(f"{WATCH}harbourfilm")

    assert "No transcript is available: HTTP 500" in reading.content
    assert reading.quality == "partial"


async def test_captions_that_lead_elsewhere_leave_what_is_known_of_the_video(youtube, internet):
    internet.redirects(HOST, "https://www.google.com/sorry/index", path="/api/timedtext")

    reading = await youtube.read_site(f"{WATCH}harbourfilm")

    assert reading.content.endswith("No transcript is available: redirects to www.google.com.")
    assert reading.quality == "partial"


async def test_no_signed_address_of_captions_is_told(youtube, internet):
    internet.says(HOST, b"<nothing/>", path="/api/timedtext", content_type="text/xml")

    reading = await youtube.read_site(f"{WATCH}harbourfilm")

    assert "No transcript is available: https://www.youtube.com/api/timedtext " in reading.content
    assert "signature" not in reading.content


async def test_a_video_that_is_not_for_everybody_says_why(youtube):
    reading = await youtube.read_site(f"{WATCH}agelimited_")

    assert (
        "About rum.\n\nNo transcript is available: Sign in to confirm your age." in reading.content
    )
    assert reading.quality == "partial"


async def test_neither_transcript_nor_description_is_no_answer(youtube):
    with pytest.raises(BadAnswer, match="neither a transcript nor a description"):
        await youtube.read_site(f"{WATCH}mutewithout")


async def test_a_video_that_is_not_there_is_absent(youtube):
    with pytest.raises(NotFound, match="Video unavailable"):
        await youtube.read_site(f"{WATCH}nobodysfilm")


@pytest.mark.parametrize(
    ("number", "kind", "status", "why"),
    [
        ("privatefilm", Refused, 401, "private video"),
        ("warnedabout", Refused, None, "Some may be offended"),
        ("hiccupvideo", BadAnswer, None, "try again later"),
    ],
)
async def test_a_video_that_is_not_shown_is_not_absent(youtube, number, kind, status, why):
    with pytest.raises(kind, match=why) as caught:
        await youtube.read_site(WATCH + number)

    assert not isinstance(caught.value, NotFound)
    assert caught.value.status == status


async def test_a_page_that_wants_a_proof_leaves_what_another_player_is_told(youtube, internet):
    reading = await youtube.read_site(f"{WATCH}humansalone")

    assert "# For people" in reading.content
    assert "[0:00] en: it's the tide comes in" in reading.content
    assert [seen.path for seen in internet.seen] == [
        "/watch",
        "/youtubei/v1/player",
        "/api/timedtext",
    ]


async def test_a_page_that_asks_us_to_wait_is_not_asked_for_in_another_way(youtube, internet):
    internet.breaks(HOST, status=429, path="/watch", retry_after=3600)

    with pytest.raises(RateLimited):
        await youtube.read_site(f"{WATCH}harbourfilm")

    assert {seen.path for seen in internet.seen} == {"/watch"}


@pytest.mark.parametrize(
    "change",
    [
        {"videoId": "anotherfilm"},
        {"title": None},
        {"title": ["x"]},
        {"lengthSeconds": "long"},
        {"shortDescription": {"a": 1}},
    ],
)
async def test_another_shape_is_no_page(youtube, internet, change):
    details = {"videoId": "harbourfilm", "title": "T", "lengthSeconds": "1", **change}
    page = {"playabilityStatus": {"status": "OK"}, "videoDetails": details}
    body = f"<script>var ytInitialPlayerResponse = {json.dumps(page)};</script>".encode()
    internet.says(HOST, body, content_type="text/html")

    with pytest.raises(BadAnswer):
        await youtube.read_site(f"{WATCH}harbourfilm")


@pytest.mark.parametrize(
    "address",
    [
        "https://elsewhere.example/api/timedtext?v=harbourfilm",
        "https://www.youtube.com@elsewhere.example/api/timedtext",
        "http://169.254.169.254/api/timedtext",
    ],
)
async def test_captions_are_asked_for_nowhere_else(youtube, internet, address):
    details = {"videoId": "harbourfilm", "title": "T", "shortDescription": "Described."}
    tracks = [{"baseUrl": address, "languageCode": "en"}]
    page = {
        "playabilityStatus": {"status": "OK"},
        "videoDetails": details,
        "captions": {"playerCaptionsTracklistRenderer": {"captionTracks": tracks}},
    }
    body = f"<script>var ytInitialPlayerResponse = {json.dumps(page)};</script>".encode()
    internet.says(HOST, body, content_type="text/html", path="/watch")
    internet.breaks(HOST, status=403, path="/youtubei/*")

    await youtube.read_site(f"{WATCH}harbourfilm")

    assert {seen.host for seen in internet.seen} == {HOST}


async def test_a_long_transcript_ends_at_its_limit_with_what_was_read(youtube, internet):
    texts = "".join(f'<text start="{at}">line {at} of many</text>' for at in range(40_000))
    internet.says(HOST, f"<transcript>{texts}</transcript>".encode(), path="/api/timedtext")

    reading = await youtube.read_site(f"{WATCH}harbourfilm")

    assert reading.cut
    assert len(reading.content) > 400_000


@pytest.mark.parametrize("path", ["/watch", "*"])
async def test_a_failing_site_is_never_an_empty_page(youtube, internet, path):
    internet.unplugs(HOST, path=path)

    with pytest.raises(UpstreamError) as caught:
        await youtube.read_site(f"{WATCH}harbourfilm")

    assert not isinstance(caught.value, NotFound)


def test_a_player_is_cut_out_of_the_page_where_its_braces_close():
    page = b'ytInitialPlayerResponse = null; ytInitialPlayerResponse = {"a": "};}", "b": {}};var c'

    assert player_data(page) == {"a": "};}", "b": {}}


@pytest.mark.parametrize(
    "page",
    [b"", b"ytInitialPlayerResponse = {cut", b"ytInitialPlayerResponse = " + b'{"a":' * 99_999],
)
def test_a_page_without_a_whole_player_says_nothing(page):
    with pytest.raises(ValueError, match="contains no video data"):
        player_data(page)


def test_captions_in_paragraphs_count_thousandths():
    body = b'<timedtext format="3"><body><p t="1500" d="2"><s>two</s><s t="9"> words</s></p></body></timedtext>'

    assert transcript(read_captions(body)) == "[0:01] two words"


def test_a_line_that_is_said_again_later_is_kept():
    body = b"WEBVTT\n\n00:01.000 --> 00:02.000\nyes\n\n00:03.000 --> 00:04.000\nno\n\n00:05.000 --> 00:06.000\nyes\n"

    assert transcript(read_captions(body)) == "[0:01] yes no yes"


@pytest.mark.parametrize(
    "body",
    [
        b"WEBVTT\n\n",
        b"<transcript></transcript>",
        b"<html><body><p>x</p></body></html>",
        b"<!DOCTYPE a [<!ENTITY b 'c'>]><transcript><text start='0'>&b;</text></transcript>",
        b"<transcript><text>no start</text></transcript>",
        b"<transcript><text start='inf'>never</text></transcript>",
        b"<transcript><text start='nan'>never</text></transcript>",
        b"<transcript><text start='-1'>before</text></transcript>",
        b"<timedtext><body><p t='999999999999999'>late</p></body></timedtext>",
        b"\xff\xfe",
    ],
)
def test_what_holds_no_captions_is_none(body):
    with pytest.raises((ValueError, KeyError)):
        read_captions(body)
