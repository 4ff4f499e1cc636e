"""Retraction notices about papers in the library: stored, and looked up again after a week."""

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
"""Maximum delay of a stored paper by the lookup of notices."""


class Remembers(Protocol):
    """The part of the library that stores the result of a check."""

    async def find(self, reference: Doi | ArxivId) -> Entry | None: ...

    async def update(
        self,
        entry: Entry,
        change: Callable[[Entry], Entry],
        before_rename: Callable[[], Awaitable[None]] | None,
    ) -> Entry: ...


class NoticeCheck:
    """Returns the retraction status of papers in the library, and keeps it up to date."""

    def __init__(
        self, *, resolver: Resolver, keeper: Remembers, recorder: Recorder, clock: Clock
    ) -> None:
        self._resolver = resolver
        self._keeper = keeper
        self._recorder = recorder
        self._clock = clock

    def after(self, entry: Entry, found: Integrity) -> Integrity:
        """Return the stored status after a lookup, with a note if the lookup failed."""
        known = remembered(entry.holding, now=self._clock.now())
        if found.checked_at is not None:
            return replace(known, note=found.note)
        notes = filter(None, (found.note, known.note or _date_note(known)))
        return replace(known, note="; ".join(notes) or None)

    async def beside(self, found: Resolution) -> Integrity:
        """Return the status in a resolution, or the stored one if the resolution has no result.

        Raises:
            StoreError: The library could not be read.
        """
        reference, integrity = found.reference, found.integrity
        if integrity.checked_at is not None or not isinstance(reference, Doi | ArxivId):
            return integrity
        existing = await self._keeper.find(reference)
        return self.after(existing, integrity) if existing else integrity

    async def freshen(
        self, reference: Doi | ArxivId, entry: Entry
    ) -> tuple[Entry, Integrity, tuple[Attempt, ...] | None]:
        """Return the entry, its retraction status, and the attempts of a new lookup if one was due.

        Raises:
            StoreError, LockTimeout, SchemaTooNew: The result could not be stored.
            LogError: The provenance row could not be written.
        """
        now = self._clock.now()
        if not is_due(entry.holding, now=now) and not _lacks_publisher_check(reference, entry):
            return entry, remembered(entry.holding, now=now), None
        inquiry = Inquiry(reference, self._recorder)
        async with inquiry.session():
            found, attempts = await self._look_up(reference, inquiry)
            if found.checked_at is not None:
                entry = await self._store(reference, entry, found, inquiry)
        return entry, self.after(entry, found), attempts

    async def _look_up(
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

    async def _store(
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

        return await self._keeper.update(entry, lambda stored: _with_result(stored, found), record)


def _with_result(entry: Entry, found: Integrity) -> Entry:
    """Return the entry with the new result of a check."""
    checked = replace(
        entry.holding,
        notices=found.notices,
        notices_checked_at=found.checked_at,
        notices_checked_by=found.checked_by,
    )
    notices = joined_notices(entry.holding, checked)
    return replace(entry, holding=replace(checked, notices=notices))


def _lacks_publisher_check(reference: Doi | ArxivId, entry: Entry) -> bool:
    """Whether only arXiv was queried before, and the reference is a journal DOI."""
    published = isinstance(reference, Doi) and reference.arxiv is None
    return published and entry.holding.notices_checked_by == ("arxiv",)


def _unchecked(error: Exception) -> Integrity:
    return Integrity(status="unchecked", note=f"notices could not be looked for: {error}")


def _date_note(known: Integrity) -> str | None:
    return f"this is what was found on {known.checked_at[:10]}" if known.checked_at else None
