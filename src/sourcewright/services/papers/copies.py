"""Open copies of a paper: candidates tried in order until one is the right file.

The order is the documented one: open locations, an arXiv preprint, open copies that
other sources know, a publisher's own API under an agreement, another preprint.
"""

from collections.abc import Callable, Coroutine, Iterable, Iterator
from functools import partial
from typing import Any

from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import ArxivId, Doi, parse_arxiv, parse_reference
from sourcewright.base.urls.allowlists import OA_PUBLISHER_SOURCE, host_matches
from sourcewright.base.urls.canonical import host_of
from sourcewright.base.works import Copy, Work
from sourcewright.domain.capabilities import (
    DeliversArxivPapers,
    DeliversPapers,
    DescribesDois,
    FindsCopies,
    FindsPreprints,
    FindsPreprintsByTitle,
)
from sourcewright.domain.document_ports import FetchesFiles, ReadsPdfs
from sourcewright.domain.evidence import AttemptOutcome, SourceAttempt
from sourcewright.domain.papers.records import is_same_work
from sourcewright.services.papers.locations import (
    Candidate,
    FileSearch,
    FoundFile,
    Route,
    attempt,
    query_copies,
)
from sourcewright.services.providers import Source, Sources

COPY_SOURCES = ("unpaywall", "crossref", "datacite")
"""Sources whose records name open locations or preprints; no other source has all of those."""

_BY_TITLE = "_title_search"
NOT_NEEDED: AttemptOutcome = "not_consulted_not_needed"
NOT_APPLICABLE: AttemptOutcome = "not_consulted_not_applicable"


class CopyFinder:
    """Tries locations until one returns the right file."""

    def __init__(self, sources: Sources, copies: FetchesFiles, reader: ReadsPdfs) -> None:
        self._sources = sources
        self._copies = copies
        self._reader = reader

    async def locate(self, search: FileSearch) -> FoundFile | None:
        """Return the first right file, else a scan from the work's own location; `search` has the reasons."""
        file = await self._locate(search) or search.unconfirmed
        search.attempts.extend(_skipped_publishers(self._sources, search))
        return file

    async def _locate(self, search: FileSearch) -> FoundFile | None:
        if isinstance(search.reference, ArxivId):
            return await self._try_arxiv(search, search.reference, route="fetched", found_by=None)
        steps: tuple[Callable[[FileSearch], Coroutine[Any, Any, FoundFile | None]], ...] = (
            self._open_locations,
            self._arxiv_preprints,
            self._other_copies,
            self._licensed,
            self._other_preprints,
        )
        own = search.reference.arxiv
        file = await self._try_arxiv(search, own, route="fetched", found_by=None) if own else None
        if file is not None:
            return file
        for step in steps:
            # A preprint is no better than the paper itself, even if that is a scan.
            if search.unconfirmed and step in (self._arxiv_preprints, self._other_preprints):
                continue
            file = await step(search)
            if file is not None:
                return file
        search.unset = _unconfigured(self._sources, search.reference)
        return None

    async def _open_locations(self, search: FileSearch) -> FoundFile | None:
        return await self._try_copies(search, search.copies)

    async def _other_copies(self, search: FileSearch) -> FoundFile | None:
        """Try copies that the optional sources know, one source after the other."""
        for name, source in self._sources.having(FindsCopies, search.reference).items():
            copies = await query_copies(search, name, source.find_copies(str(search.reference)))
            file = await self._try_copies(search, copies or ())
            if file is not None:
                return file
        return None

    async def _arxiv_preprints(self, search: FileSearch) -> FoundFile | None:
        """Try arXiv preprints that a record names, then those with same title and first author."""
        for name, found_by in await self._named_preprints(search):
            arxiv_id = _parse_arxiv_id(name)
            file = arxiv_id and await self._try_arxiv(search, arxiv_id, found_by=found_by)
            if file:
                return file
        return await self._try_same_title(search)

    async def _named_preprints(self, search: FileSearch) -> list[tuple[str, str]]:
        """Return the preprints that sources name; each source is queried once."""
        if search.preprints is None:
            candidates = filter(None, (*search.work.preprints, search.work.arxiv_id))
            preprints = [(name, "crossref_relation") for name in candidates]
            reference = search.reference
            for name, source in self._sources.having(FindsPreprints, reference).items():
                ids = await query_copies(search, name, source.find_preprints(str(reference)))
                preprints.extend((one, name) for one in ids or ())
            search.preprints = preprints
        return search.preprints

    async def _try_same_title(self, search: FileSearch) -> FoundFile | None:
        if not search.work.title:
            return None
        for name, source in self._sources.having(FindsPreprintsByTitle, search.reference).items():
            works = await query_copies(search, name, source.search_title(search.work.title))
            same = [work for work in works or () if is_same_work(search.work, work)]
            for arxiv_id in filter(None, (_parse_arxiv_id(work.arxiv_id or "") for work in same)):
                file = await self._try_arxiv(search, arxiv_id, found_by=f"{name}{_BY_TITLE}")
                if file is not None:
                    return file
        return None

    async def _licensed(self, search: FileSearch) -> FoundFile | None:
        """Try the publisher's own API, after no open copy could be fetched."""
        for name, source in self._sources.having(DeliversPapers, search.reference).items():
            place = Candidate(
                name=name,
                source=name,
                get=partial(source.deliver, str(search.reference)),
                reference=search.reference,
                route="tdm_fetched",
                capability=name,
                is_own=True,
            )
            file = await attempt(search, place, self._reader)
            if file is not None:
                return file
        return None

    async def _other_preprints(self, search: FileSearch) -> FoundFile | None:
        """Try preprints with their own DOI, through the open locations of that DOI."""
        preprints = await self._named_preprints(search)
        for doi, found_by in dict(_preprint_dois(preprints)).items():
            copies = await _copies_of(self._sources, search, doi)
            file = await self._try_copies(search, copies, preprint=doi, found_by=found_by)
            if file is not None:
                return file
        return None

    async def _try_copies(
        self,
        search: FileSearch,
        copies: tuple[Copy, ...],
        *,
        preprint: Doi | None = None,
        found_by: str | None = None,
    ) -> FoundFile | None:
        for copy in copies:
            file = await self._try_copy(search, copy, preprint, found_by)
            if file is not None:
                return file
        return None

    async def _try_copy(
        self, search: FileSearch, copy: Copy, preprint: Doi | None, found_by: str | None
    ) -> FoundFile | None:
        arxiv_id = _arxiv_id_in(copy.url)
        if arxiv_id is not None:
            # Through the arXiv provider, which applies arXiv's rate limit and rules.
            return await self._try_arxiv(search, arxiv_id, found_by=copy.source)
        place = Candidate(
            name=copy.url,
            source=OA_PUBLISHER_SOURCE,
            get=partial(self._copies.fetch_pdf, copy.url),
            reference=preprint or search.reference,
            route="preprint_doi_fallback" if preprint else "fetched",
            licence=copy.licence,
            found_by=found_by or copy.source,
            version=copy.version,
            is_own=copy.of_doi,
        )
        return await attempt(search, place, self._reader)

    async def _try_arxiv(
        self,
        search: FileSearch,
        arxiv_id: ArxivId,
        *,
        found_by: str | None,
        route: Route = "preprint_fallback",
    ) -> FoundFile | None:
        for name, source in self._sources.having(DeliversArxivPapers).items():
            place = Candidate(
                name=f"arXiv:{arxiv_id}",
                source=name,
                get=partial(source.deliver_arxiv, str(arxiv_id)),
                reference=arxiv_id,
                route=route,
                licence="arxiv-default",
                found_by=found_by,
                version=_version_at(arxiv_id, search.work),
                is_own=not (found_by or "").endswith(_BY_TITLE),
            )
            file = await attempt(search, place, self._reader)
            if file is not None:
                return file
        return None


