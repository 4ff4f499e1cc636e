"""CORE: papers harvested from repositories and open journals, with links to their text.

Docs: https://api.core.ac.uk/docs/v3
Silent on: licences, and corrections or retractions.
"""

from collections.abc import Mapping
from typing import Any

from sourcewright.base.authors import author_from_parts, split_inverted_name
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import Record, records_of, text_of, url_of
from sourcewright.base.text import dates
from sourcewright.base.works import Author, Copy, Work, WorkRecord
from sourcewright.domain.capabilities import SearchesWorks
from sourcewright.domain.options import Option
from sourcewright.domain.papers.records import copies_in, is_pdf_url, records_about_doi
from sourcewright.domain.papers.scholar import IndexResults, WorkQuery
from sourcewright.domain.scholar.queries import filters_ignored, words_and_phrases
from sourcewright.domain.scholar.records import record_of_work
from sourcewright.domain.search.operators import quoted_phrase
from sourcewright.net.http.answers import not_found
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, enable_option

MAX_HITS = "20"
_SUPPORTED = frozenset({"year_from", "year_to", "open_access", "sort_by"})


class Core(Provider):
    """Searches papers, describes them by DOI, and lists their copies."""

    info = ProviderInfo(
        name="core",
        title="CORE",
        home="https://core.ac.uk",
        base_url="https://api.core.ac.uk/v3",
        # The rate of its slowest plan: ten requests a minute.
        rate=RateLimit(starts=1, per_seconds=6.0, at_once=1, gap_seconds=6.0),
        allowed_hosts=("api.core.ac.uk",),
        tier=2,
        refuses_keyless="HTTP 429 to every request without a key",
        has_only={SearchesWorks: "papers in open repositories and journals"},
        options=(
            enable_option("DOIGET_ENABLE_CORE", asked_for="papers"),
            Option(
                name="api_key",
                env=("DOIGET_CORE_API_KEY", "CORE_API_KEY"),
                help="API key for CORE (free); it answers nobody without one.",
                kind="secret",
                required=True,
            ),
        ),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return {"authorization": f"Bearer {options['api_key']}"}

    async def describe_doi(self, doi: str) -> Work:
        works = await self._find(doi)
        if not works:
            raise not_found("core", f"paper with the DOI {doi}")
        return works[0]

    async def find_copies(self, doi: str) -> tuple[Copy, ...]:
        return copies_in(await self._find(doi))

    async def search_works(self, query: WorkQuery) -> IndexResults:
        """Supports the years, the order and open access, and arXiv as source."""
        order = {"sort": "recency"} if query.sort_by == "date" else {}
        records, total = await self.upstream.search(
            "/search/works/",
            {"q": search_query(query), "limit": str(query.limit), **order},
            read=read_list,
        )
        own = {"source"} if query.source == "arxiv" else set()
        return IndexResults(
            records=records[: query.limit],
            ignored=filters_ignored(query, _SUPPORTED | own),
            total=total,
        )

    async def _find(self, doi: str) -> tuple[Work, ...]:
        # Without the trailing slash the API only redirects to the URL with it.
        return await self.upstream.search(
            "/search/works/",
            {"q": doi_query(doi), "limit": MAX_HITS},
            read=lambda answer: read_answer(answer, doi),
        )


def search_query(query: WorkQuery) -> str:
    words = words_and_phrases(query.text)
    conditions = (
        f"yearPublished>={query.year_from}" if query.year_from else None,
        f"yearPublished<={query.year_to}" if query.year_to else None,
        "_exists_:downloadUrl" if query.open_access else None,
        "_exists_:arxivId" if query.source == "arxiv" else None,
    )
    narrowed = " AND ".join(filter(None, conditions))
    return f"({words}) AND {narrowed}" if narrowed else words


def read_list(answer: Any) -> tuple[tuple[WorkRecord, ...], int]:
    """The papers that a search found, and how many there are.

    Raises:
        ValueError: There are papers, and none was sent.
    """
    total = json_values.required_count(answer["totalHits"])
    results = json_values.required_records(answer["results"])
    if total and not results:
        raise ValueError(f"{total} papers announced, but none sent")
    return tuple(map(read_record, results)), total


def read_record(record: Record) -> WorkRecord:
    """A paper as an entry of a scholarly index; a citation count of zero means that CORE has none."""
    work = read_work(record)
    number = json_values.require_value(text_of(record["id"]), "id")
    return record_of_work(
        work,
        index_id=number,
        arxiv_id=json_values.arxiv_id_of(record.get("arxivId")),
        pmid=text_of(record.get("pubmedId")),
        url=work.url or f"https://core.ac.uk/works/{number}",
        citation_count=json_values.count_of(record.get("citationCount")) or None,
        open_access=bool(work.copies) or None,
    )


def doi_query(doi: str) -> str:
    return f"doi:{quoted_phrase(doi)}"


def read_answer(answer: Any, doi: str) -> tuple[Work, ...]:
    works = [read_work(record) for record in records_of(answer["results"])]
    return records_about_doi(works, doi, total=answer["totalHits"])


def read_work(record: Record) -> Work:
    year = dates.year_of(record.get("yearPublished"))
    date = dates.date_of(record.get("publishedDate"))
    journals = records_of(record.get("journals"))
    issns = [
        one for journal in journals for one in json_values.texts_of(journal.get("identifiers"))
    ]
    return Work(
        source="core",
        title=text_of(record["title"]),
        authors=tuple(
            filter(None, map(_author, json_values.records_or_names(record["authors"], "name")))
        ),
        year=year or (int(date[:4]) if date else None),
        published=date or (str(year) if year else None),
        updated=dates.date_of(record.get("updatedDate")),
        doi=json_values.doi_of(record["doi"]),
        arxiv_id=text_of(record.get("arxivId")),
        type=text_of(record.get("documentType")),
        venue=json_values.first_text_of([journal.get("title") for journal in journals]),
        publisher=(text_of(record.get("publisher")) or "").strip("'") or None,
        issn=tuple(dict.fromkeys(issn.removeprefix("issn:") for issn in issns)),
        abstract=json_values.abstract_of(record.get("abstract")),
        url=_link(record, "display"),
        copies=_copies(record),
        raw=record,
    )


def _author(entry: Record) -> Author | None:
    name = text_of(entry.get("name"))
    given, family = split_inverted_name(name)
    return author_from_parts(name=name, given=given, family=family)


def _link(record: Record, kind: str) -> str | None:
    links = json_values.select_field(record.get("links"), "type", kind, "url")
    return next(filter(None, map(url_of, links)), None)


def _copies(record: Record) -> tuple[Copy, ...]:
    url = url_of(record["downloadUrl"])
    if url is None:
        return ()
    return (Copy(url=url, source="core", is_pdf=is_pdf_url(url)),)
