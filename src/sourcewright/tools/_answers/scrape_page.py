"""Answers of `scrape_page` in each of its modes."""

from dataclasses import dataclass
from typing import Any, Literal

from sourcewright.domain.errors import InvalidInput
from sourcewright.domain.pages import Visit
from sourcewright.domain.readings import Quality, Reading
from sourcewright.logic.markdown.sections import (
    Part,
    SizeCategory,
    estimated_tokens,
    part_of,
    section_of,
    size_category,
)
from sourcewright.logic.sources.classification import (
    AuthorityTier,
    DomainCategory,
    SourceType,
    authority_tier,
    domain_category,
    source_type,
)
from sourcewright.logic.text.charsets import decode
from sourcewright.services.cache import Cached
from sourcewright.services.pages.attempts import Read
from sourcewright.services.pages.scrape_page import Scraped, Scraper
from sourcewright.tools._answers.links import Linked, kept_apart
from sourcewright.tools._answers.pages import (
    Forum,
    HeadingFound,
    PageCitation,
    PageMetadata,
    RetractionStatus,
    StructuredData,
    citation_of,
    forum_of,
    metadata_of,
    outlined,
    retraction_of,
    structured_of,
)
from sourcewright.tools._base import Answer
from sourcewright.tools._results import CAMEL, UNTRUSTED, Said, Trust


class PageAnswer(Answer):
    """What every answer about a page has."""

    model_config = CAMEL

    url: str
    content: str
    content_type: str
    trust: Trust = UNTRUSTED
    content_length: int
    truncated: bool
    next_offset: Said[int] = None
    requested_max_length: Said[int] = None
    estimated_tokens: int
    size_category: SizeCategory
    citation: PageCitation
    source_type: SourceType
    authority_tier: AuthorityTier
    domain_category: DomainCategory


class PageScraped(PageAnswer):
    """A page that was read."""

    extracted_by: Said[str] = None
    extraction_quality: Said[Quality] = None
    metadata: Said[PageMetadata] = None
    structured_data: Said[StructuredData] = None
    forum_signals: Said[Forum] = None
    detected_doi: Said[str] = None
    retraction_status: Said[RetractionStatus] = None
    retraction_unchecked: Said[bool] = None
    outline: Said[list[HeadingFound]] = None
    page_count: Said[int] = None


class RawPage(PageAnswer):
    """A page as it was served."""

    raw: Literal[True] = True


class LinkedPage(Linked):
    """A body that is too large to be told, and where it can be read."""

    url: str
    truncated: bool
    next_offset: Said[int] = None

    def link_name(self) -> str:
        return self.url


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which part of a page is wanted."""

    url: str
    offset: int
    most: int
    section: str | None
    requested: int | None
    """The size that was asked for, where it was out of range."""


def in_full(scraped: Scraped, scraper: Scraper, wanted: Wanted) -> PageScraped:
    """The part of a page that was asked for.

    Raises:
        InvalidInput: The page has no such section.
    """
    read = scraped.read.value
    reading = read.reading
    content = _within(reading.content, wanted.section)
    part = part_of(content, offset=wanted.offset, most=wanted.most)
    page = PageScraped(
        **_common(wanted, part, scraper, reading, at=read.url),
        content_type=reading.kind,
        truncated=part.next_offset is not None or reading.cut,
        extracted_by=read.extracted_by,
        extraction_quality=reading.quality,
        metadata=metadata_of(reading),
        structured_data=structured_of(reading.embedded),
        forum_signals=forum_of(wanted.url, reading),
        detected_doi=scraped.noted.doi,
        retraction_status=retraction_of(scraped.noted.notice),
        retraction_unchecked=scraped.noted.unchecked or None,
        outline=outlined(reading.content) or None,
        page_count=reading.page_count,
    )
    return page.beside(**_freshness(scraped.read), **_account(read))


def _account(read: Read) -> dict[str, Any]:
    """What was tried for a page that is only a part, so that more may be had of it."""
    if read.reading.quality == "complete":
        return {}
    return {"tried": [f"{one.tier}: {one.outcome}" for one in read.trace]}


def raw(visited: Cached[Visit], scraper: Scraper, wanted: Wanted) -> RawPage:
    """The part of a body that was asked for, as it was served.

    Raises:
        InvalidInput: A section is asked for, which only a page that was read has.
    """
    if wanted.section is not None:
        raise InvalidInput("section: a raw page has no sections; use mode full, or offset")
    visit = visited.value
    text = decode(visit.body, content_type=visit.content_type)
    part = part_of(text, offset=wanted.offset, most=wanted.most, tidy=False)
    page = RawPage(
        **_common(wanted, part, scraper, Reading(content="", kind="raw"), at=visit.url),
        content_type=visit.content_type,
        truncated=part.next_offset is not None or visit.cut,
    )
    return page.beside(**_freshness(visited))


async def linked(page: RawPage, scraper: Scraper) -> RawPage | LinkedPage:
    """The page as a link, where it is large and can be kept."""
    body = page.content.encode()
    if len(body) < scraper.link_bytes:
        return page
    mime_type = page.content_type.partition(";")[0].strip() or "text/plain"
    about = f"from {page.url}, as served"
    kept = await kept_apart(body, mime_type, scraper.artifacts, about=about)
    if kept is None:
        return page
    link = LinkedPage(**kept, url=page.url, truncated=page.truncated, next_offset=page.next_offset)
    return link.beside(**page.said_beside)


def _within(content: str, section: str | None) -> str:
    if section is None:
        return content
    found = section_of(content, section)
    if found is None:
        names = ", ".join(one.text for one in outlined(content)[:30]) or "none"
        raise InvalidInput(f"section: the page has no heading {section!r}; it has {names}")
    return found


def _common(
    wanted: Wanted, part: Part, scraper: Scraper, reading: Reading, *, at: str
) -> dict[str, Any]:
    """What is said of every page; its host is the one where it was in the end."""
    size = len(part.text.encode())
    kind = source_type(at, reading.embedded)
    return {
        "url": wanted.url,
        "content": part.text,
        "content_length": size,
        "next_offset": part.next_offset,
        "requested_max_length": wanted.requested,
        "estimated_tokens": estimated_tokens(size),
        "size_category": size_category(size),
        "citation": citation_of(wanted.url, scraper.clock.now(), reading),
        "source_type": kind,
        "authority_tier": authority_tier(at, kind, scraper.reputations.rating_of(at)),
        "domain_category": domain_category(at),
    }


def _freshness(read: Cached[Any]) -> dict[str, Any]:
    """How old the answer is; one that was read now says nothing about it."""
    if not read.cached:
        return {}
    return {
        "cached": True,
        "ageSeconds": read.age_seconds,
        "maxAgeSeconds": read.max_age_seconds,
        "freshness": read.freshness,
    }
