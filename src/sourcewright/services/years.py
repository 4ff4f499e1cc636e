"""In which year a DOI was published, asked once and in little time."""

from collections import OrderedDict
from dataclasses import replace

from sourcewright.domain.calls import hurried
from sourcewright.domain.evidence import Attempt
from sourcewright.domain.identifiers import Doi
from sourcewright.domain.ports import Clock
from sourcewright.domain.works import Work
from sourcewright.services.recording import Asked, Inquiry
from sourcewright.services.resolving import Described, Resolver

SECONDS = 5.0
"""How long is waited for a year; a route must not cost more than it saves."""

_WHO = "crossref"
_MOST = 500
"""Records that are remembered."""


class Years:
    """Asks Crossref, and remembers what it said; a failure is not remembered."""

    def __init__(self, resolver: Resolver, clock: Clock) -> None:
        self._resolver = resolver
        self._clock = clock
        self._known: OrderedDict[Doi, Work] = OrderedDict()

    async def ask(self, doi: Doi, inquiry: Inquiry) -> Described:
        """Crossref's record, which tells the year; empty when it may not be asked.

        Raises:
            LogError: What was asked could not be recorded.
        """
        if doi in self._known:
            self._known.move_to_end(doi)
            attempt = Attempt(
                source=_WHO, outcome="consulted_resolved", detail="asked a while ago"
            )
            return {_WHO: Asked(attempt=attempt, answer=self._known[doi])}
        with hurried(SECONDS, self._clock):
            described = await self._resolver.ask_first(doi, inquiry, _WHO)
        for asked in described.values():
            if asked.answer is not None:
                self._remember(doi, asked.answer)
        return described

    def _remember(self, doi: Doi, work: Work) -> None:
        # The source's own record is many times as large as what is used of it.
        self._known[doi] = replace(work, raw={})
        if len(self._known) > _MOST:
            self._known.popitem(last=False)
