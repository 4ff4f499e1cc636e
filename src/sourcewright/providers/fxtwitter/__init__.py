"""X (Twitter) through FxTwitter: posts, articles and profiles.

Docs: https://docs.fxtwitter.com/en/latest/api/home.html
Silent on: the replies to a post, and what members show to their followers only.
"""

import re
from typing import Any

from sourcewright.domain.errors import NotFound, Refused
from sourcewright.domain.readings import Reading
from sourcewright.logic.formats.json_values import record_of
from sourcewright.logic.urls.parts import foreign, place_of
from sourcewright.net.answers import parse_json
from sourcewright.providers._base import Provider, ProviderInfo, Rate, in_own_words, switch
from sourcewright.providers.fxtwitter.posts import read_member, read_post

_NAME, _TITLE = "fxtwitter", "X"
_HOST = re.compile(r"(?:(?:www|mobile|m)\.)?(?:x|twitter)\.com")
_HANDLE = re.compile(r"[A-Za-z0-9_]{1,15}")
_NUMBER = re.compile(r"[1-9][0-9]{0,19}")
_LOGIN = 401
_NOBODY = frozenset(
    {
        *("about", "compose", "download", "explore", "hashtag", "home", "i", "intent", "jobs"),
        *("login", "logout", "messages", "notifications", "privacy", "search", "settings"),
        *("share", "signup", "tos", "who_to_follow"),
    }
)
"""What stands in the place of a member and is none."""


class FxTwitter(Provider):
    """Reads posts and profiles of X, which gives neither to those who have not signed in."""

    info = ProviderInfo(
        name=_NAME,
        title="X (through FxTwitter)",
        home="https://fxtwitter.com",
        base_url="https://api.fxtwitter.com",
        rate=Rate(starts=2, per_seconds=1.0),
        allowed_hosts=("api.fxtwitter.com",),
        role="reading",
        # It is not X itself: it learns which posts are read only if the operator says so.
        options=(switch("SOURCEWRIGHT_ENABLE_FXTWITTER", asked_for="posts of X", on=False),),
    )

    def takes(self, url: str) -> bool:
        return named_in(url) is not None

    async def read_site(self, url: str) -> Reading:
        named = named_in(url)
        if named is None:
            raise foreign(url, _TITLE)
        handle, number = named
        now = self.upstream.now()
        if number is None:
            return await self.upstream.lookup(
                f"/{handle}",
                read=lambda answer: read_member(present(answer), handle, now),
                absent=in_own_words(is_absence),
                complaint=refusal_in,
            )
        return await self.upstream.lookup(
            f"/{handle}/status/{number}",
            read=lambda answer: read_post(present(answer), number, now),
            absent=in_own_words(is_absence),
            complaint=refusal_in,
        )


def named_in(url: str) -> tuple[str, str | None] | None:
    """The member that an address names, and the post; `i` stands for a member who is not named."""
    place = place_of(url)
    if place is None or not _HOST.fullmatch(place.host):
        return None
    parts = place.parts[1:] if place.parts[:2] == ("i", "web") else place.parts
    handle, kind, number = (*parts, "", "", "")[:3]
    if kind in {"status", "statuses", "article"} and _NUMBER.fullmatch(number):
        known = handle if place.parts[:2] != ("i", "web") else "i"
        # An article without its author has a number of its own, which is no post's.
        is_post = _HANDLE.fullmatch(known) and (known, kind) != ("i", "article")
        return (known, number) if is_post else None
    is_member = _HANDLE.fullmatch(handle) and handle.lower() not in _NOBODY
    return (handle, None) if is_member and len(place.parts) == 1 else None


def is_absence(body: bytes) -> bool:
    """Whether a 404 is in FxTwitter's own words, which has a number for it inside, too."""
    return record_of(parse_json(body)).get("code") == 404


def refusal_in(answer: Any) -> Refused | None:
    """What FxTwitter says of a post that is not for everybody."""
    if record_of(answer).get("code") != _LOGIN:
        return None
    return Refused(_NAME, "only followers see it", status=_LOGIN)


def present(answer: Any) -> Any:
    """The answer, unless it says inside that there is nothing.

    Raises:
        NotFound, Refused: It says so, or that it is not for everybody.
    """
    code = answer["code"]
    if code == 404:
        raise NotFound(_NAME, "has no such post or member")
    refusal = refusal_in(answer)
    if refusal is not None:
        raise refusal
    if code != 200:
        raise ValueError(f"it says {code!r}")
    return answer
