"""The doiget_metadata_only tool."""

import asyncio

from pydantic import Field

from sourcewright.base.identifiers import parse_reference
from sourcewright.services.papers.resolution import licence_of
from sourcewright.services.research import Research
from sourcewright.tools._answers.notices import integrity_report
from sourcewright.tools._answers.papers import (
    Preview,
    RecordAnswer,
    record_fields,
    short_metadata,
)
from sourcewright.tools._base import Ask, Ref, tool
from sourcewright.tools._failures.doiget import due_attempts


class RecordArguments(Ask):
    """The paper whose record to store."""

    ref: Ref
    dry_run: bool = False


class StoredRecord(RecordAnswer):
    """The record, now in the library. No publisher was asked for a PDF."""

    license: str = Field(description="`unknown` if no source states one.")
    path: str = Field(description="The metadata file in the store.")


@tool(
    title="Store a paper's record",
    toolset="papers",
    family="doiget",
    read_only=False,
    idempotent=False,
    open_world=True,
    example={"ref": "10.1371/journal.pone.0033693"},
)
async def doiget_metadata_only(ask: RecordArguments, research: Research) -> StoredRecord | Preview:
    """Resolve a paper and keep its record, without its PDF.

    WHEN TO USE: User wants metadata for a DOI / arXiv id without paying for or being noticed by a PDF download.
    INPUTS: ref (DOI or arXiv id), dry_run (optional bool).
    OUTPUTS: { ok: true, ref, source, license, oa_url: string|null, metadata (without references), ... }.
    COSTS: 1-2 s metadata round-trip. No publisher fetch.
    SIDE EFFECTS: Appends a provenance row tagged 'metadata-only' (unless dry_run). Writes the metadata TOML to the store.
    LIMITS: Max 5 fetches/sec. The OA URL is reported but never followed.
    """
    reference = parse_reference(ask.ref)
    if ask.dry_run:
        return Preview.model_validate(research.papers.doiget.preview(reference))
    stored, resolved = await research.papers.doiget.describe(reference)
    # In a thread, because a record of thousands of authors must not block other calls.
    fields = await asyncio.to_thread(record_fields, ask.ref, resolved) | {
        **due_attempts(stored.attempts or ()),
        "integrity": integrity_report(stored.integrity),
    }
    fields |= await short_metadata(fields["metadata"], research.papers.artifacts)
    return StoredRecord(**fields, license=licence_of(resolved) or "unknown", path=str(stored.path))
