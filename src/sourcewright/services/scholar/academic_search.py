"""Use case of `academic_search`: queries indexes, merges their records, checks for notices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sourcewright.base.calls import current_call
from sourcewright.base.clocks import Clock
from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import NotConfigured, ResearchError
from sourcewright.domain.calls import note_outcome
from sourcewright.domain.capabilities import SearchesWorks
from sourcewright.domain.evidence import NoSourceAnswered
from sourcewright.domain.papers.scholar import IndexResults, WorkQuery
from sourcewright.domain.scholar.links import pdf_url
from sourcewright.domain.scholar.merge import MergedWork, merge_lists
from sourcewright.domain.search.absence import SourceReply, doubt_about
from sourcewright.domain.search.hints import ZeroResultHints, error_kind, search_hints
from sourcewright.services.cache import Cached
from sourcewright.services.scholar.checks import CheckedWorks, WorkChecks
from sourcewright.services.scholar.filters import fits
from sourcewright.services.scholar.findings import note_works
from sourcewright.services.scholar.rank import is_named, rank_works, without_unknown_words
from sourcewright.services.scholar.requests import IndexRequests
from sourcewright.services.scholar.web_fallback import PaperPages, WebFallback
from sourcewright.services.scholar.work_lookup import WorkLookup

_SPARE_RECORDS = 2
"""Requested records per result: duplicates are merged, and filters drop some."""
_MOST_RECORDS = 100
_FUSED_RECORDS = 20
_WEB_SEARCH = "web_search"
_PAGES_ON_THE_WEB = "pages that a web search finds"


@dataclass(frozen=True, slots=True, kw_only=True)
class AcademicOptions:
    """Options of a search besides the query."""

    provider: str | None = None
    """Query only this index or search engine."""
    sources: tuple[str, ...] = ()
    """Query these indexes concurrently; `all` means every usable one."""
    pdf_only: bool = False
    lens: str | None = None
    """Search the sites of this lens on the web, because no index can be limited to sites."""
    check: bool | None = None
    """Whether to query other sources for notices and copies; default: unless a provider is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AcademicOutcome:
    """The works, and which indexes returned them, ignored filters or failed."""

    works: tuple[MergedWork, ...]
    source: str
    """The source in the contract's naming: an index, `router`, `fusion` or `web_search`."""
    used: tuple[str, ...]
    """Indexes with results; if there are none, those that answered without results."""
    attempted: tuple[str, ...]
    failures: Mapping[str, ResearchError]
    ignored: Mapping[str, tuple[str, ...]]
    """Filters that an index does not support, by index."""
    total: int
    checked: CheckedWorks
    pages: PaperPages | None
    """The pages found by the web fallback; None if an index answered."""
    hints: ZeroResultHints | None
    doubt: NoSourceAnswered | None
    """The failure of the indexes that can know, if only others found these works."""
    routed: bool
    cached: bool
    age_seconds: int
    max_age_seconds: int
    latency_ms: int

    @property
    def fallback(self) -> bool:
        return self.attempted[0] not in self.used


@dataclass(slots=True)
class _Progress:
    """The indexes queried so far, and their results."""

    attempted: list[str] = field(default_factory=list)
    failures: dict[str, ResearchError] = field(default_factory=dict)
    answers: dict[str, Cached[IndexResults]] = field(default_factory=dict)

    def usable_answers(self) -> dict[str, Cached[IndexResults]]:
        """The answers with records; all answers if none has any."""
        return {n: one for n, one in self.answers.items() if one.value.records} or self.answers


