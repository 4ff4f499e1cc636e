"""Hacker News: stories, searched through Algolia, and its pages, read through its own API.

Docs: https://hn.algolia.com/api (searches and whole threads) and https://github.com/HackerNews/API
Silent on: the language, the country and the site of a story, and the text of the page that it links
to; its date is the date of submission, not of publication.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from sourcewright.base.errors import NotFound, UpstreamError
from sourcewright.base.urls.parts import unsupported_url_error
from sourcewright.domain.capabilities import Role, SearchesNews, SearchesWeb
from sourcewright.domain.search.operators import filters_beyond
from sourcewright.domain.search.results import Hit, HitMaker
from sourcewright.domain.web.hits import EngineResults
from sourcewright.domain.web.queries import Query
from sourcewright.net.http.answers import not_found
from sourcewright.net.sources.partial_results import outcome, outcomes
from sourcewright.providers._base import (
    HitRequest,
    Provider,
    ProviderInfo,
    RateLimit,
    WebAndNewsSearch,
)
from sourcewright.providers.hackernews.page_urls import LISTS, page_at
from sourcewright.providers.hackernews.pages import (
    HOME,
    SITE,
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
from sourcewright.providers.hackernews.stories import params_of, read_hits
from sourcewright.reading.readings import Reading

T = TypeVar("T")

MAX_LISTED = 20
FALLBACK_COMMENTS = 10
"""Number of top comments fetched one by one if the whole thread is unavailable."""
MAX_CONCURRENT = 5
_ALGOLIA = "https://hn.algolia.com/api"
_PAGES = "hackernews_pages"
_SUPPORTED = frozenset({"time_range", "exact_terms", "exclude_terms", "sort_by"})


class HackerNews(WebAndNewsSearch, Provider):
    """Searches the stories of Hacker News, and reads its pages."""

    info = ProviderInfo(
        name="hackernews",
        title=SITE,
        home=HOME,
        base_url=_ALGOLIA,
        rate=RateLimit(starts=2, per_seconds=1.0),  # 10,000 an hour are allowed per IP address
        allowed_hosts=("hn.algolia.com",),
        has_only=dict.fromkeys((SearchesWeb, SearchesNews), "stories of Hacker News"),
    )
    info_in: ClassVar[Mapping[Role, ProviderInfo]] = {
        "reading": ProviderInfo(
            name=_PAGES,
            title=f"{SITE} (pages)",
            home=HOME,
            base_url="https://hacker-news.firebaseio.com/v0",
            # No limit is published; a list of stories takes one request per story.
            rate=RateLimit(starts=25, per_seconds=1.0, at_once=MAX_CONCURRENT, gap_seconds=0.0),
            allowed_hosts=("hacker-news.firebaseio.com", "hn.algolia.com"),
        )
    }

    async def search(self, query: Query, make: HitMaker[Hit]) -> EngineResults[Hit]:
        path = "/v1/search_by_date" if query.sort_by == "date" else "/v1/search"
        request = HitRequest(path, params_of(query, self.upstream.now()))
        return await self.find(request, read_hits, query, make, filters_beyond(query, _SUPPORTED))

    def accepts(self, url: str) -> bool:
        return page_at(url) is not None

    async def read_site(self, url: str) -> Reading:
        page = page_at(url)
        if page is None:
            raise unsupported_url_error(url, SITE)
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
        kind, title = LISTS[name]
        numbers = await self.upstream.search(f"/{kind}stories.json", read=read_numbers)
        items = await self._items(numbers[:MAX_LISTED])
        return list_page(title, items, ids=numbers[:MAX_LISTED], more=len(numbers) > MAX_LISTED)

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
            f"{_ALGOLIA}/v1/items/{number}",
            read=lambda answer: read_thread(checked_answer(answer, number), now),
        )

    async def _fetch(self, path: str, name: str, read: Callable[[Any, float], T]) -> T:
        """Fetch one item or user; null means that it does not exist."""
        now = self.upstream.now()
        # `search`, not `lookup`: a 404 would not come from Hacker News itself.
        return await self.upstream.search(
            path, read=lambda answer: read(checked_answer(answer, name), now)
        )


def checked_answer(answer: Any, name: str) -> Any:
    """Return the response after checking that it is about the requested item."""
    if answer is None:
        raise not_found(_PAGES, f"item {name}")
    if str(answer["id"]) != name:
        raise ValueError(f"the response is about {answer['id']}")
    return answer
