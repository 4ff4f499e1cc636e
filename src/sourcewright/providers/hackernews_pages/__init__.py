"""Hacker News pages: stories with their discussions, lists and users, read through its API.

Docs: https://github.com/HackerNews/API and, for whole threads, https://hn.algolia.com/api
Silent on: the text of the page that a story links to.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sourcewright.domain.errors import NotFound, UpstreamError
from sourcewright.domain.readings import Reading
from sourcewright.logic.urls.parts import unsupported_url_error, url_parts_of
from sourcewright.net.answers import not_found
from sourcewright.net.outcomes import outcome, outcomes
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit
from sourcewright.providers.hackernews_pages.pages import (
    HackerNewsItem,
    HackerNewsThread,
    comment_of_item,
    item_page,
    list_page,
    read_item,
    read_numbers,
    read_thread,
    read_user,
)

T = TypeVar("T")

MAX_LISTED = 20
FALLBACK_COMMENTS = 10
"""Number of top comments fetched one by one if the whole thread is unavailable."""
MAX_CONCURRENT = 5
_NAME, _TITLE = "hackernews_pages", "Hacker News"
_THREADS = "https://hn.algolia.com/api/v1/items"
_NAMES = {"item": re.compile(r"[1-9][0-9]{0,11}"), "user": re.compile(r"[A-Za-z0-9_-]{1,30}")}
_LISTS = {
    "news": ("top", "Hacker News: top stories"),
    "newest": ("new", "Hacker News: newest stories"),
    "best": ("best", "Hacker News: best stories"),
    "ask": ("ask", "Hacker News: Ask HN"),
    "show": ("show", "Hacker News: Show HN"),
    "jobs": ("job", "Hacker News: jobs"),
}


class HackerNewsPages(Provider):
    """Reads pages of Hacker News through its own API and Algolia's."""

    info = ProviderInfo(
        name=_NAME,
        title=f"{_TITLE} (pages)",
        home="https://news.ycombinator.com",
        base_url="https://hacker-news.firebaseio.com/v0",
        # No limit is published; a list of stories takes one request per story.
        rate=RateLimit(starts=25, per_seconds=1.0, at_once=MAX_CONCURRENT, gap_seconds=0.0),
        allowed_hosts=("hacker-news.firebaseio.com", "hn.algolia.com"),
        role="reading",
    )

    def takes(self, url: str) -> bool:
        return page_at(url) is not None

    async def read_site(self, url: str) -> Reading:
        page = page_at(url)
        if page is None:
            raise unsupported_url_error(url, _TITLE)
        kind, name = page
        if kind == "item":
            return await self._read_item(name)
        if kind == "user":
            return await self._fetch(f"/user/{name}.json", name, read_user)
        return await self._read_list(name)

    async def _read_item(self, number: str) -> Reading:
        """Read an item; only Hacker News itself knows if it exists, since Algolia may lag behind."""
        item = await outcome(self._item(number))
        if isinstance(item, NotFound):
            raise item
        has_no_comments = isinstance(item, HackerNewsItem) and not item.kids
        thread = None if has_no_comments else await outcome(self._thread(number))
        if isinstance(item, UpstreamError):
            if not isinstance(thread, HackerNewsThread):
                raise item
            return item_page(thread.item, thread.remarks(()))
        options = await self._items(item.parts[:MAX_LISTED])
        if isinstance(thread, UpstreamError):
            first = await self._items(item.kids[:FALLBACK_COMMENTS])
            return item_page(
                item, tuple(map(comment_of_item, first)), options=options, missing=thread
            )
        remarks = thread.remarks(item.kids) if thread else ()
        return item_page(item, remarks, options=options)

    async def _read_list(self, name: str) -> Reading:
        kind, title = _LISTS[name]
        numbers = await self.upstream.search(f"/{kind}stories.json", read=read_numbers)
        items = await self._items(numbers[:MAX_LISTED])
        return list_page(title, items, asked=numbers[:MAX_LISTED], more=len(numbers) > MAX_LISTED)

    async def _items(self, numbers: Sequence[int]) -> list[HackerNewsItem]:
        """The items that could be read.

        Raises:
            UpstreamError: None could be read, for another reason than absence.
        """
        results = await outcomes(self._item, [str(one) for one in numbers], at_once=MAX_CONCURRENT)
        items = [one for one in results if isinstance(one, HackerNewsItem)]
        errors = [one for one in results if not isinstance(one, HackerNewsItem | NotFound)]
        if errors and not items:
            raise errors[0]
        return items

    async def _item(self, number: str) -> HackerNewsItem:
        return await self._fetch(f"/item/{number}.json", number, read_item)

    async def _thread(self, number: str) -> HackerNewsThread:
        now = self.upstream.now()
        return await self.upstream.lookup(
            f"{_THREADS}/{number}",
            read=lambda answer: read_thread(checked_answer(answer, number), now),
        )

    async def _fetch(self, path: str, name: str, read: Callable[[Any, float], T]) -> T:
        """Fetch one item or user; null means that it does not exist."""
        now = self.upstream.now()
        # `search`, not `lookup`: a 404 would not come from Hacker News itself.
        return await self.upstream.search(
            path, read=lambda answer: read(checked_answer(answer, name), now)
        )


def page_at(url: str) -> tuple[str, str] | None:
    """The kind of page (`item`, `user` or `list`) and its id or name."""
    place = url_parts_of(url)
    if place is None or place.host != "news.ycombinator.com" or len(place.parts) > 2:
        return None
    kind, *rest = place.parts or ("news",)
    if kind in _LISTS and not rest and place.params in ({}, {"p": "1"}):
        return "list", kind
    name = rest[0] if rest else place.params.get("id", "")
    return (kind, name) if kind in _NAMES and _NAMES[kind].fullmatch(name) else None


def checked_answer(answer: Any, name: str) -> Any:
    """Return the response after checking that it is about the requested item."""
    if answer is None:
        raise not_found(_NAME, f"such thing as {name}")
    if str(answer["id"]) != name:
        raise ValueError(f"the answer is about {answer['id']}")
    return answer
