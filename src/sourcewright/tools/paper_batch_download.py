"""The paper_batch_download tool."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from sourcewright.base.text.phrases import count_phrase
from sourcewright.services.papers.batches import BatchItem
from sourcewright.services.papers.download import Download
from sourcewright.services.research import Research
from sourcewright.tools._answers.downloads import DEFAULT_DIR, OutputDir, PaperSaved, saved_paper
from sourcewright.tools._base import Answer, Ask, tool
from sourcewright.tools._failures.paper import doi_of, markdown_list, reason_of
from sourcewright.tools._results import UNTRUSTED, OmittedIfNone, Trust

MOST_PAPERS = 50


def _check_count(identifiers: list[str]) -> list[str]:
    if len(identifiers) > MOST_PAPERS:
        raise ValueError(
            f"Maximum {MOST_PAPERS} papers per batch, got {len(identifiers)}: split them into multiple smaller batches"
        )
    if not identifiers:
        raise ValueError("at least one identifier is required")
    return identifiers


class BatchArguments(Ask):
    """The papers to download, and where to."""

    identifiers: Annotated[
        list[str],
        AfterValidator(_check_count),
        Field(
            description="DOIs or URLs.",
            json_schema_extra={"minItems": 1, "maxItems": MOST_PAPERS},
        ),
    ]
    output_dir: OutputDir = DEFAULT_DIR


class PaperFailed(BaseModel):
    """One paper that could not be downloaded."""

    identifier: str
    doi: OmittedIfNone[str] = None
    error: str


class BatchAnswer(Answer):
    """The outcome of each paper."""

    total: int
    successful: int
    failed: int
    seconds: float
    downloads: list[PaperSaved]
    failures: list[PaperFailed]
    trust: Trust = UNTRUSTED

    def as_prose(self) -> str:
        counts = [
            f"Total: {count_phrase(self.total, 'paper')}",
            f"Successful: {self.successful} ({_percent(self.successful, self.total)}%)",
            f"Failed: {self.failed} ({_percent(self.failed, self.total)}%)",
            f"Total time: {self.seconds:.1f} seconds",
        ]
        good = [one.as_line() for one in self.downloads]
        bad = [f"{one.identifier}: {one.error}" for one in self.failures]
        lines = "\n".join(f"- {line}" for line in counts)
        lists = markdown_list("Successful downloads", good)
        lists += markdown_list("Failed downloads", bad)
        return "\n\n".join(("# Batch download", lines, *lists))


@tool(
    title="Download several papers",
    toolset="downloads",
    family="paper",
    read_only=False,
    idempotent=True,
    open_world=True,
    example={"identifiers": ["10.1371/journal.pone.0033693", "10.48550/arXiv.1706.03762"]},
    text_form="markdown",
)
async def paper_batch_download(ask: BatchArguments, research: Research) -> BatchAnswer:
    """Download several papers into a folder, one after the other.

    WHEN TO USE: The user wants the PDFs of a reading list.
    OUTPUTS: Markdown with the files, and the reason for each failure. A failure does not stop the others.
    COSTS: A few seconds per paper.
    SIDE EFFECTS: Writes one PDF per paper, each checked to be that paper. Files are never overwritten.
    LIMITS: 50 papers per call; split longer lists.
    """
    clock = research.papers.downloads.clock
    started = clock.monotonic()
    done = await research.papers.downloads.download_all(ask.identifiers, ask.output_dir)
    return _summary(done, clock.monotonic() - started)


def _summary(done: list[BatchItem[tuple[Download, float]]], seconds: float) -> BatchAnswer:
    good = [saved_paper(*one.result) for one in done if one.result]
    bad = [
        PaperFailed(identifier=one.ref, doi=doi_of(one.error, one.ref), error=reason_of(one.error))
        for one in done
        if one.error
    ]
    return BatchAnswer(
        total=len(done),
        successful=len(good),
        failed=len(bad),
        seconds=round(seconds, 1),
        downloads=good,
        failures=bad,
    )


def _percent(part: int, whole: int) -> int:
    return round(100 * part / whole)
