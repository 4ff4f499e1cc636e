"""Use case of `filing_search`: filings of a company, full-text search, or reported figures."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from sourcewright.base.errors import NotFound
from sourcewright.base.formats.codec import JsonCodec
from sourcewright.domain.calls import note_source
from sourcewright.domain.capabilities import ReportsFacts, SearchesFilings
from sourcewright.domain.records.filers import without_form
from sourcewright.domain.records.filings import CompanyFacts, Filer, FilingPage, FilingQuery
from sourcewright.domain.search.absence import SourceReply, doubt_about
from sourcewright.domain.search.hints import SuggestedAction, ZeroResultHints
from sourcewright.domain.users.sessions import SessionSource
from sourcewright.services.cache import Cached
from sourcewright.services.records.filers import FilerLookup, ResolvedFiler
from sourcewright.services.records.sources import (
    DAY,
    SEARCH_SECONDS,
    RecordKind,
    RecordOutcome,
    RecordSources,
)

T = TypeVar("T", FilingPage, CompanyFacts)

_LIST = RecordKind(
    name="filings",
    codec=JsonCodec(FilingPage),
    keep=lambda page: bool(page.filings),
    ttl_seconds=DAY,
    timeout_seconds=30.0,
)
_FULL_TEXT = replace(_LIST, name="text", timeout_seconds=SEARCH_SECONDS)
_FACTS = RecordKind(
    name="facts",
    codec=JsonCodec(CompanyFacts),
    keep=lambda results: bool(results.facts),
    ttl_seconds=DAY,
    timeout_seconds=60.0,
)
_NO_FILINGS = FilingPage(filings=())
_OTHER_NAME = SuggestedAction(
    action="rephrase_query",
    detail="check the ticker, or give the company's name or CIK as query instead",
)
"""Without its ticker the request would have no company, and other filters are not the cause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilingOutcome(Generic[T]):
    """The filings or figures, and the company."""

    outcome: RecordOutcome[T]
    resolved: ResolvedFiler = field(default_factory=ResolvedFiler)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilingSearch:
    """Searches filings."""

    records: RecordSources
    filers: FilerLookup

    async def filings(
        self, query: FilingQuery, ticker: str | None, provider: str | None
    ) -> FilingOutcome[FilingPage]:
        """Return the filings of the company that the query names, else those with its words.

        Raises:
            NotConfigured: The requested source is unusable.
            UpstreamError, NoSourceAnswered: The source did not return a usable answer.
        """
        name, source = self.records.choose(SearchesFilings, provider)
        query, resolved = await self._resolve_with_form(query, ticker, provider)
        if resolved.filer is not None:
            company_query = replace(query, cik=resolved.filer.cik, text=None)
            answer = await self._ask(
                name, _LIST, company_query, lambda: source.list_filings(company_query)
            )
        elif resolved.is_ambiguous or ticker is not None:
            # Whose filings are wanted is known to the caller alone.
            answer = _LIST.without_asking(_NO_FILINGS)
        else:
            answer = await self._ask(name, _FULL_TEXT, query, lambda: source.search_filings(query))
        page = answer.value
        _require_decision(name, resolved, has_results=bool(page.filings))
        _note(page)
        hints = None if page.filings else self._hints(name, query, ticker, resolved)
        outcome = RecordOutcome(provider=name, answer=answer, hints=hints)
        resolution = replace(resolved, filer=page.filer or resolved.filer)
        return FilingOutcome(outcome=outcome, resolved=_known(resolution, "filings"))

    async def facts(
        self, query: FilingQuery, ticker: str | None, provider: str | None
    ) -> FilingOutcome[CompanyFacts]:
        """Return the headline figures of the company that the query names.

        Raises:
            NotConfigured: The requested source is unusable.
            UpstreamError, NoSourceAnswered: The source did not return a usable answer.
        """
        name, source = self.records.choose(ReportsFacts, provider)
        resolved = await self._resolve(query, ticker, provider)
        if resolved.filer is None:
            answer = _FACTS.without_asking(CompanyFacts(filer=Filer(cik="", name=""), facts=()))
        else:
            answer = await self._ask_facts(name, source, resolved.filer)
            known = replace(resolved.filer, name=resolved.filer.name or answer.value.filer.name)
            resolved = _known(replace(resolved, filer=known), "figures in XBRL")
        _require_decision(name, resolved, has_results=bool(answer.value.facts))
        hints = None if answer.value.facts else self._hints(name, query, ticker, resolved)
        if answer.value.facts and resolved.filer is not None:
            note_source(_page_of(resolved.filer))
        outcome = RecordOutcome(provider=name, answer=answer, hints=hints)
        return FilingOutcome(outcome=outcome, resolved=resolved)

    async def _resolve_with_form(
        self, query: FilingQuery, ticker: str | None, provider: str | None
    ) -> tuple[FilingQuery, ResolvedFiler]:
        """Resolve a query that may name a form beside the company."""
        name_and_form = (
            without_form(query.text or "") if query.form is None and ticker is None else None
        )
        if name_and_form is not None:
            company, form = name_and_form
            resolved = await self.filers.by_query(provider, company)
            if resolved.filer is not None or resolved.is_ambiguous:
                return replace(query, form=form), resolved
        return query, await self._resolve(query, ticker, provider)

    async def _resolve(
        self, query: FilingQuery, ticker: str | None, provider: str | None
    ) -> ResolvedFiler:
        if ticker is not None:
            return await self.filers.by_ticker(provider, ticker)
        return await self.filers.by_query(provider, query.text or "")

    async def _ask(
        self,
        name: str,
        kind: RecordKind[FilingPage],
        query: FilingQuery,
        work: Callable[[], Awaitable[FilingPage]],
    ) -> Cached[FilingPage]:
        try:
            return await self.records.ask(name, kind, {"query": query}, work)
        except NotFound:  # the number is no filer's
            return _LIST.without_asking(_NO_FILINGS)

    async def _ask_facts(
        self, name: str, source: ReportsFacts, filer: Filer
    ) -> Cached[CompanyFacts]:

        async def ask() -> CompanyFacts:
            return await source.report_facts(filer.cik)

        try:
            return await self.records.ask(name, _FACTS, {"cik": filer.cik}, ask)
        except NotFound:  # the company reports no figures in XBRL
            return _FACTS.without_asking(CompanyFacts(filer=filer, facts=()))

    def _hints(
        self, name: str, query: FilingQuery, ticker: str | None, resolved: ResolvedFiler
    ) -> ZeroResultHints:
        filters = {
            "form_type": query.form,
            "date_from": query.date_from,
            "date_to": query.date_to,
            "ticker": ticker,
        }
        hints = self.records.hints(SearchesFilings, name, filters)
        if ticker is not None and resolved.filer is None:
            return replace(hints, suggested_actions=(_OTHER_NAME,))
        if not resolved.candidates:
            return hints
        candidates = "; ".join(f"{one.name} (CIK {one.cik})" for one in resolved.candidates)
        action = SuggestedAction(
            action="rephrase_query", detail=f"give the CIK of one of these companies: {candidates}"
        )
        return replace(hints, suggested_actions=(action, *hints.suggested_actions[:2]))


def _require_decision(name: str, resolved: ResolvedFiler, *, has_results: bool) -> None:
    """Raise if nothing was found, and the source could not say which company is meant."""
    failure = doubt_about(
        [SourceReply(source=name, has_results=has_results, error=resolved.failure)],
        "no filing source answered",
    )
    if failure is not None:
        raise failure


def _known(resolved: ResolvedFiler, records: str) -> ResolvedFiler:
    """The filer, unless it is a number for which nothing is filed and no name is known."""
    if resolved.filer is None or resolved.filer.name:
        return resolved
    return ResolvedFiler(warning=f"there are no {records} of CIK {resolved.filer.cik}")


def _note(page: FilingPage) -> None:
    for filing in page.filings:
        note_source(
            SessionSource(
                url=filing.url,
                title=f"{filing.company}: {filing.form} {filing.period or filing.filed}",
                author=filing.company,
                date=filing.filed,
                source_type="government",
            )
        )


def _page_of(filer: Filer) -> SessionSource:
    return SessionSource(
        url=f"https://www.sec.gov/edgar/browse/?CIK={int(filer.cik)}",
        title=f"{filer.name}: reported figures",
        author=filer.name,
        source_type="government",
    )
