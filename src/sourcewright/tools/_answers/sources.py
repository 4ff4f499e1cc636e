"""A source in responses of `search_and_scrape`: read, listed in brief, left out, failed."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, Field

from sourcewright.base.language.quantities import NumberAgreement
from sourcewright.domain.sources.classification import AuthorityTier, DomainCategory, SourceType
from sourcewright.domain.sources.passages import Passage, best_passages
from sourcewright.domain.sources.scoring import Score
from sourcewright.domain.web.claims import Coverage, KeySentence
from sourcewright.domain.web.lenses import Reputation
from sourcewright.reading.readings import Quality
from sourcewright.services.search.ranking import RankedSource, ScoredPage
from sourcewright.services.search.search_and_scrape import FailedPage
from sourcewright.tools._answers.pages import RetractionStatus, retraction_of
from sourcewright.tools._failures.research import Action, Kind, problem_of
from sourcewright.tools._results import CAMEL, UNTRUSTED, OmittedIfNone, Trust, WithoutNones

_PASSAGE_BYTES = 12_000
"""Bytes of passages in a response that links to the whole texts."""
_ALL_REPEATED = "every paragraph of it is in an earlier source"
_SAME_PAGE = "the same page as {url}, found under another URL"
_UNWEIGHED = "the deadline of the call passed before it could be compared with the claim"


class QualityScore(BaseModel):
    """Quality scores, each from 0 to 1."""

    model_config = CAMEL

    overall: float
    relevance: float
    freshness: float
    authority: float
    content_quality: float


class Evidence(BaseModel):
    """A sentence close to the claim, and its position."""

    model_config = CAMEL

    text: str
    start: int = Field(description="Byte offset in `content`.")
    end: int
    contrast: bool = Field(description="Whether it opposes the claim.")
    numbers: OmittedIfNone[NumberAgreement] = Field(
        None, description="How its numbers compare with the claim's."
    )
    section: OmittedIfNone[str] = Field(
        None, description="The nearest heading above, or the page."
    )


class SourceFound(BaseModel):
    """A search result that was read."""

    model_config = CAMEL

    url: str
    title: OmittedIfNone[str] = None
    content: str
    content_type: str
    trust: Trust = UNTRUSTED
    scores: QualityScore
    source_type: SourceType
    authority_tier: AuthorityTier
    domain_category: DomainCategory
    source_reputation: OmittedIfNone[WithoutNones[Reputation]] = None
    published_at: OmittedIfNone[str] = None
    modified_at: OmittedIfNone[str] = None
    word_count: int
    extraction_quality: Quality
    truncated: bool
    next_offset: OmittedIfNone[int] = Field(None, description="Offset of the remaining text.")
    duplicate_paragraphs: OmittedIfNone[int] = Field(
        None, description="Paragraphs that an earlier source contains."
    )
    content_note: OmittedIfNone[str] = None
    detected_doi: OmittedIfNone[str] = None
    retraction_status: OmittedIfNone[RetractionStatus] = None
    retraction_unchecked: OmittedIfNone[bool] = None
    claim_signal: OmittedIfNone[str] = None
    contrast_signal: OmittedIfNone[str] = None
    key_sentences: OmittedIfNone[list[str]] = None
    claim_coverage: OmittedIfNone[Coverage] = None
    evidence: OmittedIfNone[list[Evidence]] = Field(
        None, description="The key sentences that are in `content`."
    )


class SourceListed(BaseModel):
    """A source without its content, but for the best passages."""

    model_config = CAMEL

    url: str
    title: OmittedIfNone[str] = None
    score: float
    content_note: OmittedIfNone[str] = None
    claim_signal: OmittedIfNone[str] = None
    contrast_signal: OmittedIfNone[str] = None
    passages: OmittedIfNone[list[WithoutNones[Passage]]] = Field(
        None,
        description="Its passages closest to the claim or the query, with byte offsets in the page, as scrape_page takes and returns them.",
    )


class SourceLeftOut(BaseModel):
    """A page that was read and is not about the query."""

    url: str
    title: OmittedIfNone[str] = None
    relevance: float


class Failure(BaseModel):
    """A search result that could not be read."""

    model_config = CAMEL

    url: str
    title: OmittedIfNone[str] = None
    snippet: OmittedIfNone[str] = None
    kind: Kind
    reason: str
    retryable: bool
    retry_after_seconds: OmittedIfNone[int] = None
    suggested_action: Action


def source_found(source: RankedSource) -> SourceFound:
    rated, distilled, page = source.rated, source.text, source.rated.page
    reading = page.read.reading
    return SourceFound(
        url=rated.url,
        title=rated.title or None,
        content=distilled.content,
        content_type=reading.kind,
        scores=_scores(rated.score),
        source_type=rated.kind,
        authority_tier=rated.tier,
        domain_category=rated.field,
        source_reputation=rated.rating,
        published_at=rated.published,
        modified_at=rated.modified,
        word_count=rated.words,
        extraction_quality=reading.quality,
        truncated=distilled.next_offset is not None or reading.cut,
        next_offset=distilled.next_offset,
        duplicate_paragraphs=distilled.repeated or None,
        content_note=_note(source),
        detected_doi=page.notice.doi,
        retraction_status=retraction_of(page.notice.notice),
        retraction_unchecked=page.notice.unchecked or None,
        **_claim_fields(source),
    )


def list_sources(sources: Sequence[RankedSource], question: str) -> list[SourceListed]:
    """List sources with the passages that answer best. Takes time: call it in a thread."""
    listed: list[SourceListed] = []
    room = _PASSAGE_BYTES
    for at, source in enumerate(sources):
        share = room // (len(sources) - at)
        passages = best_passages(source.text.content, question, share)
        room -= sum(len(one.text.encode()) for one in passages)
        listed.append(_listed(source, _with_page_offsets(passages, source)))
    return listed


def _with_page_offsets(passages: Sequence[Passage], source: RankedSource) -> list[Passage]:
    """Count the positions in the whole page, as `scrape_page` does, not in the text without duplicates."""
    page = source.rated.page.read.reading.content
    starts = source.text.in_original(page, [one.start for one in passages])
    # The end is counted from the last byte, because the next one may be elsewhere in the page.
    ends = source.text.in_original(page, [one.end - 1 for one in passages])
    return [
        replace(one, start=start, end=last + 1)
        for one, start, last in zip(passages, starts, ends, strict=True)
    ]


def _listed(source: RankedSource, passages: Sequence[Passage]) -> SourceListed:
    claim_evidence = source.claimed
    return SourceListed(
        url=source.rated.url,
        title=source.rated.title or None,
        score=source.rated.score.overall,
        content_note=_note(source),
        claim_signal=_text(claim_evidence.signal) if claim_evidence else None,
        contrast_signal=_text(claim_evidence.contrast_signal) if claim_evidence else None,
        passages=list(passages) or None,
    )


def source_left_out(rated: ScoredPage) -> SourceLeftOut:
    return SourceLeftOut(
        url=rated.url,
        title=rated.title or None,
        relevance=round(rated.score.relevance, 2),
    )


def failure(failed: FailedPage) -> Failure:
    problem = problem_of(failed.error)
    return Failure(
        url=failed.hit.url,
        title=failed.hit.title or None,
        snippet=failed.hit.snippet or None,
        kind=problem.kind,
        reason=problem.detail,
        retryable=problem.retryable,
        retry_after_seconds=problem.retry_after_seconds,
        suggested_action=problem.suggested_action,
    )


def _scores(score: Score) -> QualityScore:
    return QualityScore(
        overall=score.overall,
        relevance=round(score.relevance, 2),
        freshness=score.freshness,
        authority=score.authority,
        content_quality=score.content,
    )


def _note(source: RankedSource) -> str | None:
    repeated = [] if source.text.content.strip() else [_ALL_REPEATED]
    notes = [
        *([_SAME_PAGE.format(url=source.same_as)] if source.same_as else repeated),
        *([_UNWEIGHED] if source.unweighed else []),
    ]
    return "; ".join(notes) or None


def _claim_fields(source: RankedSource) -> dict[str, Any]:
    """Return the claim fields of a source; empty if it was not compared with a claim."""
    claim_evidence, in_content = source.claimed, source.evidence
    if claim_evidence is None or in_content is None:
        return {}
    claim_fields: dict[str, Any] = {"claim_coverage": claim_evidence.status}
    if claim_evidence.signal is not None:
        claim_fields["claim_signal"] = claim_evidence.signal.text
        claim_fields["contrast_signal"] = _text(claim_evidence.contrast_signal)
        claim_fields["key_sentences"] = [one.text for one in claim_evidence.key_sentences]
        claim_fields["evidence"] = (
            _with_byte_offsets(in_content.key_sentences, source.text.content) or None
        )
    return claim_fields


def _text(sentence: KeySentence | None) -> str | None:
    return sentence.text if sentence else None


def _with_byte_offsets(sentences: tuple[KeySentence, ...], content: str) -> list[Evidence]:
    """Convert positions of sentences from characters to bytes, the unit of all page offsets."""
    evidence_list: list[Evidence] = []
    counted = size = 0
    for one in sorted(sentences, key=lambda each: each.start):
        size += len(content[counted : one.start].encode())
        counted = one.start
        evidence_list.append(
            Evidence(
                text=one.text,
                start=size,
                end=size + len(content[one.start : one.end].encode()),
                contrast=one.contrast,
                numbers=one.numbers,
                section=one.section,
            )
        )
    return evidence_list
