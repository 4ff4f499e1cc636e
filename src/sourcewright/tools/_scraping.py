"""The forms of scrape_page's answers, and how a page becomes one."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sourcewright.domain.errors import InvalidInput
from sourcewright.domain.pages import Visit
from sourcewright.domain.readings import Quality, Reading
from sourcewright.logic.classifying import (
    AuthorityTier,
    DomainCategory,
    SourceType,
    authority_tier,
    domain_category,
    source_type,
)
from sourcewright.logic.clipping import part_of, section_of
from sourcewright.logic.decoding import decode
from sourcewright.logic.sizing import SizeCategory, estimated_tokens, size_category
from sourcewright.services.caching import Cached
from sourcewright.services.scraping import Scraped, Scraper
from sourcewright.tools._base import Answer
from sourcewright.tools._pages import (
    Forum,
    HeadingFound,
    PageCitation,
    PageMetadata,
    RetractionStatus,
    Said,
    StructuredData,
    citation_of,
    forum_of,
    metadata_of,
    outlined,
    retraction_of,
    structured_of,
)
from sourcewright.tools._results import CAMEL

UNTRUSTED: Literal["untrusted-external-content"] = "untrusted-external-content"


class PageAnswer(Answer):
    """What every answer about a page has."""

    model_config = CAMEL

    url: str
    content: str
    content_type: str
    trust: Literal["untrusted-external-content"] = UNTRUSTED
    content_length: int
    truncated: bool
    next_offset: Said[int] = None
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
    outline: Said[list[HeadingFound]] = None
    page_count: Said[int] = None


class RawPage(PageAnswer):
    """A page as it was served."""

    raw: Literal[True] = True


class LinkedPage(Answer):
    """A body that is too large to be told, and where it can be read."""

    model_config = CAMEL

    url: str
    resource: str
    bytes: int
    mime_type: str
    summary: str
    expires_at: str
    linked: Literal[True] = True
    trust: Literal["untrusted-external-content"] = UNTRUSTED

    def links(self) -> tuple[Mapping[str, Any], ...]:
        link = {
            "type": "resource_link",
            "uri": self.resource,
            "name": self.url[:200],
            "mimeType": self.mime_type,
            "size": self.bytes,
        }
        return (link,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which part of a page is wanted."""

    offset: int
    most: int
    section: str | None


def in_full(scraped: Scraped, url: str, scraper: Scraper, wanted: Wanted) -> PageScraped:
    """The part of a page that was asked for.

    Raises:
        InvalidInput: The page has no such section.
    """
    read = scraped.read.value
    reading = read.reading
    content = _within(reading.content, wanted.section)
    part = part_of(content, offset=wanted.offset, most=wanted.most)
    page = PageScraped(
        **_common(url, part.text, reading, scraper),
        content_type=reading.kind,
        truncated=part.next_offset is not None or reading.cut,
        next_offset=part.next_offset,
        extracted_by=read.extracted_by,
        extraction_quality=reading.quality,
        metadata=metadata_of(reading),
        structured_data=structured_of(reading.embedded),
        forum_signals=forum_of(url, reading),
        detected_doi=scraped.doi,
        retraction_status=retraction_of(scraped.notice),
        outline=outlined(reading.content) or None,
        page_count=reading.page_count,
    )
    return page.beside(**_freshness(scraped.read)) if scraped.read.cached else page


def raw(visit: Visit, url: str, most: int, scraper: Scraper) -> RawPage:
    part = part_of(decode(visit.body, content_type=visit.content_type), most=most)
    empty = Reading(content="", kind="raw")
    return RawPage(
        **_common(url, part.text, empty, scraper),
        content_type=visit.content_type,
        truncated=part.next_offset is not None or visit.cut,
    )


async def linked(page: RawPage, visit: Visit, scraper: Scraper) -> LinkedPage | None:
    """The page as a link, where it is large and can be kept."""
    body = page.content.encode()
    if len(body) < scraper.link_bytes:
        return None
    mime_type = visit.content_type.partition(";")[0].strip() or "text/plain"
    kept = await scraper.artifacts.keep(body, mime_type)
    if kept is None:
        return None
    until = datetime.fromtimestamp(kept.expires_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return LinkedPage(
        url=page.url,
        resource=kept.uri,
        bytes=kept.size_bytes,
        mime_type=mime_type,
        summary=f"{kept.size_bytes} bytes of {mime_type} from {page.url}, as served",
        expires_at=until,
    )


def _within(content: str, section: str | None) -> str:
    if section is None:
        return content
    found = section_of(content, section)
    if found is None:
        names = ", ".join(one.text for one in outlined(content)[:30]) or "none"
        raise InvalidInput(f"section: the page has no heading {section!r}; it has {names}")
    return found


def _common(url: str, content: str, reading: Reading, scraper: Scraper) -> dict[str, Any]:
    size = len(content.encode())
    kind = source_type(url, reading.embedded)
    rating = scraper.reputations.rating_of(url)
    return {
        "url": url,
        "content": content,
        "content_length": size,
        "estimated_tokens": estimated_tokens(size),
        "size_category": size_category(size),
        "citation": citation_of(url, scraper.clock.now(), reading),
        "source_type": kind,
        "authority_tier": authority_tier(url, kind, rating),
        "domain_category": domain_category(url),
    }


def _freshness(read: Cached[Any]) -> dict[str, Any]:
    return {
        "cached": read.cached,
        "ageSeconds": read.age_seconds,
        "maxAgeSeconds": read.max_age_seconds,
        "freshness": read.freshness,
    }
