"""Resolves a reference to its record, notices and open copies, or an error with the reason.

"Does not exist" requires that every source that decides about DOIs has responded "not found".
If one of them failed, the result is "could not be checked".
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

from sourcewright.base.calls import current_call
from sourcewright.base.concurrency import run_both, run_concurrently
from sourcewright.base.errors import NotConfigured, NotFound, ResearchError
from sourcewright.base.identifiers import ArxivId, Doi, Reference
from sourcewright.base.notices import Integrity
from sourcewright.base.works import Copy, Registration, Work
from sourcewright.domain.capabilities import (
    DescribesArxivPapers,
    DescribesDois,
    LocatesDois,
)
from sourcewright.domain.codes import DISPOSITIONS, code_of
from sourcewright.domain.evidence import NoSourceAnswered, SourceAttempt
from sourcewright.domain.ports import ProvenanceRecorder
from sourcewright.domain.reasons import joined_reasons
from sourcewright.services.inquiry import Inquiry, SourceResponse
from sourcewright.services.listed_notices import ListedNotices
from sourcewright.services.papers.identification import identify
from sourcewright.services.papers.integrity import IntegrityCheck
from sourcewright.services.providers import Sources

QUERIED_FIRST = ("crossref", "unpaywall")
"""Queried first, concurrently: most DOIs are Crossref's, and Unpaywall knows open copies."""

PREFERRED = ("crossref", "datacite", "unpaywall")
"""Precedence among several records of a DOI: registration agencies first."""


FALLBACK_CATALOGUES = (
    "europe-pmc",
    "openaire",
    "hal",
    "core",
    "openalex",
    "semantic_scholar",
    "biorxiv",
    "doaj",
)
"""Precedence of catalogues used if agencies fail; a source not listed comes first."""


RecordResponses = Mapping[str, SourceResponse[Work]]
"""Responses of the queried sources about a DOI, by source."""
_NO_RESPONSES: RecordResponses = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """A work that exists, and the attempts that show it."""

    reference: Doi | ArxivId
    """The id that was found: a reading of the requested one, or a shorter DOI."""
    work: Work
    integrity: Integrity
    attempts: tuple[SourceAttempt, ...]
    open_access: Work | None = None


def open_copy(resolution: Resolution) -> Copy | None:
    """Return the best open copy in the records."""
    return next(iter((resolution.open_access or resolution.work).copies), None)


def licence_of(resolution: Resolution) -> str | None:
    """Return the licence in the record, else that of the open copy."""
    copy = open_copy(resolution)
    return resolution.work.licence or (copy.licence if copy else None)


