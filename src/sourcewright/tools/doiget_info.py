"""The doiget_info tool."""

from typing import Any, Literal

from pydantic import Field

from sourcewright.domain.papers.identifiers import parse_reference
from sourcewright.services.library.catalogue import library_key
from sourcewright.services.research import Research
from sourcewright.tools._answers.library import stored_fields
from sourcewright.tools._answers.notices import IntegritySeen, integrity_report
from sourcewright.tools._base import Answer, Ask, Ref, tool
from sourcewright.tools._results import OmittedIfNone


class InfoArguments(Ask):
    """The paper to look up."""

    ref: Ref


class InfoAnswer(Answer):
    """What the library says about the paper."""

    ok: Literal[True] = True
    ref: str = Field(description="The input, unchanged.")
    safekey: str = Field(description="Its key in the library.")
    metadata: dict[str, Any] | None = Field(description="Null if the library has no entry.")
    integrity: OmittedIfNone[IntegritySeen] = Field(
        default=None, description="Notices stored in the library."
    )
    missing_pdf: OmittedIfNone[str] = Field(
        default=None, description="The PDF of the entry, if it is missing."
    )


@tool(
    title="Show a paper in the library",
    toolset="papers",
    family="doiget",
    read_only=True,
    idempotent=True,
    open_world=False,
    example={"ref": "10.1371/journal.pone.0033693"},
)
async def doiget_info(ask: InfoArguments, research: Research) -> InfoAnswer:
    """Show what the library has stored about a paper.

    WHEN TO USE: To read the stored metadata, tags and note of a paper, or to see whether it is in the library, without network.
    INPUTS: ref: any id of the paper, or a URL with one.
    OUTPUTS: { ok: true, ref, safekey, metadata, integrity?, missing_pdf? } with metadata null if there is no entry (not an error), or { ok: false, ref, error }.
    COSTS: One small file. No network.
    SIDE EFFECTS: None.
    LIMITS: A PubMed id is found only if the paper was fetched by it.
    """
    reference = parse_reference(ask.ref)
    entry = await research.library.catalogue.find(reference)
    if entry is None:
        return InfoAnswer(ref=ask.ref, safekey=library_key(reference, None), metadata=None)
    real = await research.library.catalogue.without_missing_file(entry)
    return InfoAnswer(
        ref=ask.ref,
        safekey=entry.key,
        metadata=stored_fields(real),
        integrity=integrity_report(await research.library.catalogue.listed_integrity(entry)),
        missing_pdf=None if real.pdf_path else entry.pdf_path,
    )
