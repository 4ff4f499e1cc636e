"""Claim check: whether a cited source addresses the claim that it is cited for."""

from dataclasses import dataclass, replace

from sourcewright.base.errors import Denied, InvalidInput, ResearchError
from sourcewright.domain.calls import note_source
from sourcewright.domain.claims.evidence import evidence_for
from sourcewright.domain.web.claims import ClaimOutcome
from sourcewright.services.pages.reader import PageReader
from sourcewright.services.pages.scrape_page import PageNotice, page_source

MAX_TEXT = 50_000
"""Characters of a source that are compared with a claim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimChecker:
    """Reads sources and compares them with claims."""

    reader: PageReader

    async def check(
        self, claim: str, urls: tuple[str, ...], *, without: str | None = None
    ) -> ClaimOutcome:
        """Compare the first of these pages that can be read with the claim.

        Sentences that are or hold the title `without` are no evidence.
        """
        problem = "no page of this source is known"
        for url in urls:
            try:
                read = (await self.reader.read(url)).value
            except (ResearchError, Denied, InvalidInput) as error:
                problem = str(error)
                continue
            evidence = evidence_for(read.reading.content[:MAX_TEXT], claim, without=without)
            source = page_source(url, read, PageNotice())
            is_used = evidence.status != "not_addressed"
            note_source(replace(source, use="used") if is_used else source)
            return ClaimOutcome(claim=claim, support=evidence.status, evidence=evidence, url=url)
        return ClaimOutcome(claim=claim, support="source_unavailable", problem=problem)
