"""Earlier answers: what audits found about works, kept in the cache for audits without a network."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import LockTimeout, StoreError
from sourcewright.base.formats.codec import JsonCodec, Undecodable
from sourcewright.base.text.unicode import fold_text
from sourcewright.base.works import Notice, WorkRecord
from sourcewright.domain.ports import KeyValueStore
from sourcewright.references.comparison.candidates import other_work
from sourcewright.references.model import Reference
from sourcewright.services.trust.cases import CitationCase

KEPT_SECONDS: Final = 30 * 86400.0
_MAX_RECORDS: Final = 12
_VERSION: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierAnswer:
    """The records of the work that a reference means, and what was said about its identifiers."""

    at: str
    """When it was found, RFC 3339."""
    records: tuple[WorkRecord, ...]
    answered: tuple[str, ...]
    denied: tuple[str, ...]
    registered: tuple[str, ...]
    notices: tuple[Notice, ...]
    """Retractions and other notices that were found about the work."""
    shortened: tuple[str, str] | None = None
    """A DOI that does not exist as it was given, and the shorter one that does."""


_CODEC: Final = JsonCodec(EarlierAnswer)


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierAnswers:
    """Stores answers by title or identifier. A store that fails is treated as an empty one."""

    store: KeyValueStore | None
    scope: str
    """Separates answers of a sandbox from those of the internet."""
    now: Callable[[], str]

    async def keep(self, cases: Sequence[CitationCase]) -> None:
        """Store what was found about each work; what could not be decided is not kept."""
        if self.store is None:
            return
        at = self.now()
        values = {
            key: _CODEC.encode(_answer(case, at))
            for case in cases
            if case.check.status != "unconfirmed" and not case.lacks_notices
            for key in _keys(case)
        }
        try:
            for key, value in values.items():
                await self.store.put(self._name(key), value, ttl_seconds=KEPT_SECONDS)
        except (StoreError, LockTimeout):
            return

    async def recall(self, references: Sequence[Reference]) -> list[EarlierAnswer | None]:
        """Return what was found about each reference before; None if nothing was, or it is old."""
        return await run_concurrently([self._recall(one) for one in references])

    async def _recall(self, reference: Reference) -> EarlierAnswer | None:
        key = reference_key(reference)
        if self.store is None or key is None:
            return None
        try:
            stored = await self.store.get(self._name(key))
            return None if stored is None else _CODEC.decode(stored.value)
        except (StoreError, LockTimeout, Undecodable):
            return None

    def _name(self, key: str) -> str:
        return f"citation.work {_VERSION} {self.scope} {key}"


def reference_key(reference: Reference) -> str | None:
    """The key under which a reference is looked up: its title, or else its identifier."""
    if title := fold_text(reference.title or ""):
        return f"title {title}"
    ids = (reference.doi, reference.arxiv_id, reference.pmid, reference.pmcid)
    return next((f"id {one.lower()}" for one in ids if one), None)


def _keys(case: CitationCase) -> set[str]:
    """The keys of the reference, and the title that a corrected one would have."""
    record = case.check.record
    corrected = replace(case.reference, title=record.title) if record else case.reference
    given = replace(case.reference, doi=case.doi_as_given or case.reference.doi)
    keys = map(reference_key, (given, case.reference, corrected))
    return {key for key in keys if key}


def _answer(case: CitationCase, at: str) -> EarlierAnswer:
    holder = other_work(case.reference, case.records)
    work = case.check.records
    records = dict.fromkeys((*work, *((holder,) if holder and holder not in work else ())))
    return EarlierAnswer(
        at=at,
        records=tuple(map(_reduced, list(records)[:_MAX_RECORDS])),
        answered=tuple(case.answered),
        denied=tuple(sorted(case.denied)),
        registered=tuple(sorted(case.registered)),
        notices=case.integrity.integrity.notices if case.integrity else (),
        shortened=(case.doi_as_given, case.doi.value) if case.doi_as_given and case.doi else None,
    )


def _reduced(record: WorkRecord) -> WorkRecord:
    """The record without what no comparison needs."""
    return replace(record, abstract=None, tldr=None, copies=())
