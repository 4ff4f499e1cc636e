"""The paper_download tool."""

from collections.abc import Iterator

from pydantic import Field

from sourcewright.services.research import Research
from sourcewright.tools._answers.downloads import (
    DEFAULT_DIR,
    NO_NOTICE,
    Identifier,
    OutputDir,
    PaperSaved,
    consulted_sources,
    saved_paper,
)
from sourcewright.tools._base import Answer, Ask, tool
from sourcewright.tools._failures.paper import SourceTried, markdown_list
from sourcewright.tools._results import UNTRUSTED, Trust


class DownloadArguments(Ask):
    """The paper to download, and where to."""

    identifier: Identifier
    output_dir: OutputDir = DEFAULT_DIR


class DownloadAnswer(Answer, PaperSaved):
    """The paper is in the folder."""

    checked: list[SourceTried] = Field(description="The outcome of each source, in order.")
    trust: Trust = UNTRUSTED

    def as_prose(self) -> str:
        lines = "\n".join(f"- {name}: {value}" for name, value in self._lines() if value)
        outcomes = [f"{one.source}: {one.said}" for one in self.checked]
        return "\n\n".join(
            ("# Paper downloaded", lines, *markdown_list("Sources queried, in order", outcomes))
        )

    def _lines(self) -> Iterator[tuple[str, object]]:
        yield "DOI", self.doi
        yield "Title", self.title
        yield "Year", self.year
        yield "Journal", self.journal
        yield "File", self.path + (" (already present)" if self.reused else "")
        yield "Size", f"{self.size_kb:.1f} KB"
        yield "Source", self.source
        yield "Location", self.location
        if self.preprint:
            yield "Version", f"this is the paper's preprint, {self.preprint}"
        yield "Time", f"{self.seconds:.2f} seconds"
        yield "File check", f"{self.file_check} ({'; '.join(self.file_evidence)})"
        yield "Note", self.warning()
        note = f" ({self.integrity_note})" if self.integrity_note else ""
        if self.integrity == "unchecked":
            yield "Integrity", f"could not be checked for retractions{note}"
        elif self.integrity != NO_NOTICE:
            yield "Integrity", f"this paper is {self.integrity.replace('_', ' ')}{note}"


@tool(
    title="Download a paper",
    toolset="downloads",
    family="paper",
    read_only=False,
    idempotent=True,
    open_world=True,
    example={"identifier": "10.1371/journal.pone.0033693"},
    text_form="markdown",
)
async def paper_download(ask: DownloadArguments, research: Research) -> DownloadAnswer:
    """Download one paper into a folder.

    WHEN TO USE: The user wants a paper's PDF as a file with a readable name[[; {paper_batch_download} for several]].
    OUTPUTS: Markdown with file path and source; or an error with the outcome of each source and what to do next.
    SIDE EFFECTS: Writes one PDF named "[YYYY] - Title.pdf" after checking that it is this paper. Files are never overwritten.
    LIMITS: 100 MB per file.
    """
    download, seconds = await research.papers.downloads.download(ask.identifier, ask.output_dir)
    return DownloadAnswer(
        **vars(saved_paper(download, seconds)), checked=consulted_sources(download)
    )
