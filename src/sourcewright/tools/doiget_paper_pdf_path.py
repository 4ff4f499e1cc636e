"""The doiget_paper_pdf_path tool."""

from typing import Literal

from pydantic import Field

from sourcewright.base.identifiers import parse_reference
from sourcewright.services.library.catalogue import library_key
from sourcewright.services.research import Research
from sourcewright.tools._answers.library import PDF_PROBLEM
from sourcewright.tools._answers.notices import IntegritySeen, integrity_report
from sourcewright.tools._base import Answer, Ask, Ref, tool
from sourcewright.tools._results import UNTRUSTED, OmittedIfNone, Trust


class PdfPathArguments(Ask):
    """The paper to look up."""

    ref: Ref


class PdfPathAnswer(Answer):
    """Where the paper's PDF is."""

    ok: Literal[True] = True
    ref: str = Field(description="The input, unchanged.")
    safekey: str = Field(description="Its key in the library.")
    path: str | None = Field(description="Absolute; null without an entry or a PDF.")
    pdf_exists: bool
    origin: str | None = Field(description="user-supplied: a PDF that was added manually.")
    license: str | None
    version: str | None = Field(
        description="The file's version, such as v2 on arXiv; null if unknown."
    )
    file_check: str | None = Field(
        description="Whether the file is the paper: confirmed, probable, unconfirmed."
    )
    pdf_problem: OmittedIfNone[str] = Field(default=None, description=PDF_PROBLEM)
    integrity: OmittedIfNone[IntegritySeen] = Field(
        default=None, description="Notices stored in the library."
    )
    trust: Trust = UNTRUSTED


@tool(
    title="Find a paper's PDF",
    toolset="papers",
    family="doiget",
    read_only=True,
    idempotent=True,
    open_world=False,
    example={"ref": "10.1371/journal.pone.0033693"},
)
async def doiget_paper_pdf_path(ask: PdfPathArguments, research: Research) -> PdfPathAnswer:
    """Say where the PDF of a paper is stored.

    WHEN TO USE: To pass the file of a fetched paper to a PDF reader.
    INPUTS: ref: any id of the paper, or a URL with one.
    OUTPUTS: { ok: true, path, pdf_exists, license, file_check, pdf_problem?, ... }; path is null without a PDF.
    COSTS: One small file. No network.
    SIDE EFFECTS: None.
    LIMITS: One ref per call.
    """
    reference = parse_reference(ask.ref)
    library, problem, path = research.library.catalogue, None, None
    entry = await library.find(reference)
    if entry:
        entry, problem = await library.as_found(entry)
        path = await library.pdf_path(entry)
    return PdfPathAnswer(
        ref=ask.ref,
        safekey=library_key(reference, entry),
        path=str(path) if path else None,
        pdf_exists=path is not None,
        origin=entry.holding.origin if entry and path else None,
        license=entry.holding.license if entry else None,
        file_check=entry.holding.file_check if entry and path else None,
        version=entry.holding.file_version if entry and path else None,
        pdf_problem=problem.detail if problem else None,
        integrity=integrity_report(await library.listed_integrity(entry)) if entry else None,
    )
