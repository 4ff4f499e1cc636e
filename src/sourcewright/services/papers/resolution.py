"""Resolves a reference to its record, notices and open copies, or says why there is none.

"Does not exist" needs an answer of absence from every source that decides
about DOIs. One that failed makes it "could not be checked".
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from sourcewright.domain.calls import current_call
from sourcewright.domain.capabilities import (
    DescribesArxivPapers,
    DescribesDois,
    FindsNotices,
    LocatesDois,
)
from sourcewright.domain.codes import DISPOSITIONS, code_of
from sourcewright.domain.errors import NotConfigured, NotFound, ResearchError
from sourcewright.domain.evidence import Attempt, Unanswered
from sourcewright.domain.identifiers import ArxivId, Doi, Reference
from sourcewright.domain.ports import Recorder
from sourcewright.domain.works import Copy, Notice, Registration, Work
from sourcewright.logic.papers.notices import Integrity, status_of
from sourcewright.services.inquiry import Asked, Inquiry, both, together
from sourcewright.services.papers.identification import identify
from sourcewright.services.providers import Sources

FIRST = ("crossref", "unpaywall")
"""Asked at once: most DOIs are Crossref's, and Unpaywall knows where to read them."""

PREFERRED = ("crossref", "datacite", "unpaywall")
"""Whose record is shown when several describe the same DOI: the registration agency's."""


STAND_INS = (
    "europe-pmc",
    "openaire",
    "hal",
    "core",
    "openalex",
    "semantic_scholar",
    "biorxiv",
    "doaj",
)
"""The order of the catalogues that stand in for an agency; what is not listed is asked first."""


Described = Mapping[str, Asked[Work]]
"""What each source that was asked said about a DOI, by source."""
_NOTHING: Described = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """A work that exists, and the account of how we know."""

    reference: Doi | ArxivId
    """The id that was found, which may be one of two readings of what was asked."""
    work: Work
    integrity: Integrity
    attempts: tuple[Attempt, ...]
    open_access: Work | None = None
    registration: Registration | None = None


def open_copy(found: Resolution) -> Copy | None:
    """The best open copy that a source named."""
    return next(iter((found.open_access or found.work).copies), None)


def licence_of(found: Resolution) -> str | None:
    """The licence that the record states, else that of the open copy."""
    copy = open_copy(found)
    return found.work.licence or (copy.licence if copy else None)


