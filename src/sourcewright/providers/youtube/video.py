"""YouTube's player data about a video, with its transcript, as Markdown."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from sourcewright.domain.errors import BadAnswer, NotFound, Refused, UpstreamError
from sourcewright.domain.readings import Reading
from sourcewright.logic.formats.json_values import (
    Record,
    record_of,
    records_of,
    required,
    text_of,
    texts_of,
    url_of,
)
from sourcewright.logic.markdown.writer import clipped, facts, joined
from sourcewright.logic.text.plain import shown
from sourcewright.logic.urls.parts import place_of
from sourcewright.providers.youtube.captions import Cue, clock_of, transcript

KIND, SITE, HOME = "youtube", "YouTube", "https://www.youtube.com"
MOST_CHARACTERS = 400_000
LANGUAGES = ("en", "en-US", "en-GB")
_LONGEST_DESCRIPTION = 20_000
_MOST_PLAYERS = 8
"""How often a page may name its player before it tells it anything."""
_ID = re.compile(r"[A-Za-z0-9_-]{11}")
_HOSTS = frozenset({"youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com"})
_EMBEDS = frozenset({"www.youtube-nocookie.com", "youtube-nocookie.com"})
_FORMS = frozenset({"shorts", "embed", "live", "v"})
_NO_VIDEOS = frozenset({"videoseries", "live_stream"})
"""What an embedded playlist or channel has in the place of a video's name, and as long."""
_REFUSALS = frozenset(
    {"LOGIN_REQUIRED", "UNPLAYABLE", "AGE_CHECK_REQUIRED", "CONTENT_CHECK_REQUIRED"}
)
_LOGIN = 401
# Older pages have it as a text inside the player's settings.
_PLAYER = re.compile(
    r"ytInitialPlayerResponse[\"']?\]?\s{0,9}=\s{0,9}(?=\{)|\"player_response\"\s{0,9}:\s{0,9}(?=\")"
)
_GONE = re.compile(
    r"unavailable|no longer available|isn.t available any ?more|removed|terminated|does not exist",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """Captions in one language."""

    address: str
    language: str
    is_made_by_machine: bool

    @property
    def is_open(self) -> bool:
        """Whether it is given to whoever asks; of others, YouTube sends nothing."""
        return "&exp=xpe" not in self.address


@dataclass(frozen=True, slots=True, kw_only=True)
class Video:
    """What the player is told."""

    number: str
    title: str
    channel: str | None
    published: str | None
    seconds: int
    description: str
    tracks: tuple[Track, ...]
    withheld: str | None = None
    """Why it is not played to everybody, where it is not."""


def video_at(url: str) -> str | None:
    """The video that an address means."""
    place = place_of(url)
    if place is None:
        return None
    found = ""
    match place.parts:
        case ("watch",) if place.host in _HOSTS:
            found = place.params.get("v", "")
        case (form, name) if form in _FORMS and place.host in _HOSTS | _EMBEDS:
            found = name
        case (name,) if place.host == "youtu.be":
            found = name
    return found if _ID.fullmatch(found) and found not in _NO_VIDEOS else None


def player_in(body: bytes) -> Any:
    """What a page tells its player, cut out of it where its braces close.

    Raises:
        ValueError: It tells nothing.
    """
    text = body.decode("utf-8", errors="replace")
    decoder = json.JSONDecoder()
    for start in islice(_PLAYER.finditer(text), _MOST_PLAYERS):
        try:
            found, _ = decoder.raw_decode(text, start.end())
            return json.loads(found) if isinstance(found, str) else found
        except (ValueError, RecursionError):
            continue
    raise ValueError("the page says nothing about a video")


def read_video(player: Any, number: str, *, source: str) -> Video:
    """What is known of a video.

    Raises:
        UpstreamError: There is no such video, or it is not for everybody.
    """
    status = record_of(player["playabilityStatus"])
    if "videoDetails" not in player:
        raise _complaint(status, source)
    told = record_of(player["videoDetails"])
    if told["videoId"] != number:
        raise ValueError(f"the answer is about {told['videoId']!r}")
    more = record_of(record_of(player.get("microformat")).get("playerMicroformatRenderer"))
    captions = record_of(record_of(player.get("captions")).get("playerCaptionsTracklistRenderer"))
    description = told.get("shortDescription") or ""
    return Video(
        number=number,
        title=required(text_of(told["title"]), "title"),
        channel=text_of(told.get("author")),
        published=text_of(more.get("publishDate") or more.get("uploadDate")),
        seconds=int(told.get("lengthSeconds") or 0),
        description=shown(description).strip(),
        tracks=tuple(_tracks(records_of(captions.get("captionTracks")))),
        withheld=None if status["status"] == "OK" else _reason(status),
    )


def best_track(tracks: Iterable[Track]) -> Track | None:
    """The one to read: open, English before others, and by people before machines."""
    usable = [track for track in tracks if track.is_open]
    return min(
        usable,
        key=lambda one: (not one.language.startswith("en"), one.is_made_by_machine),
        default=None,
    )


def video_page(
    video: Video, cues: tuple[Cue, ...], *, language: str | None, missing: str | None
) -> Reading:
    """A video with its transcript; `missing` is why that could not be had."""
    text, cut = clipped(transcript(cues), MOST_CHARACTERS)
    description, short = clipped(video.description, _LONGEST_DESCRIPTION)
    address = f"{HOME}/watch?v={video.number}"
    known = facts(
        Channel=video.channel,
        Published=video.published,
        Length=clock_of(video.seconds) if video.seconds else None,
        URL=address,
    )
    missing = None if cues else missing or video.withheld
    note = f"There is no transcript: {missing or 'the video has no captions'}."
    return Reading(
        content=joined(
            f"# {video.title}",
            known,
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


def _tracks(listed: Iterable[Record]) -> Iterable[Track]:
    for one in listed:
        address = required(url_of(one["baseUrl"]), "address of the captions")
        split = urlsplit(address)
        if (split.scheme, split.netloc, split.path) == (
            "https",
            "www.youtube.com",
            "/api/timedtext",
        ):
            yield Track(
                address=re.sub(r"&fmt=[^&]*", "", address),
                language=required(text_of(one["languageCode"]), "language"),
                is_made_by_machine=one.get("kind") == "asr",
            )


def _complaint(status: Record, source: str) -> UpstreamError:
    """Why nothing is told about a video; other reasons than its absence may pass."""
    what, reason = text_of(status["status"]), _reason(status)
    if what == "ERROR" and _GONE.search(reason):
        return NotFound(source, f"has no such video: {reason}")
    if what not in _REFUSALS:
        return BadAnswer(source, f"does not show the video: {reason}")
    # Who asks for a login to be sure of a person wants no account.
    wants_account = what == "LOGIN_REQUIRED" and "bot" not in reason
    return Refused(source, reason, status=_LOGIN if wants_account else None)


def _reason(status: Record) -> str:
    """Why, as the player is told, or as it is told to show instead of the video."""
    screen = record_of(record_of(status.get("errorScreen")).get("playerErrorMessageRenderer"))
    title = record_of(screen.get("reason"))
    runs = " ".join(
        filter(None, (text_of(run.get("text")) for run in records_of(title.get("runs"))))
    )
    told = (status.get("reason"), title.get("simpleText"), runs, *texts_of(status.get("messages")))
    found = next(filter(None, map(text_of, told)), "no reason given")
    return found[:200].rstrip(".")
