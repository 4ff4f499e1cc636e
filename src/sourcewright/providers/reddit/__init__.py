"""Reddit: posts with their comments, and listings, as JSON or as a feed.

Docs: https://www.reddit.com/dev/api (comments) and https://www.reddit.com/wiki/rss. Since 30 May 2026
most callers without a login get 403 for the JSON, and still get the feed, about ten times a minute
(https://github.com/only-cli/oc/issues/52 and /pull/53, 2026-09-04).
Silent on: posts of private subreddits, and comments beyond the first few hundred.
"""

import re
from collections.abc import Callable
from typing import Any
from xml.etree.ElementTree import Element

from sourcewright.base.errors import BadAnswer, Refused
from sourcewright.base.formats.json_values import record_of, text_of
from sourcewright.base.formats.parsers import parse_xml
from sourcewright.base.urls.parts import unsupported_url_error, url_parts_of
from sourcewright.net.sources.partial_results import outcome
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit
from sourcewright.providers.reddit.listings import MAX_LISTED, read_list, read_list_feed
from sourcewright.providers.reddit.posts import MAX_COMMENTS, read_feed, read_thread
from sourcewright.reading.readings import Reading

_NAME, _TITLE = "reddit", "Reddit"
_HOST = re.compile(r"(?:(?:www|old|new|np|m|i|sh|amp)\.)?reddit\.com")
_SHORT_HOST = "redd.it"
_NUMBER = re.compile(r"[a-z0-9]{1,13}")
_LIST = re.compile(
    r"r/[A-Za-z0-9_+]{2,100}(?:/(?:hot|new|top|rising|controversial))?|user/[A-Za-z0-9_-]{3,20}"
)
_FEED_PARAMS = frozenset({"limit", "sort"})
_SHARE_LINK = re.compile(r"r/[A-Za-z0-9_]{2,21}/s/[A-Za-z0-9]{1,20}")


class Reddit(Provider):
    """Reads posts and listings as JSON, with the RSS feed as fallback."""

    info = ProviderInfo(
        name=_NAME,
        title=_TITLE,
        home="https://www.reddit.com",
        base_url="https://www.reddit.com",
        rate=RateLimit(starts=10, per_seconds=60.0, at_once=1, gap_seconds=1.0),
        allowed_hosts=("www.reddit.com",),
    )

    def accepts(self, url: str) -> bool:
        return any(targets_in_url(url))

    async def read_site(self, url: str) -> Reading:
        post, listing, share_path = targets_in_url(url)
        if share_path is not None:
            # A share link has an id of its own; only Reddit can resolve it to a post.
            post = post_in_url(await self.upstream.destination(f"/{share_path}"))
            if post is None:
                raise BadAnswer(_NAME, f"{share_path} does not lead to a post")
        if post is not None:
            return await self._post(*post)
        if listing is not None:
            return await self._list(listing)
        raise unsupported_url_error(url, _TITLE)

    async def _post(self, number: str, comment: str | None) -> Reading:
        now = self.upstream.now()
        context = {"comment": comment, "context": "3"} if comment else {}
        return await self._json_or_feed(
            f"/comments/{number}",
            {"limit": str(MAX_COMMENTS), "sort": "top", **context},
            lambda answer: read_thread(answer, number, now),
            lambda feed: read_feed(feed, number, now),
        )

    async def _list(self, name: str) -> Reading:
        now = self.upstream.now()
        return await self._json_or_feed(
            f"/{name}",
            {"limit": str(MAX_LISTED)},
            lambda answer: read_list(answer, name, now),
            lambda feed: read_list_feed(feed, name, now),
        )

    async def _json_or_feed(
        self,
        path: str,
        params: dict[str, str],
        read: Callable[[Any], Reading],
        read_fed: Callable[[Element], Reading],
    ) -> Reading:
        """Read the JSON or, if Reddit refuses it, the feed."""
        json_params = {"raw_json": "1", **params}
        result = await outcome(
            self.upstream.lookup(f"{path}.json", json_params, read=read, error_in=error_in)
        )
        if isinstance(result, Refused):
            feed_path, params = (
                f"{path}.rss",
                {k: v for k, v in params.items() if k in _FEED_PARAMS},
            )
            from_feed = await outcome(
                self.upstream.lookup(feed_path, params, parse=parse_xml, read=read_fed)
            )
            result = from_feed if isinstance(from_feed, Reading) else result
        if isinstance(result, Reading):
            return result
        raise result


def targets_in_url(url: str) -> tuple[tuple[str, str | None] | None, str | None, str | None]:
    """What a URL names: a post, a listing, or a share link."""
    place = url_parts_of(url)
    if place is None or not _HOST.fullmatch(place.host):
        return post_in_url(url), None, None
    path = "/".join(place.parts)
    path = f"user/{path[2:]}" if path.startswith("u/") else path
    # Further pages and time ranges of a listing are left to the generic page reader.
    listing = path if _LIST.fullmatch(path) and not place.params else None
    return post_in_url(url), listing, path if _SHARE_LINK.fullmatch(path) else None


def error_in(answer: Any) -> Refused | None:
    """The error with Reddit's reason why a subreddit is closed, if it gives one."""
    reason = text_of(record_of(answer).get("reason"))
    return Refused(_NAME, reason[:200], status=403) if reason else None


def post_in_url(url: str) -> tuple[str, str | None] | None:
    """The id of the post in a URL, and that of a comment on it."""
    place = url_parts_of(url)
    if place is None:
        return None
    if place.host == _SHORT_HOST and len(place.parts) == 1:
        return _ids(place.parts)
    if not _HOST.fullmatch(place.host):
        return None
    parts = place.parts[2:] if place.parts[:1] in {("r",), ("u",), ("user",)} else place.parts
    if parts[:1] == ("gallery",) and len(parts) == 2:
        return _ids(parts[1:])
    # The title slug between the two ids is ignored.
    return _ids((*parts[1:2], *parts[3:])) if parts[:1] == ("comments",) else None


def _ids(parts: tuple[str, ...]) -> tuple[str, str | None] | None:
    ids = [part.lower() for part in parts]
    if not 1 <= len(ids) <= 2 or not all(map(_NUMBER.fullmatch, ids)):
        return None
    return ids[0], ids[1] if len(ids) > 1 else None
