"""arXiv: preprints in physics, mathematics, computer science and more, each with its PDF.

Docs: https://info.arxiv.org/help/api/user-manual.html; since September 2026 its edge also slows
callers down with 406, whatever they request (https://github.com/blazickjp/arxiv-mcp-server/issues/277,
2026-09-19, and others).
Silent on: the licence of a paper, who cites it, and later corrections or retractions by a journal.
"""

import re
from collections.abc import Mapping

from sourcewright.base.formats.parsers import parse_xml
from sourcewright.base.pages import FetchedFile
from sourcewright.base.urls.parts import unsupported_url_error, url_parts_of
from sourcewright.base.works import Work, WorkRecord
from sourcewright.domain.capabilities import SearchesWorks
from sourcewright.domain.papers.records import abstract_page
from sourcewright.domain.papers.scholar import BATCH, IndexResults, WorkQuery
from sourcewright.domain.scholar.queries import filters_ignored, words_and_phrases, years_of
from sourcewright.net.http.exchange import PDF
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit
from sourcewright.providers.arxiv.feed import read_answer, read_entries, read_list, read_work
from sourcewright.reading.readings import Reading

_TITLE = "arXiv"
_MOST_TITLES = "200"
_HOST = re.compile(r"(?:(?:www|export)\.)?arxiv\.org")
_SUPPORTED = frozenset({"year_from", "year_to", "open_access", "sort_by"})
_NUMBER = re.compile(
    r"(?:[0-9]{4}\.[0-9]{4,5}|[a-z-]{2,20}(?:\.[A-Z]{2})?/[0-9]{7})(?:v[0-9]{1,3})?"
)


class Arxiv(Provider):
    """Searches papers, describes them by arXiv id, reads their abstract pages and PDFs."""

    info = ProviderInfo(
        name="arxiv",
        title=_TITLE,
        home="https://arxiv.org",
        base_url="https://export.arxiv.org",
        rate=RateLimit(starts=1, per_seconds=3.0, at_once=1, gap_seconds=3.0),
        allowed_hosts=("arxiv.org", "export.arxiv.org", "*.arxiv.org"),
        tier=1,
        tells_notices=True,
        busy=frozenset({406}),
        has_only={SearchesWorks: "preprints of arXiv"},
    )

    async def describe_arxiv(self, arxiv_id: str) -> Work:
        # `search`, not `lookup`: absence is an empty feed, and a 404 is not arXiv's own response.
        return await self.upstream.search(
            "/api/query",
            {"id_list": arxiv_id},
            parse=parse_xml,
            read=lambda feed: read_answer(feed, arxiv_id),
        )

    async def search_title(self, title: str) -> tuple[Work, ...]:
        return await self.upstream.search(
            "/api/query",
            {"search_query": f'ti:"{query_words(title)}"', "max_results": "5"},
            parse=parse_xml,
            read=lambda feed: tuple(map(read_work, read_entries(feed))),
        )

    async def search_works(self, query: WorkQuery) -> IndexResults:
        """Supports the years of submission and the order; all its papers are open."""
        records, total = await self.upstream.search(
            "/api/query", search_params(query), parse=parse_xml, read=read_list
        )
        own = {"source"} if query.source == "arxiv" else set()
        return IndexResults(
            records=records[: query.limit],
            ignored=filters_ignored(query, _SUPPORTED | own),
            total=total,
        )

    async def describe_preprints(self, arxiv_ids: tuple[str, ...]) -> Mapping[str, WorkRecord]:
        requested = arxiv_ids[:BATCH]
        if not requested:
            return {}
        records, _ = await self.upstream.search(
            "/api/query",
            {"id_list": ",".join(requested), "start": "0", "max_results": str(len(requested))},
            parse=parse_xml,
            read=read_list,
        )
        return {record.arxiv_id: record for record in records if record.arxiv_id in requested}

    async def find_titles(self, titles: tuple[str, ...]) -> IndexResults:
        phrases = (query_words(title) for title in titles)
        records, total = await self.upstream.search(
            "/api/query",
            {
                "search_query": " OR ".join(f'ti:"{one}"' for one in phrases if one),
                "start": "0",
                "max_results": _MOST_TITLES,
            },
            parse=parse_xml,
            read=read_list,
        )
        return IndexResults(records=records, total=total)

    async def deliver_arxiv(self, arxiv_id: str) -> FetchedFile:
        return await self.upstream.download(f"https://arxiv.org/pdf/{arxiv_id}", PDF)

    def accepts(self, url: str) -> bool:
        return arxiv_id_in_url(url) is not None

    async def read_site(self, url: str) -> Reading:
        """Build the abstract page from the record: title, authors, dates, abstract, identifiers."""
        arxiv_id = arxiv_id_in_url(url)
        if arxiv_id is None:
            raise unsupported_url_error(url, _TITLE)
        return abstract_page(await self.describe_arxiv(arxiv_id), kind="arxiv", site=_TITLE)


def search_params(query: WorkQuery) -> dict[str, str]:
    years, words = years_of(query), f"all:{words_and_phrases(query.text)}"
    if years is not None:
        words = f"({words}) AND submittedDate:[{years[0]}01010000 TO {years[1]}12312359]"
    order = {"sortBy": "submittedDate", "sortOrder": "descending"}
    params = {"search_query": words, "start": "0", "max_results": str(query.limit)}
    return params | (order if query.sort_by == "date" else {})


def query_words(title: str) -> str:
    """The words of a title, without punctuation that arXiv would read as query syntax."""
    return " ".join(re.findall(r"\w+", title))


def arxiv_id_in_url(url: str) -> str | None:
    """The arXiv id if the URL is an abstract page, else None."""
    place = url_parts_of(url)
    if place is None or not _HOST.fullmatch(place.host) or place.parts[:1] != ("abs",):
        return None
    arxiv_id = "/".join(place.parts[1:])
    return arxiv_id if _NUMBER.fullmatch(arxiv_id) else None
