"""Patents in the responses of patent_search: dates of filing, grant and publication apart."""

from typing import Any

from pydantic import BaseModel, Field

from sourcewright.base.text.phrases import cut_between_words
from sourcewright.domain.records.patents import Patent
from sourcewright.domain.search.absence import fallback_note
from sourcewright.domain.search.hints import error_kind
from sourcewright.services.records.patent_search import PatentOutcome
from sourcewright.services.search.web_search import attempts_meta
from sourcewright.tools._results import CAMEL, OmittedIfNone

_ABSTRACT_LENGTH = 500


class PatentFound(BaseModel):
    """One publication of a patent or of an application."""

    model_config = CAMEL

    title: str
    number: str
    url: str
    abstract: OmittedIfNone[str] = None
    assignee: OmittedIfNone[str] = None
    inventor: OmittedIfNone[str] = Field(None, description="The first inventor.")
    filed: OmittedIfNone[str] = Field(None, description="Date of filing.")
    granted: OmittedIfNone[str] = Field(None, description="Date of grant.")
    published: OmittedIfNone[str] = Field(None, description="Date of this publication.")
    priority: OmittedIfNone[str] = Field(None, description="Date of the earliest priority.")
    pdf: OmittedIfNone[str] = None
    status: OmittedIfNone[str] = None
    family_id: OmittedIfNone[str] = None


class AssigneeCount(BaseModel):
    """How many of the patents an assignee has."""

    assignee: str
    count: int


def patent_found(patent: Patent) -> PatentFound:
    fields = {name: getattr(patent, name) for name in PatentFound.model_fields}
    if patent.abstract:
        fields["abstract"] = cut_between_words(patent.abstract, _ABSTRACT_LENGTH)
    return PatentFound(**fields)


def patent_fields(outcome: PatentOutcome) -> dict[str, Any]:
    """Return the fields of the answer that depend on nothing but the outcome."""
    failures = {name: error_kind(error) for name, error in outcome.failures.items()}
    clusters = [AssigneeCount(assignee=one.assignee, count=one.count) for one in outcome.clusters]
    return {
        "patents": [patent_found(one) for one in outcome.patents],
        "result_count": len(outcome.patents),
        "source": outcome.source,
        "sources_failed": failures or None,
        "only_fallback": fallback_note(outcome.doubt),
        "assignee_clusters": clusters or None,
        "filters_ignored": list(outcome.ignored) or None,
        "hints": outcome.hints,
    }


def patent_meta(outcome: PatentOutcome) -> dict[str, Any]:
    """Return the `_meta` fields: the cache on a hit, and routing."""
    answer, meta = outcome.answer, dict[str, Any]()
    cached = answer is not None and answer.cached
    if answer is not None and cached:
        meta |= {
            "cached": True,
            "ageSeconds": answer.age_seconds,
            "maxAgeSeconds": answer.max_age_seconds,
            "freshness": answer.freshness,
        }
    if outcome.routed:
        meta["routing"] = attempts_meta(outcome, cache_hit=cached, latency_ms=outcome.latency_ms)
    return meta
