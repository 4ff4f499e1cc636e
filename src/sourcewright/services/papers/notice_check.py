"""Retraction notices about papers in the library: stored, and looked up again after a week."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Protocol

from sourcewright.base.calls import time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import NotConfigured, StoreError
from sourcewright.base.identifiers import ArxivId, Doi, Reference
from sourcewright.base.notices import (
    Integrity,
    is_check_due,
    merge_notices,
    stored_integrity,
    with_stored_notices,
)
from sourcewright.domain.evidence import NoSourceAnswered, SourceAttempt
from sourcewright.domain.ports import ProvenanceRecorder, ProvenanceRow
from sourcewright.references.entries import Entry
from sourcewright.services.inquiry import Inquiry
from sourcewright.services.papers.resolution import Resolver

LOOKUP_SECONDS = 15.0
"""Maximum delay of a stored paper by the lookup of notices."""


class StoresNotices(Protocol):
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
        self,
        *,
        resolver: Resolver,
        library: StoresNotices,
        recorder: ProvenanceRecorder,
        clock: Clock,
    ) -> None:
        self._resolver = resolver
        self._keeper = library
        self._recorder = recorder
        self._clock = clock

    def after(self, entry: Entry, result: Integrity) -> Integrity:
        """Return the stored status after a lookup, with a note if the lookup failed."""
        stored_status = stored_integrity(entry.holding, now=self._clock.now())
        aged = stored_status.note or (None if result.checked_at else _date_note(stored_status))
        notes = filter(None, (result.note, aged))
        return replace(stored_status, note="; ".join(notes) or None)

    async def with_stored(self, reference: Reference, integrity: Integrity) -> Integrity:
        """Return the result of a check with what the library knows, whether or not it came to one.

        A library that cannot be read is noted: the result is about a paper that need not be in it.
        """
        if not isinstance(reference, Doi | ArxivId):
            return integrity
        try:
            existing = await self._keeper.find(reference)
        except StoreError as error:
            unread = f"the library could not be read: {error}"
            return replace(integrity, note="; ".join(filter(None, (integrity.note, unread))))
        if existing is None:
            return integrity
        if integrity.checked_at is None:
            return self.after(existing, integrity)
        return with_stored_notices(existing.holding, integrity)

    async def refresh(
        self, reference: Doi | ArxivId, entry: Entry
    ) -> tuple[Entry, Integrity, tuple[SourceAttempt, ...] | None]:
        """Return the entry, its retraction status, and the attempts of a new lookup if one was due.

        Raises:
            StoreError, LockTimeout, SchemaTooNew: The result could not be stored.
            LogError: The provenance row could not be written.
        """
        now = self._clock.now()
        if not is_check_due(entry.holding, now=now) and not _lacks_publisher_check(
            reference, entry
        ):
            return entry, stored_integrity(entry.holding, now=now), None
        inquiry = Inquiry(reference, self._recorder)
        async with inquiry.session():
            checked_now, attempts = await self._look_up(reference, inquiry)
            if checked_now.checked_at is not None:
                entry = await self._store(reference, entry, checked_now, inquiry)
        return entry, self.after(entry, checked_now), attempts

    async def _look_up(
        self, reference: Doi | ArxivId, inquiry: Inquiry
    ) -> tuple[Integrity, tuple[SourceAttempt, ...]]:
        try:
            with time_limit(LOOKUP_SECONDS, self._clock):
                resolution = await self._resolver.within(inquiry, reference)
        except NoSourceAnswered as error:
            return _unchecked(error), error.attempts
        except NotConfigured as error:
            return _unchecked(error), ()
        return resolution.integrity, resolution.attempts

    async def _store(
        self, reference: Doi | ArxivId, entry: Entry, checked_now: Integrity, inquiry: Inquiry
    ) -> Entry:
        async def record() -> None:
            row = ProvenanceRow(
                event="store_write",
                result="ok",
                capability="metadata",
                ref=str(reference),
                source=next(iter(checked_now.checked_by), None),
                store_path=f".metadata/{entry.key}.toml",
            )
            await inquiry.record(row)

        return await self._keeper.update(
            entry, lambda stored: _with_result(stored, checked_now), record
        )


def _with_result(entry: Entry, checked_now: Integrity) -> Entry:
    """Return the entry with the new result of a check."""
    checked = replace(
        entry.holding,
        notices=merge_notices(entry.holding, checked_now),
        notices_checked_at=checked_now.checked_at,
        notices_checked_by=checked_now.checked_by,
        reinstated_on=checked_now.reinstated_on,
    )
    return replace(entry, holding=checked)


def _lacks_publisher_check(reference: Doi | ArxivId, entry: Entry) -> bool:
    """Whether only arXiv was queried before, and the reference is a journal DOI."""
    published = isinstance(reference, Doi) and reference.arxiv is None
    return published and entry.holding.notices_checked_by == ("arxiv",)


def _unchecked(error: Exception) -> Integrity:
    return Integrity(status="unchecked", note=f"notices could not be checked: {error}")


def _date_note(stored_status: Integrity) -> str | None:
    return f"as of {stored_status.checked_at[:10]}" if stored_status.checked_at else None
