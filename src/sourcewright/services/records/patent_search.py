"""Use case of `patent_search`: queries patent sources in turn, then pages found on the web."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from sourcewright.base.calls import current_call
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import NotConfigured, NotFound, ResearchError, UpstreamError
from sourcewright.base.formats.codec import JsonCodec
from sourcewright.domain.calls import note_source
from sourcewright.domain.capabilities import SearchesPatents
from sourcewright.domain.evidence import NoSourceAnswered
from sourcewright.domain.records.assignees import AssigneeCluster, by_assignee, one_per_family
from sourcewright.domain.records.patent_filters import fits
from sourcewright.domain.records.patent_numbers import parse_patent_number
from sourcewright.domain.records.patents import Patent, PatentQuery, PatentResults
from sourcewright.domain.search.absence import SourceReply, doubt_about
from sourcewright.domain.search.hints import OTHER_WORDS, ZeroResultHints, error_kind, search_hints
from sourcewright.domain.users.sessions import SessionSource
from sourcewright.services.cache import Cached
from sourcewright.services.records.patent_pages import PATENT_PAGES, WEB_DISCOVERY, PatentPages
from sourcewright.services.records.sources import DAY, RecordKind, RecordSources

SearchType = Literal["prior_art", "specific", "landscape"]

ORDER = ("searchapi", "epo", "lens", "uspto")
"""The sources in the order in which they are queried."""
LANDSCAPE = 25
"""Candidates of a landscape, before families are shown once and grouped."""
_PATENTS = RecordKind(
    name="patents",
    codec=JsonCodec(PatentResults),
    keep=lambda results: bool(results.patents),
    ttl_seconds=DAY,
)
_US_ONLY = "uspto"
_PAGES_ON_THE_WEB = "pages of patents that a web search finds"
_OTHER_NUMBER = (
    "check the number, with its country and kind as in US10165245B2, or search by words"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PatentOutcome:
    """The patents, and which sources returned them, ignored filters or failed."""

    patents: tuple[Patent, ...]
    source: str
    attempted: tuple[str, ...]
    used: tuple[str, ...]
    failures: Mapping[str, ResearchError]
    ignored: tuple[str, ...]
    clusters: tuple[AssigneeCluster, ...]
    hints: ZeroResultHints | None
    doubt: NoSourceAnswered | None
    """The failure of the sources that can know, if only others found these patents."""
    answer: Cached[PatentResults] | None
    """The cached answer with the patents; None for pages found on the web."""
    routed: bool
    latency_ms: int = 0

    @property
    def fallback(self) -> bool:
        return self.attempted[0] not in self.used


@dataclass(slots=True)
class _Progress:
    """The sources queried so far, and their results."""

    attempted: list[str] = field(default_factory=list)
    failures: dict[str, ResearchError] = field(default_factory=dict)
    web_failures: dict[str, ResearchError] = field(default_factory=dict)
    """Of search engines, of which one may also be a source of patents."""
    empty: dict[str, Cached[PatentResults]] = field(default_factory=dict)

    @property
    def all_failures(self) -> dict[str, ResearchError]:
        return self.web_failures | self.failures


@dataclass(frozen=True, slots=True, kw_only=True)
class PatentSearch:
    """Searches patents."""

    records: RecordSources
    pages: PatentPages
    clock: Clock
    routed: tuple[str, ...] | None = None
    """The order that the operator set; None if not set."""

    async def search(
        self, query: PatentQuery, kind: SearchType, provider: str | None
    ) -> PatentOutcome:
        """Run a search.

        Raises:
            NotConfigured: The requested provider is unusable.
            NoSourceAnswered: Nothing was found, and a source that can know did not answer.
        """
        started = self.clock.monotonic()
        wide = replace(query, limit=max(query.limit, LANDSCAPE)) if kind == "landscape" else query
        progress = _Progress()
        names = self._names(query, provider)
        web = provider is None or not names
        results = await self._one_page(wide, provider, progress)
        for name in names:
            results = results or await self._ask(name, wide, progress)
        engine = provider if not names else None
        if results is None and web:
            results = await self._discover(wide, engine, progress)
        failure = _doubt(self.records, query, results, progress)
        if failure is not None and (results is None or not results.results.patents):
            raise failure
        if results is None:
            results = _nothing(progress)
        outcome = replace(self._outcome(query, kind, results, progress), doubt=failure)
        for patent in outcome.patents:
            _note(patent)
        return replace(outcome, latency_ms=round((self.clock.monotonic() - started) * 1000))

    def _names(self, query: PatentQuery, provider: str | None) -> list[str]:
        """The sources to query, in order; none if the provider is a web search engine."""
        usable = self.records.all.having(SearchesPatents)
        if provider is not None:
            if provider in usable:
                return [provider]
            if provider in self.pages.engines and not self._is_known(provider):
                return []
            name, _ = self._chosen(provider)
            return [name]
        names = [name for name in self.routed or ORDER if name in usable]
        return [one for one in names if _covers(one, query)]

    def _is_known(self, name: str) -> bool:
        return any(one.name == name and one.is_a(SearchesPatents) for one in self.records.all)

    def _chosen(self, provider: str) -> tuple[str, object]:
        if not self._is_known(provider):
            known = [one.name for one in self.records.all if one.is_a(SearchesPatents)]
            ordered = [name for name in (*ORDER, *known) if name in known]
            supported = dict.fromkeys((*ordered, *self.pages.engines))
            raise NotConfigured(
                f"unknown provider {provider!r}; supported: {', '.join(supported)}",
                alternatives=tuple(self.records.all.having(SearchesPatents)),
            )
        return self.records.choose(SearchesPatents, provider)

    async def _one_page(
        self, query: PatentQuery, provider: str | None, progress: _Progress
    ) -> "_SourceResults | None":
        """The public page of a publication, by its number."""
        if query.number is None or provider is not None:
            return None
        patent = await self.pages.read(query.number, progress.failures)
        if patent is None:
            return None
        progress.attempted.append(WEB_DISCOVERY)
        return _SourceResults(WEB_DISCOVERY, PatentResults(patents=(patent,)))

    async def _ask(
        self, name: str, query: PatentQuery, progress: _Progress
    ) -> "_SourceResults | None":
        await current_call.get().progress(f"querying {name}")
        source = self.records.all.having(SearchesPatents)[name]
        progress.attempted.append(name)
        try:
            answer = await self.records.ask(
                name, _PATENTS, {"query": query}, lambda: source.search_patents(query)
            )
        except NotFound:
            answer = _PATENTS.without_asking(PatentResults(patents=(), total=0))
        except UpstreamError as error:
            progress.failures[name] = error
            return None
        patents = tuple(one for one in answer.value.patents if fits(one, query))
        if patents:
            return _SourceResults(name, replace(answer.value, patents=patents), answer)
        progress.empty[name] = answer
        return None

    async def _discover(
        self, query: PatentQuery, engine: str | None, progress: _Progress
    ) -> "_SourceResults | None":
        """Pages of patents that a web search engine finds."""
        progress.attempted.append(WEB_DISCOVERY)
        results = await self.pages.search(query, engine, progress.failures, progress.web_failures)
        if results is None:
            progress.attempted.remove(WEB_DISCOVERY)
            return None
        return _SourceResults(WEB_DISCOVERY, results)

    def _outcome(
        self, query: PatentQuery, kind: SearchType, results: "_SourceResults", progress: _Progress
    ) -> PatentOutcome:
        patents = list(results.results.patents)
        clusters: tuple[AssigneeCluster, ...] = ()
        if kind == "landscape":
            patents, clusters = by_assignee(one_per_family(patents))
        page = tuple(patents[: query.limit])
        return PatentOutcome(
            patents=page,
            source=results.name,
            attempted=tuple(progress.attempted) or (results.name,),
            used=(results.name,),
            failures=progress.all_failures,
            ignored=_ignored(query, results.results),
            clusters=clusters,
            hints=None if page else self._hints(query, progress),
            doubt=None,
            answer=results.answer,
            routed=self.routed is not None,
        )

    def _hints(self, query: PatentQuery, progress: _Progress) -> ZeroResultHints:
        usable = self.records.all.having(SearchesPatents)
        return search_hints(
            {_ARGUMENTS.get(n, n): str(value) for n, value in query.filters().items()},
            attempted=progress.attempted,
            rephrasing=_OTHER_NUMBER if query.number else OTHER_WORDS,
            failed={name: error_kind(error) for name, error in progress.all_failures.items()},
            alternatives=[name for name in ORDER if name in usable and _covers(name, query)],
            unused_engines={
                one.name: "available" if one.provider is not None else one.remedy
                for one in self.records.all
                if one.is_a(SearchesPatents) and one.name not in progress.attempted
                if _covers(one.name, query)
            },
        )


def _covers(name: str, query: PatentQuery) -> bool:
    """Whether a source has patents of the office that the query names."""
    return name != _US_ONLY or query.office in (None, "US")


@dataclass(frozen=True, slots=True)
class _SourceResults:
    """The results of one source."""

    name: str
    results: PatentResults
    answer: Cached[PatentResults] | None = None


_ARGUMENTS = {"office": "patent_office", "cpc": "cpc_code"}
"""Filters by the names of the tool's arguments, where they differ."""


