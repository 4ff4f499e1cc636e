"""Response of `read_paper`: part of the text of a stored paper, and the resource of its PDF."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from sourcewright.domain.users.sessions import SessionSource
from sourcewright.reading.markdown.sections import HeadingFound
from sourcewright.reading.readings import Quality, Reading
from sourcewright.services.library.contents import PDF_TYPE, StoredPdf
from sourcewright.tools._answers.library import PDF_PROBLEM
from sourcewright.tools._answers.notices import IntegritySeen
from sourcewright.tools._answers.pages import headings_of
from sourcewright.tools._answers.text_parts import most_bytes, part_of, section_in
from sourcewright.tools._base import Answer
from sourcewright.tools._results import CAMEL, UNTRUSTED, OmittedIfNone, Trust


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRequest:
    """The requested part of a text."""

    offset: int
    max_length: int
    section: str | None


class PaperRead(Answer):
    """Part of the text of a paper, and the resource that has its PDF."""

    model_config = CAMEL

    ref: str = Field(description="The input, unchanged.")
    safekey: str
    content: str = Field(description="Markdown; `<!-- page 2 -->` is where a page begins.")
    trust: Trust = UNTRUSTED
    content_length: int
    truncated: bool
    next_offset: OmittedIfNone[int] = None
    requested_max_length: OmittedIfNone[int] = None
    page_count: OmittedIfNone[int] = None
    extraction_quality: Quality
    outline: OmittedIfNone[list[HeadingFound]] = None
    pdf_problem: OmittedIfNone[str] = Field(default=None, description=PDF_PROBLEM)
    integrity: IntegritySeen
    resource: str = Field(description="The PDF.")

    def links(self) -> tuple[Mapping[str, Any], ...]:
        link = {"type": "resource_link", "uri": self.resource, "name": f"{self.safekey}.pdf"}
        return ({**link, "mimeType": PDF_TYPE},)


def paper_answer(
    ref: str, pdf: StoredPdf, reading: Reading, request: TextRequest, integrity: IntegritySeen
) -> PaperRead:
    """Build the response with the requested part of the text.

    Raises:
        InvalidInput: The text has no such section, or ends before the offset.
    """
    content = section_in(reading.content, request.section, whole="paper")
    most = most_bytes(request.max_length)
    whole = "paper" if request.section is None else "section"
    part = part_of(content, offset=request.offset, most=most, whole=whole)
    return PaperRead(
        ref=ref,
        safekey=pdf.entry.key,
        content=part.text,
        content_length=len(part.text.encode()),
        truncated=part.next_offset is not None or reading.cut,
        next_offset=part.next_offset,
        requested_max_length=None if most == request.max_length else request.max_length,
        page_count=reading.page_count,
        extraction_quality=reading.quality,
        outline=None if request.offset else headings_of(content) or None,
        pdf_problem=pdf.problem,
        integrity=integrity,
        resource=pdf.uri,
    )


def paper_source(pdf: StoredPdf) -> SessionSource:
    entry = pdf.entry
    return SessionSource(
        url=f"https://doi.org/{entry.doi}"
        if entry.doi
        else f"https://arxiv.org/abs/{entry.arxiv_id}",
        title=entry.title,
        tag="scraped",
        author="; ".join(entry.authors),
        doi=entry.doi,
    )
