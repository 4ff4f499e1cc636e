"""Citation lookup: collects records for many references, by identifier, title and authors.

Batched first: one request per index for 50 identifiers or 20 titles. Only undecided references are
looked up one by one.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sourcewright.base.calls import current_call
from sourcewright.base.concurrency import run_both, run_concurrently
from sourcewright.base.errors import ResearchError
from sourcewright.base.text.phrases import count_phrase
from sourcewright.base.works import WorkRecord
from sourcewright.domain.papers.scholar import BATCH, TITLE_BATCH, TITLE_CHARACTERS
from sourcewright.references.comparison.match import is_preprint_doi
from sourcewright.references.comparison.titles import content_words, title_agreement
from sourcewright.references.model import Reference
from sourcewright.services.trust.cases import CitationCase, case_of
from sourcewright.services.trust.court_cases import CourtCases
from sourcewright.services.trust.identifiers import IdentifierLookup, for_each
from sourcewright.services.trust.questions import PatientQuestions, Records

UNLISTED_KINDS: Final = frozenset({"law", "case", "communication"})
RARELY_LISTED_KINDS: Final = frozenset({"webpage", "software", "news", "patent", "media"})
BATCH_INDEXES: Final = ("openalex", "semanticscholar")
_PREPRINTS: Final = "arxiv"
_REPOSITORIES: Final = "datacite"
"""Has the data sets, software, theses and reports of repositories."""
_WORD_INDEX, _TITLE_INDEX, _RELEVANCE_INDEX = "crossref", "dblp", "semanticscholar"


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationLookup:
    """Collects the records of references from the indexes."""

    questions: PatientQuestions
    identifiers: IdentifierLookup
    court_cases: CourtCases

    async def collect(self, references: Sequence[Reference]) -> list[CitationCase]:
        """Return one case per reference, with the evidence that its check needs."""
        cases = [case_of(reference) for reference in references]
        groups = [cases]
        if len(cases) > BATCH:
            # Apart, so that works without an identifier do not wait for slow indexes of those;
            # in a short list, that would only cost requests.
            groups = [
                [case for case in cases if case.ids is not None],
                [case for case in cases if case.ids is None],
            ]
        await run_concurrently([self._collect(group, cases) for group in groups])
        await _report(len(cases), len(cases))
        await self.identifiers.check_notices([(case, case.check.record) for case in cases])
        return cases

    async def _collect(self, cases: Sequence[CitationCase], every: Sequence[CitationCase]) -> None:
        """Collect what some cases need; progress is reported for all of them.

        Identifiers are looked up for all at once. What is open in one batch is asked for while
        the next batch waits for an index whose pace is slow.
        """
        identified = asyncio.Event()
        batches = [cases[start : start + BATCH] for start in range(0, len(cases), BATCH)]
        await run_concurrently(
            [
                self.identifiers.look_up(cases, identified),
                *(self._collect_batch(batch, identified, every) for batch in batches),
            ]
        )

    async def _collect_batch(
        self,
        cases: Sequence[CitationCase],
        identified: asyncio.Event,
        every: Sequence[CitationCase],
    ) -> None:
        await run_both(
            self.identifiers.locate_undescribed(cases, identified),
            self._by_title(BATCH_INDEXES, [case for case in cases if _is_listed(case)]),
        )
        settled = sum(case.is_settled for case in every)
        if 0 < settled < len(every):
            await _report(settled, len(every))
        await for_each([case for case in cases if case.reference.kind == "case"], self._court_case)
        await self._open_questions(cases)

    async def search_string(self, text: str, reference: Reference) -> CitationCase:
        """Return a case with the candidates for a reference string that was not taken apart."""
        case = case_of(reference)
        await self._search(_WORD_INDEX, case, text)
        return case

    async def _by_title(self, names: Sequence[str], cases: Sequence[CitationCase]) -> None:
        """Query indexes for many titles at once."""
        able = [name for name in names if self.questions.finds_titles(name)]
        batches = _title_batches(cases)
        if able and batches:
            await run_concurrently(
                [self._titles(name, batch) for name in able for batch in batches]
            )

    async def _titles(self, name: str, cases: Sequence[CitationCase]) -> None:
        titles = tuple(dict.fromkeys(case.reference.title or "" for case in cases))
        answer = await self.questions.titles(name, titles)
        for case in cases:
            _take(case, name, answer, only_similar=True)

    async def _open_questions(self, cases: Sequence[CitationCase]) -> None:
        """Ask for what is still open: registered records and preprints at once, the rest singly.

        What a batch of preprints leaves open is asked for while the next batch waits for its turn.
        """
        due = [case for case in cases if _is_searched(case) and not case.is_settled]
        incomplete = [case for case in cases if case in due or case.has_unchecked_fields]
        await self._registered_records(incomplete)
        software = [case for case in cases if case.reference.kind == "software"]
        await for_each(
            [case for case in software if not case.is_settled], self._search_repositories
        )
        due = [case for case in due if not case.is_settled]
        batches = _title_batches(due)
        if batches:
            await run_concurrently([self._open_batch(batch) for batch in batches])

    async def _open_batch(self, cases: Sequence[CitationCase]) -> None:
        await self._by_title((_PREPRINTS,), cases)
        await for_each([case for case in cases if not case.is_settled], self._search_title)

    async def _registered_records(self, cases: Sequence[CitationCase]) -> None:
        """Fetch the agency's records of the DOIs that other indexes named."""
        undescribed = {case: _undescribed_dois(case) for case in cases}
        dois = sorted({doi for some in undescribed.values() for doi in some})
        if not dois or _WORD_INDEX not in self.questions.requests.describers("doi"):
            return
        answers = await self.questions.described(_WORD_INDEX, "doi", dois)
        for case, some in undescribed.items():
            case.add(answers.records[doi] for doi in some if doi in answers.records)
            for doi in some:
                if doi in answers.failures:
                    case.fail(_WORD_INDEX, answers.failures[doi])

    async def _court_case(self, case: CitationCase) -> None:
        await self.court_cases.check(case)

    async def _search_repositories(self, case: CitationCase) -> None:
        await self._search(_REPOSITORIES, case, case.reference.title or "")

    async def _search_title(self, case: CitationCase) -> None:
        """Search for one title: in the index that may have its publication, or anywhere."""
        reference = case.reference
        title, people = reference.title or "", _family_names(reference, 4)
        if case.check.record is not None:
            await self._search(_TITLE_INDEX, case, title)
            return
        place = (reference.venue or "", str(reference.year or ""), _first_page(reference.pages))
        steps = (
            (_WORD_INDEX, (title, *people[:1])),
            (_RELEVANCE_INDEX, (title,)),
            (_REPOSITORIES, (title,)),
            # If no index has the title: what the authors published in that year and venue.
            (_TITLE_INDEX, (*people[:3], str(reference.year or "")) if people else ()),
            (_WORD_INDEX, (*people, *place) if people else ()),
        )
        for name, words in steps:
            if case.check.record is None:
                await self._search(name, case, " ".join(filter(None, words)))

    async def _search(self, name: str, case: CitationCase, text: str) -> None:
        answer = await self.questions.search(name, text)
        if answer is not None:
            _take(case, name, answer)


