"""Use cases of `search` and `fetch`: web pages and papers as documents that have an id.

For clients that know no tools but these two. An id is all that they pass on, so it names what it
stands for: the DOI of a paper, the URL of a page.
"""

import asyncio
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from sourcewright.base.concurrency import run_both
from sourcewright.base.errors import InvalidInput, NotFound, ResearchError
from sourcewright.base.identifiers import Doi, parse_reference
from sourcewright.base.text.plain import plain_text
from sourcewright.base.urls.canonical import dedup_key, is_on_site
from sourcewright.domain.papers.scholar import WorkQuery
from sourcewright.domain.scholar.links import work_url
from sourcewright.domain.web.queries import Query
from sourcewright.reading.markdown.sections import slice_text
from sourcewright.services.library.contents import PaperContents
from sourcewright.services.pages.scrape_page import Scraper
from sourcewright.services.papers.notice_check import NoticeCheck
from sourcewright.services.papers.resolution import Resolution, Resolver
from sourcewright.services.scholar.academic_search import AcademicOptions, AcademicSearch
from sourcewright.services.search.web_search import SearchOptions, WebSearch

MAX_TEXT_BYTES = 400_000
"""Of a document: more than the context of the models that fetch it."""
_PAGES, _PAPERS = 10, 10
_COPIES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDocument:
    """A document that a search found."""

    id: str
    title: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDocuments:
    """What a search found, pages and papers in turn, and which kind could not be searched."""

    documents: tuple[FoundDocument, ...]
    failures: Mapping[str, ResearchError] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The text of a document, and what is known about it."""

    title: str
    text: str
    url: str
    metadata: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Documents:
    """Searches the web and the indexes of papers together, and reads what they find."""

    web: WebSearch
    papers: AcademicSearch
    scraper: Scraper
    resolver: Resolver
    notices: NoticeCheck
    library: PaperContents

    async def search(self, text: str) -> FoundDocuments:
        """Search pages and papers at once.

        Raises:
            NoSourceAnswered: Nothing was found, and not everybody who could know it answered.
        """
        pages, works = await run_both(_settled(self._pages(text)), _settled(self._works(text)))
        kinds = {"web": pages, "scholar": works}
        failures = {name: one for name, one in kinds.items() if isinstance(one, ResearchError)}
        results = [one for one in kinds.values() if not isinstance(one, ResearchError)]
        in_turn = chain.from_iterable(zip_longest(*results))
        once = {dedup_key(one.url): one for one in reversed([one for one in in_turn if one])}
        if failures and not once:
            raise next(iter(failures.values()))
        return FoundDocuments(documents=tuple(reversed(once.values())), failures=failures)

    async def _pages(self, text: str) -> list[FoundDocument]:
        query = Query(kind="web", text=text, limit=_PAGES)
        outcome = await self.web.search(query, SearchOptions())
        return [
            FoundDocument(id=hit.url, title=hit.title or hit.url, url=hit.url)
            for hit in outcome.results.hits
        ]

    async def _works(self, text: str) -> list[FoundDocument]:
        query = WorkQuery(text=text, limit=_PAPERS)
        outcome = await self.papers.search(query, AcademicOptions())
        records = [work.record for work in outcome.works]
        return [
            FoundDocument(
                id=f"doi:{record.doi}" if record.doi else url,
                title=record.title or record.doi or url,
                url=url,
            )
            for record in records
            if (url := work_url(record))
        ]

    async def fetch(self, document_id: str) -> Document:
        """Return a page as it reads, or a paper: its text if the library has it, else its record.

        Raises:
            InvalidInput: It is no id of a document.
            NoSourceAnswered, NotFound: The page could not be read, or there is no such paper.
        """
        if document_id.lower().startswith(("http://", "https://")) and not is_on_site(
            document_id, ["doi.org"]
        ):
            return await self._page(document_id)
        try:
            parse_reference(document_id)
        except InvalidInput as error:
            raise InvalidInput(f"id: it is neither a URL nor a DOI: {error}") from error
        return await self._paper(document_id)

    async def _page(self, url: str) -> Document:
        scraped = await self.scraper.scrape(url)
        read, notice = scraped.read.value, scraped.notice
        reading = read.reading
        # In a thread, because a long text takes time and must not block other calls.
        text, cut = await asyncio.to_thread(_bounded, reading.content)
        known = {
            "kind": "page",
            "author": reading.author,
            "published": reading.published,
            "site": reading.site,
            "language": reading.language,
            "doi": notice.doi,
            "notice": notice.notice.kind if notice.notice else None,
            "truncated": cut,
        }
        return Document(
            title=reading.title or url, text=text, url=read.url, metadata=_given(known)
        )

    async def _paper(self, document_id: str) -> Document:
        reference = parse_reference(document_id)
        resolution = await self.resolver.resolve(reference)
        integrity = await self.notices.with_stored(resolution.reference, resolution.integrity)
        work = resolution.work
        stored, problem = await self._stored_text(resolution)
        whole = stored or "\n\n".join(_described(resolution))
        text, cut = await asyncio.to_thread(_bounded, whole)
        known = {
            "kind": "paper",
            "authors": "; ".join(author.name for author in work.authors),
            "year": str(work.year or ""),
            "venue": work.venue,
            "doi": work.doi,
            "source": work.source,
            "integrity": integrity.status,
            "text": "full text in the library" if stored else "record and abstract only",
            "library": problem,
            "truncated": cut,
        }
        url = Doi(work.doi).url if work.doi else resolution.reference.url
        title = plain_text(work.title or "") or str(resolution.reference)
        return Document(title=title, text=text, url=url, metadata=_given(known))

    async def _stored_text(self, resolution: Resolution) -> tuple[str | None, str | None]:
        """The text of the paper's PDF, which was checked when it was stored, and what is wrong with it."""
        try:
            pdf = await self.library.pdf(str(resolution.reference))
            if pdf.problem:
                return None, pdf.problem
            return (await self.library.text(pdf)).content, None
        except NotFound:
            return None, None
        except ResearchError as error:
            return None, str(error)


async def _settled(
    search: Awaitable[list[FoundDocument]],
) -> Sequence[FoundDocument] | ResearchError:
    """What a search found, or why it failed; the other one may have found something."""
    try:
        return await search
    except ResearchError as error:
        return error


def _described(resolution: Resolution) -> Iterator[str]:
    """The record of a paper as text, and where its open copies can be fetched."""
    work = resolution.work
    yield f"# {plain_text(work.title or str(resolution.reference))}"
    names = "; ".join(author.name for author in work.authors)
    facts = [names, work.venue, str(work.year or "")]
    yield "\n".join(plain_text(fact) for fact in facts if fact)
    yield plain_text(work.abstract) if work.abstract else "The record has no abstract."
    copies = (resolution.open_access or work).copies[:_COPIES]
    if copies:
        listed = "\n".join(f"- {copy.url}" for copy in copies)
        yield f"Open copies, each to be fetched with its URL as id:\n\n{listed}"
    else:
        yield "The queried sources list no open copy."


def _bounded(text: str) -> tuple[str, str | None]:
    """The text, or its beginning with a note on how much there is."""
    part = slice_text(text, most=MAX_TEXT_BYTES)
    if part.next_offset is None:
        return text, None
    return part.text, f"the first {part.next_offset} of {len(text.encode())} bytes"


def _given(fields: Mapping[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in fields.items() if value}
