"""Reddit, read: posts with their comments.

Docs: https://www.reddit.com/dev/api (comments) and https://www.reddit.com/wiki/rss
Silent on: posts of closed groups, and comments beyond the first few hundred.
"""

import re

from sourcewright.domain.errors import Refused
from sourcewright.domain.readings import Reading
from sourcewright.logic.parsing import parse_xml
from sourcewright.logic.placing import foreign, place_of
from sourcewright.logic.reddit_posts import MOST_REMARKS, read_feed, read_thread
from sourcewright.net.outcomes import outcome
from sourcewright.providers._base import Provider, ProviderInfo, Rate

_TITLE = "Reddit"
_HOST = re.compile(r"(?:(?:www|old|new|np|m|i|sh|amp)\.)?reddit\.com")
_SHORT_HOST = "redd.it"
_NUMBER = re.compile(r"[a-z0-9]{1,13}")


class Reddit(Provider):
    """Reads posts as JSON, or their feeds where Reddit refuses that to us."""

    info = ProviderInfo(
        name="reddit",
        title=_TITLE,
        home="https://www.reddit.com",
        base_url="https://www.reddit.com",
        rate=Rate(starts=10, per_seconds=60.0, at_once=1, gap_seconds=1.0),
        allowed_hosts=("www.reddit.com",),
        role="reading",
    )

    def takes(self, url: str) -> bool:
        return post_at(url) is not None

    async def read_site(self, url: str) -> Reading:
        post = post_at(url)
        if post is None:
            raise foreign(url, _TITLE)
        number, comment = post
        read = await outcome(self._read(number, comment))
        if isinstance(read, Refused):
            fed = await outcome(self._read_feed(number))
            read = fed if isinstance(fed, Reading) else read
        if isinstance(read, Reading):
            return read
        raise read

    async def _read(self, number: str, comment: str | None) -> Reading:
        now = self.upstream.now()
        asked = {"raw_json": "1", "limit": str(MOST_REMARKS), "sort": "top"}
        around = {"comment": comment, "context": "3"} if comment else {}
        return await self.upstream.lookup(
            f"/comments/{number}.json",
            asked | around,
            read=lambda answer: read_thread(answer, number, now),
        )

    async def _read_feed(self, number: str) -> Reading:
        now = self.upstream.now()
        return await self.upstream.lookup(
            f"/comments/{number}.rss",
            {"limit": "100", "sort": "top"},
            parse=parse_xml,
            read=lambda feed: read_feed(feed, number, now),
        )


def post_at(url: str) -> tuple[str, str | None] | None:
    """The number of the post that an address names, and that of a comment on it."""
    place = place_of(url)
    if place is None:
        return None
    if place.host == _SHORT_HOST and len(place.parts) == 1:
        return _numbers(place.parts)
    if not _HOST.fullmatch(place.host):
        return None
    parts = place.parts[2:] if place.parts[:1] in {("r",), ("u",), ("user",)} else place.parts
    if parts[:1] == ("gallery",) and len(parts) == 2:
        return _numbers(parts[1:])
    # The title between the two may be anything, and says nothing.
    return _numbers((*parts[1:2], *parts[3:])) if parts[:1] == ("comments",) else None


def _numbers(parts: tuple[str, ...]) -> tuple[str, str | None] | None:
    numbers = [part.lower() for part in parts]
    if not 1 <= len(numbers) <= 2 or not all(map(_NUMBER.fullmatch, numbers)):
        return None
    return numbers[0], numbers[1] if len(numbers) > 1 else None
