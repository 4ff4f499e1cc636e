"""Use case of `legal_search`: court cases by citation, by name or by words."""

from dataclasses import dataclass, replace

from sourcewright.base.formats.codec import JsonCodec
from sourcewright.domain.calls import note_source
from sourcewright.domain.capabilities import SearchesCases
from sourcewright.domain.records.case_citations import (
    best_first,
    bluebook,
    case_name_in,
    citation_in,
    same_citation,
)
from sourcewright.domain.records.cases import Case, CaseQuery, CaseResults
from sourcewright.domain.search.hints import OTHER_WORDS, ZeroResultHints, with_expected_values
from sourcewright.domain.users.sessions import SessionSource
from sourcewright.services.cache import Cached
from sourcewright.services.records.sources import DAY, RecordKind, RecordOutcome, RecordSources

_OTHER_CITATION = "check the citation, or search for the name of the case"
_COURT_IDS = "ids of courts, not their names: scotus, ca9, ny"
_CASES = RecordKind(
    name="cases",
    codec=JsonCodec(CaseResults),
    keep=lambda results: bool(results.cases),
    ttl_seconds=DAY,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalSearch:
    """Searches court cases."""

    records: RecordSources

    async def search(self, query: CaseQuery, provider: str | None) -> RecordOutcome[CaseResults]:
        """Run a search; a case that the text names or cites comes first.

        Raises:
            NotConfigured: The requested source is unusable.
            UpstreamError: The source did not return a usable answer.
        """
        name, source = self.records.choose(SearchesCases, provider)
        citation = citation_in(query.text)
        case_query = replace(query, citation=citation, name=case_name_in(query.text))
        answer = await self._ask(name, source, case_query)
        if not answer.value.cases and (case_query.citation or case_query.name):
            # Text that looks like a citation or a name may still be plain words.
            answer = await self._ask(name, source, query)
        cases = best_first(answer.value.cases, name=case_query.name, citation=citation)
        cases = cases[: query.limit]
        _note(cases)
        return RecordOutcome(
            provider=name,
            answer=replace(answer, value=replace(answer.value, cases=cases)),
            hints=None if cases else self._hints(name, case_query),
        )

    async def with_citation(self, citation: str) -> tuple[Case, ...]:
        """Return the cases with a reporter citation such as `384 U.S. 436`.

        None means that the source has no such case, which does not prove that none exists.

        Raises:
            NotConfigured: No source of cases is usable.
            UpstreamError: The source did not return a usable answer.
        """
        name, source = self.records.choose(SearchesCases, None)
        normalised = citation_in(citation)
        if normalised is None:
            return ()
        query = CaseQuery(text=normalised, limit=20, citation=normalised)
        answer = await self._ask(name, source, query)
        return tuple(
            case
            for case in answer.value.cases
            if any(same_citation(one, normalised) for one in case.citations)
        )

    async def _ask(
        self, name: str, source: SearchesCases, query: CaseQuery
    ) -> Cached[CaseResults]:
        async def ask() -> CaseResults:
            results = await source.search_cases(query)
            # An unknown court id is ignored by some sources, which then return cases of any court.
            courts = query.courts
            fitting = [one for one in results.cases if not courts or one.court_id in courts]
            return (
                results
                if len(fitting) == len(results.cases)
                else CaseResults(cases=tuple(fitting), total=None)
            )

        return await self.records.ask(name, _CASES, {"query": query}, ask)

    def _hints(self, name: str, query: CaseQuery) -> ZeroResultHints:
        filters = {
            "jurisdiction": " ".join(query.courts),
            "date_from": query.date_from,
            "date_to": query.date_to,
        }
        rephrasing = _OTHER_CITATION if query.citation else OTHER_WORDS
        hints = self.records.hints(SearchesCases, name, filters, rephrasing=rephrasing)
        return with_expected_values(hints, "jurisdiction", _COURT_IDS)


def _note(cases: tuple[Case, ...]) -> None:
    for case in cases:
        note_source(
            SessionSource(
                url=case.url,
                title=bluebook(case) or case.name,
                author=case.court,
                date=case.date_filed,
                source_type="government",
            )
        )
