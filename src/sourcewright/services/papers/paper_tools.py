"""Use cases of the `paper_*` tools: download one or many papers into a folder."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from sourcewright.base.calls import current_call
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import NotConfigured, ResearchError
from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.base.urls.allowlists import OA_PUBLISHER_SOURCE
from sourcewright.domain.document_ports import (
    FetchesPages,
)
from sourcewright.domain.evidence import NoSourceAnswered, SourceAttempt
from sourcewright.domain.ports import ProvenanceRecorder
from sourcewright.services.papers.batches import BatchItem, run_sequentially
from sourcewright.services.papers.description import Describer, Description
from sourcewright.services.papers.download import (
    MIRROR,
    MIRRORS_FIRST_BEFORE,
    Download,
    Downloader,
)
from sourcewright.services.papers.identification import SOURCE as PAGE
from sourcewright.services.papers.identification import IdentifiedPaper, identify_text
from sourcewright.services.papers.notice_check import NoticeCheck
from sourcewright.services.providers import Sources
from sourcewright.stores.downloads.deposit import DownloadFolders

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 2.0
"""Pause between two downloads of a batch."""

_TITLES = {MIRROR: "Sci-Hub", OA_PUBLISHER_SOURCE: "Open copy", PAGE: "Web page"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadService:
    """Downloads and describes papers given by any identifier."""

    downloader: Downloader
    describer: Describer
    notices: NoticeCheck
    folders: DownloadFolders
    recorder: ProvenanceRecorder
    sources: Sources
    pages: FetchesPages
    clock: Clock
    setup_problem: str | None
    """Missing settings without which nothing may be downloaded."""
    has_mirrors: bool
    pause_seconds: float = PAUSE_SECONDS

    async def download(self, identifier: str, output_dir: str | None) -> tuple[Download, float]:
        """Download one paper; also return the duration in seconds.

        Raises:
            NotConfigured: The contact address is missing.
            InvalidInput, Denied: The identifier or the folder cannot be used.
            ResearchError: As `identify_text` and `Downloader.download`.
        """
        return await self._download(identifier, self.prepare(output_dir))

    async def download_all(
        self, identifiers: Sequence[str], output_dir: str | None
    ) -> list[BatchItem[tuple[Download, float]]]:
        """Download papers one after the other; an error affects only its own paper.

        Raises:
            NotConfigured: The contact address is missing.
            InvalidInput, Denied: The folder cannot be used.
        """
        folder = self.prepare(output_dir)
        outcomes: list[BatchItem[tuple[Download, float]]] = []
        tell, total = current_call.get().progress, len(identifiers)
        await tell(f"0/{total}", done=0, total=total)
        try:
            async for identifier, one in run_sequentially(
                identifiers, lambda identifier: self._download_item(identifier, folder), self.pause
            ):
                outcomes.append(replace(one, ref=identifier))
                count = len(outcomes)
                await tell(
                    f"{count}/{total}: {_progress_text(outcomes[-1])}", done=count, total=total
                )
        except asyncio.CancelledError:
            saved_paths = list(
                dict.fromkeys(str(one.result[0].path) for one in outcomes if one.result)
            )
            logger.warning(
                "cancelled after %d of %d papers; kept: %s", len(outcomes), total, saved_paths
            )
            raise
        return outcomes

    async def pause(self) -> None:
        """Pause between two papers, out of politeness to the sources."""
        await self.clock.sleep(self.pause_seconds)

    def prepare(self, output_dir: str | None) -> Path:
        """Return the folder for downloads; nothing is created.

        Raises:
            NotConfigured: The contact address is missing.
            InvalidInput, Denied: The folder cannot be used.
        """
        self._check_setup()
        return self.folders.choose(output_dir)

    async def describe(self, identifier: str) -> Description:
        """Return what is known about a paper.

        Raises:
            NotConfigured: The contact address is missing.
            InvalidInput: The identifier is invalid.
            ResearchError: As `identify_text` and `Describer.describe`.
        """
        self._check_setup()
        with self._titles_in_errors():
            identified = await self._identify(identifier)
            with _errors_about(identified):
                description = await self.describer.describe(identified.reference)
        offering = (
            *description.offered_by,
            *((MIRROR,) if self._is_mirrored(description) else ()),
        )
        return replace(
            description,
            integrity=await self.notices.with_stored(description.reference, description.integrity),
            offered_by=tuple(map(self._title, offering)),
            attempts=self._with_titles((*identified.attempts, *description.attempts)),
        )

    async def _download_item(
        self, identifier: str, folder: Path
    ) -> BatchItem[tuple[Download, float]]:
        try:
            return BatchItem(identifier, result=await self._download(identifier, folder))
        except ResearchError as error:
            return BatchItem(identifier, error=error)

    async def _download(self, identifier: str, folder: Path) -> tuple[Download, float]:
        started = self.clock.monotonic()
        with self._titles_in_errors():
            identified = await self._identify(identifier)
            with _errors_about(identified):
                download_result = await self.downloader.download(identified.reference, folder)
        attempts = self._with_titles((*identified.attempts, *download_result.attempts))
        titled = replace(
            download_result,
            source=self._title(download_result.source),
            integrity=await self.notices.with_stored(
                download_result.reference, download_result.integrity
            ),
            attempts=attempts,
        )
        return titled, self.clock.monotonic() - started

    def _check_setup(self) -> None:
        if self.setup_problem is not None:
            raise NotConfigured(self.setup_problem)

    async def _identify(self, identifier: str) -> IdentifiedPaper:
        return await identify_text(identifier, self.recorder, self.sources, self.pages)

    def _is_mirrored(self, description: Description) -> bool:
        """Whether a mirror may have it: mirrors have no papers of later years."""
        year = description.pooled.work.year
        is_old = year is not None and year < MIRRORS_FIRST_BEFORE
        return self.has_mirrors and isinstance(description.reference, Doi) and is_old

    @contextmanager
    def _titles_in_errors(self) -> Iterator[None]:
        """Replace names of sources by their titles in errors."""
        try:
            yield
        except NoSourceAnswered as error:
            attempts = self._with_titles(error.attempts)
            titled = NoSourceAnswered(str(error), decisive=error.decisive, attempts=attempts)
            titled.paper = error.paper
            raise titled from error

    def _with_titles(self, attempts: Sequence[SourceAttempt]) -> tuple[SourceAttempt, ...]:
        return tuple(replace(one, source=self._title(one.source)) for one in attempts)

    def _title(self, name: str) -> str:
        known = {source.name: source.info.title for source in self.sources}
        return _TITLES.get(name) or known.get(name, name)


@contextmanager
def _errors_about(identified: IdentifiedPaper) -> Iterator[None]:
    """Let errors name the paper that was identified, and the sources that were asked for that."""
    reference = identified.reference
    try:
        try:
            yield
        except NoSourceAnswered as error:
            raise error.after(identified.attempts) from error
    except ResearchError as error:
        error.paper = str(reference.doi if isinstance(reference, ArxivId) else reference)
        raise


def _progress_text(done: BatchItem[tuple[Download, float]]) -> str:
    if done.result is None:
        return f"{done.ref} failed"
    return f"{done.ref} saved as {done.result[0].path}"
