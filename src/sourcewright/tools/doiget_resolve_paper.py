"""The doiget_resolve_paper tool."""

from typing import Any, Literal

from pydantic import Field

from sourcewright.domain.identifiers import parse_reference
from sourcewright.services.research import Research
from sourcewright.services.resolving import Resolution
from sourcewright.services.surveying import STORE_SCHEMA_VERSION
from sourcewright.tools._base import Answer, Ask, Ref, tool
from sourcewright.tools._problems import AttemptMade, attempts_made
from sourcewright.tools._works import (
    Described,
    IntegritySeen,
    described,
    flaws_of,
    integrity_seen,
    open_copy,
    wire_name,
)


class PaperAsked(Ask):
    """The paper in question."""

    ref: Ref


class PaperFound(Answer):
    """The paper, and how we know."""

    ok: Literal[True] = True
    ref: str = Field(description="What was asked, word for word.")
    id: str = Field(description="The normalised id.")
    source: str = Field(description="Whose record this is.")
    resolver_profile: str
    license: str | None
    oa_url: str | None = Field(description="Null means not known, not closed.")
    oa_status: str | None
    metadata: dict[str, Any] = Field(description="The source's own record, word for word.")
    metadata_quality: list[str]
    repaired_fields: dict[str, str]
    schema_version: str
    work: Described
    integrity: IntegritySeen
    notice_for: list[str] = Field(description="DOIs that this record is itself a notice for.")
    attempts: list[AttemptMade] = Field(description="Who was asked, and what they said.")


@tool(
    title="Resolve a paper",
    toolset="papers",
    family="doiget",
    read_only=False,
    idempotent=False,
    open_world=True,
    example={"ref": "10.1371/journal.pone.0033693"},
)
async def doiget_resolve_paper(ask: PaperAsked, research: Research) -> PaperFound:
    """Resolve a DOI, arXiv id, PubMed id or PMC id to its authoritative record.

    WHEN TO USE: To check that a cited paper exists, whether it was retracted, and what it is.
    INPUTS: ref: DOI ('10.1234/abc'), arXiv id ('2401.12345'), PubMed id ('pmid:12345') or PMC id ('PMC12345'), or a URL that carries one.
    OUTPUTS: { ok: true, ref, id, source, resolver_profile, license, oa_url, oa_status, metadata, work, integrity, attempts, ... } or { ok: false, ref, error: { code, message, disposition, attempts } }. NOT_FOUND only when every source that decides has answered that there is no such record; any other code means that it could not be checked.
    COSTS: 1-4 metadata requests, usually 1-2 s. No PDF.
    SIDE EFFECTS: One provenance row per source asked. No store write.
    LIMITS: 5 requests per second across all processes. One ref per call.
    """
    resolution = await research.resolver.resolve(parse_reference(ask.ref))
    return _answer(ask.ref, resolution)


def _answer(ref: str, found: Resolution) -> PaperFound:
    work, open_access = found.work, found.open_access or found.work
    best = open_copy(found)
    return PaperFound(
        ref=ref,
        id=str(found.reference),
        source=wire_name(work.source),
        resolver_profile=wire_name(work.source),
        license=work.licence or (best.licence if best else None),
        oa_url=best.url if best else None,
        oa_status=open_access.oa_status,
        metadata=dict(work.raw),
        metadata_quality=flaws_of(str(found.reference), work),
        repaired_fields={},
        schema_version=STORE_SCHEMA_VERSION,
        work=described(work),
        integrity=integrity_seen(found.integrity),
        notice_for=list(work.notice_for),
        attempts=attempts_made(found.attempts),
    )