@dataclass(frozen=True, slots=True, kw_only=True)
class AcademicSearch:
    """Searches papers."""

    requests: IndexRequests
    checks: WorkChecks
    web: WebFallback
    lookup: WorkLookup
    clock: Clock

    async def search(self, query: WorkQuery, options: AcademicOptions) -> AcademicOutcome:
        """Run a search.

        Raises:
            NotConfigured: The requested index is unusable.
            NoSourceAnswered: Nothing was found, and an index that can know did not answer.
        """
        started = self.clock.monotonic()
        rounds = self._rounds(options)
        progress = _Progress()
        if options.provider is None and not options.sources:
            query = await self.lookup.with_doi(query, progress.failures)
        works = await self._ask_in_turn(rounds, query, options, progress)
        pages = None
        if not works and self._may_use_web(options):
            pages = await self.web.search(query, options.provider, options.lens, progress.failures)
            progress.attempted += [] if pages is None else pages.attempted
        if pages is None and not (progress.answers or progress.failures):
            raise NotConfigured("no paper index and no search engine is configured")
        checked = await self._checked(works, options, progress)
        checked = replace(checked, works=_filtered_works(checked, query, options)[: query.limit])
        if pages is not None and options.pdf_only:
            pages = replace(pages, works=tuple(filter(_has_pdf, pages.works)))
        outcome = self._outcome(query, options, progress, checked, pages)
        if outcome.doubt is not None and not outcome.works:
            raise outcome.doubt
        note_works(outcome.works)
        return replace(outcome, latency_ms=round((self.clock.monotonic() - started) * 1000))

    async def _ask_in_turn(
        self,
        rounds: Sequence[Sequence[str]],
        query: WorkQuery,
        options: AcademicOptions,
        progress: _Progress,
    ) -> list[MergedWork]:
        """Query one round of indexes after the other, until one finds something."""
        for names in rounds:
            await self._ask(names, query, options, progress)
            works = self._ranked(query, progress)
            if len(names) > 1 and await self._ask_again(works, query, options, progress):
                works = self._ranked(query, progress)
            if works:
                return works
        return []

    def _rounds(self, options: AcademicOptions) -> list[list[str]]:
        """The indexes to query: those of a round concurrently, the next round only if needed."""
        indexes = self.requests.indexes
        if options.provider is not None:
            if self._is_engine(options.provider):
                return []
            return [[indexes.require(options.provider, SearchesWorks, or_engine=True)]]
        if options.sources:
            if "all" in options.sources:
                return [list(indexes.having(SearchesWorks))]
            required = (indexes.require(name, SearchesWorks) for name in options.sources)
            return [list(dict.fromkeys(required))]
        return [] if options.lens else self._default_rounds()

    def _default_rounds(self) -> list[list[str]]:
        indexes = self.requests.indexes
        order = indexes.default_order()
        if indexes.together > 1:
            every = list(dict.fromkeys((*order, *indexes.having(SearchesWorks))))
            at_once, later = every[: indexes.together], every[indexes.together :]
            return [at_once, *([name] for name in later if name in order)]
        return [[name] for name in order]

    def _is_engine(self, name: str) -> bool:
        """Whether a provider is a web search engine, not a scholarly index."""
        indexes = self.requests.indexes
        return not indexes.is_index(name) and name in indexes.engines.names()

    def _may_use_web(self, options: AcademicOptions) -> bool:
        if options.provider is not None:
            return self._is_engine(options.provider)
        return not options.sources

    async def _ask(
        self,
        names: Sequence[str],
        query: WorkQuery,
        options: AcademicOptions,
        progress: _Progress,
    ) -> None:
        await current_call.get().progress(f"asking {', '.join(names)}")
        wide = len(names) > 1 or options.pdf_only or query.open_access or query.source
        limit = max(_FUSED_RECORDS if wide else 0, query.limit * _SPARE_RECORDS)
        widened = replace(query, limit=min(limit, _MOST_RECORDS))
        answers = await run_concurrently([self.lookup.find(name, widened) for name in names])
        progress.attempted += [name for name in names if name not in progress.attempted]
        for name, answer in zip(names, answers, strict=True):
            note_outcome(name, answer if isinstance(answer, ResearchError) else None)
            if not isinstance(answer, ResearchError):
                progress.answers[name] = answer
            elif name not in progress.answers:
                progress.failures[name] = answer

    async def _ask_again(
        self,
        works: Sequence[MergedWork],
        query: WorkQuery,
        options: AcademicOptions,
        progress: _Progress,
    ) -> bool:
        """Query indexes without results again, without words that may be misspelled."""
        empty = [name for name, one in progress.answers.items() if not one.value.records]
        if not empty or is_named(works, query.text):
            return False
        text = without_unknown_words(query.text, works)
        if text is None:
            return False
        await self._ask(empty, replace(query, text=text), options, progress)
        return True

    def _ranked(self, query: WorkQuery, progress: _Progress) -> list[MergedWork]:
        lists = {name: one.value.records for name, one in progress.answers.items()}
        works = merge_lists(lists)
        works = [work for work in works if fits(work.record, query)]
        if query.sort_by == "date":
            return sorted(works, key=_date, reverse=True)
        return rank_works(works, query.text)

    async def _checked(
        self, works: Sequence[MergedWork], options: AcademicOptions, progress: _Progress
    ) -> CheckedWorks:
        check = options.check if options.check is not None else options.provider is None
        if not check or not works:
            return CheckedWorks(works=tuple(works))
        return await self.checks.check(works, progress.failures)

    def _outcome(
        self,
        query: WorkQuery,
        options: AcademicOptions,
        progress: _Progress,
        checked: CheckedWorks,
        pages: PaperPages | None,
    ) -> AcademicOutcome:
        results = progress.usable_answers()
        used = tuple(results) if pages is None else pages.used
        works = checked.works if pages is None else pages.works
        answers = list(results.values())
        totals = [one.value.total or len(one.value.records) for one in answers]
        return AcademicOutcome(
            works=works,
            source=self._answered_by(options, used, pages),
            used=used,
            attempted=tuple(progress.attempted),
            failures=dict(progress.failures),
            ignored={**_ignored(options, results), **({} if pages is None else pages.ignored)},
            total=max(totals, default=len(works)),
            checked=checked,
            pages=pages,
            hints=None if works else self._hints(query, options, progress),
            doubt=_doubt(self.requests, query, options, progress, checked, pages),
            routed=self.requests.indexes.routed,
            cached=any(one.cached for one in answers),
            age_seconds=max((one.age_seconds for one in answers), default=0),
            max_age_seconds=answers[0].max_age_seconds if answers else 0,
            latency_ms=0,
        )

    def _answered_by(
        self, options: AcademicOptions, used: tuple[str, ...], pages: PaperPages | None
    ) -> str:
        if pages is not None:
            return "web_search"
        if options.provider is None and not options.sources and self.requests.indexes.routed:
            return "router"
        return used[0] if len(used) == 1 else "fusion"

    def _hints(
        self, query: WorkQuery, options: AcademicOptions, progress: _Progress
    ) -> ZeroResultHints:
        filters = query.filters() | ({"pdf_only": True} if options.pdf_only else {})
        filters |= {"lens": options.lens} if options.lens else {}
        harmless = {"sort_by"}
        return search_hints(
            {n: str(value) for n, value in filters.items() if n not in harmless},
            attempted=progress.attempted,
            failed={name: error_kind(error) for name, error in progress.failures.items()},
            alternatives=self.requests.indexes.healthy(progress.attempted),
            unused_engines=self.requests.indexes.unused(progress.attempted),
        )


