"""Arguments of the `paper_*` tools, and the response about a downloaded paper."""

from typing import Annotated

from pydantic import BaseModel, Field

from sourcewright.base.identifiers import ArxivId
from sourcewright.domain.papers.first_pages import (
    KEPT_STATUSES,
    NOT_CONFIRMED,
    UNCONFIRMED,
    KeptStatus,
)
from sourcewright.services.papers.download import Download
from sourcewright.tools._failures.paper import SourceTried, source_outcomes
from sourcewright.tools._results import OmittedIfNone

Identifier = Annotated[
    str,
    Field(
        min_length=5,
        max_length=500,
        description="DOI, or URL at the publisher, doi.org, arXiv, PubMed or PMC.",
    ),
]
OutputDir = Annotated[
    str,
    Field(
        min_length=1,
        max_length=4096,
        description="Inside the working directory, home folder or PAPER_ALLOWED_DIRS.",
    ),
]
DEFAULT_DIR = "./downloads"
NO_NOTICE = "no_notice_found"
"""Integrity status of a paper that was checked and has no notice."""


class PaperSaved(BaseModel):
    """One downloaded paper."""

    doi: str
    title: str | None
    year: int | None
    journal: str | None
    path: str = Field(description="Absolute path of the PDF.")
    filename: str
    size_kb: float
    source: str = Field(description="Source of the copy.")
    location: str = Field(description="URL of the file.")
    preprint: str | None = Field(description="Id of the preprint, if the file is one.")
    seconds: float
    reused: bool = Field(description="The same file was already present.")
    file_check: KeptStatus = Field(
        description="Whether the file is this paper. unconfirmed: a scan without text from the paper's own location, neither confirmed nor contradicted."
    )
    file_evidence: list[str]
    integrity: str = Field(description="Notices about the paper, such as a retraction.")
    integrity_note: OmittedIfNone[str] = Field(
        None, description="Why integrity may be incomplete or outdated, or who says what."
    )

    def warning(self) -> str | None:
        """Return the warning for a file that could not be confirmed."""
        return NOT_CONFIRMED if self.file_check == UNCONFIRMED else None

    def as_line(self) -> str:
        """Return the paper as one line of a list."""
        file_line = f"{self.filename} ({self.size_kb:.1f} KB, {self.source}): {self.path}"
        return "; ".join(filter(None, (file_line, self.warning())))


def saved_paper(download: Download, seconds: float) -> PaperSaved:
    """Convert a download to the response format."""
    work = download.work
    return PaperSaved(
        doi=doi_of(download),
        title=work.title,
        year=work.year,
        journal=work.venue,
        path=str(download.path),
        filename=download.path.name,
        size_kb=round(download.size_bytes / 1024, 1),
        source=download.source,
        location=download.location,
        preprint=download.preprint,
        seconds=round(seconds, 2),
        reused=download.reused,
        file_check=KEPT_STATUSES[download.check.status],
        file_evidence=list(download.check.evidence),
        integrity=download.integrity.status,
        integrity_note=download.integrity.note,
    )


def doi_of(download: Download) -> str:
    """Return the DOI of the paper; arXiv registers one for each of its papers."""
    reference = download.reference
    return str(reference.doi if isinstance(reference, ArxivId) else reference)


def consulted_sources(download: Download) -> list[SourceTried]:
    return list(source_outcomes(one for one in download.attempts if one.consulted))
