"""Responses of `scrape_page` in each of its modes."""

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from sourcewright.base.errors import InvalidInput
from sourcewright.base.pages import FetchedDocument
from sourcewright.base.text.charsets import decode
from sourcewright.base.urls.canonical import dedup_key
from sourcewright.base.urls.github import raw_file_url
from sourcewright.domain.sources.classification import (
    AuthorityTier,
    DomainCategory,
    SourceType,
    authority_tier,
    domain_category,
    source_type,
)
from sourcewright.domain.sources.forum_signals import Forum, forum_signals
from sourcewright.reading.markdown.sections import (
    HeadingFound,
    SizeCategory,
    TextSlice,
    estimated_tokens,
    size_category,
)
from sourcewright.reading.readings import Quality, Reading
from sourcewright.services.cache import Cached
from sourcewright.services.pages.attempts import PageRead
from sourcewright.services.pages.scrape_page import ScrapedPage, Scraper
from sourcewright.services.pages.web_citation import PageCitation
from sourcewright.tools._answers.links import LinkedAnswer, store_linked
from sourcewright.tools._answers.pages import (
    PageMetadata,
    RetractionStatus,
    StructuredData,
    citation_of,
    headings_of,
    metadata_of,
    retraction_of,
    structured_of,
)
from sourcewright.tools._answers.text_parts import part_of, section_in
from sourcewright.tools._base import Answer
from sourcewright.tools._results import CAMEL, UNTRUSTED, OmittedIfNone, Trust, WithoutNones


class PageAnswer(Answer):
    """What every answer about a page has."""

    model_config = CAMEL

    url: str
    content: str
    content_type: str
    trust: Trust = UNTRUSTED
    content_length: int
    truncated: bool
    next_offset: OmittedIfNone[int] = None
    requested_max_length: OmittedIfNone[int] = None
    estimated_tokens: int
    size_category: SizeCategory
    citation: PageCitation
    source_type: SourceType
    authority_tier: AuthorityTier
    domain_category: DomainCategory


class ReadPage(PageAnswer):
    """A page that was read."""

    final_url: OmittedIfNone[str] = Field(None, description="Where redirects led, if elsewhere.")
    extracted_by: OmittedIfNone[str] = None
    extraction_quality: OmittedIfNone[Quality] = None
    metadata: OmittedIfNone[PageMetadata] = None
    structured_data: OmittedIfNone[StructuredData] = None
    forum_signals: OmittedIfNone[WithoutNones[Forum]] = None
    detected_doi: OmittedIfNone[str] = None
    retraction_status: OmittedIfNone[RetractionStatus] = None
    retraction_unchecked: OmittedIfNone[bool] = None
    outline: OmittedIfNone[list[HeadingFound]] = None
    page_count: OmittedIfNone[int] = None
    raw: OmittedIfNone[Literal[True]] = Field(None, description="A page as it was served.")


class LinkedPage(LinkedAnswer):
    """A link to a body that is too large for the response."""

    url: str
    truncated: bool
    next_offset: OmittedIfNone[int] = None

    def link_name(self) -> str:
        return self.url


@dataclass(frozen=True, slots=True, kw_only=True)
class PagePart:
    """The requested part of a page."""

    url: str
    offset: int
    most: int
    section: str | None
    requested: int | None
    """The requested size, if it was out of range."""