def _version_at(arxiv_id: ArxivId, work: Work) -> str | None:
    """Return the version that arXiv serves: the requested one, else that of its own record."""
    if arxiv_id.version is not None:
        return f"v{arxiv_id.version}"
    return work.version if work.source == "arxiv" and work.arxiv_id == arxiv_id.value else None


async def _copies_of(sources: Sources, search: FileSearch, doi: Doi) -> tuple[Copy, ...]:
    usable = sources.having(DescribesDois, doi)
    if "unpaywall" not in usable:
        return ()
    work = await query_copies(search, "unpaywall", usable["unpaywall"].describe_doi(str(doi)))
    return work.copies if work else ()


def _skipped_publishers(sources: Sources, search: FileSearch) -> Iterator[SourceAttempt]:
    """Yield why publishers with an accepted agreement were not queried for their own paper."""
    queried = {attempt.source for attempt in search.attempts}
    usable = sources.having(DeliversPapers, search.reference)
    for source in sources:
        is_publisher = source.provider is not None and bool(source.agreements)
        if not is_publisher or not source.accepts(search.reference) or source.name in queried:
            continue
        if source.name in usable:
            outcome, why = NOT_NEEDED, "another copy was found"
        else:
            outcome, why = NOT_APPLICABLE, "its API returns records, not files"
        yield SourceAttempt(source=source.name, outcome=outcome, detail=why)


def _unconfigured(sources: Sources, doi: Doi) -> tuple[Source, ...]:
    """Return the sources that might know a copy but are disabled or not configured.

    One that answers nobody without a key is none of them until it has one: most have no key, and
    could never say that there is no copy.
    """
    finders = (FindsCopies, FindsPreprints, FindsPreprintsByTitle)
    off = sources.unable(DescribesDois, *finders, reference=doi)
    return tuple(
        source
        for source in off
        if not source.turns_caller_away
        if source.name in COPY_SOURCES or any(source.is_a(finder) for finder in finders)
    )


def _parse_arxiv_id(name: str) -> ArxivId | None:
    try:
        reference = parse_reference(name)
    except InvalidInput:
        return None
    if isinstance(reference, Doi):
        return reference.arxiv
    return reference if isinstance(reference, ArxivId) else None


def _preprint_dois(preprints: Iterable[tuple[str, str]]) -> Iterator[tuple[Doi, str]]:
    """Yield the ids that are DOIs of a preprint server other than arXiv."""
    for name, found_by in preprints:
        try:
            reference = parse_reference(name)
        except InvalidInput:
            continue
        if isinstance(reference, Doi) and reference.arxiv is None:
            yield reference, found_by


def _arxiv_id_in(url: str) -> ArxivId | None:
    """Return the arXiv id in a URL on arxiv.org."""
    if not host_matches(host_of(url), ("*.arxiv.org",)):
        return None
    try:
        return parse_arxiv(url)
    except InvalidInput:
        return None