async def _report(done: int, total: int) -> None:
    words = f"looked up {done} of {count_phrase(total, 'reference')}"
    await current_call.get().progress(words, done=done, total=total)


def _take(case: CitationCase, name: str, answer: Records, *, only_similar: bool = False) -> None:
    if isinstance(answer, ResearchError):
        case.fail(name, answer)
        return
    case.add(_with_similar_title(case.reference, answer) if only_similar else answer)
    case.answer(name)


def _with_similar_title(reference: Reference, records: Iterable[WorkRecord]) -> list[WorkRecord]:
    """The records with a similar title, out of the records for several titles."""
    words = content_words(reference.title or "")
    return [
        record
        for record in records
        if record.title
        and len(words & content_words(record.title)) >= 0.4 * len(words)
        and title_agreement(reference.title or "", record.title) != "different"
    ]


def _title_batches(cases: Sequence[CitationCase]) -> list[list[CitationCase]]:
    """The cases in batches of titles that fit into one request."""
    batches: list[list[CitationCase]] = []
    size = 0
    for case in cases:
        length = len(case.reference.title or "") + 3
        if not batches or len(batches[-1]) >= TITLE_BATCH or size + length > TITLE_CHARACTERS:
            batches.append([])
            size = 0
        batches[-1].append(case)
        size += length
    return batches


def _is_listed(case: CitationCase) -> bool:
    """Whether scholarly indexes list works of this kind at all."""
    return bool(case.reference.title) and case.reference.kind not in UNLISTED_KINDS


def _is_searched(case: CitationCase) -> bool:
    """Whether indexes list works of this kind often enough to make a search worthwhile."""
    return _is_listed(case) and case.reference.kind not in RARELY_LISTED_KINDS


def _undescribed_dois(case: CitationCase) -> list[str]:
    """The DOIs of the work for which the registration agency was not yet queried."""
    known = {one.doi for one in case.records if one.source == _WORD_INDEX}
    dois = (one.doi for one in case.check.records if one.doi and not is_preprint_doi(one.doi))
    return [doi for doi in dict.fromkeys(dois) if doi not in known]


def _first_page(pages: str | None) -> str:
    return (pages or "").partition("-")[0].strip()


def _family_names(reference: Reference, most: int) -> list[str]:
    return [author.family or author.name for author in reference.authors[:most]]
