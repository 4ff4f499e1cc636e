"""GDELT: worldwide news of the last three months, searched in English translation.

Docs: https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/
Silent on: the text of an article, and its publication date; the date is that of the crawl.
"""

import re
from collections.abc import Iterator
from typing import Any

from sourcewright.base.errors import BadAnswer, RateLimited, UpstreamError
from sourcewright.base.formats.answer_limits import LimitExceeded
from sourcewright.base.formats.json_values import required_records
from sourcewright.base.text.words import PHRASES_AND_WORDS
from sourcewright.domain.search.operators import filters_beyond, non_empty_params
from sourcewright.domain.search.results import RawHit, news_hit
from sourcewright.domain.web.hits import EngineResults, NewsHit
from sourcewright.domain.web.queries import Query
from sourcewright.net.http.answers import parse_json
from sourcewright.providers._base import (
    HitRequest,
    HitSearch,
    Provider,
    ProviderInfo,
    RateLimit,
    enable_option,
)
from sourcewright.providers.gdelt.codes import fips_code, iso639_3_code

MAX_RESULTS = 250
REQUEST_INTERVAL_SECONDS = 5.0
_TIMES = {"hour": "1h", "day": "1d", "week": "1w", "month": "1m"}
_SUPPORTED = frozenset({"exact_terms", "exclude_terms", "sort_by"})
# It reports errors as a plain sentence with status 200 instead of JSON.
_ERROR_SENTENCE = re.compile(rb"[A-Z][\x20-\x7e]{9,}+")
_LONGEST_ERROR = 200
# Titles contain backslashes and control characters that are invalid in JSON.
_LONGEST = 4_000_000
_INVALID_JSON = re.compile(rb'(\\["\\/bfnrtu])|\\|[\x00-\x1f]')
_OUTER_PUNCTUATION = re.compile(r"^\W+|\W+$")


class Gdelt(HitSearch, Provider):
    """Searches news."""

    info = ProviderInfo(
        name="gdelt",
        title="GDELT",
        home="https://www.gdeltproject.org",
        base_url="https://api.gdeltproject.org/api/v2",
        rate=RateLimit(
            starts=1,
            per_seconds=REQUEST_INTERVAL_SECONDS,
            at_once=1,
            gap_seconds=REQUEST_INTERVAL_SECONDS,
        ),
        allowed_hosts=("api.gdeltproject.org",),
        options=(enable_option("SOURCEWRIGHT_ENABLE_GDELT", asked_for="news"),),
    )

    async def search_news(self, query: Query) -> EngineResults[NewsHit]:
        request = HitRequest("/doc/doc", params_of(query), parse=parse)
        return await self.find(request, read_hits, query, news_hit, unsupported_filters(query))


def params_of(query: Query) -> dict[str, str]:
    return non_empty_params(
        query=" ".join(query_parts(query)),
        mode="artlist",
        format="json",
        maxrecords=str(min(query.limit, MAX_RESULTS)),
        timespan=_TIMES.get(query.time_range or ""),
        sort="datedesc" if query.sort_by == "date" else None,
    )


def query_parts(query: Query) -> Iterator[str]:
    """The parts of the query; every filter is an operator."""
    if " OR " in query.text:  # it needs its own brackets, otherwise GDELT reports an error
        yield query.text
    else:
        yield from quoted_words(query.text)
    if query.exact_terms:
        yield from quoted_words(f'"{query.exact_terms.replace(chr(34), " ")}"')
    yield from (f"-{word}" for word in quoted_words(query.exclude_terms or ""))
    domains = [f"domain:{_host_in(site)}" for site in query.sites]
    yield from [f"({' OR '.join(domains)})"] if len(domains) > 1 else domains
    if language := iso639_3_code(query.language):
        yield f"sourcelang:{language}"
    if country := fips_code(query.country):
        yield f"sourcecountry:{country}"


def quoted_words(text: str) -> Iterator[str]:
    """Words and phrases in GDELT's syntax.

    GDELT rejects a quoted single word as too short, but a word with punctuation needs quotes.
    """
    for phrase, word in PHRASES_AND_WORDS.findall(text):
        bare = _OUTER_PUNCTUATION.sub("", " ".join((phrase or word).split()))
        if bare:
            yield bare if re.fullmatch(r"\w+", bare) else f'"{bare}"'


def unsupported_filters(query: Query) -> tuple[str, ...]:
    supported = set(_SUPPORTED)
    if query.time_range in _TIMES:  # a year is beyond its range
        supported.add("time_range")
    if iso639_3_code(query.language):
        supported.add("language")
    if fips_code(query.country):
        supported.add("country")
    if not any("/" in site.rstrip("/") for site in query.sites):
        supported.add("sites")
    return filters_beyond(query, supported)


def parse(body: bytes) -> Any:
    """Parse the response, repairing invalid JSON.

    Raises:
        UpstreamError: The response is an error sentence.
        LimitExceeded: It is far longer than the maximum of 250 articles.
    """
    if len(body) > _LONGEST:
        raise LimitExceeded(f"the response has {len(body)} bytes")
    sentence = _ERROR_SENTENCE.fullmatch(body.strip())
    if sentence:
        raise error_of_sentence(sentence[0].decode("ascii"))
    return parse_json(_INVALID_JSON.sub(lambda match: match[1] or b" ", body))


def error_of_sentence(sentence: str) -> UpstreamError:
    if "limit requests" in sentence.lower():
        detail = "it accepts one request every five seconds"
        return RateLimited(
            "gdelt", detail, status=200, cause="status", retry_after=REQUEST_INTERVAL_SECONDS
        )
    return BadAnswer(
        "gdelt", f"the query was rejected: {sentence[:_LONGEST_ERROR]}", cause="status"
    )


def read_hits(answer: Any) -> Iterator[RawHit]:
    """The articles; an empty object means that there are none."""
    for article in () if answer == {} else required_records(answer["articles"]):
        yield RawHit(
            url=article["url"],
            title=article["title"],
            source=article.get("domain"),
            dates=(article.get("seendate"),),
        )


def _host_in(site: str) -> str:
    return site.partition("/")[0].removeprefix("www.")
