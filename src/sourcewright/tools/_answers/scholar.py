"""Papers in the responses of the scholarly tools: bibliographic fields, notices, open copies."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field

from sourcewright.base.errors import ResearchError
from sourcewright.base.notices import most_serious_notice
from sourcewright.base.text.phrases import cut_between_words
from sourcewright.base.works import Notice, NoticeKind
from sourcewright.domain.scholar.links import pdf_url, work_url
from sourcewright.domain.scholar.merge import MergedWork, WorkVersion
from sourcewright.domain.search.absence import fallback_note
from sourcewright.domain.search.hints import error_kind
from sourcewright.services.cache import freshness
from sourcewright.tools._answers.pages import RetractionStatus, retraction_of
from sourcewright.tools._results import CAMEL, OmittedIfNone

if TYPE_CHECKING:
    # Answers about single papers need none of these.
    from sourcewright.domain.papers.integrity import WorkIntegrity
    from sourcewright.services.scholar.academic_search import AcademicOutcome
    from sourcewright.services.scholar.checks import CheckedWorks
    from sourcewright.services.scholar.citation_graph import GraphOutcome, Neighbours

ABSTRACT_LENGTH = 500
_FIELD_NAMES = {
    "venue": "journal",
    "citation_count": "citationCount",
    "open_access": "openAccess",
    "copies": "pdfUrl",
    "is_influential": "isInfluential",
    "arxiv_id": "arxivId",
}
"""Names in the answer of the fields whose source is reported, where they differ."""
_SOURCED_FIELDS = (
    *("title", "authors", "year", "venue", "doi", "abstract", "citation_count", "copies"),
    *("tldr", "open_access"),
)


class Version(BaseModel):
    """One place where the work appeared."""

    model_config = CAMEL

    kind: Literal["preprint", "published"]
    venue: OmittedIfNone[str] = None
    year: OmittedIfNone[int] = None
    doi: OmittedIfNone[str] = None
    arxiv_id: OmittedIfNone[str] = None
    url: OmittedIfNone[str] = None
    sources: list[str]


class NoticeFound(BaseModel):
    """A published notice about the paper."""

    # Unlike `Notice`, its names are in camel case.
    model_config = CAMEL

    kind: NoticeKind
    source: str = Field(description="The index that reports it.")
    asserted_by: OmittedIfNone[str] = None
    doi: OmittedIfNone[str] = None
    date: OmittedIfNone[str] = None
    label: OmittedIfNone[str] = None


class PaperFound(BaseModel):
    """One paper, merged from all indexes that have it."""

    model_config = CAMEL

    title: str
    url: str
    source: str = Field(description="The index that ranked it best.")
    doi: OmittedIfNone[str] = None
    authors: OmittedIfNone[list[str]] = None
    journal: OmittedIfNone[str] = None
    year: OmittedIfNone[int] = None
    abstract: OmittedIfNone[str] = None
    citation_count: OmittedIfNone[int] = None
    open_access: OmittedIfNone[bool] = None
    pdf_url: OmittedIfNone[str] = None
    tldr: OmittedIfNone[str] = Field(None, description="Machine-generated.")
    is_influential: OmittedIfNone[bool] = None
    citation_intents: OmittedIfNone[list[str]] = None
    retraction_status: OmittedIfNone[RetractionStatus] = None
    notices: OmittedIfNone[list[NoticeFound]] = Field(
        None, description="Every retraction, correction or concern; absent if none is known."
    )
    citation_count_source: OmittedIfNone[str] = None
    arxiv_id: OmittedIfNone[str] = None
    pmid: OmittedIfNone[str] = None
    pmcid: OmittedIfNone[str] = None
    type: OmittedIfNone[str] = None
    published: OmittedIfNone[str] = None
    volume: OmittedIfNone[str] = None
    issue: OmittedIfNone[str] = None
    pages: OmittedIfNone[str] = None
    publisher: OmittedIfNone[str] = None
    sources: OmittedIfNone[list[str]] = Field(None, description="All indexes that have it.")
    field_sources: OmittedIfNone[dict[str, str]] = Field(
        None, description="The index of each field, if there are several."
    )
    versions: OmittedIfNone[list[Version]] = Field(
        None, description="A preprint and its publication are one paper."
    )
    snippet: OmittedIfNone[str] = Field(None, description="The search engine's excerpt.")


class NoticeCheckMade(BaseModel):
    """Which sources were queried for retractions and corrections of these papers."""

    model_config = CAMEL

    answered: list[str]
    failed: dict[str, str]


class WorkNoticeCheck(NoticeCheckMade):
    """Which sources answered, and whether that suffices."""

    status: Literal["checked", "unchecked"] = Field(
        description="unchecked: a missing retractionStatus says nothing."
    )
    note: OmittedIfNone[str] = None


def paper_found(work: MergedWork, *, snippet: str | None = None, **more: Any) -> PaperFound:
    """Convert a merged work; `more` are fields of the citation that led to it."""
    record = work.record
    url = work_url(record) or ""
    several = len(work.sources) > 1
    fields: dict[str, Any] = {
        "is_influential": record.is_influential,
        "retraction_status": retraction_of(most_serious_notice(record.notices or ())),
        "notices": [_notice(notice) for notice in record.notices or ()] or None,
        "sources": list(work.sources) if several else None,
        "field_sources": _field_sources(work) if several else None,
        "versions": [_version(place) for place in work.places] if len(work.places) > 1 else None,
        **{name: value for name, value in more.items() if value is not None},
    }
    return PaperFound(
        title=record.title or record.doi or url,
        url=url,
        source=_best_source(work),
        doi=record.doi,
        authors=[author.name for author in record.authors] or None,
        journal=record.venue,
        year=record.year,
        abstract=cut_between_words(record.abstract, ABSTRACT_LENGTH) if record.abstract else None,
        citation_count=record.citation_count,
        citation_count_source=work.origins.get("citation_count"),
        open_access=record.open_access,
        pdf_url=pdf_url(record),
        tldr=record.tldr,
        arxiv_id=record.arxiv_id,
        pmid=record.pmid,
        pmcid=record.pmcid,
        type=record.type,
        published=record.published,
        volume=record.volume,
        issue=record.issue,
        pages=record.pages,
        publisher=record.publisher,
        snippet=snippet,
        **fields,
    )


def notice_check_made(checked: "CheckedWorks") -> NoticeCheckMade | None:
    """Report the check for notices; None if none was made."""
    if not checked.by and not checked.failures:
        return None
    return NoticeCheckMade(answered=list(checked.by), failed=failure_reasons(checked.failures))


def work_notice_check(work: "WorkIntegrity | None") -> WorkNoticeCheck | None:
    """Report the check if a source gave no answer; None if all did, or nobody was asked."""
    if work is None or not (work.failures or work.is_uncheckable):
        return None
    return WorkNoticeCheck(
        status="unchecked" if work.is_uncheckable else "checked",
        answered=list(work.integrity.checked_by),
        failed=failure_reasons(work.failures),
        note=work.integrity.note,
    )


def failure_reasons(failures: Mapping[str, ResearchError]) -> dict[str, str]:
    """The reason of each failure in one word: `timeout`, `rate_limited`, `bad_answer`."""
    return {name: error_kind(error) for name, error in failures.items()}


def search_fields(outcome: "AcademicOutcome") -> dict[str, Any]:
    """Return the fields of `academic_search` that depend on nothing but the outcome."""
    snippets = outcome.pages.snippets if outcome.pages else {}
    papers = [
        paper_found(work, snippet=snippets.get(work.record.url or "")) for work in outcome.works
    ]
    ignored = dict.fromkeys(name for names in outcome.ignored.values() for name in names)
    return {
        "papers": papers,
        "result_count": len(papers),
        "total_results": max(outcome.total, len(papers)) if papers else 0,
        "source": outcome.source,
        "sources_answered": list(outcome.used) if len(outcome.attempted) > 1 else None,
        "sources_failed": failure_reasons(outcome.failures) or None,
        "only_fallback": fallback_note(outcome.doubt),
        "notice_check": notice_check_made(outcome.checked),
        "filters_ignored": list(ignored) or None,
    }


def search_meta(outcome: "AcademicOutcome") -> dict[str, Any]:
    """Return the `_meta` fields of `academic_search`: cache, routing, ignored filters."""
    meta: dict[str, Any] = {}
    if outcome.cached:
        meta |= _cache_meta(outcome.age_seconds, outcome.max_age_seconds)
    if outcome.routed:
        from sourcewright.services.search.web_search import attempts_meta

        meta["routing"] = attempts_meta(
            outcome, cache_hit=outcome.cached, latency_ms=outcome.latency_ms
        )
    if outcome.ignored:
        meta["filtersIgnored"] = {name: list(some) for name, some in outcome.ignored.items()}
    return meta


def graph_fields(outcome: "GraphOutcome") -> dict[str, Any]:
    """Return the fields of `citation_graph` that depend on nothing but the outcome."""
    sides = {"citedBy": outcome.citing, "references": outcome.cited}
    citing, cited = _neighbours(outcome.citing), _neighbours(outcome.cited)
    return {
        "provider": outcome.provider,
        "cited_by": citing,
        "cited_by_count": _count(outcome.citing, citing),
        "cited_by_total": outcome.citing.total if outcome.citing else None,
        "references": cited,
        "references_count": _count(outcome.cited, cited),
        "references_total": outcome.cited.total if outcome.cited else None,
        "seed_paper": paper_found(outcome.seed) if outcome.seed else None,
        "sources_failed": failure_reasons(outcome.failures) or None,
        "only_fallback": fallback_note(outcome.doubt),
        "incomplete": [name for name, side in sides.items() if side and side.is_unknown] or None,
        "notice_check": notice_check_made(outcome.checked),
        "next_cursor": outcome.cursor,
    }


def graph_meta(outcome: "GraphOutcome") -> dict[str, Any]:
    """Return the `_meta` fields of `citation_graph`: the cache."""
    sides = [side for side in (outcome.citing, outcome.cited) if side is not None]
    answers = [side.answer for side in sides if side.answer is not None and side.answer.cached]
    meta: dict[str, Any] = {}
    if answers:
        age = max(answer.age_seconds for answer in answers)
        meta |= _cache_meta(age, answers[0].max_age_seconds)
    return meta


def _cache_meta(age: int, max_age: int) -> dict[str, Any]:
    label = freshness(age, max_age)
    return {"cached": True, "ageSeconds": age, "maxAgeSeconds": max_age, "freshness": label}


def _count(side: "Neighbours | None", papers: list[PaperFound] | None) -> int | None:
    """How many are listed; None where that would read as a number of citations."""
    return None if papers is None or side is None or side.is_unknown else len(papers)


def _neighbours(side: "Neighbours | None") -> list[PaperFound] | None:
    """The works of one direction; None if it was not requested, or nobody could tell them."""
    if side is None or (side.is_unknown and not side.total):
        return None
    return [
        paper_found(
            one.work,
            citation_intents=list(one.intents) or None,
            is_influential=one.is_influential,
        )
        for one in side.works
    ]


def _best_source(work: MergedWork) -> str:
    if not work.ranks:
        return work.sources[0]
    return min(work.ranks, key=lambda name: work.ranks[name])


def _field_sources(work: MergedWork) -> dict[str, str]:
    return {
        _FIELD_NAMES.get(name, name): work.origins[name]
        for name in _SOURCED_FIELDS
        if name in work.origins
    }


def _notice(notice: Notice) -> NoticeFound:
    return NoticeFound(
        kind=notice.kind,
        source=notice.source,
        asserted_by=notice.asserted_by,
        doi=notice.doi,
        date=notice.date,
        label=notice.label,
    )


def _version(place: WorkVersion) -> Version:
    return Version(
        kind="preprint" if place.is_preprint else "published",
        venue=place.venue,
        year=place.year,
        doi=place.doi,
        arxiv_id=place.arxiv_id,
        url=place.url,
        sources=list(place.sources),
    )
