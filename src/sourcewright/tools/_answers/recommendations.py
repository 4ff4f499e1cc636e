"""Audited recommendations, in the response format of `verify_recommendation`."""

from typing import Literal

from pydantic import BaseModel, Field

from sourcewright.domain.sources.recommendations import StakeKind
from sourcewright.domain.web.lenses import Reputation
from sourcewright.services.trust.verify_recommendation import (
    Agreement,
    AuditedItem,
    Corroboration,
    RecommendationAudit,
)
from sourcewright.tools._base import Answer
from sourcewright.tools._results import CAMEL, UNTRUSTED, OmittedIfNone, Trust, WithoutNones

Flag = Literal["conflict_of_interest", "dead_link", "unknown_reputation", "low_reputation"]


class SelfPromotionSeen(BaseModel):
    """A list on a brand's own site that puts the brand first."""

    model_config = CAMEL

    brand: str
    evidence: str = Field(description="The line that puts it first.")


class ConflictSeen(BaseModel):
    """An interest of the author that the biography states."""

    model_config = CAMEL

    type: StakeKind
    entity: str
    evidence: str


class RatedResult(BaseModel):
    """A result of a corroboration search."""

    model_config = CAMEL

    title: str
    url: str
    snippet: str
    agreement: Agreement
    claim_signal: str = Field(description="The sentence closest to the claim.")


class CorroborationSeen(BaseModel):
    """One search for independent sources."""

    model_config = CAMEL

    query: str
    lens: str
    result_count: int
    agree_count: int
    disagree_count: int
    silent_count: int
    top_results: list[RatedResult]


class RecommendationSeen(BaseModel):
    """What was found about one recommendation."""

    model_config = CAMEL

    title: str
    url: OmittedIfNone[str] = None
    author: OmittedIfNone[str] = None
    self_promotion_signal: OmittedIfNone[SelfPromotionSeen] = None
    self_promotion_unchecked: OmittedIfNone[str] = Field(
        None, description="Why the page could not be read for it."
    )
    conflict_of_interest: OmittedIfNone[ConflictSeen] = None
    domain_reputation: OmittedIfNone[WithoutNones[Reputation]] = None
    link_live: OmittedIfNone[bool] = Field(
        None, description="Absent if the link could not be checked."
    )
    http_status: OmittedIfNone[int] = Field(None, description="0: the server did not answer.")
    link_note: OmittedIfNone[str] = None
    archived_url: OmittedIfNone[str] = None
    corroboration_searches: OmittedIfNone[list[CorroborationSeen]] = None
    corroboration_failed: OmittedIfNone[dict[str, str]] = Field(
        None, description="Lenses that could not be searched, and why."
    )
    flags: list[Flag]
    reasons: list[str]
    trust: Trust = UNTRUSTED


class RecommendationAnswer(Answer):
    """The audited list."""

    model_config = CAMEL

    item_count: int
    recommendations: list[RecommendationSeen]
    aggregate_flags: OmittedIfNone[list[Literal["no_independent_corroboration"]]] = None
    corroboration: OmittedIfNone[Literal["complete", "incomplete"]] = Field(
        None, description="Whether every corroboration search was made."
    )
    trust: Trust = UNTRUSTED


def audit_answer(audit: RecommendationAudit) -> RecommendationAnswer:
    has_claim = audit.claim is not None
    incomplete = not audit.searches or any(one.problem for one in audit.searches)
    return RecommendationAnswer(
        item_count=len(audit.items),
        recommendations=[_checked_item(one) for one in audit.items],
        aggregate_flags=(["no_independent_corroboration"] if audit.is_uncorroborated else [])
        if has_claim
        else None,
        corroboration=("incomplete" if incomplete else "complete") if has_claim else None,
    )


def _checked_item(one: AuditedItem) -> RecommendationSeen:
    searches = [_searched(search) for search in one.corroboration if search.problem is None]
    failed = {search.lens: search.problem for search in one.corroboration if search.problem}
    findings = dict(_findings(one))
    link = one.link
    return RecommendationSeen(
        title=one.item.title,
        url=one.item.url,
        author=one.item.author,
        self_promotion_signal=SelfPromotionSeen(
            brand=one.promotion.brand, evidence=one.promotion.evidence
        )
        if one.promotion
        else None,
        self_promotion_unchecked=None if one.promotion else one.page_problem,
        conflict_of_interest=ConflictSeen(
            type=one.stake.kind, entity=one.stake.entity, evidence=one.stake.evidence
        )
        if one.stake
        else None,
        domain_reputation=one.reputation,
        link_live=None if link is None or link.state == "unchecked" else link.state != "dead",
        http_status=None if link is None else link.http_status or 0,
        link_note=link.problem if link else None,
        archived_url=link.snapshot.url if link and link.snapshot else None,
        corroboration_searches=searches or None,
        corroboration_failed=failed or None,
        flags=list(findings),
        reasons=list(findings.values()),
    )


def _findings(one: AuditedItem) -> list[tuple[Flag, str]]:
    """The flags, each with its reason."""
    findings: list[tuple[Flag, str]] = []
    if one.stake:
        words = f"the author's bio states {one.stake.kind} with {one.stake.entity}"
        findings.append(("conflict_of_interest", f"{words}: {one.stake.evidence}"))
    if one.link is not None and one.link.state == "dead":
        status = f" (HTTP {one.link.http_status})" if one.link.http_status else ""
        findings.append(("dead_link", f"the link is dead{status}"))
    if one.item.url and one.reputation is None:
        words = "the host is not rated, which is neither good nor bad"
        findings.append(("unknown_reputation", words))
    if one.reputation is not None and one.reputation.tier == "low":
        findings.append(("low_reputation", f"the host is rated low: {one.reputation.basis}"))
    return findings


def _searched(search: Corroboration) -> CorroborationSeen:
    return CorroborationSeen(
        query=search.query,
        lens=search.lens,
        result_count=len(search.hits),
        agree_count=search.count("agree"),
        disagree_count=search.count("disagree"),
        silent_count=search.count("silent"),
        top_results=[
            RatedResult(
                title=one.hit.title,
                url=one.hit.url,
                snippet=one.hit.snippet,
                agreement=one.agreement,
                claim_signal=one.sentence,
            )
            for one in search.hits
        ],
    )