class Resolver:
    """Queries the sources, in the order that needs the fewest requests."""

    def __init__(
        self,
        sources: Sources,
        recorder: ProvenanceRecorder,
        listed: ListedNotices,
        now: Callable[[], str],
    ) -> None:
        self._sources = sources
        self._recorder = recorder
        self._integrity = IntegrityCheck(sources, listed, now)

    async def resolve(self, reference: Reference) -> Resolution:
        """Resolve one reference.

        Raises:
            NoSourceAnswered: It does not exist, or it could not be checked.
            Unsupported: Its record in PubMed has no DOI.
            NotConfigured: No source for this kind of reference is enabled.
            LogError: The provenance row could not be written.
        """
        inquiry = Inquiry(reference, self._recorder)
        async with inquiry.session():
            identified = await identify(reference, inquiry, self._sources)
            try:
                inquiry = Inquiry(identified.reference, self._recorder)
                resolution = await self.within(inquiry, identified.reference)
            except NoSourceAnswered as error:
                raise error.after(identified.attempts) from error
        return replace(resolution, attempts=(*identified.attempts, *resolution.attempts))

    async def notices_in(self, work: Work, doi: Doi) -> Integrity:
        """The retraction status by the record and the local list; no source is queried."""
        return await self._integrity.in_record(work, doi)

    async def check_notices(
        self, doi: Doi, work: Work, described: RecordResponses, inquiry: Inquiry
    ) -> tuple[Integrity, tuple[SourceAttempt, ...]]:
        """The retraction status by the record, its sources and the local list; and the attempts."""
        return await self._integrity.check(doi, work, described, inquiry)

    async def within(
        self, inquiry: Inquiry, reference: Doi | ArxivId, *, known: RecordResponses = _NO_RESPONSES
    ) -> Resolution:
        """Resolve within an inquiry whose session is already open.

        `known` contains responses of sources that were queried before; they are not queried again.
        """
        if isinstance(reference, ArxivId):
            return await self._resolve_arxiv(reference, inquiry)
        try:
            if reference.written:
                return await self._resolve_twice(reference, inquiry, known)
            return await self._resolve_doi(reference, inquiry, known)
        except NoSourceAnswered as error:
            if not isinstance(error.decisive, NotFound) or not reference.shorter:
                raise
            return await self._resolve_shorter(reference, error, inquiry)

    async def ask_first(self, doi: Doi, inquiry: Inquiry, *names: str) -> RecordResponses:
        """Query those of `QUERIED_FIRST` that are enabled, or only those in `names`."""
        usable = self._sources.having(DescribesDois, doi)
        selected = [name for name in usable if name in (names or QUERIED_FIRST)]
        return await self._describe(doi, {name: usable[name] for name in selected}, inquiry)

    async def _resolve_arxiv(self, reference: ArxivId, inquiry: Inquiry) -> Resolution:
        usable = self._sources.having(DescribesArxivPapers)
        if not usable:
            raise NotConfigured(f"{reference}: no source for arXiv ids is enabled")
        answers = await run_concurrently(
            [
                inquiry.ask(name, source.describe_arxiv(str(reference)))
                for name, source in usable.items()
            ]
        )
        attempts = tuple(one.attempt for one in answers)
        work = next((one.answer for one in answers if one.answer), None)
        if work is None:
            raise _no_record(reference, answers, deciders=frozenset(usable), attempts=attempts)
        return Resolution(
            reference=reference,
            work=work,
            integrity=await self.notices_in(work, reference.doi),
            attempts=attempts,
        )

    async def _resolve_twice(
        self, doi: Doi, inquiry: Inquiry, known: RecordResponses
    ) -> Resolution:
        """Resolve a DOI that ends in punctuation: as written, and only then without it."""
        written, cleaned = doi.readings
        try:
            return await self._resolve_doi(written, inquiry.for_identifier(written), _NO_RESPONSES)
        except NoSourceAnswered as error:
            first = _naming_doi(written, error)
        try:
            resolution = await self._resolve_doi(cleaned, inquiry.for_identifier(cleaned), known)
        except NoSourceAnswered as error:
            raise _neither_reading(first, error) from error
        return replace(resolution, attempts=(*first.attempts, *resolution.attempts))

    async def _resolve_shorter(
        self, doi: Doi, denial: NoSourceAnswered, inquiry: Inquiry
    ) -> Resolution:
        """Resolve a DOI that does not exist without what may have been copied with it."""
        if not doi.written:
            denial = _naming_doi(doi, denial)
        for shorter in doi.shorter:
            try:
                resolution = await self._resolve_doi(
                    shorter, inquiry.for_identifier(shorter), _NO_RESPONSES
                )
            except NoSourceAnswered as error:
                denial = _neither_reading(denial, _naming_doi(shorter, error))
                if not isinstance(denial.decisive, NotFound):
                    break
            else:
                return replace(resolution, attempts=(*denial.attempts, *resolution.attempts))
        raise denial

    async def _resolve_doi(self, doi: Doi, inquiry: Inquiry, known: RecordResponses) -> Resolution:
        usable = self._sources.having(DescribesDois, doi)
        due = set(QUERIED_FIRST) - known.keys()
        first = {name: usable[name] for name in usable if name in due}
        described = {**known, **await self._describe(doi, first, inquiry)}
        if successor := _successor(doi, described):
            resolve = partial(
                self._resolve_doi, successor[1], inquiry.for_identifier(successor[1])
            )
            return await _resolve_successor(doi, successor, described, resolve)
        registered: Mapping[str, SourceResponse[Registration]] = {}
        if "crossref" not in described or described["crossref"].answer is None:
            agencies = self._sources.deciders() - set(QUERIED_FIRST)
            rest = {name: source for name, source in usable.items() if name in agencies}
            more, registered = await run_both(
                self._describe(doi, rest, inquiry), self._locate(doi, inquiry)
            )
            described |= more
            if _should_query_catalogues(described, registered):
                described |= await self._query_catalogues(doi, described, inquiry)
        answers: list[SourceResponse[Work] | SourceResponse[Registration]] = [
            *described.values(),
            *registered.values(),
        ]
        attempts = (*(one.attempt for one in answers), *self._sources.skipped(doi))
        work = _preferred(described) or _only_registered(doi, described, registered)
        if work is None:
            raise _no_record(doi, answers, deciders=self._sources.deciders(), attempts=attempts)
        integrity, notice_attempts = await self.check_notices(doi, work, described, inquiry)
        return Resolution(
            reference=doi,
            work=work,
            integrity=integrity,
            attempts=(*attempts, *notice_attempts),
            open_access=described["unpaywall"].answer if "unpaywall" in described else None,
        )

    async def _describe(
        self, doi: Doi, sources: Mapping[str, DescribesDois], inquiry: Inquiry
    ) -> dict[str, SourceResponse[Work]]:
        if sources:
            await current_call.get().progress(f"querying {', '.join(sources)}")
        answers = await run_concurrently(
            [inquiry.ask(name, source.describe_doi(str(doi))) for name, source in sources.items()]
        )
        return dict(zip(sources, answers, strict=True))

    async def _query_catalogues(
        self, doi: Doi, described: Mapping[str, SourceResponse[Work]], inquiry: Inquiry
    ) -> dict[str, SourceResponse[Work]]:
        """Query catalogues for a record if an agency failed.

        All concurrently: the agency has already delayed the call. If every agency responded "not
        found", catalogues are not queried, because they cannot overrule that.
        """
        if _answered_or_absent(described, self._sources.deciders()):
            return {}
        usable = self._sources.having(DescribesDois, doi)
        names = sorted(usable.keys() - described.keys(), key=_precedence)
        return await self._describe(doi, {name: usable[name] for name in names}, inquiry)

    async def _locate(self, doi: Doi, inquiry: Inquiry) -> dict[str, SourceResponse[Registration]]:
        usable = self._sources.having(LocatesDois)
        answers = await run_concurrently(
            [inquiry.ask(name, source.locate_doi(str(doi))) for name, source in usable.items()]
        )
        return dict(zip(usable, answers, strict=True))