class Resolver:
    """Asks the sources that could know, in the order that costs least."""

    def __init__(self, sources: Sources, recorder: Recorder, now: Callable[[], str]) -> None:
        self._sources = sources
        self._recorder = recorder
        self._now = now

    async def resolve(self, reference: Reference) -> Resolution:
        """Resolve one reference.

        Raises:
            Unanswered: It does not exist, or it could not be checked.
            Unsupported: Its record in PubMed names nothing by which it could be resolved.
            NotConfigured: No source for this kind of reference is on.
            LogError: What was asked could not be recorded.
        """
        inquiry = Inquiry(reference, self._recorder)
        async with inquiry.session():
            found = await identify(reference, inquiry, self._sources)
            try:
                about = Inquiry(found.reference, self._recorder)
                resolution = await self.within(about, found.reference)
            except Unanswered as error:
                raise error.after(found.attempts) from error
        return replace(resolution, attempts=(*found.attempts, *resolution.attempts))

    async def within(
        self, inquiry: Inquiry, reference: Doi | ArxivId, *, known: Described = _NOTHING
    ) -> Resolution:
        """Resolve as a part of a larger question, whose session is already open.

        Who has been asked before, `known` says; they are not asked again.
        """
        if isinstance(reference, ArxivId):
            return await self._resolve_arxiv(reference, inquiry)
        if reference.written:
            return await self._resolve_either(reference, inquiry, known)
        return await self._resolve_doi(reference, inquiry, known)

    async def ask_first(self, doi: Doi, inquiry: Inquiry, *names: str) -> Described:
        """What those of the first two say that may be asked; all of them unless some are named."""
        able = self._sources.able(DescribesDois, doi)
        wanted = [name for name in able if name in (names or FIRST)]
        return await self._describe(doi, {name: able[name] for name in wanted}, inquiry)

    async def _resolve_arxiv(self, reference: ArxivId, inquiry: Inquiry) -> Resolution:
        able = self._sources.able(DescribesArxivPapers)
        if not able:
            raise NotConfigured(f"{reference}: no source for arXiv ids is on")
        asked = await together(
            [
                inquiry.ask(name, source.describe_arxiv(str(reference)))
                for name, source in able.items()
            ]
        )
        attempts = tuple(one.attempt for one in asked)
        found = next((one.answer for one in asked if one.answer), None)
        if found is None:
            raise _unanswered(reference, asked, deciders=frozenset(able), attempts=attempts)
        return Resolution(
            reference=reference,
            work=found,
            integrity=_as_recorded(found, self._now()),
            attempts=attempts,
        )

    async def _resolve_either(self, doi: Doi, inquiry: Inquiry, known: Described) -> Resolution:
        """A DOI with punctuation after it: as it is written, and only then without."""
        written, cleaned = doi.readings
        try:
            return await self._resolve_doi(written, inquiry.about(written), _NOTHING)
        except Unanswered as error:
            first = Unanswered(
                str(error), decisive=error.decisive, attempts=_told_of(written, error.attempts)
            )
        try:
            found = await self._resolve_doi(cleaned, inquiry.about(cleaned), known)
        except Unanswered as error:
            raise _neither(first, error) from error
        return replace(found, attempts=(*first.attempts, *found.attempts))

    async def _resolve_doi(self, doi: Doi, inquiry: Inquiry, known: Described) -> Resolution:
        able = self._sources.able(DescribesDois, doi)
        first = {name: able[name] for name in able if name in FIRST and name not in known}
        described = {**known, **await self._describe(doi, first, inquiry)}
        registered: Mapping[str, Asked[Registration]] = {}
        if "crossref" not in described or described["crossref"].answer is None:
            agencies = self._sources.deciders() - set(FIRST)
            rest = {name: source for name, source in able.items() if name in agencies}
            more, registered = await both(
                self._describe(doi, rest, inquiry), self._locate(doi, inquiry)
            )
            described |= more
            if _is_worth_asking_on(described, registered):
                described |= await self._stand_in(doi, described, inquiry)
        asked: list[Asked[Work] | Asked[Registration]] = [
            *described.values(),
            *registered.values(),
        ]
        attempts = (*(one.attempt for one in asked), *self._sources.unasked(doi))
        work = _preferred(described) or _only_registered(doi, described, registered)
        if work is None:
            raise _unanswered(doi, asked, deciders=self._sources.deciders(), attempts=attempts)
        integrity, asked_for_notices = await self._integrity(doi, work, described, inquiry)
        return Resolution(
            reference=doi,
            work=work,
            integrity=integrity,
            attempts=(*attempts, *asked_for_notices),
            open_access=described["unpaywall"].answer if "unpaywall" in described else None,
            registration=next((one.answer for one in registered.values() if one.answer), None),
        )

    async def _describe(
        self, doi: Doi, sources: Mapping[str, DescribesDois], inquiry: Inquiry
    ) -> dict[str, Asked[Work]]:
        if sources:
            await current_call.get().progress(f"asking {', '.join(sources)}")
        asked = await together(
            [inquiry.ask(name, source.describe_doi(str(doi))) for name, source in sources.items()]
        )
        return dict(zip(sources, asked, strict=True))

    async def _stand_in(
        self, doi: Doi, described: Mapping[str, Asked[Work]], inquiry: Inquiry
    ) -> dict[str, Asked[Work]]:
        """Ask catalogues for a record that no agency could give.

        All at once: an agency has just kept the caller waiting. Where every agency has
        answered, they are not asked: they decide nothing.
        """
        agencies = self._sources.deciders() & described.keys()
        answered = any(one.answer for one in described.values())
        if answered or all(described[name].absent for name in agencies):
            return {}
        able = self._sources.able(DescribesDois, doi)
        names = sorted(able.keys() - described.keys(), key=_turn)
        return await self._describe(doi, {name: able[name] for name in names}, inquiry)

    async def _locate(self, doi: Doi, inquiry: Inquiry) -> dict[str, Asked[Registration]]:
        able = self._sources.able(LocatesDois)
        asked = await together(
            [inquiry.ask(name, source.locate_doi(str(doi))) for name, source in able.items()]
        )
        return dict(zip(able, asked, strict=True))

    async def _integrity(
        self, doi: Doi, work: Work, described: Mapping[str, Asked[Work]], inquiry: Inquiry
    ) -> tuple[Integrity, tuple[Attempt, ...]]:
        if work.notices is not None:
            return _as_recorded(work, self._now()), ()
        failed = {
            name for name, one in described.items() if one.attempt.outcome == "consulted_failed"
        }
        able = {n: s for n, s in self._sources.able(FindsNotices).items() if n not in failed}
        asked = await together(
            [
                inquiry.ask(name, source.find_notices(str(doi)), about="looked for notices")
                for name, source in able.items()
            ]
        )
        attempts = tuple(one.attempt for one in asked)
        told = tuple(one.attempt.source for one in asked if one.answer is not None)
        notices = tuple(notice for one in asked for notice in one.answer or ())
        if not notices and len(told) < len(self._sources.deciders_on_notices()):
            silent = sorted(self._sources.deciders_on_notices() - {*told})
            note = f"{_listed(silent)} could not be asked for notices"
            return Integrity(status="unchecked", note=note), attempts
        return _checked(notices, told, self._now()), attempts


