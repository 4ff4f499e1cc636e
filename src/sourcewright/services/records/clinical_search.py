"""Use case of `clinical_search`: searches one registry of clinical trials."""

from dataclasses import dataclass

from sourcewright.base.formats.codec import JsonCodec
from sourcewright.domain.calls import note_source
from sourcewright.domain.capabilities import SearchesTrials
from sourcewright.domain.records.trial_names import study_url
from sourcewright.domain.records.trials import TrialPage, TrialQuery
from sourcewright.domain.search.hints import ZeroResultHints
from sourcewright.domain.users.sessions import SessionSource
from sourcewright.services.records.sources import HOUR, RecordKind, RecordOutcome, RecordSources

_TRIALS = RecordKind(
    name="trials",
    codec=JsonCodec(TrialPage),
    keep=lambda page: bool(page.trials),
    ttl_seconds=6 * HOUR,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClinicalSearch:
    """Searches registered trials."""

    records: RecordSources

    async def search(self, query: TrialQuery, provider: str | None) -> RecordOutcome[TrialPage]:
        """Run a search.

        Raises:
            NotConfigured: The requested registry is unusable.
            UpstreamError: The registry did not return a usable answer.
        """
        name, registry = self.records.choose(SearchesTrials, provider)
        answer = await self.records.ask(
            name, _TRIALS, {"query": query}, lambda: registry.search_trials(query)
        )
        for trial in answer.value.trials:
            note_source(
                SessionSource(
                    url=study_url(trial.nct_id),
                    title=trial.title,
                    author=trial.sponsor,
                    date=trial.start_date,
                    source_type="government",
                )
            )
        hints = None if answer.value.trials else self._hints(name, query)
        return RecordOutcome(provider=name, answer=answer, hints=hints)

    def _hints(self, name: str, query: TrialQuery) -> ZeroResultHints:
        filters = {
            "status": ",".join(query.statuses),
            "phase": ",".join(query.phases),
            "condition": query.condition,
            "intervention": query.intervention,
            "sponsor": query.sponsor,
        }
        return self.records.hints(SearchesTrials, name, filters)