def _successor(doi: Doi, described: RecordResponses) -> tuple[str, Doi] | None:
    """Return the DOI that replaced this one, and the source whose record says so."""
    for name, response in described.items():
        work = response.answer
        if work and work.doi and work.doi != str(doi) and str(doi) in work.aliases:
            return name, Doi(work.doi)
    return None


async def _resolve_successor(
    alias: Doi,
    successor: tuple[str, Doi],
    described: RecordResponses,
    resolve: Callable[[RecordResponses], Awaitable[Resolution]],
) -> Resolution:
    """Resolve the DOI that replaced an alias, which other sources may know only by that one."""
    name, doi = successor
    response = described[name]
    attempt = replace(response.attempt, detail=f"{alias} is an alias of {doi}")
    earlier = [one.attempt for source, one in described.items() if source != name]
    try:
        resolution = await resolve({name: replace(response, attempt=attempt)})
    except NoSourceAnswered as error:
        raise error.after(_with_doi_in_detail(alias, earlier)) from error
    return replace(
        resolution, attempts=(*_with_doi_in_detail(alias, earlier), *resolution.attempts)
    )


def _only_registered(
    doi: Doi,
    described: Mapping[str, SourceResponse[Work]],
    registered: Mapping[str, SourceResponse[Registration]],
) -> Work | None:
    """Return a minimal work for a DOI of an agency that none of our sources covers.

    Only if every source that might describe it responded "not found": one that failed may have
    the record.
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


def _should_query_catalogues(
    described: Mapping[str, SourceResponse[Work]],
    registered: Mapping[str, SourceResponse[Registration]],
) -> bool:
    """Whether the network works and doi.org has not said that the DOI does not exist."""
    if any(one.absent for one in registered.values()):
        return False
    described_or_denied = any(one.answer or one.absent for one in described.values())
    return described_or_denied or any(one.answer for one in registered.values())


def _answered_or_absent(described: RecordResponses, deciders: frozenset[str]) -> bool:
    """Whether there is a record, or every agency that was queried has none."""
    answered = any(one.answer for one in described.values())
    return answered or all(described[name].absent for name in deciders & described.keys())


def _precedence(name: str) -> tuple[int, str]:
    return (FALLBACK_CATALOGUES.index(name) if name in FALLBACK_CATALOGUES else -1), name


def _preferred(described: Mapping[str, SourceResponse[Work]]) -> Work | None:
    others = sorted(described.keys() - set(PREFERRED), key=_precedence)
    order = [*(name for name in PREFERRED if name in described), *others]
    return next((described[name].answer for name in order if described[name].answer), None)


def _no_record(
    reference: Reference,
    answers: Sequence[SourceResponse[Work] | SourceResponse[Registration]],
    *,
    deciders: frozenset[str],
    attempts: tuple[SourceAttempt, ...],
) -> NoSourceAnswered:
    failures = [one.attempt.error for one in answers if one.attempt.error and not one.absent]
    reported_absent = {one.attempt.source for one in answers if one.absent}
    known = any(one.answer for one in answers)
    if not known and deciders and deciders <= reported_absent:
        names = _listed(sorted(reported_absent & deciders))
        return NoSourceAnswered(
            f"{reference} does not exist: {names} answered that there is no such record",
            decisive=NotFound(names, f"no record of {reference}"),
            attempts=attempts,
        )
    what = "is registered, but its record could not be read" if known else "could not be checked"
    return NoSourceAnswered(
        f"{reference} {what}: {joined_reasons(failures) or 'no source could be queried'} (this does not mean that it does not exist)",
        decisive=decisive_error(failures),
        attempts=attempts,
    )


def _with_doi_in_detail(doi: Doi, attempts: Sequence[SourceAttempt]) -> tuple[SourceAttempt, ...]:
    """Return the consulted attempts, each with the DOI that it was about."""
    return tuple(
        replace(one, detail=f"{doi}: {one.detail}" if one.detail else str(doi))
        for one in attempts
        if one.consulted
    )


def _naming_doi(doi: Doi, error: NoSourceAnswered) -> NoSourceAnswered:
    """The error with the DOI that its attempts were about."""
    attempts = _with_doi_in_detail(doi, error.attempts)
    return NoSourceAnswered(str(error), decisive=error.decisive, attempts=attempts)


def _neither_reading(written: NoSourceAnswered, cleaned: NoSourceAnswered) -> NoSourceAnswered:
    """Merge the errors of both readings; "not found" only if both are not found."""
    absent = isinstance(written.decisive, NotFound)
    return NoSourceAnswered(
        f"{written}; {cleaned}",
        decisive=cleaned.decisive if absent else written.decisive,
        attempts=(*written.attempts, *cleaned.attempts),
    )


def decisive_error(failures: Sequence[ResearchError]) -> ResearchError:
    """Return the error that determines what to do: one that a retry may fix, else the first."""
    retryable = (e for e in failures if DISPOSITIONS[code_of(e)] == "retry_after")
    return next(retryable, None) or next(
        iter(failures), NotConfigured("no source that could answer is enabled")
    )


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else "nobody"