def _ignored(query: PatentQuery, results: PatentResults) -> tuple[str, ...]:
    """The arguments without effect; a number alone decides which publication it is."""
    beside = [one for one in ("assignee", "inventor", "cpc") if query.number]
    unused = [one for one in beside if getattr(query, one)]
    return tuple(_ARGUMENTS.get(one, one) for one in dict.fromkeys((*results.ignored, *unused)))


def _doubt(
    records: RecordSources, query: PatentQuery, results: _SourceResults | None, progress: _Progress
) -> NoSourceAnswered | None:
    """The failure because of which it is not known whether there are (more) such patents."""
    finder = results.name if results is not None and results.results.patents else None
    pages = [PATENT_PAGES] if PATENT_PAGES in progress.failures else []
    replies = [
        SourceReply(
            source=name,
            has_results=name == finder,
            error=progress.failures.get(name),
            has_only=_part_of(records, name, query),
        )
        for name in (*pages, *progress.attempted)
    ]
    if WEB_DISCOVERY not in progress.attempted:
        replies += [
            SourceReply(source=name, error=error, has_only=_PAGES_ON_THE_WEB)
            for name, error in progress.web_failures.items()
        ]
    return doubt_about(replies, "no patent source answered")


def _part_of(records: RecordSources, name: str, query: PatentQuery) -> str | None:
    """Which part of the patents that the query is about a source has; None for all."""
    if name == WEB_DISCOVERY:
        return _PAGES_ON_THE_WEB
    is_whole = name == PATENT_PAGES or (name == _US_ONLY and query.office == "US")
    return None if is_whole else records.part_of(name, SearchesPatents)


def _nothing(progress: _Progress) -> _SourceResults:
    """An empty result, of the first source that answered."""
    if not progress.empty:
        raise NotConfigured("no patent source and no search engine is configured")
    name, answer = next(iter(progress.empty.items()))
    return _SourceResults(name, replace(answer.value, patents=()), answer)


def _note(patent: Patent) -> None:
    note_source(
        SessionSource(
            url=patent.url,
            title=patent.title,
            tag="patent",
            author=patent.assignee or patent.inventor,
            date=patent.published or patent.granted or patent.filed,
        )
    )


def number_of(text: str | None, kind: SearchType) -> str | None:
    """The publication number in the query, if it asks for one publication."""
    parsed = parse_patent_number(text or "")
    if parsed is None or kind == "landscape":
        return None
    return str(parsed) if kind == "specific" or parsed.is_unmistakable else None
