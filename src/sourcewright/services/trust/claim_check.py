"""Claim check: whether a cited source addresses the claim that it is cited for."""

from dataclasses import dataclass
from typing import Literal

from sourcewright.domain.claims import ClaimEvidence, Coverage
from sourcewright.domain.errors import Denied, InvalidInput, ResearchError
from sourcewright.domain.links import LinkCheck
from sourcewright.domain.scholar import WorkRecord
from sourcewright.logic.claims.evidence import evidence_for
from sourcewright.services.pages.reader import PageReader

ClaimSupport = Coverage | Literal["source_unavailable"]
MAX_TEXT = 50_000
"""Characters of a source that are compared with a claim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimOutcome:
    """How much of a claim a source addresses; never whether it supports it."""

    claim: str
    support: ClaimSupport
    evidence: ClaimEvidence | None = None
    url: str | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimChecker:
    """Reads sources and compares them with claims."""

    reader: PageReader

    async def check(self, claim: str, urls: tuple[str, ...]) -> ClaimOutcome:
        """Compare the first of these pages that can be read with the claim."""
        problem = "no page of this source is known"
        for url in urls:
            try:
                read = (await self.reader.read(url)).value
            except (ResearchError, Denied, InvalidInput) as error:
                problem = str(error)
                continue
            evidence = evidence_for(read.reading.content[:MAX_TEXT], claim)
            return ClaimOutcome(claim=claim, support=evidence.status, evidence=evidence, url=url)
        return ClaimOutcome(claim=claim, support="source_unavailable", problem=problem)


def source_urls(
    url: str | None, link: LinkCheck | None, record: WorkRecord | None
) -> tuple[str, ...]:
    """Where a source may be read: its live page, its snapshot, an open copy, its record's page."""
    is_dead = link is not None and link.state == "dead"
    snapshot = link.snapshot.url if link is not None and link.snapshot else None
    copies = [copy.url for copy in record.copies] if record else []
    own = record.url if record else None
    doi = f"https://doi.org/{record.doi}" if record and record.doi else None
    urls = (None if is_dead else url, snapshot, *copies[:1], own, doi)
    return tuple(dict.fromkeys(one for one in urls if one))
