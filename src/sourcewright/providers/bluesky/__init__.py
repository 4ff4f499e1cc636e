"""Bluesky: posts with their threads, and profiles, read through its API.

Docs: https://docs.bsky.app/docs/api/app-bsky-feed-get-post-thread
Silent on: posts and profiles that are visible to signed-in members only.
"""

import re
from typing import Any

from sourcewright.base.errors import NotFound, Refused, UpstreamError
from sourcewright.base.formats.json_values import record_of, text_of
from sourcewright.base.urls.parts import UrlParts, unsupported_url_error, url_parts_of
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit
from sourcewright.providers.bluesky.posts import read_profile, read_thread
from sourcewright.reading.readings import Reading

_NAME, _TITLE = "bluesky", "Bluesky"
_HOSTS = {"bsky.app", "www.bsky.app", "staging.bsky.app"}
_ACTOR = re.compile(
    r"did:[a-z]{1,20}:[A-Za-z0-9._:%-]{1,200}|(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}"
)
_POST = re.compile(r"[A-Za-z0-9._~:-]{1,64}")
_ABSENCE_MESSAGE = re.compile(
    r"post not found|profile not found|unable to resolve handle|actor not found", re.IGNORECASE
)

_CLOSED_ACCOUNT_ERRORS = frozenset({"AccountTakedown", "AccountDeactivated"})


class Bluesky(Provider):
    """Reads posts and profiles through Bluesky's public API."""

    info = ProviderInfo(
        name=_NAME,
        title=_TITLE,
        home="https://bsky.app",
        base_url="https://public.api.bsky.app/xrpc",
        rate=RateLimit(starts=5, per_seconds=1.0),  # 3,000 in five minutes are allowed
        allowed_hosts=("public.api.bsky.app",),
    )

    def accepts(self, url: str) -> bool:
        return _actor_and_post(url_parts_of(url)) is not None

    async def read_site(self, url: str) -> Reading:
        names = _actor_and_post(url_parts_of(url))
        if names is None:
            raise unsupported_url_error(url, _TITLE)
        actor, post = names
        now = self.upstream.now()
        # `search`, not `lookup`: absence is a message with a status that has other meanings too.
        if post is None:
            return await self.upstream.search(
                "/app.bsky.actor.getProfile",
                {"actor": actor},
                read=lambda answer: read_profile(answer, now),
                error_in=error_in,
            )
        return await self.upstream.search(
            "/app.bsky.feed.getPostThread",
            {"uri": f"at://{actor}/app.bsky.feed.post/{post}", "depth": "10"},
            read=lambda answer: read_thread(checked_answer(answer, post), now),
            error_in=error_in,
        )


def error_in(answer: Any) -> UpstreamError | None:
    """Map an error response: absence is `NotFound`, or a message of `InvalidRequest`."""
    error, message = record_of(answer)["error"], text_of(answer.get("message")) or ""
    if error in _CLOSED_ACCOUNT_ERRORS:
        return Refused(_NAME, message[:200] or error, status=400)
    if error == "NotFound" or (error == "InvalidRequest" and _ABSENCE_MESSAGE.search(message)):
        return NotFound(_NAME, "no such post or account")
    return None


def checked_answer(answer: Any, post: str) -> Any:
    """Return the response after checking that it is about the post.

    Raises:
        NotFound: It says that the post does not exist.
    """
    thread = answer["thread"]
    if thread.get("notFound") is True:
        raise NotFound(_NAME, f"no post {post}")
    uri = thread["uri"] if thread.get("blocked") is True else thread["post"]["uri"]
    if uri.rpartition("/")[2] != post:
        raise ValueError(f"the response is about {uri!r}")
    return answer


def _actor_and_post(place: UrlParts | None) -> tuple[str, str | None] | None:
    """The member and the post in a URL; the post is None for a profile."""
    if place is None or place.host not in _HOSTS or place.parts[:1] != ("profile",):
        return None
    actor, *rest = (*place.parts[1:], "")
    if not _ACTOR.fullmatch(actor):
        return None
    if rest == [""]:
        return actor, None
    is_post = len(rest) == 3 and rest[0] == "post" and _POST.fullmatch(rest[1])
    return (actor, rest[1]) if is_post else None
