"""YouTube: a video's metadata and its transcript.

Docs: https://developers.google.com/youtube/v3/docs/captions says what captions are; that of
reading them without an account is in https://github.com/jdepoix/youtube-transcript-api
Silent on: comments, chapters and what is to be seen.
"""

from collections.abc import Mapping
from typing import Any

from sourcewright.domain.errors import BadAnswer, Refused, UpstreamError
from sourcewright.domain.readings import Reading
from sourcewright.logic.urls.parts import foreign
from sourcewright.net.outcomes import outcome, spared
from sourcewright.providers._base import Provider, ProviderInfo, Rate
from sourcewright.providers.youtube.captions import Cue, read_captions
from sourcewright.providers.youtube.video import (
    LANGUAGES,
    SITE,
    Track,
    Video,
    best_track,
    player_in,
    read_video,
    video_at,
    video_page,
)

Said = tuple[tuple[Cue, ...], str]
"""What is said, and in which language."""

_NAME = "youtube"
# The page's own player gets addresses of captions that open only with a token of its browser;
# this one gets plain ones.
_PLAYER = {"client": {"clientName": "ANDROID", "clientVersion": "20.10.38", "hl": "en"}}


class Youtube(Provider):
    """Reads videos: title, channel, date, length, description and transcript."""

    info = ProviderInfo(
        name=_NAME,
        title="YouTube",
        home="https://www.youtube.com",
        base_url="https://www.youtube.com",
        # No limit is published, and whoever asks often is soon asked for a proof.
        rate=Rate(starts=2, per_seconds=1.0, at_once=2, gap_seconds=0.2),
        allowed_hosts=("www.youtube.com",),
        role="reading",
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        """Without the cookie, some countries are shown a question about cookies instead."""
        del options
        return {"cookie": "SOCS=CAI", "accept-language": "en"}

    def takes(self, url: str) -> bool:
        return video_at(url) is not None

    async def read_site(self, url: str) -> Reading:
        number = video_at(url)
        if number is None:
            raise foreign(url, SITE)
        video = await outcome(self._told_by_page(number))
        if isinstance(video, UpstreamError):
            return await self._told_elsewhere(number, video)
        return _page(video, await self._said_in(video))

    async def _told_elsewhere(self, number: str, error: UpstreamError) -> Reading:
        """What another player is told, where the page wants a proof or says nothing.

        Raises:
            UpstreamError: There is no such video, or it is told to nobody.
        """
        if not isinstance(error, Refused | BadAnswer):
            raise error
        video = await spared(self._told_another_player(number))
        if isinstance(video, UpstreamError):
            raise error
        return _page(video, await self._best_of(video.tracks))

    async def _said_in(self, video: Video) -> Said | UpstreamError | None:
        """The transcript, why there is none, or None where the video has no captions at all."""
        first = await self._best_of(video.tracks)
        if isinstance(first, tuple):
            return first
        other = await spared(self._told_another_player(video.number))
        second = await self._best_of(() if isinstance(other, UpstreamError) else other.tracks)
        if isinstance(second, tuple):
            return second
        third = await self._in_english(video.number)
        if isinstance(third, tuple):
            return third
        failed = other if isinstance(other, UpstreamError) else None
        hidden = third if video.tracks else None
        return first or second or failed or hidden

    async def _best_of(self, tracks: tuple[Track, ...]) -> Said | UpstreamError | None:
        track = best_track(tracks)
        return None if track is None else await spared(self._cues(track.address, track.language))

    async def _in_english(self, number: str) -> Said | UpstreamError:
        """Captions by the plain address that they once had for everybody."""
        said: Said | UpstreamError = BadAnswer(_NAME, "has no captions in English")
        for language in LANGUAGES:
            place = f"/api/timedtext?v={number}&lang={language}&fmt=vtt"
            said = await spared(self._cues(place, language))
            if isinstance(said, tuple):
                break
        return said

    async def _told_by_page(self, number: str) -> Video:
        return await self.upstream.search(
            "/watch",
            {"v": number, "hl": "en"},
            parse=player_in,
            read=lambda player: read_video(player, number, source=_NAME),
        )

    async def _told_another_player(self, number: str) -> Video:
        return await self.upstream.search(
            "/youtubei/v1/player?prettyPrint=false",
            post={"context": _PLAYER, "videoId": number},
            read=lambda player: read_video(player, number, source=_NAME),
        )

    async def _cues(self, place: str, language: str) -> Said:
        return await self.upstream.search(
            place, parse=read_captions, read=lambda cues: (cues, language)
        )


def _page(video: Video, said: Said | UpstreamError | None) -> Reading:
    """The page of a video.

    Raises:
        BadAnswer: Nothing is said in it that could be had, and nothing of it.
    """
    if isinstance(said, tuple):
        return video_page(video, said[0], language=said[1], missing=None)
    if not video.description:
        why = said.detail if said else "it has no captions"
        raise BadAnswer(_NAME, f"{video.number} has neither transcript nor description: {why}")
    return video_page(video, (), language=None, missing=said.detail if said else None)
