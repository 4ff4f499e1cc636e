"""Wikimedia Commons: freely licensed images, with licence and creator.

Docs: https://www.mediawiki.org/wiki/API:Imageinfo and https://www.mediawiki.org/wiki/Help:CirrusSearch
Silent on: what an image shows beyond its description, and its colours.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sourcewright.base.formats.json_values import Record, record_of, required_records, text_of
from sourcewright.base.urls.canonical import is_on_site
from sourcewright.domain.capabilities import SearchesImages
from sourcewright.domain.search.mediawiki import (
    BASE_PARAMS,
    NEWEST_FIRST,
    checked_answer,
    contact_option,
    user_agent_header,
    wiki_search,
)
from sourcewright.domain.search.operators import filters_beyond, non_empty_params
from sourcewright.domain.search.results import RawHit, image_hit
from sourcewright.domain.web.hits import EngineResults, ImageHit
from sourcewright.domain.web.queries import Query
from sourcewright.providers._base import (
    HitRequest,
    HitSearch,
    Provider,
    ProviderInfo,
    RateLimit,
    enable_option,
)

MAX_RESULTS = 50
"""Images for which one request returns thumbnails."""

_HOST = "commons.wikimedia.org"
_FILE_NAMESPACE = "6"
_METADATA_FIELDS = "LicenseShortName|Artist"
# Files also include audio, video and scanned books.
_PICTURES = "filetype:bitmap|drawing"
_TYPES = {
    "jpg": "image/jpeg",
    "gif": "image/gif",
    "png": "image/png",
    "bmp": "image/bmp",
    "svg": "image/svg+xml",
    "webp": "image/webp",
}
# Edge of a square with as many pixels. The size names have no definition; these are round values.
_SIZES = {
    "icon": "<128",
    "small": "<400",
    "medium": "400,1000",
    "large": ">1000",
    "xlarge": ">2000",
    "xxlarge": ">3000",
    "huge": ">4000",
}
_SUPPORTED = frozenset({"exact_terms", "exclude_terms", "sort_by", "size", "file_type"})


class Commons(HitSearch, Provider):
    """Searches images."""

    info = ProviderInfo(
        name="commons",
        title="Wikimedia Commons",
        home="https://commons.wikimedia.org",
        base_url=f"https://{_HOST}",
        rate=RateLimit(starts=10, per_seconds=60.0, at_once=1),
        allowed_hosts=(_HOST,),
        has_only={SearchesImages: "freely licensed files of Wikimedia Commons"},
        options=(
            enable_option("SOURCEWRIGHT_ENABLE_COMMONS", asked_for="images"),
            contact_option("COMMONS_EMAIL"),
        ),
    )

    @classmethod
    def rate(cls, options: Mapping[str, Any]) -> RateLimit | None:
        """The limit of callers whose address is in the User-Agent header."""
        identified = RateLimit(starts=200, per_seconds=60.0, at_once=1)
        return identified if options.get("mailto") else None

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return user_agent_header(options.get("mailto"))

    async def search_images(self, query: Query) -> EngineResults[ImageHit]:
        request = HitRequest("/w/api.php", params_of(query))
        return await self.find(request, read_hits, query, image_hit, unsupported_filters(query))


def params_of(query: Query) -> dict[str, str]:
    return {**BASE_PARAMS} | non_empty_params(
        generator="search",
        gsrsearch=wiki_search(query, "commons", *search_keywords(query)),
        gsrnamespace=_FILE_NAMESPACE,
        gsrlimit=str(min(query.limit, MAX_RESULTS)),
        gsrsort=NEWEST_FIRST if query.sort_by == "date" else None,
        prop="imageinfo",
        iiprop="url|size|mime|extmetadata",
        iiurlwidth="320",
        iiextmetadatafilter=_METADATA_FIELDS,
    )


def search_keywords(query: Query) -> Iterator[str]:
    yield _PICTURES
    if query.file_type in _TYPES:
        yield f"filemime:{_TYPES[query.file_type]}"
    if query.size in _SIZES:
        yield f"fileres:{_SIZES[query.size]}"


def unsupported_filters(query: Query) -> tuple[str, ...]:
    supported = set(_SUPPORTED)
    if query.file_type not in _TYPES:
        supported.discard("file_type")
    if query.size not in _SIZES:
        supported.discard("size")
    if is_on_site(f"https://{_HOST}/wiki/x", query.sites):
        supported.add("sites")
    return filters_beyond(query, supported)


def read_hits(answer: Any) -> Iterator[RawHit]:
    """Images, best first; a complete response without a `query` has no results.

    A deleted file, or one that the response does not describe, has no `imageinfo`.
    """
    response = checked_answer(answer, "commons")
    no_results = "query" not in response and response["batchcomplete"] is True
    pages = () if no_results else required_records(response["query"]["pages"])
    for page in sorted(pages, key=lambda one: int(one["index"])):
        info = next(iter(required_records(page.get("imageinfo", []))), {})
        yield _hit(text_of(page["title"]) or "", info)


def _hit(title: str, info: Record) -> RawHit:
    metadata = record_of(info.get("extmetadata"))
    return RawHit(
        url=info.get("url"),
        title=title.partition(":")[2] or title,
        thumbnail=info.get("thumburl"),
        context=info.get("descriptionurl"),
        size=(info.get("width"), info.get("height")),
        file_size=info.get("size"),
        licence=record_of(metadata.get("LicenseShortName")).get("value"),
        creator=record_of(metadata.get("Artist")).get("value"),
    )