def _as_recorded(work: Work, now: str) -> Integrity:
    """What the record itself says, also where it does not say either way."""
    if work.notices is None:
        silent = f"the record of {work.source} does not say whether there are notices"
        return Integrity(status="unchecked", note=silent)
    # arXiv speaks of its own version; a DOI beside it is another's.
    other = work.doi if work.source == "arxiv" else None
    note = f"notices about the published version {other} were not looked for" if other else None
    return replace(_checked(work.notices, (work.source,), now), note=note)


def _checked(notices: tuple[Notice, ...], by: tuple[str, ...], now: str) -> Integrity:
    return Integrity(status=status_of(notices), notices=notices, checked_at=now, checked_by=by)


def _only_registered(
    doi: Doi,
    described: Mapping[str, Asked[Work]],
    registered: Mapping[str, Asked[Registration]],
) -> Work | None:
    """A DOI of an agency that none of our sources covers: it exists, and that is all we know.

    Only when every source that might describe it has said that it does not:
    a failed one may hold the record.
    """
    located = next((one.answer for one in registered.values() if one.answer), None)
    if located is None or not all(one.absent for one in described.values()):
        return None
    source = next(name for name, one in registered.items() if one.answer)
    return Work(
        source=source,
        doi=str(doi),
        url=located.url,
        raw={"doi": located.doi, "url": located.url},
    )


def _is_worth_asking_on(
    described: Mapping[str, Asked[Work]], registered: Mapping[str, Asked[Registration]]
) -> bool:
    """Whether the way out is open, and the DOI system has not said that there is no such DOI."""
    if any(one.absent for one in registered.values()):
        return False
    described_or_denied = any(one.answer or one.absent for one in described.values())
    return described_or_denied or any(one.answer for one in registered.values())


def _turn(name: str) -> tuple[int, str]:
    return (STAND_INS.index(name) if name in STAND_INS else -1), name


def _preferred(described: Mapping[str, Asked[Work]]) -> Work | None:
    others = sorted(described.keys() - set(PREFERRED), key=_turn)
    order = [*(name for name in PREFERRED if name in described), *others]
    return next((described[name].answer for name in order if described[name].answer), None)


def _unanswered(
    reference: Reference,
    asked: Sequence[Asked[Work] | Asked[Registration]],
    *,
    deciders: frozenset[str],
    attempts: tuple[Attempt, ...],
) -> Unanswered:
    failures = [one.attempt.error for one in asked if one.attempt.error and not one.absent]
    said_absent = {one.attempt.source for one in asked if one.absent}
    known = any(one.answer for one in asked)
    if not known and deciders and deciders <= said_absent:
        names = _listed(sorted(said_absent & deciders))
        return Unanswered(
            f"{reference} does not exist: {names} answered that there is no such record",
            decisive=NotFound(names, f"no record of {reference}"),
            attempts=attempts,
        )
    what = "is registered, but its record could not be read" if known else "could not be checked"
    return Unanswered(
        f"{reference} {what}: {'; '.join(str(error) for error in failures) or 'nobody could be asked'}"
        " (this does not mean that it does not exist)",
        decisive=decisive(failures),
        attempts=attempts,
    )


def _told_of(doi: Doi, attempts: Sequence[Attempt]) -> tuple[Attempt, ...]:
    """Who was asked about one of two spellings, each part saying which."""
    return tuple(
        replace(one, detail=f"{doi}: {one.detail}" if one.detail else str(doi))
        for one in attempts
        if one.consulted
    )


def _neither(written: Unanswered, cleaned: Unanswered) -> Unanswered:
    """Why neither spelling led to a paper; absence only where both are absent."""
    absent = isinstance(written.decisive, NotFound)
    return Unanswered(
        f"{written}; {cleaned}",
        decisive=cleaned.decisive if absent else written.decisive,
        attempts=(*written.attempts, *cleaned.attempts),
    )


def decisive(failures: Sequence[ResearchError]) -> ResearchError:
    """The failure that says what to do next: one that may pass by waiting, else the first."""
    passing = (e for e in failures if DISPOSITIONS[code_of(e)] == "retry_after")
    return next(passing, None) or next(
        iter(failures), NotConfigured("no source that could know is on")
    )


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else "nobody"
