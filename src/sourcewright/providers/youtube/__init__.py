"""YouTube: a video's metadata and its transcript.

Docs: https://developers.google.com/youtube/v3/docs/captions for captions in general; for reading
them without an account see https://github.com/jdepoix/youtube-transcript-api
Silent on: comments, chapters and the picture.
"""

from collections.abc import Mapping
from typing import Any

from sourcewright.base.errors import BadAnswer, Refused, UpstreamError
from sourcewright.base.urls.parts import unsupported_url_error
from sourcewright.net.sources.partial_results import optional_outcome, outcome
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit
from sourcewright.providers.youtube.captions import Cue, read_captions
from sourcewright.providers.youtube.video import (
    LANGUAGES,
    NAME,
    SITE,
    CaptionTrack,
    Video,
    best_track,
    player_data,
    read_video,
    video_id_in_url,
    video_page,
)
from sourcewright.reading.readings import Reading

TranscriptCues = tuple[tuple[Cue, ...], str]
"""The cues of a transcript, and their language."""

# The web player gets caption URLs that need a token of its browser; this client gets plain URLs.
_CLIENT = {"client": {"clientName": "ANDROID", "clientVersion": "20.10.38", "hl": "en"}}


class Youtube(Provider):
    """Reads videos: title, channel, date, length, description and transcript."""

    info = ProviderInfo(
        name=NAME,
        title="YouTube",
        home="https://www.youtube.com",
        base_url="https://www.youtube.com",
        # No limit is published, and frequent requests soon lead to a bot check.
        rate=RateLimit(starts=2, per_seconds=1.0, at_once=2, gap_seconds=0.2),
        allowed_hosts=("www.youtube.com",),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        """Headers; without the cookie, some countries get a consent form instead."""
        del options
        return {"cookie": "SOCS=CAI", "accept-language": "en"}

    def accepts(self, url: str) -> bool:
        return video_id_in_url(url) is not None

    async def read_site(self, url: str) -> Reading:
        number = video_id_in_url(url)
        if number is None:
            raise unsupported_url_error(url, SITE)
        video = await outcome(self._from_page(number))
        if isinstance(video, UpstreamError):
            return await self._read_from_player(number, video)
        return _page(video, await self._transcript(video))

    async def _read_from_player(self, number: str, error: UpstreamError) -> Reading:
        """Read the video through the player API if the page is blocked or has no data.

        Raises:
            UpstreamError: There is no such video, or no client gets its data.
        """
        if not isinstance(error, Refused | BadAnswer):
            raise error
        video = await optional_outcome(self._from_player(number))
        if isinstance(video, UpstreamError):
            raise error
        return _page(video, await self._best_track_cues(video.tracks))

    async def _transcript(self, video: Video) -> TranscriptCues | UpstreamError | None:
        """The transcript, the error, or None if the video has no captions at all."""
        first = await self._best_track_cues(video.tracks)
        if isinstance(first, tuple):
            return first
        other = await optional_outcome(self._from_player(video.number))
        second = await self._best_track_cues(
            () if isinstance(other, UpstreamError) else other.tracks
        )
        if isinstance(second, tuple):
            return second
        third = await self._english_captions(video.number)
        if isinstance(third, tuple):
            return third
        failed = other if isinstance(other, UpstreamError) else None
        hidden = third if video.tracks else None
        return first or second or failed or hidden

    async def _best_track_cues(
        self, tracks: tuple[CaptionTrack, ...]
    ) -> TranscriptCues | UpstreamError | None:
        track = best_track(tracks)
        return (
            None
            if track is None
            else await optional_outcome(self._cues(track.address, track.language))
        )

    async def _english_captions(self, number: str) -> TranscriptCues | UpstreamError:
        """English captions from the plain timedtext URL, which once worked for every video."""
        result: TranscriptCues | UpstreamError = BadAnswer(NAME, "no English captions")
        for language in LANGUAGES:
            path = f"/api/timedtext?v={number}&lang={language}&fmt=vtt"
            result = await optional_outcome(self._cues(path, language))
            if isinstance(result, tuple):
                break
        return result

    async def _from_page(self, number: str) -> Video:
        return await self.upstream.search(
            "/watch",
            {"v": number, "hl": "en"},
            parse=player_data,
            read=lambda player: read_video(player, number),
        )

    async def _from_player(self, number: str) -> Video:
        return await self.upstream.search(
            "/youtubei/v1/player?prettyPrint=false",
            post={"context": _CLIENT, "videoId": number},
            read=lambda player: read_video(player, number),
        )

    async def _cues(self, path: str, language: str) -> TranscriptCues:
        return await self.upstream.search(
            path, parse=read_captions, read=lambda cues: (cues, language)
        )


def _page(video: Video, transcript: TranscriptCues | UpstreamError | None) -> Reading:
    """The page of a video.

    Raises:
        BadAnswer: Neither its transcript nor a description is available.
    """
    if isinstance(transcript, tuple):
        return video_page(video, transcript[0], language=transcript[1], missing=None)
    if not video.description:
        why = transcript.detail if transcript else "it has no captions"
        raise BadAnswer(
            NAME, f"video {video.number} has neither a transcript nor a description: {why}"
        )
    return video_page(video, (), language=None, missing=transcript.detail if transcript else None)
