"""Capabilities of web search engines: pages, images, news."""

from typing import Protocol, runtime_checkable

from sourcewright.domain.capabilities.roles import used_for
from sourcewright.domain.web.hits import EngineResults, ImageHit, NewsHit, WebHit
from sourcewright.domain.web.queries import Query


@used_for("search")
@runtime_checkable
class SearchesWeb(Protocol):
    """Searches web pages."""

    async def search_web(self, query: Query) -> EngineResults[WebHit]: ...


@used_for("search")
@runtime_checkable
class SearchesImages(Protocol):
    """Searches images."""

    async def search_images(self, query: Query) -> EngineResults[ImageHit]: ...


@used_for("search")
@runtime_checkable
class SearchesNews(Protocol):
    """Searches news articles."""

    async def search_news(self, query: Query) -> EngineResults[NewsHit]: ...