def _ignored(
    options: AcademicOptions, results: Mapping[str, Cached[IndexResults]]
) -> dict[str, tuple[str, ...]]:
    """Filters that each index does not support; none of them can be limited to a lens."""
    lens = ("lens",) if options.lens else ()
    ignored = {name: (*one.value.ignored, *lens) for name, one in results.items()}
    return {name: filters for name, filters in ignored.items() if filters}


def _doubt(
    indexes: IndexRequests,
    query: WorkQuery,
    options: AcademicOptions,
    progress: _Progress,
    checked: CheckedWorks,
    pages: PaperPages | None,
) -> NoSourceAnswered | None:
    """The failure because of which it is not known whether there are (more) such works."""
    finders = {name for work in checked.works for name in work.sources}
    names = [name for name in progress.attempted if indexes.indexes.is_index(name)]
    replies = [
        SourceReply(
            source=name,
            has_results=name in progress.answers and name in finders,
            error=progress.failures.get(name),
            has_only=indexes.part_of(name, query),
        )
        for name in names
    ]
    others = {name: error for name, error in progress.failures.items() if name not in names}
    engines = others.keys() & {*indexes.indexes.engines.names()}
    if pages is not None and pages.doubt is None:
        replies.append(
            SourceReply(
                source=_WEB_SEARCH, has_results=bool(pages.works), has_only=_PAGES_ON_THE_WEB
            )
        )
        others = {name: error for name, error in others.items() if name not in engines}
    # The others are the source that knows PMC ids, and those that know copies.
    needs_copies = options.pdf_only or query.open_access
    if needs_copies and not checked.works and not checked.knows_copies:
        others |= {name: error for name, error in checked.failures.items() if name not in names}
    replies += [
        SourceReply(
            source=name, error=error, has_only=_PAGES_ON_THE_WEB if name in engines else None
        )
        for name, error in others.items()
    ]
    alternatives = indexes.indexes.healthy([*progress.attempted, *others])
    return doubt_about(replies, "no paper index answered", alternatives=tuple(alternatives))


def _date(work: MergedWork) -> str:
    return work.record.published or str(work.record.year or "")


def _filtered_works(
    checked: CheckedWorks, query: WorkQuery, options: AcademicOptions
) -> tuple[MergedWork, ...]:
    """Apply the filters that depend on the check for copies."""
    works = [work for work in checked.works if not options.pdf_only or _has_pdf(work)]
    # If no source knows whether they are open, leaving them out would claim that they are not.
    closed = (False, None) if checked.knows_copies else (False,)
    if query.open_access:
        works = [work for work in works if work.record.open_access not in closed]
    return tuple(works)


def _has_pdf(work: MergedWork) -> bool:
    return pdf_url(work.record) is not None
