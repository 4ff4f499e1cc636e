"""SearXNG: web pages, images and news from many engines, through a self-hosted instance.

Docs: https://docs.searxng.org/dev/search_api.html
Silent on: the number of results, and which engines honour an operator or a time range.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Any

from sourcewright.base.errors import Unavailable
from sourcewright.base.formats.json_values import Record, entries_of, required_records, text_of
from sourcewright.domain.options import Option
from sourcewright.domain.search.operators import (
    OPERATORS,
    filters_beyond,
    non_empty_params,
    variant_filter,
    with_operators,
)
from sourcewright.domain.search.results import Hit, HitMaker, RawHit
from sourcewright.domain.web.hits import EngineResults
from sourcewright.domain.web.queries import Query
from sourcewright.providers._base import (
    HitRequest,
    Provider,
    ProviderInfo,
    RateLimit,
    WebNewsAndImageSearch,
)

_NAME = "searxng"
_LOGIN = "User name and password for that instance, as user:password."
_MORE = "Additional headers for that instance, as `Name: value, Name: value`."
_CATEGORIES = {"web": "general", "images": "images", "news": "news"}
_SAFE = {"off": "0", "medium": "1", "high": "2"}
_REGIONS = {"br": "BR", "hans": "CN", "hant": "TW", "pt": "PT"}
"""Regions that stand for a written form."""
_SUPPORTED = OPERATORS | {"time_range", "safe", "language"}


class Searxng(WebNewsAndImageSearch, Provider):
    """Searches through an instance that the operator configures."""

    info = ProviderInfo(
        name=_NAME,
        title="SearXNG",
        home="https://docs.searxng.org",
        base_url="",
        rate=RateLimit(starts=5, per_seconds=1.0, at_once=5),
        allowed_hosts=(),
        remedies={
            403: "add json to search.formats in the settings.yml of the instance, and allow this"
            " client in its limiter"
        },
        options=(
            Option(
                name="url",
                env=("SEARXNG_URL",),
                help="URL of a SearXNG instance with json among its search formats. It may be on this machine or in a private network; this does not allow access to anything else there.",
                kind="url",
                required=True,
            ),
            Option(name="login", env=("SEARXNG_BASIC_AUTH",), help=_LOGIN, kind="login"),
            Option(name="headers", env=("SEARXNG_HEADERS",), help=_MORE, kind="headers"),
        ),
    )

    @classmethod
    def base_url(cls, options: Mapping[str, Any]) -> str:
        url: str = options["url"]
        return url.partition("?")[0].rstrip("/").removesuffix("/search")

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        lines = (line.partition(":") for line in (options.get("headers") or "").split(","))
        extra = {name.strip().lower(): value.strip() for name, _, value in lines if value.strip()}
        login = options.get("login")
        basic = login and f"Basic {b64encode(login.encode()).decode()}"
        return extra | non_empty_params(authorization=basic)

    async def search(self, query: Query, make: HitMaker[Hit]) -> EngineResults[Hit]:
        request = HitRequest("/search", params_of(query))
        read = read_images if query.kind == "images" else read_pages
        return await self.find(request, read, query, make, unsupported_filters(query))


def params_of(query: Query) -> dict[str, str]:
    region = _REGIONS.get(query.language_variant or "") or (query.country or "").upper()
    return non_empty_params(
        q=with_operators(query),
        format="json",
        categories=_CATEGORIES[query.kind],
        safesearch=_SAFE[query.safe],
        time_range="day" if query.time_range == "hour" else query.time_range,
        language="-".join(filter(None, (query.language, region))) if query.language else None,
    )


def unsupported_filters(query: Query) -> tuple[str, ...]:
    # A country only refines a language, and a day is the shortest range it supports.
    supported = _SUPPORTED | variant_filter(query, "pt", "zh")
    if query.language and query.language_variant is None:
        supported |= {"country"}
    return filters_beyond(
        query, supported - ({"time_range"} if query.time_range == "hour" else set())
    )


def read_results(answer: Any) -> tuple[Record, ...]:
    """The results.

    Raises:
        Unavailable: There are none, and at least one engine did not respond.
    """
    results = required_records(answer["results"])
    unresponsive = entries_of(answer.get("unresponsive_engines"))
    if unresponsive and not results:
        reasons = ", ".join(
            text_of(" ".join(map(str, entries_of(one)))) or "" for one in unresponsive
        )
        raise Unavailable(_NAME, f"its engines did not answer: {reasons[:200]}")
    return results


def read_pages(answer: Any) -> Iterable[RawHit]:
    return map(read_page_hit, read_results(answer))


def read_images(answer: Any) -> Iterable[RawHit]:
    return map(read_image_hit, read_results(answer))


def read_page_hit(one: Record) -> RawHit:
    """A web or news hit; some engines put date and source into `2 hours ago | The Paper`."""
    line = [part.strip() for part in (text_of(one.get("metadata")) or "").split("|")]
    return RawHit(
        url=one["url"],
        title=one.get("title"),
        snippet=(one.get("content"),),
        source=one.get("source") or (line[-1] if len(line) > 1 else None),
        dates=(one.get("publishedDate"), one.get("pubdate"), line[0]),
    )


def read_image_hit(one: Record) -> RawHit:
    numbers = re.findall("[0-9]{1,7}", text_of(one.get("resolution")) or "")
    return RawHit(
        url=_with_scheme(one.get("img_src")),
        title=one.get("title"),
        thumbnail=_with_scheme(one.get("thumbnail_src") or one.get("thumbnail")),
        context=one.get("url"),
        size=(numbers[0], numbers[1]) if len(numbers) == 2 else (None, None),
        file_size=one.get("filesize"),
    )


def _with_scheme(url: Any) -> Any:
    return f"https:{url}" if str(url).startswith("//") else url
