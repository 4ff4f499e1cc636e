"""X (Twitter) through FxTwitter: posts, articles and profiles.

Docs: https://docs.fxtwitter.com/en/latest/api/home.html
Silent on: the replies to a post, and protected posts.
"""

import re
from typing import Any

from sourcewright.base.errors import NotFound, Refused
from sourcewright.base.formats.json_values import record_of
from sourcewright.base.urls.parts import unsupported_url_error, url_parts_of
from sourcewright.net.http.answers import parse_json
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, enable_option, own_404
from sourcewright.providers.fxtwitter.posts import read_member, read_post
from sourcewright.reading.readings import Reading

_NAME, _TITLE = "fxtwitter", "X"
_HOST = re.compile(r"(?:(?:www|mobile|m)\.)?(?:x|twitter)\.com")
_HANDLE = re.compile(r"[A-Za-z0-9_]{1,15}")
_NUMBER = re.compile(r"[1-9][0-9]{0,19}")
_LOGIN = 401
_RESERVED_PATHS = frozenset(
    {
        *("about", "compose", "download", "explore", "hashtag", "home", "i", "intent", "jobs"),
        *("login", "logout", "messages", "notifications", "privacy", "search", "settings"),
        *("share", "signup", "tos", "who_to_follow"),
    }
)
"""First path segments that are not user names."""


class FxTwitter(Provider):
    """Reads posts and profiles of X, which itself shows them to signed-in users only."""

    info = ProviderInfo(
        name=_NAME,
        title="X (through FxTwitter)",
        home="https://fxtwitter.com",
        base_url="https://api.fxtwitter.com",
        rate=RateLimit(starts=2, per_seconds=1.0),
        allowed_hosts=("api.fxtwitter.com",),
        # A third party: it learns which posts are read, so the operator must enable it.
        options=(
            enable_option("SOURCEWRIGHT_ENABLE_FXTWITTER", asked_for="posts on X", on=False),
        ),
    )

    def accepts(self, url: str) -> bool:
        return user_and_post_in(url) is not None

    async def read_site(self, url: str) -> Reading:
        names = user_and_post_in(url)
        if names is None:
            raise unsupported_url_error(url, _TITLE)
        handle, number = names
        now = self.upstream.now()
        if number is None:
            return await self.upstream.lookup(
                f"/{handle}",
                read=lambda answer: read_member(checked_answer(answer), handle, now),
                absent=own_404(is_absence),
                error_in=error_in,
            )
        return await self.upstream.lookup(
            f"/{handle}/status/{number}",
            read=lambda answer: read_post(checked_answer(answer), number, now),
            absent=own_404(is_absence),
            error_in=error_in,
        )


def user_and_post_in(url: str) -> tuple[str, str | None] | None:
    """The user and the post in a URL; the user is `i` where the URL names none."""
    place = url_parts_of(url)
    if place is None or not _HOST.fullmatch(place.host):
        return None
    parts = place.parts[1:] if place.parts[:2] == ("i", "web") else place.parts
    handle, kind, number = (*parts, "", "", "")[:3]
    if kind in {"status", "statuses", "article"} and _NUMBER.fullmatch(number):
        user = handle if place.parts[:2] != ("i", "web") else "i"
        # `/i/article/` has an article id, which is not a post id.
        is_post = _HANDLE.fullmatch(user) and (user, kind) != ("i", "article")
        return (user, number) if is_post else None
    is_member = _HANDLE.fullmatch(handle) and handle.lower() not in _RESERVED_PATHS
    return (handle, None) if is_member and len(place.parts) == 1 else None


def is_absence(body: bytes) -> bool:
    """Whether a 404 body is FxTwitter's own, which repeats the code."""
    return record_of(parse_json(body)).get("code") == 404


def error_in(answer: Any) -> Refused | None:
    """The error for a protected post, if the response reports one."""
    if record_of(answer).get("code") != _LOGIN:
        return None
    return Refused(_NAME, "the post is visible to followers only", status=_LOGIN)


def checked_answer(answer: Any) -> Any:
    """Return the response unless it reports an error inside.

    Raises:
        NotFound, Refused: The post or user does not exist, or is protected.
    """
    code = answer["code"]
    if code == 404:
        raise NotFound(_NAME, "no such post or account")
    refusal = error_in(answer)
    if refusal is not None:
        raise refusal
    if code != 200:
        raise ValueError(f"unexpected response code {code!r}")
    return answer