def page_answer(scraped: ScrapedPage, scraper: Scraper, request: PagePart) -> ReadPage:
    """Build the response with the requested part of a page.

    Raises:
        InvalidInput: The page has no such section, or ends before the offset.
    """
    read = scraped.read.value
    reading = read.reading
    content = section_in(reading.content, request.section, whole="page")
    whole = "page" if request.section is None else "section"
    part = part_of(content, offset=request.offset, most=request.most, whole=whole)
    # Those who read on have the outline and the structured data already.
    is_start = not request.offset
    page = ReadPage(
        **_common_fields(request, part, scraper, reading, at=read.url),
        content_type=reading.kind,
        truncated=part.next_offset is not None or reading.cut,
        final_url=_final_url(request.url, read.url),
        extracted_by=read.extracted_by,
        extraction_quality=reading.quality,
        metadata=metadata_of(reading),
        structured_data=structured_of(reading.embedded, len(part.text.encode()))
        if is_start and request.section is None
        else None,
        forum_signals=forum_signals(request.url, reading),
        detected_doi=scraped.notice.doi,
        retraction_status=retraction_of(scraped.notice.notice),
        retraction_unchecked=scraped.notice.unchecked or None,
        outline=(headings_of(content) or None) if is_start else None,
        page_count=reading.page_count,
    )
    return page.with_meta(**_freshness(scraped.read), **_attempt_lines(read))


def _attempt_lines(read: PageRead) -> dict[str, Any]:
    """Return the attempts, if the page was only partly read."""
    if read.reading.quality == "complete":
        return {}
    return {"tried": [f"{one.tier}: {one.outcome}" for one in read.trace]}


def raw(visited: Cached[FetchedDocument], scraper: Scraper, request: PagePart) -> ReadPage:
    """Build the response with the requested part of the raw body.

    Raises:
        InvalidInput: A section is requested, which a raw page does not have, or the page ends
            before the offset.
    """
    if request.section is not None:
        raise InvalidInput("section: a raw page has no sections; use mode full, or offset")
    visit = visited.value
    text = decode(visit.body, content_type=visit.content_type)
    part = part_of(text, offset=request.offset, most=request.most, whole="body", tidy=False)
    page = ReadPage(
        raw=True,
        **_common_fields(request, part, scraper, Reading(content="", kind="raw"), at=visit.url),
        content_type=visit.content_type,
        truncated=part.next_offset is not None or visit.cut,
    )
    return page.with_meta(**_freshness(visited))


async def linked(page: ReadPage, scraper: Scraper) -> ReadPage | LinkedPage:
    """Replace a large page by a resource link, if it can be stored."""
    body = page.content.encode()
    if len(body) < scraper.link_bytes:
        return page
    mime_type = page.content_type.partition(";")[0].strip() or "text/plain"
    description = f"from {page.url}, as served"
    link_fields = await store_linked(body, mime_type, scraper.artifacts, description=description)
    if link_fields is None:
        return page
    link = LinkedPage(
        **link_fields, url=page.url, truncated=page.truncated, next_offset=page.next_offset
    )
    return link.with_meta(**page.meta)


def _common_fields(
    request: PagePart, part: TextSlice, scraper: Scraper, reading: Reading, *, at: str
) -> dict[str, Any]:
    """Return the fields of every page response; classified by the URL `at`, after redirects."""
    size = len(part.text.encode())
    kind = source_type(at, reading.embedded)
    return {
        "url": request.url,
        "content": part.text,
        "content_length": size,
        "next_offset": part.next_offset,
        "requested_max_length": request.requested,
        "estimated_tokens": estimated_tokens(size),
        "size_category": size_category(size),
        "citation": citation_of(
            request.url,
            scraper.clock.now(),
            reading,
            at=_final_url(request.url, at) or request.url,
        ),
        "source_type": kind,
        "authority_tier": authority_tier(at, kind, scraper.reputations.rating_of(at)),
        "domain_category": domain_category(at, scraper.lenses),
    }


def _final_url(url: str, at: str) -> str | None:
    """The URL to which redirects led; None if it is the same page, or the raw file of one."""
    is_same = at == raw_file_url(url) or dedup_key(at) == dedup_key(url)
    return None if is_same else at


def _freshness(read: Cached[Any]) -> dict[str, Any]:
    """Return the cache metadata; empty for a page that was read now."""
    if not read.cached:
        return {}
    return {
        "cached": True,
        "ageSeconds": read.age_seconds,
        "maxAgeSeconds": read.max_age_seconds,
        "freshness": read.freshness,
    }
