"""Retraction notices about papers of the library: remembered, and looked for again after a week."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Protocol

from sourcewright.domain.calls import hurried
from sourcewright.domain.entries import Entry
from sourcewright.domain.errors import NotConfigured
from sourcewright.domain.evidence import Attempt, Unanswered
from sourcewright.domain.identifiers import ArxivId, Doi
from sourcewright.domain.ports import Clock, Recorder, Row
from sourcewright.logic.papers.notices import Integrity, is_due, joined_notices, remembered
from sourcewright.services.inquiry import Inquiry
from sourcewright.services.papers.resolution import Resolution, Resolver

SECONDS = 15.0
"""A paper that is there does not wait longer for what may have been published against it."""


class Remembers(Protocol):
    """The library, as far as the outcome of a check is kept there."""

    async def find(self, reference: Doi | ArxivId) -> Entry | None: ...

    async def update(
        self,
        entry: Entry,
        change: Callable[[Entry], Entry],
        before_rename: Callable[[], Awaitable[None]] | None,
    ) -> Entry: ...


class NoticeCheck:
    """Says what is known against a paper of the library, and keeps that up to date."""

    def __init__(
        self, *, resolver: Resolver, keeper: Remembers, recorder: Recorder, clock: Clock
    ) -> None:
        self._resolver = resolver
        self._keeper = keeper
        self._recorder = recorder
        self._clock = clock

    def after(self, entry: Entry, found: Integrity) -> Integrity:
        """What the record says now that notices were looked for, or could not be."""
        known = remembered(entry.holding, now=self._clock.now())
        if found.checked_at is not None:
            return replace(known, note=found.note)
        notes = filter(None, (found.note, known.note or _since(known)))
        return replace(known, note="; ".join(notes) or None)

    async def beside(self, found: Resolution) -> Integrity:
        """What a resolution found against a paper, or what is remembered where it found nothing.

        Raises:
            StoreError: The library could not be read.
        """
        reference, integrity = found.reference, found.integrity
        if integrity.checked_at is not None or not isinstance(reference, Doi | ArxivId):
            return integrity
        held = await self._keeper.find(reference)
        return self.after(held, integrity) if held else integrity

    async def freshen(
        self, reference: Doi | ArxivId, entry: Entry
    ) -> tuple[Entry, Integrity, tuple[Attempt, ...] | None]:
        """The record with what is known against its paper, and who had to be asked for that.

        Raises:
            StoreError, LockTimeout, SchemaTooNew: What was found could not be kept.
            LogError: What was asked could not be recorded.
        """
        now = self._clock.now()
        if not is_due(entry.holding, now=now) and not _is_elsewhere(reference, entry):
            return entry, remembered(entry.holding, now=now), None
        inquiry = Inquiry(reference, self._recorder)
        async with inquiry.session():
            found, attempts = await self._look(reference, inquiry)
            if found.checked_at is not None:
                entry = await self._keep(reference, entry, found, inquiry)
        return entry, self.after(entry, found), attempts

    async def _look(
        self, reference: Doi | ArxivId, inquiry: Inquiry
    ) -> tuple[Integrity, tuple[Attempt, ...]]:
        try:
            with hurried(SECONDS, self._clock):
                found = await self._resolver.within(inquiry, reference)
        except Unanswered as error:
            return _unchecked(error), error.attempts
        except NotConfigured as error:
            return _unchecked(error), ()
        return found.integrity, found.attempts

    async def _keep(
        self, reference: Doi | ArxivId, entry: Entry, found: Integrity, inquiry: Inquiry
    ) -> Entry:
        async def record() -> None:
            row = Row(
                event="store_write",
                result="ok",
                capability="metadata",
                ref=str(reference),
                source=next(iter(found.checked_by), None),
                store_path=f".metadata/{entry.key}.toml",
            )
            await inquiry.record(row)

        return await self._keeper.update(entry, lambda stored: _with(stored, found), record)


def _with(entry: Entry, found: Integrity) -> Entry:
    """The entry with the outcome of a check in place of an earlier one's."""
    checked = replace(
        entry.holding,
        notices=found.notices,
        notices_checked_at=found.checked_at,
        notices_checked_by=found.checked_by,
    )
    notices = joined_notices(entry.holding, checked)
    return replace(entry, holding=replace(checked, notices=notices))


def _is_elsewhere(reference: Doi | ArxivId, entry: Entry) -> bool:
    """Whether arXiv alone was asked, and the paper is asked for as its journal has it."""
    published = isinstance(reference, Doi) and reference.arxiv is None
    return published and entry.holding.notices_checked_by == ("arxiv",)


def _unchecked(error: Exception) -> Integrity:
    return Integrity(status="unchecked", note=f"notices could not be looked for: {error}")


def _since(known: Integrity) -> str | None:
    return f"this is what was found on {known.checked_at[:10]}" if known.checked_at else None
