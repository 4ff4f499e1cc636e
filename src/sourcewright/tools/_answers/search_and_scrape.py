"""Responses of `search_and_scrape`, inline or linked."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, Field

from sourcewright.base.text.phrases import count_phrase
from sourcewright.domain.search.absence import fallback_note
from sourcewright.domain.search.hints import ZeroResultHints
from sourcewright.reading.markdown.sections import SizeCategory, estimated_tokens, size_category
from sourcewright.services.search.ranking import Ranking, RankingOptions, rank_pages
from sourcewright.services.search.search_and_scrape import GatheredPages, SearchAndScrape
from sourcewright.services.search.web_search import routing_meta
from sourcewright.tools._answers.components import (
    Component,
    Recommendation,
    components,
    recommendations,
)
from sourcewright.tools._answers.links import LinkedAnswer, store_linked
from sourcewright.tools._answers.search import failures_meta
from sourcewright.tools._answers.sources import (
    Failure,
    SourceFound,
    SourceLeftOut,
    SourceListed,
    failure,
    list_sources,
    source_found,
    source_left_out,
)
from sourcewright.tools._base import Answer
from sourcewright.tools._results import (
    CAMEL,
    UNTRUSTED,
    OmittedIfNone,
    Trust,
    WithoutNones,
    as_json,
)

Status = Literal["complete", "partial", "failed"]
_ALL_FAILED = "{pages} found, but none could be read; scrapeFailures has the reasons. Change the query, or use another provider."
_ALL_LEFT_OUT = "no page that was read is about the query; filteredSources lists them. filter_by_query=false returns them anyway."


class Summary(BaseModel):
    """Summary of the call."""

    model_config = CAMEL

    urls_searched: int
    urls_scraped: int
    urls_failed: int
    sparse_sources: OmittedIfNone[int] = Field(
        None, description="Sources with fewer than 150 words."
    )
    processing_time_ms: int


class SizeMetadata(BaseModel):
    """Size of the combined content."""

    model_config = CAMEL

    total_length: int
    estimated_tokens: int
    size_category: SizeCategory
    truncated: bool
    requested_max_length_per_source: OmittedIfNone[int] = None
    requested_total_max_length: OmittedIfNone[int] = None


class GatheredAnswer(Answer):
    """What every answer about gathered sources has."""

    model_config = CAMEL

    query: str
    status: Status
    requested_num_results: OmittedIfNone[int] = None
    filters_ignored: OmittedIfNone[list[str]] = None
    scrape_failures: OmittedIfNone[list[Failure]] = None
    filtered_sources: OmittedIfNone[list[SourceLeftOut]] = None
    note: OmittedIfNone[str] = None


class SourcesAnswer(GatheredAnswer):
    """The sources, best first, and all of them in one text."""

    sources: list[SourceFound]
    combined_content: str
    trust: Trust = UNTRUSTED
    summary: Summary
    size_metadata: SizeMetadata
    recommendations: OmittedIfNone[list[Recommendation]] = None
    components: OmittedIfNone[list[Component]] = None
    only_fallback: OmittedIfNone[str] = None
    hints: OmittedIfNone[WithoutNones[ZeroResultHints]] = None


class LinkedSources(LinkedAnswer, GatheredAnswer):
    """The sources in brief, and where the whole answer can be read."""

    source_count: int
    sources: list[SourceListed]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseOptions:
    """Options of the response, besides those of the search."""

    ranking: RankingOptions
    include_sources: bool
    requested: Mapping[str, int]
    """Requested sizes that were out of range, by response field."""


def build_answer(
    gathered: GatheredPages,
    order: ResponseOptions,
    service: SearchAndScrape,
    common_fields: Mapping[str, Any],
) -> tuple[SourcesAnswer, Ranking]:
    """Rank the pages and build the response; also return the ranking.

    Linear in the length of the pages: call it in a thread. `common_fields` are those that the
    responses of all search tools have.
    """
    now = service.clock.monotonic
    ranking = rank_pages(gathered.pages, order.ranking, lambda: now() < gathered.until)
    sources = ranking.sources
    answer = SourcesAnswer(
        **{name: value for name, value in common_fields.items() if name != "result_count"},
        status=_status(gathered),
        sources=[source_found(one) for one in sources] if order.include_sources else [],
        combined_content=ranking.combined,
        scrape_failures=[failure(one) for one in gathered.failed] or None,
        filtered_sources=[source_left_out(one) for one in ranking.left_out] or None,
        note=_note(gathered, ranking),
        summary=_summary(gathered, ranking, now()),
        size_metadata=_sizes(ranking, order.requested),
        recommendations=recommendations(sources) or None if service.recommends else None,
        components=components(sources) or None if service.formats else None,
    )
    return answer.with_meta(**_meta_fields(gathered)), ranking


def _encoded(answer: SourcesAnswer, *without: str) -> bytes:
    return as_json(answer.model_dump(mode="json", by_alias=True, exclude={*without})).encode()


async def linked(
    answer: SourcesAnswer, ranking: Ranking, question: str, service: SearchAndScrape
) -> SourcesAnswer | LinkedSources:
    """Replace a large response by its best passages and a resource link, if it can be stored."""
    body = await asyncio.to_thread(_encoded, answer)
    if len(body) < service.scraper.link_bytes:
        return answer
    # The stored body has each text once: the sources contain what the combined text does.
    if answer.sources:
        body = await asyncio.to_thread(_encoded, answer, "combined_content")
    listed = await asyncio.to_thread(list_sources, ranking.sources, question)
    description = f"about {answer.query!r}: {count_phrase(len(listed), 'source')}, {answer.status}"
    artifacts = service.scraper.artifacts
    link_fields = await store_linked(body, "application/json", artifacts, description=description)
    if link_fields is None:
        return answer
    shared_fields = {name: getattr(answer, name) for name in GatheredAnswer.model_fields}
    link = LinkedSources(**link_fields, **shared_fields, source_count=len(listed), sources=listed)
    return link.with_meta(**answer.meta)


def _status(gathered: GatheredPages) -> Status:
    if gathered.failed and not gathered.pages:
        return "failed"
    # What only a fallback found is not all that a search finds.
    is_whole = not gathered.failed and gathered.outcome.results.doubt is None
    return "complete" if is_whole else "partial"


def _note(gathered: GatheredPages, ranking: Ranking) -> str | None:
    if gathered.failed and not gathered.pages:
        return _ALL_FAILED.format(pages=count_phrase(len(gathered.failed), "page"))
    if ranking.left_out and not ranking.sources:
        return _ALL_LEFT_OUT
    return fallback_note(gathered.outcome.results.doubt)


def _summary(gathered: GatheredPages, ranking: Ranking, now: float) -> Summary:
    return Summary(
        urls_searched=len(gathered.pages) + len(gathered.failed),
        urls_scraped=len(gathered.pages),
        urls_failed=len(gathered.failed),
        sparse_sources=sum(one.rated.is_sparse for one in ranking.sources) or None,
        processing_time_ms=round((now - gathered.started) * 1000),
    )


def _sizes(ranking: Ranking, requested: Mapping[str, int]) -> SizeMetadata:
    size = len(ranking.combined.encode())
    return SizeMetadata(
        total_length=size,
        estimated_tokens=estimated_tokens(size),
        size_category=size_category(size),
        truncated=ranking.cut,
        **requested,
    )


def _meta_fields(gathered: GatheredPages) -> dict[str, Any]:
    """Return the `_meta` fields: routing, engines that failed."""
    outcome = gathered.outcome
    routing = {"routing": routing_meta(outcome)} if outcome.routed else {}
    return routing | failures_meta(outcome.results.failures)
