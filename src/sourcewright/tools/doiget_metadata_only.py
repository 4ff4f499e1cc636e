"""The doiget_metadata_only tool."""

from typing import Any, Literal

from pydantic import Field

from sourcewright.domain.identifiers import parse_reference
from sourcewright.services.research import Research
from sourcewright.tools._base import Answer, Ask, Ref, tool
from sourcewright.tools._papers import Preview
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


class RecordWanted(Ask):
    """The paper whose record is wanted."""

    ref: Ref
    dry_run: bool = Field(False, description="Say what would be done, and do none of it.")


class RecordKept(Answer):
    """The record, now in the library. No publisher was asked for a PDF."""

    ok: Literal[True] = True
    ref: str
    id: str = Field(description="The normalised id.")
    source: str
    resolver_profile: str
    license: str
    oa_url: str | None = Field(description="Null means not known, not closed. Never followed.")
    oa_status: str | None
    metadata: dict[str, Any] = Field(description="The source's own record, word for word.")
    metadata_quality: list[str]
    repaired_fields: dict[str, str]
    schema_version: str
    work: Described
    integrity: IntegritySeen
    path: str = Field(description="The metadata file in the store.")
    attempts: list[AttemptMade]


@tool(
    title="Keep a paper's record",
    toolset="papers",
    family="doiget",
    read_only=False,
    idempotent=False,
    open_world=True,
    example={"ref": "10.1371/journal.pone.0033693"},
)
async def doiget_metadata_only(ask: RecordWanted, research: Research) -> RecordKept | Preview:
    """Resolve a paper and keep its record, without its PDF.

    WHEN TO USE: User wants metadata for a DOI / arXiv id without paying for or being noticed by a PDF download.
    INPUTS: ref (DOI or arXiv id), dry_run (optional bool).
    OUTPUTS: { ok: true, ref, source, license, oa_url: string|null, metadata, work, integrity, path, attempts } or { ok: false, ref, error }.
    COSTS: 1-2 s metadata round-trip. No publisher fetch.
    SIDE EFFECTS: Appends provenance rows (unless dry_run). Writes the metadata TOML to the store.
    LIMITS: Subject to the same rate cap as doiget_fetch_paper (5/sec). The OA URL is reported but never followed.
    """
    reference = parse_reference(ask.ref)
    if ask.dry_run:
        return Preview.model_validate(research.papers.preview(reference))
    kept, found = await research.papers.describe(reference)
    copy = open_copy(found)
    return RecordKept(
        ref=ask.ref,
        id=str(kept.reference),
        source=wire_name(found.work.source),
        resolver_profile=wire_name(found.work.source),
        license=found.work.licence or (copy and copy.licence) or "unknown",
        oa_url=copy.url if copy else None,
        oa_status=(found.open_access or found.work).oa_status,
        metadata=dict(found.work.raw),
        metadata_quality=flaws_of(str(kept.reference), found.work),
        repaired_fields={},
        schema_version=kept.entry.schema_version,
        work=described(found.work),
        integrity=integrity_seen(found.integrity),
        path=str(kept.path),
        attempts=attempts_made(kept.attempts or ()),
    )
