"""Parses YouTube's player data about a video, and formats it with its transcript as Markdown."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from sourcewright.base.errors import BadAnswer, NotFound, Refused, UpstreamError
from sourcewright.base.formats.json_values import (
    Record,
    record_of,
    records_of,
    require_value,
    text_of,
    texts_of,
    url_of,
)
from sourcewright.base.text.plain import strip_invisible
from sourcewright.base.urls.parts import url_parts_of
from sourcewright.providers.youtube.captions import Cue, format_time, transcript
from sourcewright.reading.markdown.writer import fact_list, join_blocks, truncate
from sourcewright.reading.readings import Reading

NAME = KIND = "youtube"
SITE, HOME = "YouTube", "https://www.youtube.com"
MAX_CHARACTERS = 400_000
LANGUAGES = ("en", "en-US", "en-GB")
_LONGEST_DESCRIPTION = 20_000
_MAX_PLAYERS = 8
"""Maximum number of places in a page where the player data is looked for."""
_ID = re.compile(r"[A-Za-z0-9_-]{11}")
_HOSTS = frozenset({"youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com"})
_EMBED_HOSTS = frozenset({"www.youtube-nocookie.com", "youtube-nocookie.com"})
_PATH_PREFIXES = frozenset({"shorts", "embed", "live", "v"})
_NOT_VIDEO_IDS = frozenset({"videoseries", "live_stream"})
"""Values of 11 characters in embed URLs that are a playlist or channel, not a video id."""
_REFUSALS = frozenset(
    {"LOGIN_REQUIRED", "UNPLAYABLE", "AGE_CHECK_REQUIRED", "CONTENT_CHECK_REQUIRED"}
)
_LOGIN = 401
# Older pages have it as a JSON string inside the player's settings.
_PLAYER = re.compile(
    r"ytInitialPlayerResponse[\"']?\]?\s{0,9}=\s{0,9}(?=\{)|\"player_response\"\s{0,9}:\s{0,9}(?=\")"
)
_GONE = re.compile(
    r"unavailable|no longer available|isn.t available any ?more|removed|terminated|does not exist",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptionTrack:
    """A caption track in one language."""

    address: str
    language: str
    is_automatic: bool

    @property
    def is_open(self) -> bool:
        """Whether it can be fetched without a token; YouTube sends an empty body for others."""
        return "&exp=xpe" not in self.address


@dataclass(frozen=True, slots=True, kw_only=True)
class Video:
    """The player data of a video."""

    number: str
    title: str
    channel: str | None
    published: str | None
    seconds: int
    description: str
    tracks: tuple[CaptionTrack, ...]
    withheld: str | None = None
    """Why it cannot be played by everybody, if so."""


def video_id_in_url(url: str) -> str | None:
    """The video id in a URL, or None."""
    place = url_parts_of(url)
    if place is None:
        return None
    video_id = ""
    match place.parts:
        case ("watch",) if place.host in _HOSTS:
            video_id = place.params.get("v", "")
        case (prefix, name) if prefix in _PATH_PREFIXES and place.host in _HOSTS | _EMBED_HOSTS:
            video_id = name
        case (name,) if place.host == "youtu.be":
            video_id = name
    return video_id if _ID.fullmatch(video_id) and video_id not in _NOT_VIDEO_IDS else None


def player_data(body: bytes) -> Any:
    """The player data embedded in a page, decoded up to its closing brace.

    Raises:
        ValueError: There is none.
    """
    text = body.decode("utf-8", errors="replace")
    decoder = json.JSONDecoder()
    for match in islice(_PLAYER.finditer(text), _MAX_PLAYERS):
        try:
            data, _ = decoder.raw_decode(text, match.end())
            return json.loads(data) if isinstance(data, str) else data
        except (ValueError, RecursionError):
            continue
    raise ValueError("the page contains no video data")


def read_video(player: Any, number: str) -> Video:
    """Parse the player data.

    Raises:
        UpstreamError: There is no such video, or it is not public.
    """
    status = record_of(player["playabilityStatus"])
    if "videoDetails" not in player:
        raise _playability_error(status)
    details = record_of(player["videoDetails"])
    if details["videoId"] != number:
        raise ValueError(f"the response is about {details['videoId']!r}")
    microformat = record_of(record_of(player.get("microformat")).get("playerMicroformatRenderer"))
    captions = record_of(record_of(player.get("captions")).get("playerCaptionsTracklistRenderer"))
    description = details.get("shortDescription") or ""
    return Video(
        number=number,
        title=require_value(text_of(details["title"]), "title"),
        channel=text_of(details.get("author")),
        published=text_of(microformat.get("publishDate") or microformat.get("uploadDate")),
        seconds=int(details.get("lengthSeconds") or 0),
        description=strip_invisible(description).strip(),
        tracks=tuple(_tracks(records_of(captions.get("captionTracks")))),
        withheld=None if status["status"] == "OK" else _reason(status),
    )


def best_track(tracks: Iterable[CaptionTrack]) -> CaptionTrack | None:
    """The track to read: without a token, English first, and manual before automatic."""
    usable = [track for track in tracks if track.is_open]
    return min(
        usable,
        key=lambda one: (not one.language.startswith("en"), one.is_automatic),
        default=None,
    )


def video_page(
    video: Video, cues: tuple[Cue, ...], *, language: str | None, missing: str | None
) -> Reading:
    """A video with its transcript; `missing` is the reason if there is none."""
    text, cut = truncate(transcript(cues), MAX_CHARACTERS)
    description, short = truncate(video.description, _LONGEST_DESCRIPTION)
    address = f"{HOME}/watch?v={video.number}"
    details = fact_list(
        Channel=video.channel,
        Published=video.published,
        Length=format_time(video.seconds) if video.seconds else None,
        URL=address,
    )
    missing = None if cues else missing or video.withheld
    note = f"No transcript is available: {missing or 'the video has no captions'}."
    return Reading(
        content=join_blocks(
            f"# {video.title}",
            details,
            "## Description" if description else None,
            description,
            "## Transcript" if cues else None,
            text if cues else note,
        ),
        kind=KIND,
        title=video.title,
        author=video.channel,
        site=SITE,
        published=video.published,
        canonical=address,
        language=language,
        quality="partial" if missing else "complete",
        cut=cut or short,
    )


def _tracks(captions: Iterable[Record]) -> Iterable[CaptionTrack]:
    for one in captions:
        address = require_value(url_of(one["baseUrl"]), "URL of the captions")
        split = urlsplit(address)
        if (split.scheme, split.netloc, split.path) == (
            "https",
            "www.youtube.com",
            "/api/timedtext",
        ):
            yield CaptionTrack(
                address=re.sub(r"&fmt=[^&]*", "", address),
                language=require_value(text_of(one["languageCode"]), "language"),
                is_automatic=one.get("kind") == "asr",
            )


def _playability_error(status: Record) -> UpstreamError:
    """The error for a video without data; only some reasons mean that it does not exist."""
    code, reason = text_of(status["status"]), _reason(status)
    if code == "ERROR" and _GONE.search(reason):
        return NotFound(NAME, f"no such video: {reason}")
    if code not in _REFUSALS:
        return BadAnswer(NAME, f"the video cannot be played: {reason}")
    # A login prompt that checks for bots is not an account requirement.
    wants_account = code == "LOGIN_REQUIRED" and "bot" not in reason
    return Refused(NAME, reason, status=_LOGIN if wants_account else None)


def _reason(status: Record) -> str:
    """The reason why a video cannot be played, from the status or the error screen."""
    screen = record_of(record_of(status.get("errorScreen")).get("playerErrorMessageRenderer"))
    title = record_of(screen.get("reason"))
    runs = " ".join(
        filter(None, (text_of(run.get("text")) for run in records_of(title.get("runs"))))
    )
    candidates = (
        status.get("reason"),
        title.get("simpleText"),
        runs,
        *texts_of(status.get("messages")),
    )
    reason = next(filter(None, map(text_of, candidates)), "no reason given")
    return reason[:200].rstrip(".")
