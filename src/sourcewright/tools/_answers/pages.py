"""Response models for a page: metadata, citation, forum signals, retraction status."""

import json
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel

from sourcewright.domain.readings import EmbeddedMetadata, Reading
from sourcewright.domain.works import Notice
from sourcewright.logic.markdown.sections import outline_of
from sourcewright.logic.references import web_citation
from sourcewright.logic.sources.forum_signals import forum_signals
from sourcewright.tools._results import CAMEL, OmittedIfNone

PageNoticeKind = Literal["retraction", "expression_of_concern", "correction"]
_MAX_HEADINGS = 200
_KINDS: dict[str, PageNoticeKind] = {
    "expression_of_concern": "expression_of_concern",
    "correction": "correction",
}


class PageMetadata(BaseModel):
    """What a page says that it is."""

    title: str
    author: str
    site: OmittedIfNone[str] = None
    published: OmittedIfNone[str] = None
    modified: OmittedIfNone[str] = None
    canonical: OmittedIfNone[str] = None
    language: OmittedIfNone[str] = None


class StructuredData(BaseModel):
    """What a page embeds for machines."""

    model_config = CAMEL

    json_ld: OmittedIfNone[list[Any]] = None
    open_graph: OmittedIfNone[dict[str, str]] = None
    citation: OmittedIfNone[dict[str, str]] = None


class Forum(BaseModel):
    """How a post was received."""

    model_config = CAMEL

    platform: str
    upvotes: int
    comments: OmittedIfNone[int] = None
    date_published: OmittedIfNone[str] = None
    author_name: OmittedIfNone[str] = None
    credibility_note: OmittedIfNone[str] = None


class CitationMetadata(BaseModel):
    """What a citation is made of."""

    title: str
    author: str
    site: str
    date: str


class CitationFormats(BaseModel):
    """The citation as two styles write it."""

    apa: str
    mla: str


class PageCitation(BaseModel):
    """How to cite the page."""

    model_config = CAMEL

    url: str
    accessed_date: str
    metadata: CitationMetadata
    formatted: CitationFormats


class RetractionStatus(BaseModel):
    """What is recorded against the page's paper."""

    model_config = CAMEL

    retracted: bool
    kind: PageNoticeKind
    date: OmittedIfNone[str] = None
    notice_doi: OmittedIfNone[str] = None
    source: OmittedIfNone[str] = None
    partial: OmittedIfNone[bool] = None


class HeadingFound(BaseModel):
    """One heading, and where its section begins."""

    level: int
    text: str
    offset: int


def metadata_of(reading: Reading) -> PageMetadata | None:
    if not reading.title:
        return None
    return PageMetadata(
        title=reading.title,
        author=reading.author or "",
        site=reading.site,
        published=reading.published,
        modified=reading.modified,
        canonical=reading.canonical,
        language=reading.language,
    )


def structured_of(embedded: EmbeddedMetadata | None) -> StructuredData | None:
    if embedded is None:
        return None
    blocks = [json.loads(block) for block in embedded.json_ld]
    structured = StructuredData(
        json_ld=blocks or None,
        open_graph=dict(embedded.open_graph) or None,
        citation=dict(embedded.citation) or None,
    )
    return structured if structured.model_dump() else None


def forum_of(url: str, reading: Reading) -> Forum | None:
    signals = forum_signals(url, reading)
    if signals is None:
        return None
    return Forum(
        platform=signals.platform,
        upvotes=signals.upvotes,
        comments=signals.comments,
        date_published=signals.date_published,
        author_name=signals.author_name,
        credibility_note=signals.credibility_note,
    )


def citation_of(url: str, now: float, reading: Reading) -> PageCitation:
    web_source = web_citation.cite_page(url, datetime.fromtimestamp(now, UTC).date(), reading)
    fields, formatted_citation = web_source.metadata, web_source.formatted
    return PageCitation(
        url=web_source.url,
        accessed_date=web_source.accessed_date,
        metadata=CitationMetadata(
            title=fields.title, author=fields.author, site=fields.site, date=fields.date
        ),
        formatted=CitationFormats(apa=formatted_citation.apa, mla=formatted_citation.mla),
    )


def retraction_of(notice: Notice | None) -> RetractionStatus | None:
    """Convert a notice to the contract's kinds; a partial retraction is not `retracted`."""
    if notice is None:
        return None
    kind = _KINDS.get(notice.kind, "retraction")
    partial = notice.kind == "partial_retraction"
    return RetractionStatus(
        retracted=kind == "retraction" and not partial,
        kind=kind,
        date=notice.date,
        notice_doi=notice.doi,
        source=notice.asserted_by,
        partial=partial or None,
    )


def headings_of(content: str) -> list[HeadingFound]:
    return [
        HeadingFound(level=one.level, text=one.text, offset=one.offset)
        for one in outline_of(content, most=_MAX_HEADINGS)
    ]
