"""Brave Search: its own index of web pages, images, news and places.

Docs: https://api-dashboard.search.brave.com/documentation
Silent on: sorting news by date, and filters for the size, kind and colour of images.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from sourcewright.base.errors import Refused, UpstreamError
from sourcewright.base.formats.json_values import (
    entries_of,
    record_of,
    records_of,
    required_records,
)
from sourcewright.domain.options import Option
from sourcewright.domain.records.places import PlaceQuery, Places
from sourcewright.domain.search.results import Hit, HitMaker, RawHit
from sourcewright.domain.web.hits import EngineResults
from sourcewright.domain.web.queries import Query
from sourcewright.net.sources.partial_results import outcome
from sourcewright.providers._base import (
    HitRequest,
    Provider,
    ProviderInfo,
    RateLimit,
    WebNewsAndImageSearch,
    api_key_option,
)
from sourcewright.providers.brave.parameters import params_of, unsupported_filters
from sourcewright.providers.brave.places import (
    details_params,
    ids_params,
    ignored_filters,
    location_headers,
    read_descriptions,
    read_ids,
    read_places,
)


class Brave(WebNewsAndImageSearch, Provider):
    """Searches Brave's index."""

    info = ProviderInfo(
        name="brave",
        title="Brave Search",
        home="https://brave.com/search/api",
        base_url="https://api.search.brave.com/res/v1",
        rate=RateLimit(starts=1, per_seconds=1.0),  # the limit of the free plan
        allowed_hosts=("api.search.brave.com",),
        options=(
            api_key_option("BRAVE_API_KEY", of="the Brave Search API"),
            Option(
                name="extra_snippets",
                env=("BRAVE_EXTRA_SNIPPETS",),
                help="Whether Brave returns additional excerpts of each page; not included in all its plans.",
                kind="flag",
                default=False,
            ),
        ),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return {"x-subscription-token": options["key"], "accept": "application/json"}

    async def search(self, query: Query, make: HitMaker[Hit]) -> EngineResults[Hit]:
        params = params_of(query, extra_snippets=self.options["extra_snippets"])
        request = HitRequest(f"/{query.kind}/search", params, error_in=error_in)
        read = read_images if query.kind == "images" else read_pages
        return await self.find(request, read, query, make, unsupported_filters(query))

    async def search_places(self, query: PlaceQuery) -> Places:
        """Request the ids of places, their details, and, if possible, their descriptions."""
        ids = await self.upstream.with_headers(location_headers(query)).search(
            "/web/search", ids_params(query), read=read_ids, error_in=error_in
        )
        ignored = ignored_filters(query)
        if not ids:
            return Places(places=(), ignored=ignored)
        params = details_params(ids, query.units)
        places = await self.upstream.search(
            "/local/pois", params, read=read_places, error_in=error_in
        )
        described = await outcome(
            self.upstream.search(
                "/local/descriptions",
                details_params(ids),
                read=read_descriptions,
                error_in=error_in,
            )
        )
        if isinstance(described, UpstreamError):
            return Places(places=places, missing=str(described), ignored=ignored)
        with_words = (replace(one, description=described.get(one.id)) for one in places)
        return Places(places=tuple(with_words), ignored=ignored)


def error_in(answer: Any) -> UpstreamError | None:
    """Map an error object to an error; an invalid key has the status of a bad request."""
    if answer["error"]["code"].startswith("SUBSCRIPTION_TOKEN"):
        return Refused("brave", "the API key is not valid", status=401, cause="status")
    return None


def read_pages(answer: Any) -> Iterator[RawHit]:
    """Web or news results; a web response without hits has no `web` section."""
    section = record_of(answer if answer["type"] == "news" else answer.get("web"))
    mixed = records_of(record_of(answer.get("mixed")).get("main"))
    may_lack = answer["type"] == "search" and not any(one.get("type") == "web" for one in mixed)
    for one in required_records(
        section.get("results", []) if may_lack and answer["query"] else section["results"]
    ):
        yield RawHit(
            url=one["url"],
            title=one.get("title"),
            snippet=(one.get("description"), *entries_of(one.get("extra_snippets"))),
            source=record_of(one.get("meta_url")).get("hostname"),
            dates=(one.get("page_age"), one.get("age")),
        )


def read_images(answer: Any) -> Iterator[RawHit]:
    for one in required_records(answer["results"]):
        picture = record_of(one["properties"])
        yield RawHit(
            url=picture.get("url"),
            title=one.get("title"),
            thumbnail=record_of(one.get("thumbnail")).get("src"),
            context=one.get("url"),
            size=(picture.get("width"), picture.get("height")),
        )
