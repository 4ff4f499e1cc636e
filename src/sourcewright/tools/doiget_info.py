"""The doiget_info tool."""

from typing import Any, Literal

from pydantic import Field

from sourcewright.base.identifiers import parse_reference
from sourcewright.services.library.catalogue import library_key
from sourcewright.services.research import Research
from sourcewright.tools._answers.library import PDF_PROBLEM, stored_fields
from sourcewright.tools._answers.notices import IntegritySeen, integrity_report
from sourcewright.tools._base import Answer, Ask, Ref, tool
from sourcewright.tools._results import UNTRUSTED, OmittedIfNone, Trust


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
    pdf_problem: OmittedIfNone[str] = Field(default=None, description=PDF_PROBLEM)
    trust: Trust = UNTRUSTED


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

    WHEN TO USE: To see whether a paper is in the library, and its stored metadata, tags and note.
    INPUTS: ref: any id of the paper, or a URL with one.
    OUTPUTS: { ok: true, safekey, metadata, integrity?, pdf_problem? }; metadata is null without an entry.
    COSTS: One small file. No network.
    SIDE EFFECTS: None.
    LIMITS: A PubMed id is found only if the paper was fetched by it.
    """
    reference = parse_reference(ask.ref)
    entry = await research.library.catalogue.find(reference)
    if entry is None:
        return InfoAnswer(ref=ask.ref, safekey=library_key(reference, None), metadata=None)
    actual, problem = await research.library.catalogue.as_found(entry)
    return InfoAnswer(
        ref=ask.ref,
        safekey=entry.key,
        metadata=stored_fields(actual),
        integrity=integrity_report(await research.library.catalogue.listed_integrity(entry)),
        missing_pdf=None if actual.pdf_path else entry.pdf_path,
        pdf_problem=problem.detail if problem else None,
    )
