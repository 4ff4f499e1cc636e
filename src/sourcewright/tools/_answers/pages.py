"""Response models for a page: metadata, citation, forum signals, notices, support of a claim."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from sourcewright.base.works import Notice
from sourcewright.domain.web.claims import ClaimOutcome, ClaimSupport
from sourcewright.reading.markdown.sections import HeadingFound, outline_of
from sourcewright.reading.readings import EmbeddedMetadata, Reading
from sourcewright.services.pages.web_citation import PageCitation, cite_page
from sourcewright.tools._results import CAMEL, OmittedIfNone

PageNoticeKind = Literal["retraction", "expression_of_concern", "correction"]
_MAX_HEADINGS = 200
_MIN_STRUCTURED_BYTES = 4096
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
    json_ld_omitted: OmittedIfNone[int] = Field(
        None, description="Blocks left out because of their length or number."
    )
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


def structured_of(embedded: EmbeddedMetadata | None, content_size: int) -> StructuredData | None:
    """Return the embedded metadata, of which each kind takes no more room than the content.

    Blocks and values are whole or left out, because a part of JSON-LD is none.
    """
    if embedded is None:
        return None
    most = max(content_size, _MIN_STRUCTURED_BYTES)
    blocks = _fitting(embedded.json_ld, most)
    structured = StructuredData(
        json_ld=[json.loads(block) for block in blocks] or None,
        json_ld_omitted=embedded.json_ld_omitted + len(embedded.json_ld) - len(blocks) or None,
        open_graph=_fitting_values(embedded.open_graph, most) or None,
        citation=_fitting_values(embedded.citation, most) or None,
    )
    return structured if structured.model_dump() else None


def _fitting_values(values: Mapping[str, str], most: int) -> dict[str, str]:
    fitting = set(_fitting([f"{name}{value}" for name, value in values.items()], most))
    return {name: value for name, value in values.items() if f"{name}{value}" in fitting}


def _fitting(texts: Sequence[str], most: int) -> list[str]:
    """Return the texts, in order, that together have at most this many bytes."""
    fitting = []
    for text in texts:
        size = len(text.encode())
        if size <= most:
            fitting.append(text)
            most -= size
    return fitting


def citation_of(url: str, now: float, reading: Reading, *, at: str) -> PageCitation:
    """Cite a page by its URL; it is on the site of the URL `at`, after redirects."""
    return cite_page(url, datetime.fromtimestamp(now, UTC).date(), reading, at=at)


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
    """Return the first headings of a document or a section, with offsets in it."""
    return outline_of(content, most=_MAX_HEADINGS)


def claim_fields(outcome: ClaimOutcome | None) -> dict[str, Any]:
    """Return the contract's fields about a claim; empty if none was given."""
    if outcome is None:
        return {}
    evidence = outcome.evidence
    sentences = evidence.key_sentences if evidence else ()
    return {
        "claim": outcome.claim,
        "claim_support": outcome.support,
        "claim_evidence": [one.text for one in sentences],
        "claim_source_url": outcome.url,
        "contrast_signal": True if evidence and evidence.contrast_signal else None,
    }


class ClaimFields(BaseModel):
    """What was found about the claim that the source is cited for; never a verdict."""

    model_config = CAMEL

    claim: OmittedIfNone[str] = None
    claim_support: OmittedIfNone[ClaimSupport] = None
    claim_evidence: OmittedIfNone[list[str]] = Field(
        None, description="Sentences of the source that share the terms of the claim."
    )
    claim_source_url: OmittedIfNone[str] = None
    contrast_signal: OmittedIfNone[bool] = Field(
        None, description="A sentence negates or contrasts: read the evidence."
    )
