"""Response models for a page: metadata, citation, forum signals, retraction status."""

import json
import re
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel

from sourcewright.domain.readings import EmbeddedMetadata, Reading
from sourcewright.domain.works import Notice
from sourcewright.logic.markdown.sections import HeadingFound, outline_of
from sourcewright.logic.references.web_citation import PageCitation, cite_page
from sourcewright.tools._results import CAMEL, OmittedIfNone

PageNoticeKind = Literal["retraction", "expression_of_concern", "correction"]
_MAX_HEADINGS = 200
_PAGE_HEADING = re.compile(r"Page \d+")
_KINDS: dict[str, PageNoticeKind] = {
    "expression_of_concern": "expression_of_concern",
    "correction": "correction",
}


class PageMetadata(BaseModel):
    """Metadata that the page declares."""

    # Unlike in `Reading`, title and author are always there.
    title: str
    author: str
    site: OmittedIfNone[str] = None
    published: OmittedIfNone[str] = None
    modified: OmittedIfNone[str] = None
    canonical: OmittedIfNone[str] = None
    language: OmittedIfNone[str] = None


class StructuredData(BaseModel):
    """Structured data embedded in the page."""

    model_config = CAMEL

    json_ld: OmittedIfNone[list[Any]] = None
    open_graph: OmittedIfNone[dict[str, str]] = None
    citation: OmittedIfNone[dict[str, str]] = None


class RetractionStatus(BaseModel):
    """Notices about the page's paper."""

    model_config = CAMEL

    retracted: bool
    kind: PageNoticeKind
    date: OmittedIfNone[str] = None
    notice_doi: OmittedIfNone[str] = None
    source: OmittedIfNone[str] = None
    partial: OmittedIfNone[bool] = None


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


def citation_of(url: str, now: float, reading: Reading) -> PageCitation:
    return cite_page(url, datetime.fromtimestamp(now, UTC).date(), reading)


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


def headings_of(reading: Reading) -> list[HeadingFound]:
    """Return the headings of a document; the number of a page in a PDF is none."""
    headings = outline_of(reading.content, most=_MAX_HEADINGS)
    if reading.page_count is None:
        return headings
    return [one for one in headings if not _PAGE_HEADING.fullmatch(one.text)]
