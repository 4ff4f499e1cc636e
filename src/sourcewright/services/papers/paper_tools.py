"""The use cases of the `paper_*` tools: one paper or many, into a folder."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from sourcewright.domain.calls import current_call
from sourcewright.domain.errors import NotConfigured, ResearchError
from sourcewright.domain.evidence import Attempt, Unanswered
from sourcewright.domain.identifiers import Doi
from sourcewright.domain.ports import Clock, FetchesPages, Recorder
from sourcewright.services.papers.batches import Done, in_turn
from sourcewright.services.papers.copies import OA_PUBLISHER
from sourcewright.services.papers.description import Describer, Description
from sourcewright.services.papers.download import MIRROR, MIRRORED_BEFORE, Download, Downloader
from sourcewright.services.papers.identification import SOURCE as PAGE
from sourcewright.services.papers.identification import Identified, identify_text
from sourcewright.services.providers import Sources
from sourcewright.stores.downloads.deposit import DownloadFolders

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 2.0
"""Between two downloads of a batch."""

_TITLES = {MIRROR: "Sci-Hub", OA_PUBLISHER: "Open copy", PAGE: "Web page"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Downloads:
    """Downloading and describing, as people name papers and folders."""

    downloader: Downloader
    describer: Describer
    folders: DownloadFolders
    recorder: Recorder
    sources: Sources
    pages: FetchesPages
    clock: Clock
    setup_problem: str | None
    """What the operator has yet to set before anything may be downloaded."""
    has_mirrors: bool
    pause_seconds: float = PAUSE_SECONDS

    async def download(self, identifier: str, output_dir: str | None) -> tuple[Download, float]:
        """Download one paper; also says how many seconds that took.

        Raises:
            NotConfigured: The contact address is missing.
            InvalidInput, Denied: The identifier or the folder cannot be used.
            ResearchError: As identifying and downloading say.
        """
        return await self._download(identifier, self.prepare(output_dir))

    async def download_all(
        self, identifiers: Sequence[str], output_dir: str | None
    ) -> list[Done[tuple[Download, float]]]:
        """Download them one after the other; one that cannot be had fails alone.

        Raises:
            NotConfigured: The contact address is missing.
            InvalidInput, Denied: The folder cannot be used.
        """
        folder = self.prepare(output_dir)
        ended: list[Done[tuple[Download, float]]] = []
        tell, total = current_call.get().progress, len(identifiers)
        await tell(f"0/{total}", done=0, total=total)
        try:
            async for identifier, one in in_turn(
                identifiers, lambda identifier: self._one(identifier, folder), self.pause
            ):
                ended.append(replace(one, ref=identifier))
                count = len(ended)
                await tell(f"{count}/{total}: {_ending(ended[-1])}", done=count, total=total)
        except asyncio.CancelledError:
            kept = list(dict.fromkeys(str(one.result[0].path) for one in ended if one.result))
            logger.warning("cancelled after %d of %d papers; kept: %s", len(ended), total, kept)
            raise
        return ended

    async def pause(self) -> None:
        """What is owed to the sources between two papers."""
        await self.clock.sleep(self.pause_seconds)

    def prepare(self, output_dir: str | None) -> Path:
        """The folder that downloads would go to; nothing is made.

        Raises:
            NotConfigured: The contact address is missing.
            InvalidInput, Denied: The folder cannot be used.
        """
        self._check_setup()
        return self.folders.choose(output_dir)

    async def describe(self, identifier: str) -> Description:
        """What is known about a paper.

        Raises:
            NotConfigured: The contact address is missing.
            InvalidInput: The identifier cannot be read.
            ResearchError: As identifying and describing say.
        """
        self._check_setup()
        with self._naming_sources():
            found = await self._identified(identifier)
            try:
                told = await self.describer.describe(found.reference)
            except Unanswered as error:
                raise error.after(found.attempts) from error
        offered = (*told.offered_by, *((MIRROR,) if self._is_mirrored(told) else ()))
        return replace(
            told,
            offered_by=tuple(map(self._title, offered)),
            attempts=self._named((*found.attempts, *told.attempts)),
        )

    async def _one(self, identifier: str, folder: Path) -> Done[tuple[Download, float]]:
        try:
            return Done(identifier, result=await self._download(identifier, folder))
        except ResearchError as error:
            return Done(identifier, error=error)

    async def _download(self, identifier: str, folder: Path) -> tuple[Download, float]:
        started = self.clock.monotonic()
        with self._naming_sources():
            found = await self._identified(identifier)
            try:
                got = await self.downloader.download(found.reference, folder)
            except Unanswered as error:
                raise error.after(found.attempts) from error
        attempts = self._named((*found.attempts, *got.attempts))
        titled = replace(got, source=self._title(got.source), attempts=attempts)
        return titled, self.clock.monotonic() - started

    def _check_setup(self) -> None:
        if self.setup_problem is not None:
            raise NotConfigured(self.setup_problem)

    async def _identified(self, identifier: str) -> Identified:
        return await identify_text(identifier, self.recorder, self.sources, self.pages)

    def _is_mirrored(self, told: Description) -> bool:
        """Whether a mirror may well have it: what appeared later, they have not taken in."""
        year = told.pooled.work.year
        is_old = year is not None and year < MIRRORED_BEFORE
        return self.has_mirrors and isinstance(told.reference, Doi) and is_old

    @contextmanager
    def _naming_sources(self) -> Iterator[None]:
        """Let people read sources by their titles, also in an error."""
        try:
            yield
        except Unanswered as error:
            attempts = self._named(error.attempts)
            raise Unanswered(str(error), decisive=error.decisive, attempts=attempts) from error

    def _named(self, attempts: Sequence[Attempt]) -> tuple[Attempt, ...]:
        return tuple(replace(one, source=self._title(one.source)) for one in attempts)

    def _title(self, name: str) -> str:
        known = {source.name: source.info.title for source in self.sources}
        return _TITLES.get(name) or known.get(name, name)


def _ending(done: Done[tuple[Download, float]]) -> str:
    if done.result is None:
        return f"{done.ref} failed"
    return f"{done.ref} saved as {done.result[0].path}"
