"""The doiget_resolve_paper tool."""

import asyncio
from dataclasses import replace

from sourcewright.base.identifiers import parse_reference
from sourcewright.services.papers.resolution import licence_of
from sourcewright.services.research import Research
from sourcewright.tools._answers.papers import (
    RecordAnswer,
    record_fields,
    short_metadata,
)
from sourcewright.tools._base import Ask, Ref, tool


class ResolveArguments(Ask):
    """The paper to look up."""

    ref: Ref


class ResolveAnswer(RecordAnswer):
    """The paper, and the sources that confirm it."""

    license: str | None


@tool(
    title="Resolve a paper",
    toolset="papers",
    family="doiget",
    read_only=True,
    idempotent=True,
    open_world=True,
    example={"ref": "10.1371/journal.pone.0033693"},
)
async def doiget_resolve_paper(ask: ResolveArguments, research: Research) -> ResolveAnswer:
    """Resolve a DOI, arXiv id, PubMed id or PMC id to its authoritative record.

    WHEN TO USE: To check whether a cited paper exists or was retracted, and get its metadata.
    INPUTS: ref: DOI, arXiv id, 'pmid:12345', 'PMC12345', or a URL with one.
    OUTPUTS: { ok: true, ref, source, license, oa_url, metadata (without references; metadata_resource has all), integrity, attempts, ... }. NOT_FOUND only if every deciding source answered that there is none; any other code: it could not be checked.
    COSTS: 1-4 metadata requests, usually 1-2 s. No PDF.
    SIDE EFFECTS: One provenance row per queried source.
    LIMITS: 5 requests/sec. One ref per call.
    """
    resolved = await research.papers.resolver.resolve(parse_reference(ask.ref))
    known = await research.papers.notices.with_stored(resolved.reference, resolved.integrity)
    # In a thread, because a record of thousands of authors must not block other calls.
    fields = await asyncio.to_thread(record_fields, ask.ref, replace(resolved, integrity=known))
    fields |= await short_metadata(fields["metadata"], research.papers.artifacts)
    return ResolveAnswer(**fields, license=licence_of(resolved))
