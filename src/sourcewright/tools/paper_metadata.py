"""The paper_metadata tool."""

from pydantic import Field

from sourcewright.base.identifiers import ArxivId
from sourcewright.domain.papers.entries import inverted_name
from sourcewright.services.papers.description import Description
from sourcewright.services.research import Research
from sourcewright.tools._answers.downloads import Identifier
from sourcewright.tools._base import Answer, Ask, tool
from sourcewright.tools._failures.paper import SourceTried, source_outcomes
from sourcewright.tools._results import UNTRUSTED, OmittedIfNone, Trust

_WIRE = {"venue": "journal"}


class MetadataArguments(Ask):
    """The paper to describe."""

    identifier: Identifier


class MetadataAnswer(Answer):
    """What is known about the paper."""

    doi: str
    title: str | None
    year: int | None
    authors: list[str]
    journal: str | None
    volume: OmittedIfNone[str] = None
    issue: OmittedIfNone[str] = None
    pages: OmittedIfNone[str] = None
    publisher: str | None
    type: str | None
    is_oa: bool | None = Field(description="According to field_sources.is_oa; null if unknown.")
    available_sources: list[str] = Field(
        description="Sources that list an open copy, and mirrors if the year suggests them."
    )
    integrity: str = Field(
        description="Notices about the paper, such as a retraction; unchecked: no source was queried or answered."
    )
    integrity_note: OmittedIfNone[str] = Field(
        None, description="Why integrity may be incomplete or outdated, or who says what."
    )
    field_sources: dict[str, str] = Field(description="The source of each field.")
    checked: list[SourceTried]
    trust: Trust = UNTRUSTED


@tool(
    title="Describe a paper",
    toolset="downloads",
    family="paper",
    read_only=True,
    idempotent=True,
    open_world=True,
    example={"identifier": "10.1371/journal.pone.0033693"},
)
async def paper_metadata(ask: MetadataArguments, research: Research) -> MetadataAnswer:
    """Look up a paper without downloading it.

    WHEN TO USE: The user wants a paper's metadata, or to know whether it can be downloaded.
    OUTPUTS: JSON with the metadata, available_sources and the source of each field; or { doi, error, ... }. "Metadata not available" means that there is no such paper; "Metadata could not be checked" means that a source did not answer.
    """
    return _response(await research.papers.downloads.describe(ask.identifier))


def _response(description: Description) -> MetadataAnswer:
    work, origins = description.pooled.work, description.pooled.origins
    reference = description.reference
    return MetadataAnswer(
        doi=str(reference.doi if isinstance(reference, ArxivId) else reference),
        title=work.title,
        year=work.year,
        authors=[inverted_name(author) for author in work.authors],
        journal=work.venue,
        volume=work.volume,
        issue=work.issue,
        pages=work.pages,
        publisher=work.publisher,
        type=work.type,
        is_oa=description.is_open,
        available_sources=list(description.offered_by),
        integrity=description.integrity.status,
        integrity_note=description.integrity.note,
        field_sources={_WIRE.get(name, name): who for name, who in origins.items()}
        | ({"is_oa": description.openness_by} if description.openness_by else {}),
        checked=list(source_outcomes(one for one in description.attempts if one.consulted)),
    )
